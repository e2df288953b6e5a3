//! Arithmetic on numbers, with integers of any size.

use super::code::BinOp;
use super::value::{Py, PyObject};
use super::vm::{PyResult, PyVm, Stop};
use num_bigint::{BigInt, Sign};

/// Maximum number of bits of an integer.
const MAX_BITS: u64 = 4_000_000;

impl PyVm<'_> {
    pub fn as_big(&self, value: Py) -> Option<BigInt> {
        match self.payload(value) {
            Py::Int(n) => Some(n.into()),
            Py::Bool(b) => Some(u8::from(b).into()),
            Py::Obj(id) => match self.obj(id) {
                PyObject::Big(b) => Some(b.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn as_float(&self, value: Py) -> Option<f64> {
        match self.payload(value) {
            Py::Float(x) => Some(x),
            Py::Int(n) => Some(n as f64),
            Py::Bool(b) => Some(f64::from(u8::from(b))),
            other => self.as_big(other).map(|b| big_to_f64(&b)),
        }
    }

    /// A small integer.
    pub fn as_int(&self, value: Py) -> Option<i64> {
        match self.payload(value) {
            Py::Int(n) => Some(n),
            Py::Bool(b) => Some(i64::from(b)),
            _ => None,
        }
    }

    pub fn big(&mut self, value: BigInt) -> Py {
        match i64::try_from(&value) {
            Ok(n) => Py::Int(n),
            Err(_) => self.add(PyObject::Big(value)),
        }
    }

    /// Arithmetic on two numbers; `None` if a value is not a number.
    pub fn arithmetic(&mut self, op: BinOp, a: Py, b: Py) -> PyResult<Option<Py>> {
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b))
            && let Some(value) = self.small(op, a, b, x, y)?
        {
            return Ok(Some(value));
        }
        if let (Some(x), Some(y)) = (self.as_big(a), self.as_big(b)) {
            return self.large(op, &x, &y).map(Some);
        }
        match (self.as_float(a), self.as_float(b)) {
            (Some(x), Some(y)) => self.floats(op, x, y),
            _ => Ok(None),
        }
    }

    fn zero_division<T>(&mut self, message: &str) -> PyResult<T> {
        Err(self.error("ZeroDivisionError", message))
    }

    fn small(&mut self, op: BinOp, a: Py, b: Py, x: i64, y: i64) -> PyResult<Option<Py>> {
        let bools = matches!((a, b), (Py::Bool(_), Py::Bool(_)));
        Ok(match op {
            BinOp::Add => x.checked_add(y).map(Py::Int),
            BinOp::Sub => x.checked_sub(y).map(Py::Int),
            BinOp::Mul => x.checked_mul(y).map(Py::Int),
            BinOp::Div if y == 0 => return self.zero_division("division by zero"),
            BinOp::Div => Some(Py::Float(x as f64 / y as f64)),
            BinOp::Floor | BinOp::Mod if y == 0 => {
                return self.zero_division("integer division or modulo by zero");
            }
            BinOp::Floor => x
                .checked_div_euclid(y)
                .map(|q| Py::Int(if y < 0 && x.rem_euclid(y) != 0 { q - 1 } else { q })),
            BinOp::Mod => {
                x.checked_rem(y).map(|r| Py::Int(if r != 0 && (r < 0) != (y < 0) { r + y } else { r }))
            }
            BinOp::Pow if y < 0 => {
                if x == 0 {
                    return self.zero_division("0.0 cannot be raised to a negative power");
                }
                Some(Py::Float(base::math::pow(x as f64, y as f64)))
            }
            BinOp::Pow => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)).map(Py::Int),
            BinOp::And if bools => Some(Py::Bool(x & y == 1)),
            BinOp::Or if bools => Some(Py::Bool(x | y == 1)),
            BinOp::Xor if bools => Some(Py::Bool(x ^ y == 1)),
            BinOp::And => Some(Py::Int(x & y)),
            BinOp::Or => Some(Py::Int(x | y)),
            BinOp::Xor => Some(Py::Int(x ^ y)),
            BinOp::Shl | BinOp::Shr if y < 0 => return self.value_error("negative shift count"),
            BinOp::Shl => (y < 62 && x.unsigned_abs().leading_zeros() > u32::try_from(y).unwrap_or(64) + 1)
                .then(|| Py::Int(x << y)),
            BinOp::Shr => Some(Py::Int(if y > 63 { if x < 0 { -1 } else { 0 } } else { x >> y })),
            BinOp::MatMul => None,
        })
    }

    fn check_bits(&mut self, bits: u64) -> PyResult<()> {
        self.fuel -= i64::try_from(bits / 256).unwrap_or(0);
        if bits > MAX_BITS {
            return Err(self.error("OverflowError", "sandbatch computes integers of at most 4 million bits"));
        }
        Ok(())
    }

    fn large(&mut self, op: BinOp, x: &BigInt, y: &BigInt) -> PyResult {
        let zero = y.sign() == Sign::NoSign;
        let value = match op {
            BinOp::Add => x + y,
            BinOp::Sub => x - y,
            BinOp::Mul => {
                self.check_bits(x.bits() + y.bits())?;
                x * y
            }
            BinOp::Div => {
                if zero {
                    return self.zero_division("division by zero");
                }
                // Enough bits for the nearest float.
                let shift = 1100_u64.saturating_sub(x.bits().min(1100)) + y.bits().min(1100);
                let quotient = (x << shift) / y;
                let value = big_to_f64(&quotient);
                let value = if value.is_finite() { scale(value, shift) } else { big_to_f64(&(x / y)) };
                if value.is_infinite() {
                    return Err(self.error("OverflowError", "integer division result too large for a float"));
                }
                return Ok(Py::Float(value));
            }
            BinOp::Floor | BinOp::Mod => {
                if zero {
                    return self.zero_division("integer division or modulo by zero");
                }
                let (q, r) = (x / y, x % y);
                let adjust =
                    r.sign() != Sign::NoSign && (r.sign() == Sign::Minus) != (y.sign() == Sign::Minus);
                match (op, adjust) {
                    (BinOp::Floor, true) => q - 1,
                    (BinOp::Floor, false) => q,
                    (_, true) => r + y,
                    (_, false) => r,
                }
            }
            BinOp::Pow => {
                if y.sign() == Sign::Minus {
                    return Ok(Py::Float(base::math::pow(big_to_f64(x), big_to_f64(y))));
                }
                let Ok(exponent) = u32::try_from(y) else {
                    return Err(
                        self.error("OverflowError", "sandbatch computes integers of at most 4 million bits")
                    );
                };
                self.check_bits(x.bits().saturating_mul(exponent.into()))?;
                x.pow(exponent)
            }
            BinOp::And => x & y,
            BinOp::Or => x | y,
            BinOp::Xor => x ^ y,
            BinOp::Shl | BinOp::Shr => {
                let Ok(count) = u64::try_from(y) else { return self.value_error("negative shift count") };
                if op == BinOp::Shr {
                    x >> count
                } else {
                    self.check_bits(x.bits().saturating_add(count))?;
                    x << count
                }
            }
            BinOp::MatMul => return self.type_error("unsupported operand type(s) for @: 'int' and 'int'"),
        };
        Ok(self.big(value))
    }

    fn floats(&mut self, op: BinOp, x: f64, y: f64) -> PyResult<Option<Py>> {
        let value = match op {
            BinOp::Add => x + y,
            BinOp::Sub => x - y,
            BinOp::Mul => x * y,
            BinOp::Div if y == 0.0 => return self.zero_division("float division by zero"),
            BinOp::Div => x / y,
            BinOp::Floor if y == 0.0 => return self.zero_division("float floor division by zero"),
            BinOp::Mod if y == 0.0 => return self.zero_division("float modulo"),
            BinOp::Floor => {
                let r = modulo(x, y);
                ((x - r) / y).round()
            }
            BinOp::Mod => modulo(x, y),
            BinOp::Pow => {
                if x == 0.0 && y < 0.0 {
                    return self.zero_division("0.0 cannot be raised to a negative power");
                }
                if x < 0.0 && y.fract() != 0.0 {
                    let power = self.builtin("_power");
                    return Err(Stop::Tail(power, vec![Py::Float(x), Py::Float(y)], Vec::new()));
                }
                let value = base::math::pow(x, y);
                if value.is_infinite() && x.is_finite() && y.is_finite() {
                    return Err(self.error("OverflowError", "(34, 'Numerical result out of range')"));
                }
                value
            }
            BinOp::MatMul | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => return Ok(None),
        };
        Ok(Some(Py::Float(value)))
    }
}

fn modulo(x: f64, y: f64) -> f64 {
    let r = x % y;
    if r != 0.0 && (r < 0.0) != (y < 0.0) { r + y } else { r }
}

/// Divides by a power of two.
fn scale(mut value: f64, shift: u64) -> f64 {
    let mut left = shift;
    while left > 0 {
        let step = left.min(1000);
        value /= base::math::pow(2.0, step as f64);
        left -= step;
    }
    value
}

/// The nearest float of an integer.
pub(crate) fn big_to_f64(value: &BigInt) -> f64 {
    value.to_string().parse().unwrap_or(f64::INFINITY)
}
