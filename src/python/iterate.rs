//! Iterators and generators.

use super::code::PyOp;
use super::frame::OnReturn;
use super::value::{Py, PyIter, PyObject, PyType};
use super::vm::{AfterOp, PyResult, PyVm, Stop};

/// Maximum number of elements that a native function collects.
const MAX_ITEMS: usize = 20_000_000;

impl PyVm<'_> {
    /// The iterator of a value.
    pub fn iter(&mut self, value: Py) -> PyResult {
        let inner = self.payload(value);
        if let Py::Obj(id) = value
            && matches!(self.obj(id), PyObject::Instance(_))
        {
            if let Some(method) = self.class_attr(value, "__iter__")
                && !matches!(method, Py::Native(_))
            {
                return Err(Stop::Tail(method, vec![value], Vec::new()));
            }
            if inner == Py::Unset || inner == value {
                if self.class_attr(value, "__getitem__").is_some() {
                    let function = self.builtin("_iter_items");
                    return Err(Stop::Tail(function, vec![value], Vec::new()));
                }
                let message = format!("'{}' object is not iterable", self.type_name(value));
                return self.type_error(&message);
            }
        }
        let Py::Obj(id) = inner else {
            let message = format!("'{}' object is not iterable", self.type_name(value));
            if let Py::Obj(class) = value
                && matches!(self.obj(class), PyObject::Class(_))
            {
                return self.iter_class(value, &message);
            }
            return self.type_error(&message);
        };
        let iter = match self.obj(id) {
            PyObject::List(_) | PyObject::Tuple(_) | PyObject::Bytes(..) | PyObject::Bulk(..) => {
                PyIter::Items(inner, 0)
            }
            PyObject::Text(_) => PyIter::Chars(inner, 0),
            PyObject::Range(a, b, c) => PyIter::Range(*a, *b, *c),
            PyObject::Dict(t) => PyIter::Keys(inner, 0, u32::try_from(t.len()).unwrap_or(0)),
            PyObject::Set(t, _) => PyIter::Snapshot(super::sets::in_order(t), 0),
            PyObject::View(kind, dict) => {
                let (kind, dict) = (*kind, *dict);
                let len = u32::try_from(self.len(dict)?).unwrap_or(0);
                match kind {
                    PyType::Keys => PyIter::Keys(dict, 0, len),
                    PyType::Values => PyIter::Values(dict, 0, len),
                    _ => PyIter::Pairs(dict, 0, len),
                }
            }
            PyObject::File(_) => PyIter::Lines(inner),
            PyObject::Iter(_) | PyObject::Generator(_) => return Ok(inner),
            PyObject::Class(_) => {
                let message = "'type' object is not iterable";
                return self.iter_class(value, message);
            }
            _ => {
                let message = format!("'{}' object is not iterable", self.type_name(value));
                return self.type_error(&message);
            }
        };
        Ok(self.add(PyObject::Iter(iter)))
    }

    /// Iterates over a class: its metaclass decides.
    fn iter_class(&mut self, class: Py, message: &str) -> PyResult {
        match self.meta_attr(class, "__iter__") {
            Some(method) => Err(Stop::Tail(method, vec![class], Vec::new())),
            None => self.type_error(message),
        }
    }

    pub fn is_iterable(&self, value: Py) -> bool {
        let Py::Obj(id) = self.payload(value) else { return false };
        match self.obj(id) {
            PyObject::Instance(_) => {
                self.class_attr(value, "__iter__").is_some()
                    || self.class_attr(value, "__getitem__").is_some()
            }
            PyObject::List(_)
            | PyObject::Tuple(_)
            | PyObject::Bytes(..)
            | PyObject::Text(_)
            | PyObject::Range(..)
            | PyObject::Dict(_)
            | PyObject::Set(..)
            | PyObject::View(..)
            | PyObject::File(_)
            | PyObject::Iter(_)
            | PyObject::Generator(_)
            | PyObject::Bulk(..) => true,
            _ => false,
        }
    }

    /// The next element of a built-in iterator.
    fn iter_native(&mut self, id: u32) -> PyResult<Option<Py>> {
        let PyObject::Iter(iter) = self.obj_mut(id) else { return Ok(None) };
        match iter {
            PyIter::Range(at, end, step) => {
                if *step > 0 && *at >= *end || *step < 0 && *at <= *end {
                    return Ok(None);
                }
                let value = *at;
                *at = at.saturating_add(*step);
                Ok(Some(Py::Int(value)))
            }
            PyIter::Items(from, at) => {
                let (from, index) = (*from, *at);
                *at += 1;
                let Py::Obj(source) = from else { return Ok(None) };
                Ok(match self.obj(source) {
                    PyObject::List(v) | PyObject::Tuple(v) => v.get(index as usize).copied(),
                    PyObject::Bytes(b, _) => b.get(index as usize).map(|b| Py::Int(i64::from(*b))),
                    PyObject::Bulk(kind, unit, times) => {
                        let (kind, unit) = (*kind, *unit);
                        if u64::from(index) >= *times {
                            return Ok(None);
                        }
                        Some(if kind == PyType::List || kind == PyType::Str { unit } else { Py::Int(0) })
                    }
                    _ => None,
                })
            }
            PyIter::Chars(from, at) => {
                let (from, index) = (*from, *at as usize);
                let Some(c) = self.str_ref(from).and_then(|t| t.get(index..)).and_then(|t| t.chars().next())
                else {
                    return Ok(None);
                };
                if let PyObject::Iter(PyIter::Chars(_, at)) = self.obj_mut(id) {
                    *at += u32::try_from(c.len_utf8()).unwrap_or(1);
                }
                Ok(Some(self.text(c.encode_utf8(&mut [0; 4]) as &str)))
            }
            PyIter::Keys(from, at, len) | PyIter::Values(from, at, len) | PyIter::Pairs(from, at, len) => {
                let (from, index, len) = (*from, *at as usize, *len as usize);
                *at += 1;
                let Py::Obj(dict) = self.payload(from) else { return Ok(None) };
                let PyObject::Dict(table) = self.obj(dict) else { return Ok(None) };
                if table.len() != len {
                    return Err(self.error("RuntimeError", "dictionary changed size during iteration"));
                }
                let Some((_, (key, value))) = table.get_index(index) else { return Ok(None) };
                let (key, value) = (*key, *value);
                Ok(Some(match self.obj(id) {
                    PyObject::Iter(PyIter::Keys(..)) => key,
                    PyObject::Iter(PyIter::Values(..)) => value,
                    _ => self.tuple(vec![key, value]),
                }))
            }
            PyIter::Snapshot(items, at) => {
                *at += 1;
                Ok(items.get(*at as usize - 1).copied())
            }
            PyIter::Reversed(from, at) => {
                let (from, left) = (*from, *at);
                if left == 0 {
                    return Ok(None);
                }
                *at -= 1;
                self.index(from, Py::Int(i64::from(left) - 1)).map(Some)
            }
            PyIter::Lines(file) => {
                let file = *file;
                let line = self.read_line(file, usize::MAX)?;
                let empty = self.len(line)? == 0;
                Ok((!empty).then_some(line))
            }
            PyIter::Enumerate(inner, at) => {
                let (inner, n) = (*inner, *at);
                let Some(value) = self.next(inner)? else { return Ok(None) };
                if let PyObject::Iter(PyIter::Enumerate(_, at)) = self.obj_mut(id) {
                    *at += 1;
                }
                Ok(Some(self.tuple(vec![Py::Int(n), value])))
            }
            PyIter::Zip(all, strict) => {
                let (all, strict) = (all.clone(), *strict);
                let mut values = Vec::new();
                for (i, inner) in all.iter().enumerate() {
                    match self.next(*inner)? {
                        Some(value) => values.push(value),
                        None if strict && i > 0 => {
                            let message = format!(
                                "zip() argument {} is shorter than argument{}",
                                i + 1,
                                if i == 1 { " 1".into() } else { format!("s 1-{i}") }
                            );
                            return self.value_error(&message);
                        }
                        None => {
                            for (j, later) in all.iter().enumerate().skip(1).filter(|_| strict) {
                                if self.next(*later)?.is_some() {
                                    let message = format!(
                                        "zip() argument {} is longer than argument{}",
                                        j + 1,
                                        if j == 1 { " 1".into() } else { format!("s 1-{j}") }
                                    );
                                    return self.value_error(&message);
                                }
                            }
                            return Ok(None);
                        }
                    }
                }
                if values.is_empty() {
                    return Ok(None);
                }
                Ok(Some(self.tuple(values)))
            }
        }
    }

    /// The next element of any iterator; runs Python code to its end.
    pub fn next(&mut self, iterator: Py) -> PyResult<Option<Py>> {
        let Py::Obj(id) = iterator else { return Ok(None) };
        let result = match self.obj(id) {
            PyObject::Iter(_) => return self.iter_native(id),
            PyObject::Generator(_) => self.call_nested(iterator, vec![Py::None], Vec::new()),
            _ => match self.class_attr(iterator, "__next__") {
                Some(method) => self.call_nested(method, vec![iterator], Vec::new()),
                None => {
                    let message = format!("'{}' object is not an iterator", self.type_name(iterator));
                    return self.type_error(&message);
                }
            },
        };
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Raise(e)) if self.is_exception(e, "StopIteration") => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    pub(super) fn for_step(&mut self, end: u32) -> PyResult<AfterOp> {
        let iterator = self.top();
        let Py::Obj(id) = iterator else { return Ok(AfterOp::Next) };
        match self.obj(id) {
            PyObject::Iter(_) => {
                match self.iter_native(id)? {
                    Some(value) => self.push(value),
                    None => {
                        self.pop();
                        self.frame().at = end;
                    }
                }
                Ok(AfterOp::Next)
            }
            PyObject::Generator(_) => self.resume(id, Py::None),
            _ => match self.class_attr(iterator, "__next__") {
                Some(method) => self.call(method, vec![iterator], Vec::new(), OnReturn::Next),
                None => {
                    let message =
                        format!("iter() returned non-iterator of type '{}'", self.type_name(iterator));
                    self.type_error(&message)
                }
            },
        }
    }

    pub(super) fn unpack(&mut self, op: PyOp) -> PyResult<()> {
        let value = self.top();
        if !self.is_iterable(value) {
            let message = format!("cannot unpack non-iterable {} object", self.type_name(value));
            return self.type_error(&message);
        }
        let mut items = self.gather(value)?;
        self.pop();
        match op {
            PyOp::Unpack(n) => {
                let n = n as usize;
                if items.len() > n {
                    return self.value_error(&format!("too many values to unpack (expected {n})"));
                }
                if items.len() < n {
                    return self.value_error(&format!(
                        "not enough values to unpack (expected {n}, got {})",
                        items.len()
                    ));
                }
            }
            PyOp::UnpackStar(before, after) => {
                let (before, after) = (before as usize, after as usize);
                if items.len() < before + after {
                    let message = format!(
                        "not enough values to unpack (expected at least {}, got {})",
                        before + after,
                        items.len()
                    );
                    return self.value_error(&message);
                }
                let middle: Vec<Py> = items.drain(before..items.len() - after).collect();
                let middle = self.list(middle);
                items.insert(before, middle);
            }
            _ => {}
        }
        items.reverse();
        self.frame().stack.extend(items);
        Ok(())
    }

    /// All elements of an iterable. Python code is left to the caller (`Stop::Tail` of a function that gathers a list).
    pub fn collect_items(&mut self, value: Py, _for_what: &str) -> PyResult<Vec<Py>> {
        if self.needs_python(value) {
            let function = self.builtin("_gather");
            return Err(Stop::Tail(function, vec![value], Vec::new()));
        }
        self.gather(value)
    }

    /// Whether iterating runs Python code.
    pub fn needs_python(&self, value: Py) -> bool {
        let Py::Obj(id) = value else { return false };
        match self.obj(id) {
            PyObject::Generator(_) => true,
            PyObject::Instance(_) => {
                self.class_attr(value, "__iter__").is_some_and(|m| !matches!(m, Py::Native(_)))
                    || self.payload(value) == value
            }
            PyObject::Iter(PyIter::Enumerate(inner, _)) => self.needs_python(*inner),
            PyObject::Iter(PyIter::Zip(all, _)) => all.iter().any(|i| self.needs_python(*i)),
            PyObject::Iter(PyIter::Lines(_)) | PyObject::File(_) | PyObject::Class(_) => true,
            _ => false,
        }
    }

    /// All elements of an iterable; runs Python code to its end.
    pub fn gather(&mut self, value: Py) -> PyResult<Vec<Py>> {
        if let Py::Obj(id) = self.payload(value)
            && let PyObject::List(v) | PyObject::Tuple(v) = self.obj(id)
        {
            return Ok(v.clone());
        }
        let iterator = match self.iter(value) {
            Err(Stop::Tail(function, args, named)) => self.call_nested(function, args, named)?,
            other => other?,
        };
        let mut items = Vec::new();
        while let Some(item) = self.next(iterator)? {
            items.push(item);
            self.fuel -= 1;
            if items.len() > MAX_ITEMS {
                return Err(
                    self.error("MemoryError", "sandbatch gathers at most 20 million elements in one call")
                );
            }
        }
        self.s.heap.grow(items.len() as u64 * 8);
        Ok(items)
    }

    /// The elements of a list or tuple.
    pub fn items(&self, value: Py) -> Vec<Py> {
        match self.payload(value) {
            Py::Obj(id) => match self.obj(id) {
                PyObject::List(v) | PyObject::Tuple(v) => v.clone(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    pub fn pairs(&self, value: Py) -> Vec<(Py, Py)> {
        self.mapping_pairs(value).unwrap_or_default()
    }

    pub fn mapping_pairs(&self, value: Py) -> Option<Vec<(Py, Py)>> {
        match self.payload(value) {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Dict(t) => Some(t.values().copied().collect()),
                _ => None,
            },
            _ => None,
        }
    }
}
