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
    /// The nearest integer; ties round to even.
    round_even(x) = rint;
}
