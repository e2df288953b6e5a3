//! Floating-point functions that a platform's libm may round differently, from one pure-Rust libm.
//!
//! Invariant: native and WebAssembly results agree to the last bit.

/// `x` to the power `y`.
#[must_use]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $inner:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name($($arg: f64),*) -> f64 {
            libm::$inner($($arg),*)
        }
    )*};
}

functions! {
    /// The square root.
    sqrt(x) = sqrt;
    /// e to the power `x`.
    exp(x) = exp;
    /// The natural logarithm.
    ln(x) = log;
    /// The sine.
    sin(x) = sin;
    /// The cosine.
    cos(x) = cos;
    /// The angle of the point (`x`, `y`).
    atan2(y, x) = atan2;
    /// 2 to the power `x`.
    exp2(x) = exp2;
    /// 10 to the power `x`.
    exp10(x) = exp10;
    /// The logarithm to the base 2.
    log2(x) = log2;
    /// The logarithm to the base 10.
    log10(x) = log10;
    /// The natural logarithm of 1 + `x`.
    log1p(x) = log1p;
    /// e to the power `x`, minus 1.
    expm1(x) = expm1;
    /// The logarithm of the absolute value of the gamma function.
    lgamma(x) = lgamma;
    /// The error function.
    erf(x) = erf;
    /// The complementary error function.
    erfc(x) = erfc;
    /// The gamma function.
    gamma(x) = tgamma;
    /// The cube root.
    cbrt(x) = cbrt;
    /// The tangent.
    tan(x) = tan;
    /// The arc sine.
    asin(x) = asin;
    /// The arc cosine.
    acos(x) = acos;
    /// The arc tangent.
    atan(x) = atan;
    /// The hyperbolic sine.
    sinh(x) = sinh;
    /// The hyperbolic cosine.
    cosh(x) = cosh;
    /// The hyperbolic tangent.
    tanh(x) = tanh;
    /// The remainder of a division, with the sign of `x`.
    fmod(x, y) = fmod;
    /// The nearest integer; ties round to even.
    round_even(x) = rint;
}
