//! Subscripts: reading, setting and deleting elements and slices.

use super::value::{Py, PyObject, PyType, Table};
use super::vm::{AfterOp, PyResult, PyVm, Stop};

impl PyVm<'_> {
    pub(super) fn index_step(&mut self, object: Py, index: Py) -> PyResult<AfterOp> {
        let result = self.index(object, index);
        self.finish(2, result)
    }

    /// `object[index]`. For a class that the program defines, the value is the result of a call.
    pub fn index(&mut self, object: Py, index: Py) -> PyResult {
        if let Some(f) = self.class_attr(object, "__getitem__").filter(|f| !matches!(f, Py::Native(_))) {
            return Err(Stop::Tail(f, vec![object, index], Vec::new()));
        }
        if self.is_class(object) {
            if let Some(f) = self.meta_attr(object, "__getitem__") {
                return Err(Stop::Tail(f, vec![object, index], Vec::new()));
            }
            // `list[int]` in an annotation.
            return Ok(object);
        }
        let inner = self.payload(object);
        let Py::Obj(id) = inner else { return self.not_subscriptable(object) };
        match self.obj(id) {
            PyObject::Dict(_) => {
                if let Some(value) = self.dict_get(inner, index)? {
                    return Ok(value);
                }
                if let Some(f) = self.class_attr(object, "__missing__") {
                    return Err(Stop::Tail(f, vec![object, index], Vec::new()));
                }
                let class = self.builtin("KeyError");
                Err(Stop::Raise(self.exception_with(class, vec![index])))
            }
            PyObject::List(_)
            | PyObject::Tuple(_)
            | PyObject::Text(_)
            | PyObject::Bytes(..)
            | PyObject::Range(..)
            | PyObject::Bulk(..) => self.element(id, index),
            _ => self.not_subscriptable(object),
        }
    }

    fn not_subscriptable<T>(&mut self, object: Py) -> PyResult<T> {
        let message = format!("'{}' object is not subscriptable", self.type_name(object));
        self.type_error(&message)
    }

    fn element(&mut self, id: u32, index: Py) -> PyResult {
        let value = Py::Obj(id);
        let len = self.len(value)?;
        if let Py::Obj(i) = index
            && let PyObject::Slice(parts) = self.obj(i)
        {
            let parts = *parts;
            return self.slice(id, parts, len);
        }
        let kind = self.type_of(value);
        let Some(n) = self.index_number(index)? else {
            let what = if kind == PyType::Str { "string".to_owned() } else { kind.name().to_owned() };
            let message = format!("{what} indices must be integers or slices, not {}", self.type_name(index));
            let message = if kind == PyType::Str {
                format!("string indices must be integers, not '{}'", self.type_name(index))
            } else {
                message
            };
            return self.type_error(&message);
        };
        let position = if n < 0 { n + len } else { n };
        if position < 0 || position >= len {
            let what = if kind == PyType::Str {
                "string"
            } else if kind == PyType::Range {
                "range object"
            } else if kind == PyType::Bytes || kind == PyType::ByteArray {
                "index"
            } else {
                kind.name()
            };
            let message = format!("{what} index out of range");
            let message = if what == "index" { "index out of range".to_owned() } else { message };
            return Err(self.error("IndexError", &message));
        }
        let position = usize::try_from(position).unwrap_or(0);
        Ok(match self.obj(id) {
            PyObject::List(v) | PyObject::Tuple(v) => v[position],
            PyObject::Range(a, _, c) => Py::Int(a + c * i64::try_from(position).unwrap_or(0)),
            PyObject::Bytes(b, _) => Py::Int(i64::from(b[position])),
            PyObject::Bulk(PyType::List | PyType::Str, unit, _) => *unit,
            PyObject::Text(t) => {
                let c = if t.is_ascii() {
                    t.as_bytes()[position] as char
                } else {
                    t.chars().nth(position).unwrap_or(' ')
                };
                self.text(c.encode_utf8(&mut [0; 4]) as &str)
            }
            _ => Py::Int(0),
        })
    }

    /// The integer of an index, by `__index__` if necessary.
    pub fn index_number(&mut self, index: Py) -> PyResult<Option<i64>> {
        if let Some(f) = self.class_attr(index, "__index__") {
            let value = self.call_nested(f, vec![index], Vec::new())?;
            return Ok(self.as_int(value));
        }
        Ok(self.as_int(index))
    }

    /// Start, step and number of elements of a slice.
    pub fn slice_range(&mut self, parts: [Py; 3], len: i64) -> PyResult<(i64, i64, usize)> {
        let mut numbers = [None; 3];
        for (number, part) in numbers.iter_mut().zip(parts) {
            if part != Py::None {
                *number = self.index_number(part)?;
                if number.is_none() {
                    return self
                        .type_error("slice indices must be integers or None or have an __index__ method");
                }
            }
        }
        let step = numbers[2].unwrap_or(1);
        if step == 0 {
            return self.value_error("slice step cannot be zero");
        }
        let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
        let position = |n: i64| (if n < 0 { n + len } else { n }).clamp(low, high);
        let start = numbers[0].map_or(if step > 0 { low } else { high }, position);
        let stop = numbers[1].map_or(if step > 0 { high } else { low }, position);
        let count =
            if step > 0 { (stop - start + step - 1) / step } else { (stop - start + step + 1) / step };
        Ok((start, step, usize::try_from(count.max(0)).unwrap_or(0)))
    }

    fn slice(&mut self, id: u32, parts: [Py; 3], len: i64) -> PyResult {
        let (start, step, count) = self.slice_range(parts, len)?;
        let indices =
            (0..count).map(|i| usize::try_from(start + step * i64::try_from(i).unwrap_or(0)).unwrap_or(0));
        let value = match self.obj(id) {
            PyObject::List(v) => PyObject::List(indices.map(|i| v[i]).collect()),
            PyObject::Tuple(v) => PyObject::Tuple(indices.map(|i| v[i]).collect()),
            PyObject::Bytes(b, m) => PyObject::Bytes(indices.map(|i| b[i]).collect(), *m),
            PyObject::Range(a, _, c) => {
                let first = a + c * start;
                PyObject::Range(first, first + c * step * i64::try_from(count).unwrap_or(0), c * step)
            }
            PyObject::Text(t) if t.is_ascii() => {
                let bytes = t.as_bytes();
                PyObject::Text(indices.map(|i| bytes[i] as char).collect::<String>().into())
            }
            PyObject::Text(t) => {
                let chars: Vec<char> = t.chars().collect();
                PyObject::Text(indices.map(|i| chars[i]).collect::<String>().into())
            }
            PyObject::Bulk(kind, unit, _) => PyObject::Bulk(*kind, *unit, count as u64),
            _ => return Ok(Py::None),
        };
        Ok(self.add(value))
    }

    /// `object[index] = value`
    pub fn set_index(&mut self, object: Py, index: Py, value: Py) -> PyResult<()> {
        if let Some(f) = self.class_attr(object, "__setitem__").filter(|f| !matches!(f, Py::Native(_))) {
            return self.call_nested(f, vec![object, index, value], Vec::new()).map(drop);
        }
        let inner = self.payload(object);
        if let Py::Obj(id) = inner {
            match self.obj(id) {
                PyObject::Dict(_) => {
                    let key = self.key(index)?;
                    let mut new = false;
                    if let PyObject::Dict(t) = self.obj_mut(id) {
                        let entry = t.entry(key).or_insert_with(|| {
                            new = true;
                            (index, value)
                        });
                        entry.1 = value;
                    }
                    if new {
                        self.s.heap.grow(104);
                    }
                    return Ok(());
                }
                PyObject::List(_) | PyObject::Bytes(_, true) => return self.set_element(id, index, value),
                PyObject::Bulk(..) => return Ok(()),
                _ => {}
            }
        }
        let message = format!("'{}' object does not support item assignment", self.type_name(object));
        self.type_error(&message)
    }

    fn set_element(&mut self, id: u32, index: Py, value: Py) -> PyResult<()> {
        let len = self.len(Py::Obj(id))?;
        if let Py::Obj(i) = index
            && let PyObject::Slice(parts) = self.obj(i)
        {
            let parts = *parts;
            let (start, step, count) = self.slice_range(parts, len)?;
            let items = self.gather(value)?;
            let start = usize::try_from(start).unwrap_or(0);
            if step != 1 && items.len() != count {
                let message = format!(
                    "attempt to assign sequence of size {} to extended slice of size {count}",
                    items.len()
                );
                return self.value_error(&message);
            }
            self.s.heap.grow(items.len() as u64 * 8);
            if let PyObject::List(v) = self.obj_mut(id) {
                if step == 1 {
                    v.splice(start..start + count, items);
                } else {
                    for (i, item) in items.into_iter().enumerate() {
                        let position =
                            i64::try_from(start).unwrap_or(0) + step * i64::try_from(i).unwrap_or(0);
                        v[usize::try_from(position).unwrap_or(0)] = item;
                    }
                }
            }
            return Ok(());
        }
        let Some(n) = self.index_number(index)? else {
            let message = format!("list indices must be integers or slices, not {}", self.type_name(index));
            return self.type_error(&message);
        };
        let position = if n < 0 { n + len } else { n };
        if position < 0 || position >= len {
            return Err(self.error("IndexError", "list assignment index out of range"));
        }
        let position = usize::try_from(position).unwrap_or(0);
        let byte = self.as_int(value).and_then(|n| u8::try_from(n).ok());
        match self.obj_mut(id) {
            PyObject::List(v) => v[position] = value,
            PyObject::Bytes(b, _) => match byte {
                Some(byte) => b[position] = byte,
                None => return self.value_error("byte must be in range(0, 256)"),
            },
            _ => {}
        }
        Ok(())
    }

    pub fn del_index(&mut self, object: Py, index: Py) -> PyResult<()> {
        if let Some(f) = self.class_attr(object, "__delitem__").filter(|f| !matches!(f, Py::Native(_))) {
            return self.call_nested(f, vec![object, index], Vec::new()).map(drop);
        }
        let inner = self.payload(object);
        let Py::Obj(id) = inner else {
            let message = format!("'{}' object doesn't support item deletion", self.type_name(object));
            return self.type_error(&message);
        };
        match self.obj(id) {
            PyObject::Dict(_) => {
                let key = self.key(index)?;
                let gone = if let PyObject::Dict(t) = self.obj_mut(id) { t.shift_remove(&key) } else { None };
                if gone.is_none() {
                    let class = self.builtin("KeyError");
                    return Err(Stop::Raise(self.exception_with(class, vec![index])));
                }
                Ok(())
            }
            PyObject::List(v) => {
                let len = i64::try_from(v.len()).unwrap_or(0);
                if let Py::Obj(i) = index
                    && let PyObject::Slice(parts) = self.obj(i)
                {
                    let parts = *parts;
                    let (start, step, count) = self.slice_range(parts, len)?;
                    let mut indices: Vec<usize> = (0..count)
                        .map(|i| usize::try_from(start + step * i64::try_from(i).unwrap_or(0)).unwrap_or(0))
                        .collect();
                    indices.sort_unstable();
                    if let PyObject::List(v) = self.obj_mut(id) {
                        indices.into_iter().rev().for_each(|p| {
                            v.remove(p);
                        });
                    }
                    return Ok(());
                }
                let n = self.index_number(index)?.unwrap_or(len);
                let position = if n < 0 { n + len } else { n };
                if position < 0 || position >= len {
                    return Err(self.error("IndexError", "list assignment index out of range"));
                }
                if let PyObject::List(v) = self.obj_mut(id) {
                    v.remove(usize::try_from(position).unwrap_or(0));
                }
                Ok(())
            }
            _ => {
                let message = format!("'{}' object doesn't support item deletion", self.type_name(object));
                self.type_error(&message)
            }
        }
    }

    /// Adds an element to a list or set.
    pub fn put_in(&mut self, target: Py, value: Py) -> PyResult<()> {
        let Py::Obj(id) = self.payload(target) else { return Ok(()) };
        if let PyObject::Set(..) = self.obj(id) {
            let key = self.key(value)?;
            if let PyObject::Set(t, _) = self.obj_mut(id) {
                t.entry(key).or_insert((value, Py::None));
            }
            self.s.heap.grow(64);
            return Ok(());
        }
        self.s.heap.grow(super::heap::value_size(value));
        if let PyObject::List(v) = self.obj_mut(id) {
            v.push(value);
        }
        Ok(())
    }

    /// The table of a set with these elements.
    pub fn set_of(&mut self, items: Vec<Py>) -> PyResult<Table> {
        let mut table = Table::default();
        for item in items {
            let key = self.key(item)?;
            table.entry(key).or_insert((item, Py::None));
        }
        Ok(table)
    }
}
