//! Methods of dictionaries and sets.

use super::{Kw, NativeTable};
use crate::value::{Py, PyObject, PyType, Table};
use crate::vm::{PyResult, PyVm, Stop};

fn table<'a>(vm: &'a mut PyVm<'_>, value: Py) -> Option<&'a mut Table> {
    match vm.payload(value) {
        Py::Obj(id) => match vm.obj_mut(id) {
            PyObject::Dict(t) | PyObject::Set(t, _) => Some(t),
            _ => None,
        },
        _ => None,
    }
}

fn view(vm: &mut PyVm<'_>, a: &[Py], kind: PyType) -> PyResult {
    let dict = vm.payload(a[0]);
    Ok(vm.add(PyObject::View(kind, dict)))
}

fn key_error(vm: &mut PyVm<'_>, key: Py) -> Stop {
    let class = vm.builtin("KeyError");
    Stop::Raise(vm.exception_with(class, vec![key]))
}

fn update(vm: &mut PyVm<'_>, a: &[Py], named: Kw<'_>) -> PyResult {
    let from = vm.construct_now(PyType::Dict, &a[1..], named)?;
    let target = vm.payload(a[0]);
    for (key, value) in vm.pairs(from) {
        vm.set_index(target, key, value)?;
    }
    Ok(Py::None)
}

/// The elements of an iterable as a set.
fn other(vm: &mut PyVm<'_>, value: Py) -> PyResult<Table> {
    let items = vm.gather(value)?;
    vm.set_of(items)
}

fn combined(vm: &mut PyVm<'_>, a: &[Py], f: fn(&Table, &Table) -> Table) -> PyResult {
    let mut own = table(vm, a[0]).map(|t| t.clone()).unwrap_or_default();
    for more in &a[1..] {
        let more = other(vm, *more)?;
        own = f(&own, &more);
    }
    let frozen = vm.type_of(a[0]) == PyType::FrozenSet;
    Ok(vm.add(PyObject::Set(own, frozen)))
}

fn replace(vm: &mut PyVm<'_>, a: &[Py], f: fn(&Table, &Table) -> Table) -> PyResult {
    for more in &a[1..] {
        let more = other(vm, *more)?;
        if let Some(t) = table(vm, a[0]) {
            *t = f(t, &more);
        }
    }
    Ok(Py::None)
}

fn union(a: &Table, b: &Table) -> Table {
    let mut all = a.clone();
    b.iter().for_each(|(k, v)| {
        all.entry(k.clone()).or_insert(*v);
    });
    all
}

fn common(a: &Table, b: &Table) -> Table {
    a.iter().filter(|(k, _)| b.contains_key(*k)).map(|(k, v)| (k.clone(), *v)).collect()
}

fn without(a: &Table, b: &Table) -> Table {
    a.iter().filter(|(k, _)| !b.contains_key(*k)).map(|(k, v)| (k.clone(), *v)).collect()
}

pub(super) const TABLE: NativeTable = &[
    ("dict.keys", |vm, a, _| view(vm, a, PyType::Keys)),
    ("dict.values", |vm, a, _| view(vm, a, PyType::Values)),
    ("dict.items", |vm, a, _| view(vm, a, PyType::Items)),
    ("dict.get", |vm, a, _| {
        let key = vm.need(a, 1, "get")?;
        Ok(vm.dict_get(a[0], key)?.unwrap_or_else(|| a.get(2).copied().unwrap_or(Py::None)))
    }),
    ("dict.setdefault", |vm, a, _| {
        let key = vm.need(a, 1, "setdefault")?;
        if let Some(value) = vm.dict_get(a[0], key)? {
            return Ok(value);
        }
        let value = a.get(2).copied().unwrap_or(Py::None);
        let target = vm.payload(a[0]);
        vm.set_index(target, key, value)?;
        Ok(value)
    }),
    ("dict.pop", |vm, a, _| {
        let key = vm.need(a, 1, "pop")?;
        let removed = vm.key(key)?;
        match table(vm, a[0])
            .and_then(|t| t.shift_remove(&removed))
            .map(|v| v.1)
            .or_else(|| a.get(2).copied())
        {
            Some(value) => Ok(value),
            None => Err(key_error(vm, key)),
        }
    }),
    ("dict.popitem", |vm, a, _| match table(vm, a[0]).and_then(Table::pop) {
        Some((_, (key, value))) => Ok(vm.tuple(vec![key, value])),
        None => {
            let text = vm.text("popitem(): dictionary is empty");
            Err(key_error(vm, text))
        }
    }),
    ("dict.update", update),
    ("dict.clear", |vm, a, _| {
        table(vm, a[0]).map(Table::clear);
        Ok(Py::None)
    }),
    ("dict.copy", |vm, a, _| {
        let copy = table(vm, a[0]).map(|t| t.clone()).unwrap_or_default();
        Ok(vm.add(PyObject::Dict(copy)))
    }),
    ("dict.fromkeys", |vm, a, _| {
        let items = if vm.is_class(a[0]) { a.get(1).copied() } else { a.first().copied() };
        let value = a.get(2).copied().unwrap_or(Py::None);
        let dict = vm.add(PyObject::Dict(Table::default()));
        for key in vm.gather(items.unwrap_or(Py::None))? {
            vm.set_index(dict, key, value)?;
        }
        Ok(dict)
    }),
    ("set.add", |vm, a, _| {
        let value = vm.need(a, 1, "add")?;
        vm.put_in(a[0], value).map(|()| Py::None)
    }),
    ("set.discard", |vm, a, _| {
        let value = vm.need(a, 1, "discard")?;
        let key = vm.key(value)?;
        table(vm, a[0]).map(|t| t.shift_remove(&key));
        Ok(Py::None)
    }),
    ("set.remove", |vm, a, _| {
        let value = vm.need(a, 1, "remove")?;
        let key = vm.key(value)?;
        match table(vm, a[0]).and_then(|t| t.shift_remove(&key)) {
            Some(_) => Ok(Py::None),
            None => Err(key_error(vm, value)),
        }
    }),
    ("set.pop", |vm, a, _| {
        let first = table(vm, a[0]).map(|t| crate::sets::in_order(t)).and_then(|v| v.first().copied());
        match first {
            Some(value) => {
                let key = vm.key(value)?;
                table(vm, a[0]).map(|t| t.shift_remove(&key));
                Ok(value)
            }
            None => {
                let text = vm.text("pop from an empty set");
                Err(key_error(vm, text))
            }
        }
    }),
    ("set.clear", |vm, a, _| {
        table(vm, a[0]).map(Table::clear);
        Ok(Py::None)
    }),
    ("set.copy", |vm, a, _| combined(vm, &a[..1], union)),
    ("set.union", |vm, a, _| combined(vm, a, union)),
    ("set.intersection", |vm, a, _| combined(vm, a, common)),
    ("set.difference", |vm, a, _| combined(vm, a, without)),
    ("set.symmetric_difference", |vm, a, _| combined(vm, a, |a, b| union(&without(a, b), &without(b, a)))),
    ("frozenset.union", |vm, a, _| combined(vm, a, union)),
    ("frozenset.intersection", |vm, a, _| combined(vm, a, common)),
    ("frozenset.difference", |vm, a, _| combined(vm, a, without)),
    ("set.update", |vm, a, _| replace(vm, a, union)),
    ("set.intersection_update", |vm, a, _| replace(vm, a, common)),
    ("set.difference_update", |vm, a, _| replace(vm, a, without)),
    ("set.issubset", |vm, a, _| {
        let more = other(vm, a[1])?;
        Ok(Py::Bool(table(vm, a[0]).is_some_and(|t| t.keys().all(|k| more.contains_key(k)))))
    }),
    ("set.issuperset", |vm, a, _| {
        let more = other(vm, a[1])?;
        Ok(Py::Bool(table(vm, a[0]).is_some_and(|t| more.keys().all(|k| t.contains_key(k)))))
    }),
    ("set.isdisjoint", |vm, a, _| {
        let more = other(vm, a[1])?;
        Ok(Py::Bool(table(vm, a[0]).is_some_and(|t| !more.keys().any(|k| t.contains_key(k)))))
    }),
];
