//! Functions of the elements of arrays, and reductions in numpy's order.

use base::math;

pub(super) fn unary_function(op: &str) -> Option<fn(f64) -> f64> {
    Some(match op {
        "neg" => |x| -x,
        "abs" => f64::abs,
        "sqrt" => f64::sqrt,
        "square" => |x| x * x,
        "exp" => math::exp,
        "log" => math::ln,
        "log2" => math::log2,
        "log10" => math::log10,
        "log1p" => |x| math::ln(1.0 + x),
        "expm1" => |x| math::exp(x) - 1.0,
        "sin" => math::sin,
        "cos" => math::cos,
        "tan" => math::tan,
        "arcsin" => math::asin,
        "arccos" => math::acos,
        "arctan" => math::atan,
        "sinh" => math::sinh,
        "cosh" => math::cosh,
        "tanh" => math::tanh,
        "floor" => f64::floor,
        "ceil" => f64::ceil,
        "trunc" => f64::trunc,
        "rint" => f64::round_ties_even,
        "sign" => |x| {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        },
        "not" => |x| f64::from(u8::from(x == 0.0)),
        "isnan" => |x| f64::from(u8::from(x.is_nan())),
        "isinf" => |x| f64::from(u8::from(x.is_infinite())),
        "isfinite" => |x| f64::from(u8::from(x.is_finite())),
        "sigmoid" => |x| 1.0 / (1.0 + math::exp(-x)),
        "relu" => |x| if x > 0.0 { x } else { 0.0 },
        _ => return None,
    })
}

pub(super) fn binary_function(op: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match op {
        "add" => |x, y| x + y,
        "sub" => |x, y| x - y,
        "mul" => |x, y| x * y,
        "div" => |x, y| x / y,
        "floor" => |x, y| (x / y).floor(),
        "mod" => |x, y| if y == 0.0 { f64::NAN } else { x - (x / y).floor() * y },
        "pow" => |x, y| if y == 2.0 { x * x } else { math::pow(x, y) },
        "max" => |x, y| if x.is_nan() || x >= y { x } else { y },
        "min" => |x, y| if x.is_nan() || x <= y { x } else { y },
        "arctan2" => math::atan2,
        "eq" => |x, y| f64::from(u8::from(x == y)),
        "ne" => |x, y| f64::from(u8::from(x != y)),
        "lt" => |x, y| f64::from(u8::from(x < y)),
        "le" => |x, y| f64::from(u8::from(x <= y)),
        "gt" => |x, y| f64::from(u8::from(x > y)),
        "ge" => |x, y| f64::from(u8::from(x >= y)),
        "and" => |x, y| (x as i64 & y as i64) as f64,
        "or" => |x, y| (x as i64 | y as i64) as f64,
        "xor" => |x, y| (x as i64 ^ y as i64) as f64,
        "shl" => |x, y| ((x as i64) << (y as i64).clamp(0, 62)) as f64,
        "shr" => |x, y| ((x as i64) >> (y as i64).clamp(0, 62)) as f64,
        _ => return None,
    })
}

/// A sum in numpy's order: pairs of blocks of 128, each with eight partial sums.
pub(super) fn pairwise(x: &[f64]) -> f64 {
    if x.len() < 8 {
        return x.iter().fold(-0.0, |sum, v| sum + v) + 0.0;
    }
    if x.len() <= 128 {
        let mut r = [x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]];
        let whole = x.len() / 8 * 8;
        for chunk in x[8..whole].chunks_exact(8) {
            for (sum, v) in r.iter_mut().zip(chunk) {
                *sum += v;
            }
        }
        let sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
        return x[whole..].iter().fold(sum, |sum, v| sum + v);
    }
    let half = x.len() / 2 / 8 * 8;
    pairwise(&x[..half]) + pairwise(&x[half..])
}

pub(super) fn reduced(op: &str, values: &[f64]) -> Option<f64> {
    Some(match op {
        "sum" => pairwise(values),
        "prod" => values.iter().product(),
        "any" => f64::from(u8::from(values.iter().any(|v| *v != 0.0))),
        "all" => f64::from(u8::from(values.iter().all(|v| *v != 0.0))),
        "max" | "min" | "argmax" | "argmin" => {
            let most = op.ends_with("max");
            let mut best = 0;
            for (i, v) in values.iter().enumerate() {
                let b = values[best];
                if b.is_nan() {
                    break;
                }
                if v.is_nan() || if most { *v > b } else { *v < b } {
                    best = i;
                }
            }
            if op.starts_with("arg") { best as f64 } else { *values.get(best)? }
        }
        _ => return None,
    })
}
