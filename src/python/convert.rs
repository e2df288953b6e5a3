//! Truth, length, keys of dictionaries, and the texts of values.

use super::index::range_len;
use super::value::{DictKey, Py, PyIter, PyObject, PyType};
use super::vm::{PyResult, PyVm};

/// Maximum nesting of containers in a text.
const MAX_REPR: u32 = 60;

/// CPython's text of a float.
pub(crate) fn float_text(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if x != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{x}");
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}

/// A string as a literal.
pub(crate) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 32 || c as u32 == 127 => out += &format!("\\x{:02x}", c as u32),
            c if (128..160).contains(&(c as u32)) || c as u32 == 160 => {
                out += &format!("\\x{:02x}", c as u32)
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Bytes as a literal.
pub(crate) fn quoted_bytes(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut out = format!("b{quote}");
    for b in bytes {
        match b {
            b'\\' => out += "\\\\",
            b'\n' => out += "\\n",
            b'\r' => out += "\\r",
            b'\t' => out += "\\t",
            b if char::from(*b) == quote => {
                out.push('\\');
                out.push(quote);
            }
            32..=126 => out.push(char::from(*b)),
            b => out += &format!("\\x{b:02x}"),
        }
    }
    out.push(quote);
    out
}

impl PyVm<'_> {
    pub fn str_ref(&self, value: Py) -> Option<&str> {
        match self.payload(value) {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Text(t) => Some(t),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn truth(&mut self, value: Py) -> PyResult<bool> {
        Ok(match value {
            Py::Unset | Py::None => false,
            Py::Bool(b) => b,
            Py::Int(n) => n != 0,
            Py::Float(x) => x != 0.0,
            Py::NotImplemented | Py::Ellipsis | Py::Type(_) | Py::Native(_) => true,
            Py::Obj(id) => match self.obj(id) {
                PyObject::Text(t) => !t.is_empty(),
                PyObject::Bytes(b, _) => !b.is_empty(),
                PyObject::Tuple(v) | PyObject::List(v) => !v.is_empty(),
                PyObject::Dict(t) | PyObject::Set(t, _) => !t.is_empty(),
                PyObject::Range(..) | PyObject::View(..) => self.len(value)? != 0,
                PyObject::Instance(_) => {
                    for name in ["__bool__", "__len__"] {
                        if let Some(f) = self.class_attr(value, name).filter(|f| !matches!(f, Py::Native(_)))
                        {
                            let result = self.call_nested(f, vec![value], Vec::new())?;
                            return self.truth(result);
                        }
                    }
                    let inner = self.payload(value);
                    if inner == value { true } else { self.truth(inner)? }
                }
                _ => true,
            },
        })
    }

    pub fn len(&mut self, value: Py) -> PyResult<i64> {
        if let Some(f) = self.class_attr(value, "__len__").filter(|f| !matches!(f, Py::Native(_))) {
            let result = self.call_nested(f, vec![value], Vec::new())?;
            return match self.as_int(result) {
                Some(n) if n >= 0 => Ok(n),
                _ => self.value_error("__len__() should return >= 0"),
            };
        }
        let n = match self.payload(value) {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Text(t) => Some(if t.is_ascii() { t.len() } else { t.chars().count() }),
                PyObject::Bytes(b, _) => Some(b.len()),
                PyObject::Tuple(v) | PyObject::List(v) => Some(v.len()),
                PyObject::Dict(t) | PyObject::Set(t, _) => Some(t.len()),
                PyObject::View(_, dict) => {
                    let dict = *dict;
                    return self.len(dict);
                }
                PyObject::Bulk(_, _, n) => usize::try_from(*n).ok(),
                PyObject::Range(a, b, c) => usize::try_from(range_len(*a, *b, *c)).ok(),
                _ => None,
            },
            _ => None,
        };
        match n {
            Some(n) => Ok(i64::try_from(n).unwrap_or(i64::MAX)),
            None => {
                if let Some(f) = self.meta_attr(value, "__len__") {
                    let result = self.call_nested(f, vec![value], Vec::new())?;
                    return Ok(self.as_int(result).unwrap_or(0));
                }
                let message = format!("object of type '{}' has no len()", self.type_name(value));
                self.type_error(&message)
            }
        }
    }

    /// The key by which dictionaries compare a value.
    pub fn key(&mut self, value: Py) -> PyResult<DictKey> {
        if let Some(f) = self.class_attr(value, "__hash__").filter(|f| !matches!(f, Py::Native(_))) {
            if f == Py::None {
                return self.unhashable(value);
            }
            let hash = self.call_nested(f, vec![value], Vec::new())?;
            return Ok(DictKey::Hashed(self.as_int(hash).unwrap_or(0)));
        }
        if self.class_attr(value, "__eq__").is_some_and(|f| !matches!(f, Py::Native(_))) {
            return self.unhashable(value);
        }
        Ok(match self.payload(value) {
            Py::Unset | Py::None => DictKey::None,
            Py::Ellipsis | Py::NotImplemented => DictKey::Ellipsis,
            Py::Bool(b) => DictKey::Int(i64::from(b)),
            Py::Int(n) => DictKey::Int(n),
            Py::Float(x) if x.fract() == 0.0 && x.abs() < 9e18 => DictKey::Int(x as i64),
            Py::Float(x) => DictKey::Float(x.to_bits()),
            Py::Type(kind) => DictKey::Type(kind),
            Py::Native(n) => DictKey::Native(n),
            Py::Obj(id) => match self.obj(id) {
                PyObject::Text(t) => DictKey::Text(t.clone()),
                PyObject::Bytes(b, false) => DictKey::Bytes(b.clone()),
                PyObject::Big(b) => DictKey::Big(b.to_string()),
                PyObject::Tuple(v) => {
                    let mut keys = Vec::new();
                    for item in v.clone() {
                        keys.push(self.key(item)?);
                    }
                    DictKey::Tuple(keys)
                }
                PyObject::Set(t, true) => {
                    let mut keys: Vec<DictKey> = t.keys().cloned().collect();
                    keys.sort_by_key(|k| format!("{k:?}"));
                    DictKey::Set(keys)
                }
                PyObject::List(_)
                | PyObject::Dict(_)
                | PyObject::Set(..)
                | PyObject::Bytes(..)
                | PyObject::Slice(_) => return self.unhashable(value),
                PyObject::Bound(Py::Obj(receiver), _) => DictKey::Object(*receiver),
                _ => DictKey::Object(id),
            },
        })
    }

    fn unhashable<T>(&mut self, value: Py) -> PyResult<T> {
        let message = format!("unhashable type: '{}'", self.type_name(value));
        self.type_error(&message)
    }

    /// `str(value)`
    pub fn str(&mut self, value: Py) -> PyResult<String> {
        if let Some(text) = self.str_ref(value)
            && !matches!(value, Py::Obj(id) if matches!(self.obj(id), PyObject::Instance(_)))
        {
            return Ok(text.to_owned());
        }
        if let Some(f) = self.class_attr(value, "__str__") {
            return self.text_of_call(f, value, "__str__");
        }
        if let Some(text) = self.str_ref(value)
            && self.class_attr(value, "__repr__").is_none()
        {
            return Ok(text.to_owned());
        }
        if let Some(f) = self.meta_attr(value, "__str__") {
            return self.text_of_call(f, value, "__str__");
        }
        self.repr(value)
    }

    fn text_of_call(&mut self, function: Py, value: Py, name: &str) -> PyResult<String> {
        let result = self.call_now(function, &[value])?;
        match self.str_ref(result) {
            Some(text) => Ok(text.to_owned()),
            None => {
                let message = format!("{name} returned non-string (type {})", self.type_name(result));
                self.type_error(&message)
            }
        }
    }

    pub fn repr(&mut self, value: Py) -> PyResult<String> {
        if let Some(f) = self.class_attr(value, "__repr__").or_else(|| self.meta_attr(value, "__repr__")) {
            return self.text_of_call(f, value, "__repr__");
        }
        match value {
            Py::Unset | Py::None => Ok("None".into()),
            Py::NotImplemented => Ok("NotImplemented".into()),
            Py::Ellipsis => Ok("Ellipsis".into()),
            Py::Bool(b) => Ok(if b { "True" } else { "False" }.into()),
            Py::Int(n) => Ok(n.to_string()),
            Py::Float(x) => Ok(float_text(x)),
            Py::Type(kind) => Ok(format!("<class '{}'>", kind.name())),
            Py::Native(n) => Ok(format!(
                "<built-in function {}>",
                super::natives::name(n).rsplit('.').next().unwrap_or_default()
            )),
            Py::Obj(id) => {
                if self.nested > MAX_REPR {
                    return Ok("[...]".into());
                }
                self.nested += 1;
                let result = self.repr_object(id);
                self.nested -= 1;
                result
            }
        }
    }

    fn joined(&mut self, items: &[Py]) -> PyResult<String> {
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            texts.push(self.repr(*item)?);
        }
        self.fuel -= i64::try_from(items.len()).unwrap_or(0);
        Ok(texts.join(", "))
    }

    fn repr_object(&mut self, id: u32) -> PyResult<String> {
        let at = format!("0x7f{:010x}", u64::from(id) * 48 + 0x3a_c000);
        Ok(match self.obj(id) {
            PyObject::Free => String::new(),
            PyObject::Text(t) => quoted(t),
            PyObject::Bytes(b, false) => quoted_bytes(b),
            PyObject::Bytes(b, true) => format!("bytearray({})", quoted_bytes(b)),
            PyObject::Big(b) => b.to_string(),
            PyObject::Tuple(v) => {
                let items = v.clone();
                let text = self.joined(&items)?;
                if items.len() == 1 { format!("({text},)") } else { format!("({text})") }
            }
            PyObject::List(v) => {
                let items = v.clone();
                format!("[{}]", self.joined(&items)?)
            }
            PyObject::Dict(t) => {
                let pairs: Vec<(Py, Py)> = t.values().copied().collect();
                format!("{{{}}}", self.joined_pairs(&pairs)?)
            }
            PyObject::Set(t, frozen) => {
                let (items, frozen) = (super::sets::in_order(t), *frozen);
                let text = self.joined(&items)?;
                match (items.is_empty(), frozen) {
                    (true, false) => "set()".into(),
                    (true, true) => "frozenset()".into(),
                    (false, true) => format!("frozenset({{{text}}})"),
                    (false, false) => format!("{{{text}}}"),
                }
            }
            PyObject::Range(a, b, 1) => format!("range({a}, {b})"),
            PyObject::Range(a, b, c) => format!("range({a}, {b}, {c})"),
            PyObject::Slice(parts) => {
                let parts = *parts;
                format!("slice({})", self.joined(&parts)?)
            }
            PyObject::Function(f) => {
                let code = self.code_of(f.unit, f.code);
                format!("<function {} at {at}>", code.qualified)
            }
            PyObject::Bound(receiver, Py::Native(n)) => {
                let name = super::natives::name(*n).rsplit('.').next().unwrap_or_default();
                format!("<built-in method {name} of {} object at {at}>", self.type_name(*receiver))
            }
            PyObject::Bound(receiver, function) => {
                let (receiver, function) = (*receiver, *function);
                let name = self
                    .as_function(function)
                    .map(|f| self.code_of(f.unit, f.code).qualified.clone())
                    .unwrap_or_default();
                format!("<bound method {name} of {}>", self.repr(receiver)?)
            }
            PyObject::Array(a) => format!("<array of {} numbers>", a.len),
            PyObject::Cell(_) => format!("<cell at {at}>"),
            PyObject::Class(c) => {
                let qualified = c.attrs.get("__qualname__").and_then(|q| self.str_ref(*q)).unwrap_or(&c.name);
                if &*c.module == "builtins" {
                    format!("<class '{qualified}'>")
                } else {
                    format!("<class '{}.{qualified}'>", c.module)
                }
            }
            PyObject::Instance(i) => {
                let payload = i.payload;
                if payload != Py::Unset {
                    return self.repr(payload);
                }
                let class = Py::Obj(i.class);
                let module = match self.lookup(class, "__module__") {
                    Some(m) => self.str_ref(m).unwrap_or("").to_owned(),
                    None => String::new(),
                };
                let qualified =
                    self.lookup(class, "__qualname__").and_then(|q| self.str_ref(q)).unwrap_or("").to_owned();
                format!("<{module}.{qualified} object at {at}>")
            }
            PyObject::Module(m) if m.file.is_empty() => format!("<module '{}' (built-in)>", m.name),
            PyObject::Module(m) => format!("<module '{}' from '{}'>", m.name, m.file),
            PyObject::Iter(iter) => {
                let kind = match iter {
                    PyIter::Items(..) => "list_iterator",
                    PyIter::Chars(..) => "str_iterator",
                    PyIter::Range(..) => "range_iterator",
                    PyIter::Keys(..) => "dict_keyiterator",
                    PyIter::Values(..) => "dict_valueiterator",
                    PyIter::Pairs(..) => "dict_itemiterator",
                    PyIter::Snapshot(..) => "set_iterator",
                    PyIter::Reversed(..) => "list_reverseiterator",
                    PyIter::Lines(_) => "iterator",
                    PyIter::Enumerate(..) => "enumerate",
                    PyIter::Zip(..) => "zip",
                };
                format!("<{kind} object at {at}>")
            }
            PyObject::Generator(g) => format!("<generator object {} at {at}>", g.name),
            PyObject::Property(_) => format!("<property object at {at}>"),
            PyObject::Static(_) => format!("<staticmethod object at {at}>"),
            PyObject::ClassMethod(_) => format!("<classmethod object at {at}>"),
            PyObject::Super(..) => "<super object>".into(),
            PyObject::File(f) if f.binary => format!("<_io.BufferedReader name='{}'>", f.name),
            PyObject::File(f) => {
                format!("<_io.TextIOWrapper name='{}' mode='{}' encoding='UTF-8'>", f.name, f.mode)
            }
            PyObject::View(kind, dict) => {
                let (kind, dict) = (*kind, *dict);
                let pairs = self.pairs(dict);
                let text = match kind {
                    PyType::Keys => self.joined(&pairs.iter().map(|p| p.0).collect::<Vec<_>>())?,
                    PyType::Values => self.joined(&pairs.iter().map(|p| p.1).collect::<Vec<_>>())?,
                    _ => {
                        let mut texts = Vec::new();
                        for (k, v) in pairs {
                            texts.push(format!("({}, {})", self.repr(k)?, self.repr(v)?));
                        }
                        texts.join(", ")
                    }
                };
                format!("{}([{text}])", kind.name())
            }
            PyObject::Bulk(..) => {
                return Err(self.error(
                    "NotImplementedError",
                    "sandbatch only counts sequences of this size and does not print them",
                ));
            }
        })
    }

    fn joined_pairs(&mut self, pairs: &[(Py, Py)]) -> PyResult<String> {
        let mut texts = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            texts.push(format!("{}: {}", self.repr(*key)?, self.repr(*value)?));
        }
        self.fuel -= i64::try_from(pairs.len()).unwrap_or(0);
        Ok(texts.join(", "))
    }
}
