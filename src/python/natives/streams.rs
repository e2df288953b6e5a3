//! Methods of open files.

use super::{NativeTable, arg, content};
use crate::value::{Py, PyObject};
use crate::vm::{PyResult, PyVm};

pub(super) const TABLE: NativeTable = &[
    ("_io.TextIOWrapper.write", |vm, a, _| {
        let id = file_id(vm, a)?;
        let value = vm.need(a, 1, "write")?;
        let (binary, writable) = match vm.obj(id) {
            PyObject::File(f) => (f.binary, f.writable),
            _ => (false, false),
        };
        if !writable {
            return Err(vm.error("UnsupportedOperation", "not writable"));
        }
        let data = match vm.payload(value) {
            Py::Obj(v) => match vm.obj(v) {
                PyObject::Text(t) if !binary => Some((t.as_bytes().to_vec(), t.chars().count())),
                PyObject::Bytes(b, _) if binary => Some((b.clone(), b.len())),
                _ => None,
            },
            _ => None,
        };
        let Some((data, count)) = data else {
            let message = if binary {
                format!("a bytes-like object is required, not '{}'", vm.type_name(value))
            } else {
                format!("write() argument must be str, not {}", vm.type_name(value))
            };
            return vm.type_error(&message);
        };
        vm.write_file(id, &data)?;
        Ok(Py::Int(i64::try_from(count).unwrap_or(0)))
    }),
    ("_io.TextIOWrapper.writelines", |vm, a, named| vm.tail("_writelines", a, named)),
    ("_io.TextIOWrapper.flush", |vm, a, _| {
        let id = file_id(vm, a)?;
        vm.flush_file(id)?;
        Ok(Py::None)
    }),
    ("_io.TextIOWrapper.close", |vm, a, _| {
        let Some(Py::Obj(id)) = a.first() else { return Ok(Py::None) };
        vm.close_file(*id)?;
        Ok(Py::None)
    }),
    ("_io.TextIOWrapper.__enter__", |vm, a, _| file_id(vm, a).map(Py::Obj)),
    ("_io.TextIOWrapper.__exit__", |vm, a, _| {
        let Some(Py::Obj(id)) = a.first() else { return Ok(Py::None) };
        vm.close_file(*id)?;
        Ok(Py::None)
    }),
    ("_io.TextIOWrapper.read", |vm, a, _| {
        let id = file_id(vm, a)?;
        let most =
            a.get(1).and_then(|n| vm.as_int(*n)).and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
        vm.fill(id, |input| input.len() >= most)?;
        let data = vm.take_input(id, most);
        content(vm, id, data)
    }),
    ("_io.TextIOWrapper.readline", |vm, a, _| {
        let id = file_id(vm, a)?;
        vm.read_line(Py::Obj(id), usize::MAX)
    }),
    ("_io.TextIOWrapper.readlines", |vm, a, _| {
        let id = file_id(vm, a)?;
        let mut lines = Vec::new();
        loop {
            let line = vm.read_line(Py::Obj(id), usize::MAX)?;
            if vm.len(line)? == 0 {
                return Ok(vm.list(lines));
            }
            lines.push(line);
        }
    }),
    ("_io.TextIOWrapper.isatty", |vm, a, _| {
        let id = file_id(vm, a)?;
        let fd = if let PyObject::File(f) = vm.obj(id) { f.fd } else { None };
        Ok(Py::Bool(fd.is_some_and(|fd| vm.kernel.fd_tty(vm.pid, fd).is_some())))
    }),
    ("_io.TextIOWrapper.fileno", |vm, a, _| {
        let id = file_id(vm, a)?;
        Ok(match vm.obj(id) {
            PyObject::File(f) => Py::Int(i64::from(f.fd.unwrap_or(0))),
            _ => Py::None,
        })
    }),
    ("_io.TextIOWrapper.seek", |vm, a, _| {
        let id = file_id(vm, a)?;
        vm.flush_file(id)?;
        let at = vm.need_int(a, 1, "seek")?;
        let from = match a.get(2) {
            Some(Py::Int(1)) => position(vm, id),
            Some(Py::Int(2)) => end(vm, id),
            _ => 0,
        };
        let at = u64::try_from(from + at).unwrap_or(0);
        if let PyObject::File(f) = vm.obj_mut(id) {
            f.input.clear();
            f.at_end = false;
            let fd = f.fd;
            if let Some(fd) = fd {
                let pid = vm.pid;
                let _ = vm.kernel.seek(pid, fd, at);
            }
        }
        Ok(Py::Int(i64::try_from(at).unwrap_or(0)))
    }),
    ("_io.TextIOWrapper.tell", |vm, a, _| {
        let id = file_id(vm, a)?;
        vm.flush_file(id)?;
        Ok(Py::Int(position(vm, id)))
    }),
    ("_io.TextIOWrapper.truncate", |vm, a, _| {
        let id = file_id(vm, a)?;
        vm.flush_file(id)?;
        let size = match a.get(1) {
            Some(n) => vm.as_int(*n).unwrap_or(0),
            None => position(vm, id),
        };
        let fd = if let PyObject::File(f) = vm.obj(id) { f.fd } else { None };
        if let Some(fd) = fd {
            let (pid, now) = (vm.pid, vm.now);
            let _ = vm.kernel.set_size(pid, fd, u64::try_from(size).unwrap_or(0), false, now);
        }
        Ok(Py::Int(size))
    }),
    ("_io.TextIOWrapper.readable", |vm, a, _| {
        let id = file_id(vm, a)?;
        Ok(Py::Bool(matches!(vm.obj(id), PyObject::File(f) if f.readable)))
    }),
    ("_io.TextIOWrapper.writable", |vm, a, _| {
        let id = file_id(vm, a)?;
        Ok(Py::Bool(matches!(vm.obj(id), PyObject::File(f) if f.writable)))
    }),
    ("_io.TextIOWrapper.reconfigure", |vm, a, named| {
        let by_line = arg(a, named, 9, "line_buffering") == Some(Py::Bool(true));
        let id = file_id(vm, a)?;
        if let PyObject::File(f) = vm.obj_mut(id) {
            f.by_line |= by_line;
        }
        Ok(Py::None)
    }),
];

/// The position of a file.
fn position(vm: &PyVm<'_>, id: u32) -> i64 {
    let PyObject::File(f) = vm.obj(id) else { return 0 };
    let ahead = i64::try_from(f.input.len()).unwrap_or(0);
    let offset = f.fd.and_then(|fd| vm.kernel.offset(vm.pid, fd)).unwrap_or(0);
    i64::try_from(offset).unwrap_or(0) - ahead
}

/// The size of a file.
fn end(vm: &PyVm<'_>, id: u32) -> i64 {
    let PyObject::File(f) = vm.obj(id) else { return 0 };
    let (uid, full) = vm.resolve_path(&f.name);
    vm.kernel.fs.stat(uid, &full).map_or(0, |s| i64::try_from(s.size).unwrap_or(0))
}

fn file_id(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult<u32> {
    match a.first() {
        Some(Py::Obj(id)) => match vm.obj(*id) {
            PyObject::File(f) if f.fd.is_some() || f.memory => Ok(*id),
            _ => vm.value_error("I/O operation on closed file."),
        },
        _ => vm.type_error("a file is required"),
    }
}
