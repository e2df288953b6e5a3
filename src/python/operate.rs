//! Operators, comparisons and subscripts.

use super::code::{BinOp, CmpOp, PyOp};
use super::index::range_len;
use super::value::{DictKey, Py, PyObject, PyType};
use super::vm::{PyResult, PyVm, Stop};
use std::cmp::Ordering;

/// Repetitions of at least this length are accounted for but not created.
const BULK: u64 = 1_000_000;

const fn names(op: BinOp) -> (&'static str, &'static str, &'static str) {
    match op {
        BinOp::Add => ("+", "__add__", "__radd__"),
        BinOp::Sub => ("-", "__sub__", "__rsub__"),
        BinOp::Mul => ("*", "__mul__", "__rmul__"),
        BinOp::Div => ("/", "__truediv__", "__rtruediv__"),
        BinOp::Floor => ("//", "__floordiv__", "__rfloordiv__"),
        BinOp::Mod => ("%", "__mod__", "__rmod__"),
        BinOp::Pow => ("**", "__pow__", "__rpow__"),
        BinOp::MatMul => ("@", "__matmul__", "__rmatmul__"),
        BinOp::And => ("&", "__and__", "__rand__"),
        BinOp::Or => ("|", "__or__", "__ror__"),
        BinOp::Xor => ("^", "__xor__", "__rxor__"),
        BinOp::Shl => ("<<", "__lshift__", "__rlshift__"),
        BinOp::Shr => (">>", "__rshift__", "__rrshift__"),
    }
}

impl PyVm<'_> {
    pub fn binary(&mut self, op: BinOp, a: Py, b: Py, in_place: bool) -> PyResult {
        let (sign, method, reverse) = names(op);
        if in_place && let Some(f) = self.class_attr(a, &method.replacen("__", "__i", 1)) {
            return Err(Stop::Tail(f, vec![a, b], Vec::new()));
        }
        if let Some(f) = self.class_attr(a, method).filter(|f| !matches!(f, Py::Native(_))) {
            if let Some(back) = self.class_attr(b, reverse) {
                let value = self.call_nested(f, vec![a, b], Vec::new())?;
                return if value == Py::NotImplemented {
                    Err(Stop::Tail(back, vec![b, a], Vec::new()))
                } else {
                    Ok(value)
                };
            }
            let value = self.call_nested(f, vec![a, b], Vec::new())?;
            return if value == Py::NotImplemented {
                self.unsupported(sign, in_place, a, b)
            } else {
                Ok(value)
            };
        }
        if let Some(f) = self.class_attr(b, reverse).filter(|f| !matches!(f, Py::Native(_))) {
            let value = self.call_nested(f, vec![b, a], Vec::new())?;
            return if value == Py::NotImplemented {
                self.unsupported(sign, in_place, a, b)
            } else {
                Ok(value)
            };
        }
        if let Some(value) = self.arithmetic(op, a, b)? {
            return Ok(value);
        }
        if let Some(value) = self.collections(op, a, b, in_place)? {
            return Ok(value);
        }
        if op == BinOp::Add && self.type_of(a) == PyType::Str {
            let message = format!("can only concatenate str (not \"{}\") to str", self.type_name(b));
            return self.type_error(&message);
        }
        if op == BinOp::Add && self.type_of(a) == PyType::List {
            let message = format!("can only concatenate list (not \"{}\") to list", self.type_name(b));
            return self.type_error(&message);
        }
        if op == BinOp::Mul
            && [a, b].iter().any(|v| matches!(self.type_of(*v), PyType::Str | PyType::List | PyType::Tuple))
        {
            let other =
                if matches!(self.type_of(a), PyType::Str | PyType::List | PyType::Tuple) { b } else { a };
            let message = format!("can't multiply sequence by non-int of type '{}'", self.type_name(other));
            return self.type_error(&message);
        }
        self.unsupported(sign, in_place, a, b)
    }

    fn unsupported(&mut self, sign: &str, in_place: bool, a: Py, b: Py) -> PyResult {
        let sign = if in_place {
            format!("{sign}=")
        } else if sign == "**" {
            "** or pow()".to_owned()
        } else {
            sign.to_owned()
        };
        let message = format!(
            "unsupported operand type(s) for {sign}: '{}' and '{}'",
            self.type_name(a),
            self.type_name(b)
        );
        self.type_error(&message)
    }

    /// Operators of strings, lists, sets and dictionaries.
    fn collections(&mut self, op: BinOp, a: Py, b: Py, in_place: bool) -> PyResult<Option<Py>> {
        let (x, y) = (self.payload(a), self.payload(b));
        if op == BinOp::Mod && self.type_of(x) == PyType::Str {
            return self.percent(x, b).map(Some);
        }
        if op == BinOp::Mul {
            let (sequence, times) = if self.as_int(x).is_some() { (y, x) } else { (x, y) };
            return match self.as_int(times) {
                Some(times) => self.repeat(sequence, times),
                None => Ok(None),
            };
        }
        let texts = op == BinOp::Add && self.type_of(x) == PyType::Str && self.type_of(y) == PyType::Str;
        if texts && (self.str_ref(x).is_none() || self.str_ref(y).is_none()) {
            // Long repetitions are written out.
            let (x, y) = (self.text_of(x)?.unwrap_or_default(), self.text_of(y)?.unwrap_or_default());
            self.fits(x.len() + y.len())?;
            return Ok(Some(self.text(format!("{x}{y}"))));
        }
        let (Py::Obj(i), Py::Obj(j)) = (x, y) else {
            if op == BinOp::Or && self.is_class(a) && (self.is_class(b) || b == Py::None) {
                return Ok(Some(self.tuple(vec![a, b])));
            }
            return Ok(None);
        };
        if op == BinOp::Add && in_place && matches!(self.obj(i), PyObject::List(_)) {
            let items = self.gather(y)?;
            self.s.heap.grow(items.len() as u64 * 8);
            if let PyObject::List(v) = self.obj_mut(i) {
                v.extend(items);
            }
            return Ok(Some(a));
        }
        let value = match (op, self.obj(i), self.obj(j)) {
            (BinOp::Add, PyObject::Text(s), PyObject::Text(t)) => {
                let mut out = String::with_capacity(s.len() + t.len());
                out += s;
                out += t;
                PyObject::Text(out.into())
            }
            (BinOp::Add, PyObject::Bytes(s, m), PyObject::Bytes(t, _)) => {
                PyObject::Bytes([&s[..], t].concat(), *m)
            }
            (BinOp::Add, PyObject::List(s), PyObject::List(t)) => PyObject::List([&s[..], t].concat()),
            (BinOp::Add, PyObject::Tuple(s), PyObject::Tuple(t)) => PyObject::Tuple([&s[..], t].concat()),
            (BinOp::Or, PyObject::Dict(s), PyObject::Dict(t)) => {
                let mut all = s.clone();
                all.extend(t.clone());
                if in_place {
                    *self.obj_mut(i) = PyObject::Dict(all);
                    return Ok(Some(a));
                }
                PyObject::Dict(all)
            }
            (
                BinOp::Or | BinOp::And | BinOp::Sub | BinOp::Xor,
                PyObject::Set(s, frozen),
                PyObject::Set(t, _),
            ) => {
                let frozen = *frozen;
                let table = match op {
                    BinOp::Or => s.iter().chain(t.iter()).map(|(k, v)| (k.clone(), *v)).collect(),
                    BinOp::And => {
                        s.iter().filter(|(k, _)| t.contains_key(*k)).map(|(k, v)| (k.clone(), *v)).collect()
                    }
                    BinOp::Sub => {
                        s.iter().filter(|(k, _)| !t.contains_key(*k)).map(|(k, v)| (k.clone(), *v)).collect()
                    }
                    _ => s
                        .iter()
                        .filter(|(k, _)| !t.contains_key(*k))
                        .chain(t.iter().filter(|(k, _)| !s.contains_key(*k)))
                        .map(|(k, v)| (k.clone(), *v))
                        .collect(),
                };
                if in_place && !frozen {
                    *self.obj_mut(i) = PyObject::Set(table, false);
                    return Ok(Some(a));
                }
                PyObject::Set(table, frozen)
            }
            (BinOp::Or | BinOp::And | BinOp::Sub, PyObject::View(..), _) => {
                let (s, t) = (self.gather(x)?, self.gather(y)?);
                let (s, t) = (self.set_of(s)?, self.set_of(t)?);
                let s = self.add(PyObject::Set(s, false));
                let t = self.add(PyObject::Set(t, false));
                return self.collections(op, s, t, false);
            }
            _ => return Ok(None),
        };
        Ok(Some(self.add(value)))
    }

    fn repeat(&mut self, sequence: Py, times: i64) -> PyResult<Option<Py>> {
        let Py::Obj(id) = sequence else { return Ok(None) };
        let n = usize::try_from(times.max(0)).unwrap_or(0);
        let (len, kind, unit) = match self.obj(id) {
            PyObject::Text(t) => (t.len() as u64, PyType::Str, sequence),
            PyObject::Bytes(b, m) => {
                (b.len() as u64, if *m { PyType::ByteArray } else { PyType::Bytes }, sequence)
            }
            PyObject::List(v) => (v.len() as u64, PyType::List, v.first().copied().unwrap_or(Py::None)),
            PyObject::Tuple(v) => (v.len() as u64, PyType::Tuple, Py::None),
            PyObject::Bulk(kind, unit, count) => {
                let (kind, unit, count) = (*kind, *unit, *count);
                return Ok(Some(self.add(PyObject::Bulk(kind, unit, count.saturating_mul(n as u64)))));
            }
            _ => return Ok(None),
        };
        let total = len.saturating_mul(n as u64);
        if total > BULK && len == 1 && kind != PyType::Tuple {
            return Ok(Some(self.add(PyObject::Bulk(kind, unit, total))));
        }
        self.fits(usize::try_from(total).unwrap_or(usize::MAX))?;
        let value = match self.obj(id) {
            PyObject::Text(t) => PyObject::Text(t.repeat(n).into()),
            PyObject::Bytes(b, m) => PyObject::Bytes(b.repeat(n), *m),
            PyObject::List(v) => PyObject::List(v.repeat(n)),
            PyObject::Tuple(v) => PyObject::Tuple(v.repeat(n)),
            _ => return Ok(None),
        };
        Ok(Some(self.add(value)))
    }

    pub(super) fn unary(&mut self, op: PyOp, value: Py) -> PyResult {
        let (method, sign) = match op {
            PyOp::Neg => ("__neg__", "-"),
            PyOp::Pos => ("__pos__", "+"),
            _ => ("__invert__", "~"),
        };
        if let Some(f) = self.class_attr(value, method) {
            return self.call_nested(f, vec![value], Vec::new());
        }
        match (op, self.as_big(value), self.payload(value)) {
            (PyOp::Neg, _, Py::Float(x)) => Ok(Py::Float(-x)),
            (PyOp::Pos, _, Py::Float(x)) => Ok(Py::Float(x)),
            (PyOp::Neg, Some(n), _) => Ok(self.big(-n)),
            (PyOp::Pos, Some(n), _) => Ok(self.big(n)),
            (PyOp::Invert, Some(n), _) => Ok(self.big(-n - 1)),
            _ => {
                let message = format!("bad operand type for unary {sign}: '{}'", self.type_name(value));
                self.type_error(&message)
            }
        }
    }

    pub fn compare(&mut self, op: CmpOp, a: Py, b: Py) -> PyResult {
        match op {
            CmpOp::Eq | CmpOp::Ne => {
                // A class may return a value that is not a boolean.
                let method = if op == CmpOp::Eq { "__eq__" } else { "__ne__" };
                for (x, y) in [(a, b), (b, a)] {
                    if let Some(f) = self.class_attr(x, method).filter(|f| !matches!(f, Py::Native(_))) {
                        let value = self.call_nested(f, vec![x, y], Vec::new())?;
                        if value != Py::NotImplemented {
                            return Ok(value);
                        }
                    }
                }
                self.equal(a, b).map(|e| Py::Bool(e == (op == CmpOp::Eq)))
            }
            CmpOp::In | CmpOp::NotIn => self.contains(b, a).map(|yes| Py::Bool(yes == (op == CmpOp::In))),
            CmpOp::Is => Ok(Py::Bool(self.is_same(a, b))),
            CmpOp::IsNot => Ok(Py::Bool(!self.is_same(a, b))),
            CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge => self.ordered(op, a, b),
        }
    }

    fn ordered(&mut self, op: CmpOp, a: Py, b: Py) -> PyResult {
        let (method, back, sign) = match op {
            CmpOp::Lt => ("__lt__", "__gt__", "<"),
            CmpOp::Le => ("__le__", "__ge__", "<="),
            CmpOp::Gt => ("__gt__", "__lt__", ">"),
            _ => ("__ge__", "__le__", ">="),
        };
        for (method, x, y) in [(method, a, b), (back, b, a)] {
            if let Some(f) = self.class_attr(x, method).filter(|f| !matches!(f, Py::Native(_))) {
                let value = self.call_nested(f, vec![x, y], Vec::new())?;
                if value != Py::NotImplemented {
                    return Ok(value);
                }
            }
        }
        if let (Py::Obj(i), Py::Obj(j)) = (self.payload(a), self.payload(b))
            && let (PyObject::Set(s, _), PyObject::Set(t, _)) = (self.obj(i), self.obj(j))
        {
            let within =
                |s: &super::value::Table, t: &super::value::Table| s.keys().all(|k| t.contains_key(k));
            return Ok(Py::Bool(match op {
                CmpOp::Lt => s.len() < t.len() && within(s, t),
                CmpOp::Le => within(s, t),
                CmpOp::Gt => t.len() < s.len() && within(t, s),
                _ => within(t, s),
            }));
        }
        match self.order(a, b)? {
            Some(Some(order)) => Ok(Py::Bool(match op {
                CmpOp::Lt => order == Ordering::Less,
                CmpOp::Le => order != Ordering::Greater,
                CmpOp::Gt => order == Ordering::Greater,
                _ => order != Ordering::Less,
            })),
            Some(None) => Ok(Py::Bool(false)),
            None => {
                let message = format!(
                    "'{sign}' not supported between instances of '{}' and '{}'",
                    self.type_name(a),
                    self.type_name(b)
                );
                self.type_error(&message)
            }
        }
    }

    /// The order of two built-in values: `None` if they are not comparable, `Some(None)` for NaN.
    fn order(&mut self, a: Py, b: Py) -> PyResult<Option<Option<Ordering>>> {
        let (a, b) = (self.payload(a), self.payload(b));
        if let (Some(x), Some(y)) = (self.as_big(a), self.as_big(b)) {
            return Ok(Some(Some(x.cmp(&y))));
        }
        if let (Some(x), Some(y)) = (self.as_float(a), self.as_float(b)) {
            return Ok(Some(x.partial_cmp(&y)));
        }
        let (Py::Obj(i), Py::Obj(j)) = (a, b) else { return Ok(None) };
        let (x, y) = match (self.obj(i), self.obj(j)) {
            (PyObject::Text(x), PyObject::Text(y)) => return Ok(Some(Some(x.cmp(y)))),
            (PyObject::Bytes(x, _), PyObject::Bytes(y, _)) => return Ok(Some(Some(x.cmp(y)))),
            (PyObject::List(x), PyObject::List(y)) | (PyObject::Tuple(x), PyObject::Tuple(y)) => {
                (x.clone(), y.clone())
            }
            _ => return Ok(None),
        };
        for (p, q) in x.iter().zip(&y) {
            if !self.equal(*p, *q)? {
                return match self.ordered(CmpOp::Lt, *p, *q)? {
                    Py::Bool(true) => Ok(Some(Some(Ordering::Less))),
                    _ => Ok(Some(Some(Ordering::Greater))),
                };
            }
        }
        Ok(Some(Some(x.len().cmp(&y.len()))))
    }

    /// Whether `a < b`, for sorting.
    pub fn less(&mut self, a: Py, b: Py) -> PyResult<bool> {
        let value = self.ordered(CmpOp::Lt, a, b)?;
        self.truth(value)
    }

    pub fn equal(&mut self, a: Py, b: Py) -> PyResult<bool> {
        for (x, y) in [(a, b), (b, a)] {
            if let Some(f) = self.class_attr(x, "__eq__").filter(|f| !matches!(f, Py::Native(_))) {
                let value = self.call_nested(f, vec![x, y], Vec::new())?;
                if value != Py::NotImplemented {
                    return self.truth(value);
                }
            }
        }
        let (a, b) = (self.payload(a), self.payload(b));
        match (a, b) {
            (Py::Obj(i), Py::Obj(j)) if i != j => {
                let (x, y) = match (self.obj(i), self.obj(j)) {
                    (PyObject::Text(x), PyObject::Text(y)) => return Ok(x == y),
                    (PyObject::Bytes(x, _), PyObject::Bytes(y, _)) => return Ok(x == y),
                    (PyObject::Big(x), PyObject::Big(y)) => return Ok(x == y),
                    // They are equal if their elements are.
                    (
                        &PyObject::Range(from, to, step),
                        &PyObject::Range(other_from, other_to, other_step),
                    ) => {
                        let len = range_len(from, to, step);
                        let begin = len == 0 || from == other_from;
                        let steps = len <= 1 || step == other_step;
                        return Ok(len == range_len(other_from, other_to, other_step) && begin && steps);
                    }
                    (PyObject::Set(x, _), PyObject::Set(y, _)) => {
                        return Ok(x.len() == y.len() && x.keys().all(|k| y.contains_key(k)));
                    }
                    (PyObject::Bound(x, f), PyObject::Bound(y, g)) => return Ok(x == y && f == g),
                    (PyObject::View(..), PyObject::View(..) | PyObject::Set(..)) => {
                        let (x, y) = (self.gather(a)?, self.gather(b)?);
                        let (x, y) = (self.set_of(x)?, self.set_of(y)?);
                        return Ok(x.len() == y.len() && x.keys().all(|k| y.contains_key(k)));
                    }
                    (PyObject::Dict(x), PyObject::Dict(y)) => {
                        if x.len() != y.len() {
                            return Ok(false);
                        }
                        let pairs: Option<Vec<(Py, Py)>> =
                            x.iter().map(|(k, v)| y.get(k).map(|w| (v.1, w.1))).collect();
                        let Some(pairs) = pairs else { return Ok(false) };
                        for (v, w) in pairs {
                            if !self.equal(v, w)? {
                                return Ok(false);
                            }
                        }
                        return Ok(true);
                    }
                    (PyObject::List(x), PyObject::List(y)) | (PyObject::Tuple(x), PyObject::Tuple(y)) => {
                        (x.clone(), y.clone())
                    }
                    _ => return Ok(false),
                };
                if x.len() != y.len() {
                    return Ok(false);
                }
                if self.nested > 30 {
                    return Err(
                        self.error("RecursionError", "maximum recursion depth exceeded in comparison")
                    );
                }
                for (p, q) in x.into_iter().zip(y) {
                    self.nested += 1;
                    let same = self.is_same(p, q) && !matches!(p, Py::Float(_)) || self.equal(p, q)?;
                    self.nested -= 1;
                    if !same {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Py::Obj(_), Py::Obj(_)) => Ok(true),
            _ => {
                if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b)) {
                    return Ok(x == y);
                }
                match (self.as_float(a), self.as_float(b)) {
                    (Some(x), Some(y)) => Ok(x == y),
                    _ => Ok(a == b),
                }
            }
        }
    }

    /// The value of a key in a dictionary.
    pub fn dict_get(&mut self, dict: Py, key: Py) -> PyResult<Option<Py>> {
        let key: DictKey = self.key(key)?;
        Ok(match self.payload(dict) {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Dict(t) => t.get(&key).map(|v| v.1),
                _ => None,
            },
            _ => None,
        })
    }
}
