//! The only place for mathematics that a platform's libm could round differently: one pure-Rust libm,
//! so that native and wasm worlds agree to the last bit.

/// `x` to the power `y`.
#[must_use]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}
