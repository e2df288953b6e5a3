//! Methods of lists and tuples.

use super::{NativeTable, arg};
use crate::value::{Py, PyObject};
use crate::vm::{PyResult, PyVm, Stop};

/// The list of a value.
fn list<'a>(vm: &'a mut PyVm<'_>, value: Py) -> Option<&'a mut Vec<Py>> {
    match vm.payload(value) {
        Py::Obj(id) => match vm.obj_mut(id) {
            PyObject::List(v) => Some(v),
            _ => None,
        },
        _ => None,
    }
}

fn position(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult<Option<usize>> {
    let wanted = vm.need(a, 1, "index")?;
    let items = vm.items(a[0]);
    let bounds = [2, 3].map(|i| a.get(i).copied().unwrap_or(Py::None));
    let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let Some((start, count)) = vm.bounds(bounds, len)? else { return Ok(None) };
    for (i, item) in items.into_iter().enumerate().skip(start).take(count) {
        vm.fuel -= 1;
        if vm.is_same(item, wanted) || vm.equal(item, wanted)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

fn count(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult {
    let wanted = vm.need(a, 1, "count")?;
    let mut n = 0;
    for item in vm.items(a[0]) {
        n += i64::from(vm.equal(item, wanted)?);
    }
    Ok(Py::Int(n))
}

pub(super) const TABLE: NativeTable = &[
    ("list.append", |vm, a, _| {
        let value = vm.need(a, 1, "append")?;
        if let Some(Py::Obj(id)) = a.first()
            && matches!(vm.obj(*id), PyObject::Bulk(..))
        {
            if let PyObject::Bulk(_, _, n) = vm.obj_mut(*id) {
                *n += 1;
            }
            return Ok(Py::None);
        }
        vm.put_in(a[0], value).map(|()| Py::None)
    }),
    ("list.extend", |vm, a, named| {
        let from = vm.need(a, 1, "extend")?;
        if vm.needs_python(from) {
            return vm.tail("_extend", a, named);
        }
        for item in vm.gather(from)? {
            vm.put_in(a[0], item)?;
        }
        Ok(Py::None)
    }),
    ("list.insert", |vm, a, _| {
        let at = vm.need_int(a, 1, "insert")?;
        let value = vm.need(a, 2, "insert")?;
        if let Some(v) = list(vm, a[0]) {
            let len = i64::try_from(v.len()).unwrap_or(0);
            let at = if at < 0 { (at + len).max(0) } else { at.min(len) };
            v.insert(usize::try_from(at).unwrap_or(0), value);
        }
        Ok(Py::None)
    }),
    ("list.pop", |vm, a, _| {
        let at = if a.len() > 1 { Some(vm.need_int(a, 1, "pop")?) } else { None };
        let Some(v) = list(vm, a[0]) else { return Ok(Py::None) };
        if v.is_empty() {
            return Err(vm.error("IndexError", "pop from empty list"));
        }
        let len = i64::try_from(v.len()).unwrap_or(0);
        let at = at.map_or(len - 1, |n| if n < 0 { n + len } else { n });
        match usize::try_from(at).ok().filter(|i| *i < v.len()) {
            Some(i) => Ok(v.remove(i)),
            None => Err(vm.error("IndexError", "pop index out of range")),
        }
    }),
    ("list.remove", |vm, a, _| match position(vm, a)? {
        Some(i) => {
            list(vm, a[0]).map(|v| v.remove(i));
            Ok(Py::None)
        }
        None => vm.value_error("list.remove(x): x not in list"),
    }),
    ("list.clear", |vm, a, _| {
        list(vm, a[0]).map(Vec::clear);
        Ok(Py::None)
    }),
    ("list.copy", |vm, a, _| {
        let items = vm.items(a[0]);
        Ok(vm.list(items))
    }),
    ("list.reverse", |vm, a, _| {
        if let Some(v) = list(vm, a[0]) {
            v.reverse();
        }
        Ok(Py::None)
    }),
    ("list.index", |vm, a, _| match position(vm, a)? {
        Some(i) => Ok(Py::Int(i64::try_from(i).unwrap_or(0))),
        None => {
            let text = vm.repr(a[1])?;
            vm.value_error(&format!("{text} is not in list"))
        }
    }),
    ("tuple.index", |vm, a, _| match position(vm, a)? {
        Some(i) => Ok(Py::Int(i64::try_from(i).unwrap_or(0))),
        None => vm.value_error("tuple.index(x): x not in tuple"),
    }),
    ("list.count", |vm, a, _| count(vm, a)),
    ("tuple.count", |vm, a, _| count(vm, a)),
    ("list.sort", |vm, a, named| {
        if named.iter().any(|n| &*n.0 == "key" && n.1 != Py::None) {
            return vm.tail("_sort_list", a, named);
        }
        let reverse = arg(&[], named, 0, "reverse").unwrap_or(Py::None);
        let reverse = vm.truth(reverse)?;
        let items = vm.items(a[0]);
        let sorted = super::builtins::sort(vm, items, reverse)?;
        if let Some(v) = list(vm, a[0]) {
            *v = sorted;
        }
        Ok(Py::None)
    }),
    ("list._replace", |vm, a, _| {
        let items = vm.items(a[1]);
        if let Some(v) = list(vm, a[0]) {
            *v = items;
        }
        Ok(Py::None)
    }),
    ("range.index", |vm, a, _| match vm.gather(a[0])?.iter().position(|v| *v == a[1]) {
        Some(i) => Ok(Py::Int(i64::try_from(i).unwrap_or(0))),
        None => Err(Stop::Raise(vm.exception("ValueError", "value is not in range"))),
    }),
];
