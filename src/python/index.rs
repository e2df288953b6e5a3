//! Subscripts: reading, setting and deleting elements and slices.

use super::value::{Py, PyIter, PyObject, PyType, Table};
use super::vm::{AfterOp, PyResult, PyVm, Stop};
use num_bigint::Sign;

/// What CPython says of a number that must fit into 64 bits.
const TOO_LARGE: &str = "Python int too large to convert to C ssize_t";

/// Number of elements of a range. Its bounds may be further apart than 64 bits can say.
pub fn range_len(from: i64, to: i64, step: i64) -> u128 {
    let (from, to, step) = (i128::from(from), i128::from(to), i128::from(step));
    let way = if step > 0 { to - from } else { from - to };
    if way > 0 { ((way - 1) / step.abs() + 1).unsigned_abs() } else { 0 }
}

/// The number at a position of a range. The end of a range is no element, and where it lies beyond 64 bits, their limit ends
/// the range as well.
fn range_at(from: i64, step: i64, position: i64) -> i64 {
    let at = i128::from(from) + i128::from(step) * i128::from(position);
    at.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// A range of `len` elements from its end.
pub fn range_back(from: i64, step: i64, len: i64) -> PyIter {
    let before = range_at(from, step, -1);
    PyIter::Range(if len > 0 { range_at(from, step, len - 1) } else { before }, before, step.saturating_neg())
}

/// The elements of a slice, for a sequence of a known length.
struct SliceSpan {
    /// Index of the first element, from 0.
    start: i64,
    /// Where the slice ends, as `slice.indices` returns it.
    stop: i64,
    step: i64,
    /// Number of elements.
    count: usize,
}

impl SliceSpan {
    /// The indices of the elements, in the order of the slice.
    fn indices(&self) -> impl Iterator<Item = usize> {
        let (start, step) = (self.start, self.step);
        // The last index is within the sequence, so no product can overflow.
        (0..self.count)
            .map(move |i| usize::try_from(start + step * i64::try_from(i).unwrap_or(0)).unwrap_or(0))
    }
}

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
        let Some(n) = self.subscript(index, kind == PyType::Range)? else {
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
            PyObject::Range(a, _, c) => Py::Int(range_at(*a, *c, i64::try_from(position).unwrap_or(0))),
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

    /// The object's number, by `__index__` if it has one.
    fn as_index(&mut self, index: Py) -> PyResult {
        match self.class_attr(index, "__index__") {
            Some(f) => self.call_nested(f, vec![index], Vec::new()),
            None => Ok(index),
        }
    }

    /// The integer of an argument, or `None` if it is none.
    ///
    /// # Errors
    /// `OverflowError` for an integer of more than 64 bits.
    pub fn index_number(&mut self, index: Py) -> PyResult<Option<i64>> {
        let value = self.as_index(index)?;
        let number = self.as_int(value);
        if number.is_none() && self.as_big(value).is_some() {
            return Err(self.error("OverflowError", TOO_LARGE));
        }
        Ok(number)
    }

    /// The position of an element as a program wrote it, or `None` if it is no integer. A range accepts any integer, and none
    /// of more than 64 bits is in it.
    ///
    /// # Errors
    /// `IndexError` for an integer of more than 64 bits.
    fn subscript(&mut self, index: Py, range: bool) -> PyResult<Option<i64>> {
        let value = self.as_index(index)?;
        let number = self.as_int(value);
        if number.is_some() || self.as_big(value).is_none() {
            return Ok(number);
        }
        if range {
            return Ok(Some(i64::MAX));
        }
        let message = format!("cannot fit '{}' into an index-sized integer", self.type_name(index));
        Err(self.error("IndexError", &message))
    }

    /// A bound of a slice. One of more than 64 bits is beyond any sequence, so it counts as the largest or smallest.
    fn slice_bound(&mut self, bound: Py) -> PyResult<i64> {
        let value = self.as_index(bound)?;
        if let Some(n) = self.as_int(value) {
            return Ok(n);
        }
        match self.as_big(value).map(|big| big.sign()) {
            Some(Sign::Minus) => Ok(-i64::MAX),
            Some(Sign::Plus | Sign::NoSign) => Ok(i64::MAX),
            None => self.type_error("slice indices must be integers or None or have an __index__ method"),
        }
    }

    /// The elements that a slice selects in a sequence of `len` elements, as `slice.indices` counts them.
    fn slice_span(&mut self, parts: [Py; 3], len: i64) -> PyResult<SliceSpan> {
        let mut numbers = [None; 3];
        for (number, part) in numbers.iter_mut().zip(parts) {
            if part != Py::None {
                *number = Some(self.slice_bound(part)?);
            }
        }
        let step = numbers[2].unwrap_or(1).max(-i64::MAX);
        if step == 0 {
            return self.value_error("slice step cannot be zero");
        }
        let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
        let position = |n: i64| (if n < 0 { n.saturating_add(len) } else { n }).clamp(low, high);
        let start = numbers[0].map_or(if step > 0 { low } else { high }, position);
        let stop = numbers[1].map_or(if step > 0 { high } else { low }, position);
        let way = if step > 0 { stop - start } else { start - stop };
        let count = if way > 0 { (way - 1) / step.abs() + 1 } else { 0 };
        Ok(SliceSpan { start, stop, step, count: usize::try_from(count).unwrap_or(0) })
    }

    /// The first position and the number of positions between the bounds of `str.find` and its like, or `None` if they leave
    /// nothing, not even an empty text.
    pub fn bounds(&mut self, [start, stop]: [Py; 2], len: i64) -> PyResult<Option<(usize, usize)>> {
        let beyond = start != Py::None && self.slice_bound(start)? > len;
        let span = self.slice_span([start, stop, Py::None], len)?;
        let left = !beyond && span.start <= span.stop;
        Ok(left.then(|| (usize::try_from(span.start).unwrap_or(0), span.count)))
    }

    fn slice(&mut self, id: u32, parts: [Py; 3], len: i64) -> PyResult {
        let span = self.slice_span(parts, len)?;
        let indices = span.indices();
        let value = match self.obj(id) {
            PyObject::List(v) => PyObject::List(indices.map(|i| v[i]).collect()),
            PyObject::Tuple(v) => PyObject::Tuple(indices.map(|i| v[i]).collect()),
            PyObject::Bytes(b, m) => PyObject::Bytes(indices.map(|i| b[i]).collect(), *m),
            &PyObject::Range(a, _, c) => {
                let step = c.saturating_mul(span.step);
                if span.count > 1 && c.checked_mul(span.step).is_none() {
                    return Err(self.error("OverflowError", TOO_LARGE));
                }
                PyObject::Range(range_at(a, c, span.start), range_at(a, c, span.stop), step)
            }
            PyObject::Text(t) if t.is_ascii() => {
                let bytes = t.as_bytes();
                PyObject::Text(indices.map(|i| bytes[i] as char).collect::<String>().into())
            }
            PyObject::Text(t) => {
                let chars: Vec<char> = t.chars().collect();
                PyObject::Text(indices.map(|i| chars[i]).collect::<String>().into())
            }
            PyObject::Bulk(kind, unit, _) => PyObject::Bulk(*kind, *unit, span.count as u64),
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
            let span = self.slice_span(parts, len)?;
            let items = self.gather(value)?;
            if span.step != 1 && items.len() != span.count {
                let message = format!(
                    "attempt to assign sequence of size {} to extended slice of size {}",
                    items.len(),
                    span.count
                );
                return self.value_error(&message);
            }
            self.s.heap.grow(items.len() as u64 * 8);
            if let PyObject::List(v) = self.obj_mut(id) {
                if span.step == 1 {
                    let start = usize::try_from(span.start).unwrap_or(0);
                    v.splice(start..start + span.count, items);
                } else {
                    span.indices().zip(items).for_each(|(position, item)| v[position] = item);
                }
            }
            return Ok(());
        }
        let position = self.list_position(index, len)?;
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

    /// The position of an element that is assigned or deleted.
    fn list_position(&mut self, index: Py, len: i64) -> PyResult<usize> {
        let Some(n) = self.subscript(index, false)? else {
            let message = format!("list indices must be integers or slices, not {}", self.type_name(index));
            return self.type_error(&message);
        };
        let position = if n < 0 { n + len } else { n };
        if !(0..len).contains(&position) {
            return Err(self.error("IndexError", "list assignment index out of range"));
        }
        Ok(usize::try_from(position).unwrap_or(0))
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
                    let mut gone: Vec<usize> = self.slice_span(parts, len)?.indices().collect();
                    gone.sort_unstable();
                    if let PyObject::List(v) = self.obj_mut(id) {
                        let (mut gone, mut position) = (gone.into_iter().peekable(), 0);
                        v.retain(|_| {
                            position += 1;
                            gone.next_if_eq(&(position - 1)).is_none()
                        });
                    }
                    return Ok(());
                }
                let position = self.list_position(index, len)?;
                if let PyObject::List(v) = self.obj_mut(id) {
                    v.remove(position);
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
