//! The functions of `math`.

use super::NativeTable;
use crate::value::Py;
use crate::vm::{PyResult, PyVm};
use base::math;

fn real(vm: &mut PyVm<'_>, a: &[Py], index: usize) -> PyResult<f64> {
    let value = vm.need(a, index, "math function")?;
    match vm.as_float(value) {
        Some(x) => Ok(x),
        None => {
            let message = format!("must be real number, not {}", vm.type_name(value));
            vm.type_error(&message)
        }
    }
}

/// A function of one number; `nan` for a number is a domain error, and infinity a range error.
fn one(vm: &mut PyVm<'_>, a: &[Py], f: fn(f64) -> f64) -> PyResult {
    let x = real(vm, a, 0)?;
    let y = f(x);
    if y.is_nan() && !x.is_nan() || y == f64::NEG_INFINITY && x.is_finite() {
        return vm.value_error("math domain error");
    }
    if y.is_infinite() && x.is_finite() {
        return Err(vm.error("OverflowError", "math range error"));
    }
    Ok(Py::Float(y))
}

fn whole(vm: &mut PyVm<'_>, a: &[Py], f: fn(f64) -> f64) -> PyResult {
    let value = vm.need(a, 0, "math function")?;
    if vm.as_big(value).is_some() {
        return Ok(value);
    }
    let x = real(vm, a, 0)?;
    vm.construct(crate::value::PyType::Int, &[Py::Float(f(x))], &[])
}

pub(super) const TABLE: NativeTable = &[
    ("math.sqrt", |vm, a, _| one(vm, a, f64::sqrt)),
    ("math.sin", |vm, a, _| one(vm, a, math::sin)),
    ("math.cos", |vm, a, _| one(vm, a, math::cos)),
    ("math.tan", |vm, a, _| one(vm, a, math::tan)),
    ("math.asin", |vm, a, _| one(vm, a, math::asin)),
    ("math.acos", |vm, a, _| one(vm, a, math::acos)),
    ("math.atan", |vm, a, _| one(vm, a, math::atan)),
    ("math.sinh", |vm, a, _| one(vm, a, math::sinh)),
    ("math.cosh", |vm, a, _| one(vm, a, math::cosh)),
    ("math.tanh", |vm, a, _| one(vm, a, math::tanh)),
    ("math.cbrt", |vm, a, _| one(vm, a, math::cbrt)),
    ("math.exp2", |vm, a, _| one(vm, a, math::exp2)),
    ("math.log1p", |vm, a, _| one(vm, a, math::log1p)),
    ("math.expm1", |vm, a, _| one(vm, a, math::expm1)),
    ("math.gamma", |vm, a, _| one(vm, a, math::gamma)),
    ("math.lgamma", |vm, a, _| one(vm, a, math::lgamma)),
    ("math.erf", |vm, a, _| one(vm, a, math::erf)),
    ("math.erfc", |vm, a, _| one(vm, a, math::erfc)),
    ("math.atan2", |vm, a, _| {
        let (y, x) = (real(vm, a, 0)?, real(vm, a, 1)?);
        Ok(Py::Float(math::atan2(y, x)))
    }),
    ("math.frexp", |vm, a, _| {
        let x = real(vm, a, 0)?;
        if x == 0.0 || !x.is_finite() {
            return Ok(vm.tuple(vec![Py::Float(x), Py::Int(0)]));
        }
        // Subnormal numbers are scaled first.
        let (scaled, shift) =
            if x.abs() < f64::MIN_POSITIVE { (x * 18_014_398_509_481_984.0, 54) } else { (x, 0) };
        let bits = scaled.to_bits();
        let exponent = i64::try_from((bits >> 52) & 0x7ff).unwrap_or(0) - 1022;
        let mantissa = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
        Ok(vm.tuple(vec![Py::Float(mantissa), Py::Int(exponent - shift)]))
    }),
    ("math.exp", |vm, a, _| one(vm, a, math::exp)),
    ("math._ln", |vm, a, _| one(vm, a, math::ln)),
    ("math.log2", |vm, a, _| one(vm, a, math::log2)),
    ("math.log10", |vm, a, _| one(vm, a, math::log10)),
    ("math.floor", |vm, a, _| whole(vm, a, f64::floor)),
    ("math.ceil", |vm, a, _| whole(vm, a, f64::ceil)),
    ("math.trunc", |vm, a, _| whole(vm, a, f64::trunc)),
    ("math.fabs", |vm, a, _| one(vm, a, f64::abs)),
    ("math.pow", |vm, a, _| {
        let (x, y) = (real(vm, a, 0)?, real(vm, a, 1)?);
        Ok(Py::Float(math::pow(x, y)))
    }),
    ("math.fmod", |vm, a, _| {
        let (x, y) = (real(vm, a, 0)?, real(vm, a, 1)?);
        if y == 0.0 { vm.value_error("math domain error") } else { Ok(Py::Float(x % y)) }
    }),
    ("math.copysign", |vm, a, _| Ok(Py::Float(real(vm, a, 0)?.copysign(real(vm, a, 1)?)))),
    ("math.isnan", |vm, a, _| Ok(Py::Bool(real(vm, a, 0)?.is_nan()))),
    ("math.isinf", |vm, a, _| Ok(Py::Bool(real(vm, a, 0)?.is_infinite()))),
    ("math.isfinite", |vm, a, _| Ok(Py::Bool(real(vm, a, 0)?.is_finite()))),
    ("math.isqrt", |vm, a, _| {
        let value = vm.need(a, 0, "isqrt")?;
        match vm.as_big(value).filter(|n| n.sign() != num_bigint::Sign::Minus) {
            Some(n) => Ok(vm.big(n.sqrt())),
            None => vm.value_error("isqrt() argument must be nonnegative"),
        }
    }),
    ("int.bit_length", |vm, a, _| {
        Ok(Py::Int(vm.as_big(a[0]).map_or(0, |n| i64::try_from(n.bits()).unwrap_or(0))))
    }),
    ("int.to_bytes", |vm, a, named| vm.tail("_int_to_bytes", a, named)),
    ("int.from_bytes", |vm, a, named| vm.tail("_int_from_bytes", &a[1..], named)),
    ("int.as_integer_ratio", |vm, a, _| Ok(vm.tuple(vec![a[0], Py::Int(1)]))),
    ("int.bit_count", |vm, a, _| {
        Ok(Py::Int(
            vm.as_big(a[0])
                .map_or(0, |n| n.magnitude().iter_u32_digits().map(|d| i64::from(d.count_ones())).sum()),
        ))
    }),
    ("int.conjugate", |_, a, _| Ok(a[0])),
    ("float.conjugate", |_, a, _| Ok(a[0])),
    ("float.as_integer_ratio", |vm, a, named| vm.tail("_float_ratio", a, named)),
    ("float.is_integer", |vm, a, _| Ok(Py::Bool(vm.as_float(a[0]).is_some_and(|x| x.fract() == 0.0)))),
];
