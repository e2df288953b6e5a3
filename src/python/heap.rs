//! The objects of a process, with a mark-and-sweep collector that runs between operations.
//!
//! Sizes are those of CPython, so the reported memory of a process is plausible.

use super::frame::PyFrame;
use super::pages::ObjectPages;
use super::value::{Py, PyIter, PyObject};
use serde::{Deserialize, Serialize};

/// Bytes of an object's entry in the table, besides what it refers to: about, and the same natively and in the page.
const SLOT: u64 = 64;
/// Minimum growth in bytes between two collections.
const MIN_GROWTH: u64 = 4 << 20;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PyHeap {
    objects: ObjectPages,
    free: Vec<u32>,
    /// Bytes after the last collection, and bytes added since.
    live: u64,
    grown: u64,
    /// Highest number of bytes.
    pub peak: u64,
}

/// Bytes that an object takes in CPython.
fn size(object: &PyObject) -> u64 {
    let n = |n: usize| n as u64;
    let items = |items: &[Py]| items.iter().map(|v| value_size(*v)).sum::<u64>();
    match object {
        PyObject::Free => 0,
        PyObject::Text(t) => 49 + n(t.len()),
        PyObject::Bytes(b, _) => 33 + n(b.len()),
        PyObject::Big(b) => 24 + b.bits() / 8,
        PyObject::Tuple(v) => 40 + items(v),
        PyObject::List(v) => 56 + items(v),
        PyObject::Dict(t) => 64 + n(t.len()) * 104,
        PyObject::Set(t, _) => 216 + n(t.len()) * 64,
        PyObject::Bulk(_, _, times) => 56 + times.saturating_mul(8),
        PyObject::Instance(i) => 48 + n(i.attrs.len()) * 16 + if i.attrs.is_empty() { 0 } else { 104 },
        PyObject::Class(c) => 1064 + n(c.attrs.len()) * 80,
        PyObject::Module(m) => 72 + n(m.attrs.len()) * 100,
        PyObject::Function(_) => 136,
        PyObject::Generator(g) => 112 + g.frame.as_ref().map_or(0, |f| n(f.stack.len() + f.locals.len()) * 8),
        PyObject::File(f) => 200 + n(f.out.len() + f.input.len()),
        PyObject::Iter(PyIter::Snapshot(v, _)) => 56 + items(v),
        PyObject::Array(a) if a.device => 112,
        PyObject::Array(a) => 112_u64.saturating_add(a.len.saturating_mul(u64::from(a.width))),
        _ => 48,
    }
}

/// Bytes that sandbatch itself needs for an object, about. Long repetitions and elements of arrays are not written out.
fn own_size(object: &PyObject) -> u64 {
    SLOT + match object {
        PyObject::Bulk(..) | PyObject::Array(_) => 0,
        PyObject::Tuple(v) | PyObject::List(v) | PyObject::Iter(PyIter::Snapshot(v, _)) => {
            v.len() as u64 * 16
        }
        other => size(other),
    }
}

/// Bytes of a list element, including a number in it.
pub(crate) fn value_size(value: Py) -> u64 {
    match value {
        Py::Int(-5..=256) => 8,
        Py::Int(_) => 36,
        Py::Float(_) => 32,
        _ => 8,
    }
}

impl PyHeap {
    pub fn add(&mut self, object: PyObject) -> u32 {
        let bytes = match &object {
            PyObject::Bulk(kind, _, times) if *kind != super::value::PyType::List => 56 + times,
            other => size(other),
        };
        self.grow(bytes);
        if let Some(slot) = self.free.pop() {
            *self.objects.get_mut(slot as usize) = object;
            return slot;
        }
        self.objects.push(object);
        u32::try_from(self.objects.len() - 1).unwrap_or(u32::MAX)
    }

    /// Counts bytes that were added to an object.
    pub fn grow(&mut self, bytes: u64) {
        self.grown += bytes;
        self.peak = self.peak.max(self.bytes());
    }

    /// Takes back bytes that an object turned out not to need.
    pub fn shrink(&mut self, bytes: u64) {
        let rest = bytes.saturating_sub(self.grown);
        self.grown = self.grown.saturating_sub(bytes);
        self.live = self.live.saturating_sub(rest);
    }

    pub const fn bytes(&self) -> u64 {
        self.live.saturating_add(self.grown)
    }

    pub fn len(&self) -> usize {
        self.objects.len() - self.free.len()
    }

    pub fn get(&self, id: u32) -> &PyObject {
        self.objects.get(id as usize)
    }

    pub fn get_mut(&mut self, id: u32) -> &mut PyObject {
        self.objects.get_mut(id as usize)
    }

    pub fn wants_collection(&self) -> bool {
        self.grown > MIN_GROWTH.max(self.live / 2)
    }

    pub fn all(&self) -> impl Iterator<Item = (u32, &PyObject)> {
        (0..).zip(self.objects.iter())
    }

    /// Whether each object can be reached from the roots.
    pub fn reachable(&self, roots: Vec<Py>) -> Vec<bool> {
        let mut marked = vec![false; self.objects.len()];
        let mut todo = roots;
        while let Some(value) = todo.pop() {
            let Py::Obj(id) = value else { continue };
            let seen = &mut marked[id as usize];
            if !std::mem::replace(seen, true) {
                references(self.objects.get(id as usize), &mut todo);
            }
        }
        marked
    }

    /// Frees the objects that cannot be reached from the roots. Returns how many bytes sandbatch itself needs for the rest.
    pub fn collect(&mut self, roots: Vec<Py>) -> u64 {
        let marked = self.reachable(roots);
        let mut needed = 0;
        self.live = 0;
        self.grown = 0;
        let mut gone = Vec::new();
        for ((id, object), marked) in (0_u32..).zip(self.objects.iter()).zip(marked) {
            if marked {
                self.live += match object {
                    PyObject::Bulk(kind, _, times) if *kind != super::value::PyType::List => 56 + *times,
                    other => size(other),
                };
                needed += own_size(object);
            } else if !matches!(object, PyObject::Free)
                && !matches!(object, PyObject::File(f) if !f.out.is_empty() && f.fd.is_some())
            {
                gone.push(id);
            }
        }
        for id in gone {
            *self.objects.get_mut(id as usize) = PyObject::Free;
            self.free.push(id);
        }
        needed
    }
}

/// The values that an object refers to.
fn references(object: &PyObject, out: &mut Vec<Py>) {
    match object {
        PyObject::Free
        | PyObject::Text(_)
        | PyObject::Bytes(..)
        | PyObject::Big(_)
        | PyObject::Range(..)
        | PyObject::Array(_)
        | PyObject::File(_) => {}
        PyObject::Tuple(v) | PyObject::List(v) => out.extend(v),
        PyObject::Dict(t) | PyObject::Set(t, _) => t.values().for_each(|(k, v)| out.extend([*k, *v])),
        PyObject::Slice(v) | PyObject::Property(v) => out.extend(v),
        PyObject::Function(f) => {
            out.extend(&f.defaults);
            out.extend(f.keyword_defaults.iter().map(|d| d.1));
            out.extend(f.cells.iter().chain([&f.module, &f.owner]).map(|c| Py::Obj(*c)));
            out.extend(f.attrs.values());
        }
        PyObject::Bound(a, b) | PyObject::Super(a, b) => out.extend([*a, *b]),
        PyObject::Cell(v)
        | PyObject::Static(v)
        | PyObject::ClassMethod(v)
        | PyObject::View(_, v)
        | PyObject::Bulk(_, v, _) => out.push(*v),
        PyObject::Class(c) => {
            out.extend(c.bases.iter().chain(&c.order));
            out.extend(c.attrs.values());
            out.push(c.meta);
        }
        PyObject::Instance(i) => {
            out.push(Py::Obj(i.class));
            out.extend(i.attrs.values());
            out.push(i.payload);
        }
        PyObject::Module(m) => out.extend(m.attrs.values()),
        PyObject::Iter(iter) => match iter {
            PyIter::Items(v, _)
            | PyIter::Chars(v, _)
            | PyIter::Keys(v, ..)
            | PyIter::Values(v, ..)
            | PyIter::Pairs(v, ..)
            | PyIter::Reversed(v, _)
            | PyIter::Lines(v)
            | PyIter::Enumerate(v, _) => out.push(*v),
            PyIter::Range(..) => {}
            PyIter::Snapshot(v, _) | PyIter::Zip(v, _) => out.extend(v),
        },
        PyObject::Generator(g) => g.frame.iter().for_each(|f| frame_references(f, out)),
    }
}

/// The values that a frame refers to.
pub(crate) fn frame_references(frame: &PyFrame, out: &mut Vec<Py>) {
    out.extend(&frame.stack);
    out.extend(&frame.locals);
    out.extend(&frame.handled);
    out.extend(frame.cells.iter().chain([&frame.module, &frame.owner]).map(|c| Py::Obj(*c)));
    out.extend(frame.names.iter().flat_map(|n| n.values()));
    out.push(frame.keep);
}
