//! Files, processes, clocks and the environment: access to the simulated host.

use super::{Kw, NativeTable, arg};
use crate::value::{Py, PyFile, PyObject};
use crate::vm::{PyResult, PyVm, Stop};
use base::time::Span;
use host::kernel::OpenFlags;
use host::{Errno, Wait};

/// `open(file, mode)`
pub(super) fn open(vm: &mut PyVm<'_>, a: &[Py], named: Kw<'_>) -> PyResult {
    let file = vm.need(a, 0, "open")?;
    let Some(name) = path_text(vm, file)? else {
        let message = format!("expected str, bytes or os.PathLike object, not {}", vm.type_name(file));
        return vm.type_error(&message);
    };
    let mode = arg(a, named, 1, "mode").and_then(|m| vm.str_ref(m)).unwrap_or("r").to_owned();
    let (has, binary) = (|c: char| mode.contains(c), mode.contains('b'));
    let flags = OpenFlags {
        read: has('r') || has('+'),
        write: has('w') || has('a') || has('x') || has('+'),
        append: has('a'),
        create: has('w') || has('a') || has('x'),
        truncate: has('w'),
        exclusive: has('x'),
    };
    if !(has('r') || has('w') || has('a') || has('x')) {
        return vm.value_error(&format!("invalid mode: '{mode}'"));
    }
    // `newline=""` keeps the ends of lines as they are.
    let newline = arg(a, named, 5, "newline").and_then(|n| vm.str_ref(n)).is_some_and(str::is_empty);
    vm.flush_named(&name)?;
    let (uid, full) = vm.resolve_path(&name);
    if vm.kernel.fs.stat(uid, &full).is_ok_and(|s| s.kind == host::fs::FileKind::Dir) {
        return Err(vm.os_error(Errno::EISDIR, Some(&name)));
    }
    match vm.kernel.open(vm.pid, &name, flags, 0o666, vm.now) {
        Ok(fd) => {
            let mode = if newline { format!("{mode}\n") } else { mode.clone() };
            let by_line = vm.kernel.fd_tty(vm.pid, fd).is_some();
            let file = PyFile {
                name,
                fd: Some(fd),
                binary,
                readable: flags.read,
                writable: flags.write,
                mode,
                out: Vec::new(),
                input: Vec::new(),
                at_end: false,
                by_line,
                memory: false,
            };
            Ok(vm.add(PyObject::File(Box::new(file))))
        }
        Err(errno) => Err(vm.os_error(errno, Some(&name))),
    }
}

/// The path that a value represents.
fn path_text(vm: &mut PyVm<'_>, value: Py) -> PyResult<Option<String>> {
    if let Some(text) = vm.str_ref(value) {
        return Ok(Some(text.to_owned()));
    }
    match vm.class_attr(value, "__fspath__") {
        Some(f) => {
            let text = vm.call_nested(f, vec![value], Vec::new())?;
            Ok(vm.str_ref(text).map(str::to_owned))
        }
        None => Ok(None),
    }
}

fn path_of(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult<(base::ids::Uid, String, String)> {
    let value = a.first().copied();
    let value = match value {
        Some(value) => value,
        None => vm.text("."),
    };
    let Some(name) = path_text(vm, value)? else {
        let message = format!(
            "stat: path should be string, bytes, os.PathLike or integer, not {}",
            vm.type_name(value)
        );
        return vm.type_error(&message);
    };
    vm.flush_named(&name)?;
    let (uid, full) = vm.resolve_path(&name);
    Ok((uid, full, name))
}

fn done<T>(vm: &mut PyVm<'_>, result: Result<T, Errno>, name: &str) -> PyResult {
    match result {
        Ok(_) => Ok(Py::None),
        Err(errno) => Err(vm.os_error(errno, Some(name))),
    }
}

fn signal_of(number: u8) -> Option<host::Signal> {
    host::Signal::ALL.iter().copied().find(|s| s.number() == number)
}

/// Data as bytes or text, according to the file's mode.
pub(crate) fn content(vm: &mut PyVm<'_>, id: u32, data: Vec<u8>) -> PyResult {
    let binary = matches!(vm.obj(id), PyObject::File(f) if f.binary);
    if binary {
        return Ok(vm.add(PyObject::Bytes(data, false)));
    }
    match String::from_utf8(data) {
        Ok(text) if matches!(vm.obj(id), PyObject::File(f) if f.mode.contains('\n')) => Ok(vm.text(text)),
        Ok(text) => Ok(vm.text(text.replace("\r\n", "\n"))),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let byte = error.as_bytes().get(at).copied().unwrap_or(0);
            Err(vm.error(
                "UnicodeDecodeError",
                &format!("'utf-8' codec can't decode byte 0x{byte:02x} in position {at}: invalid start byte"),
            ))
        }
    }
}

pub(super) const TABLE: NativeTable = &[
    ("time.time", |vm, _, _| Ok(Py::Float(vm.now.0 as f64 / 1e6))),
    ("time.time_ns", |vm, _, _| Ok(Py::Int(vm.now.0 * 1000))),
    ("time.monotonic", |vm, _, _| Ok(Py::Float(vm.now.0 as f64 / 1e6))),
    ("time.perf_counter", |vm, _, _| Ok(Py::Float((vm.now - vm.s.started).0 as f64 / 1e6 + 1000.0))),
    ("time.process_time", |vm, _, _| Ok(Py::Float(vm.s.ops as f64 / crate::OPERATIONS_PER_SECOND as f64))),
    ("time.sleep", |vm, a, _| {
        let value = vm.need(a, 0, "sleep")?;
        let Some(seconds) = vm.as_float(value) else {
            let message = format!("'{}' object cannot be interpreted as an integer", vm.type_name(value));
            return vm.type_error(&message);
        };
        if seconds < 0.0 {
            return vm.value_error("sleep length must be non-negative");
        }
        let until = match vm.s.deadline.0 {
            Some(until) => until,
            None => vm.now + Span((seconds * 1e6).min(1e17) as i64),
        };
        if vm.now < until {
            vm.s.deadline.0 = Some(until);
            return Err(Stop::Wait(Wait::Until(until)));
        }
        vm.s.deadline.0 = None;
        Ok(Py::None)
    }),
    ("os.getpid", |vm, _, _| Ok(Py::Int(i64::from(vm.pid.0)))),
    ("os.getppid", |vm, _, _| Ok(Py::Int(vm.kernel.process(vm.pid).map_or(1, |p| i64::from(p.parent.0))))),
    ("os.getuid", |vm, _, _| Ok(Py::Int(vm.kernel.process(vm.pid).map_or(0, |p| i64::from(p.origin.uid.0))))),
    ("os.getcwd", |vm, _, _| {
        let cwd = vm.kernel.process(vm.pid).map(|p| p.cwd.to_string()).unwrap_or_default();
        Ok(vm.text(cwd))
    }),
    ("os.chdir", |vm, a, _| {
        let (_, _, name) = path_of(vm, a)?;
        let result = vm.kernel.chdir(vm.pid, &name);
        done(vm, result, &name)
    }),
    ("os._exit", |vm, a, _| Err(Stop::Exit(u8::try_from(vm.need_int(a, 0, "_exit")? & 255).unwrap_or(1)))),
    ("os.listdir", |vm, a, _| {
        let (uid, full, name) = path_of(vm, a)?;
        match vm.kernel.fs.list(uid, &full) {
            Ok(names) => {
                let names = names.into_iter().map(|n| vm.text(n)).collect();
                Ok(vm.list(names))
            }
            Err(errno) => Err(vm.os_error(errno, Some(&name))),
        }
    }),
    ("os.mkdir", |vm, a, _| {
        let (uid, full, name) = path_of(vm, a)?;
        let result = vm.kernel.fs.mkdir(uid, &full, 0o755, vm.now);
        done(vm, result, &name)
    }),
    ("os.remove", |vm, a, _| {
        let (uid, full, name) = path_of(vm, a)?;
        let result = vm.kernel.fs.unlink(uid, &full, vm.now);
        done(vm, result, &name)
    }),
    ("os.rmdir", |vm, a, _| {
        let (uid, full, name) = path_of(vm, a)?;
        let result = vm.kernel.fs.rmdir(uid, &full, vm.now);
        done(vm, result, &name)
    }),
    ("os.rename", |vm, a, _| {
        let (uid, from, name) = path_of(vm, a)?;
        let (_, to, _) = path_of(vm, &a[1..])?;
        let result = vm.kernel.fs.rename(uid, &from, &to, vm.now);
        done(vm, result, &name)
    }),
    ("os.chmod", |vm, a, _| {
        let (uid, full, name) = path_of(vm, a)?;
        let mode = u32::try_from(vm.need_int(a, 1, "chmod")?).unwrap_or(0);
        let result = vm.kernel.fs.chmod(uid, &full, mode);
        done(vm, result, &name)
    }),
    ("os.symlink", |vm, a, _| {
        let target = vm.need_text(a, 0, "symlink")?;
        let (uid, full, name) = path_of(vm, &a[1..])?;
        let result = vm.kernel.fs.symlink(uid, &target, &full, vm.now);
        done(vm, result, &name)
    }),
    ("os._stat", |vm, a, _| {
        // Size, modification time in seconds, kind (1 file, 2 directory), mode; None if the path does not exist.
        let (uid, full, name) = path_of(vm, a)?;
        let strict = a.get(1) == Some(&Py::Bool(true));
        match vm.kernel.fs.stat(uid, &full) {
            Ok(stat) => {
                let kind = if stat.kind == host::fs::FileKind::Dir { 2 } else { 1 };
                let values = vec![
                    Py::Int(i64::try_from(stat.size).unwrap_or(0)),
                    Py::Float(stat.mtime.0 as f64 / 1e6),
                    Py::Int(kind),
                    Py::Int(i64::from(stat.mode)),
                ];
                Ok(vm.tuple(values))
            }
            Err(errno) if strict => Err(vm.os_error(errno, Some(&name))),
            Err(_) => Ok(Py::None),
        }
    }),
    ("os._environ", |vm, _, _| {
        let pairs = vm.s.env.clone();
        let dict = vm.add(PyObject::Dict(Default::default()));
        for (name, value) in pairs {
            let (name, value) = (vm.text(name), vm.text(value));
            vm.set_index(dict, name, value)?;
        }
        Ok(dict)
    }),
    ("os._cpus", |vm, _, _| {
        let cpus = |name: &str| vm.s.env.iter().find(|e| e.0 == name).and_then(|e| e.1.parse::<i64>().ok());
        let own = cpus("SLURM_CPUS_PER_TASK").or_else(|| cpus("SLURM_CPUS_ON_NODE")).unwrap_or(1);
        let host = vm.kernel.process(vm.pid).map(|p| p.origin.host.clone());
        let all = host.and_then(|h| vm.kernel.hardware(&h)).map_or(own, |h| i64::from(h.cpus));
        Ok(vm.tuple(vec![Py::Int(all), Py::Int(own)]))
    }),
    ("os._random", |vm, a, _| {
        let n = vm.need_length(a, 0, "urandom")?;
        let bytes = (0..n).map(|_| u8::try_from(vm.kernel.random_below(256)).unwrap_or(0)).collect();
        Ok(vm.add(PyObject::Bytes(bytes, false)))
    }),
    ("socket.gethostname", |vm, _, _| {
        let host = vm.kernel.process(vm.pid).map(|p| p.origin.host.to_string()).unwrap_or_default();
        Ok(vm.text(host))
    }),
    ("getpass.getuser", |vm, _, _| {
        let uid = vm.kernel.process(vm.pid).map(|p| p.origin.uid).unwrap_or_default();
        let name = vm.kernel.users.by_uid(uid).map(|u| u.name.clone()).unwrap_or_default();
        Ok(vm.text(name))
    }),
    ("signal._set", |vm, a, _| {
        // Arguments: number and handler. Result: the previous handler.
        let number = u8::try_from(vm.need_int(a, 0, "signal")?).unwrap_or(0);
        let handler = vm.need(a, 1, "signal")?;
        let old = vm.s.handlers.iter().position(|h| h.0 == number).map(|i| vm.s.handlers.remove(i).1);
        let how = match handler {
            Py::Int(0) => host::signal::Disposition::Default,
            Py::Int(1) => host::signal::Disposition::Ignore,
            _ => {
                vm.s.handlers.push((number, handler));
                host::signal::Disposition::Catch
            }
        };
        if let Some(signal) = signal_of(number) {
            vm.kernel.set_disposition(vm.pid, signal, how);
        }
        Ok(old.unwrap_or(Py::Int(0)))
    }),
    ("sys._argv", |vm, _, _| {
        let words = vm.s.argv.clone().into_iter().map(|w| vm.text(w)).collect();
        Ok(vm.list(words))
    }),
    ("sys._path", |vm, _, _| {
        let words = vm.s.path.clone().into_iter().map(|w| vm.text(w)).collect();
        Ok(vm.list(words))
    }),
    ("sys._program", |vm, _, _| {
        let program = vm.s.program.clone();
        Ok(vm.text(program))
    }),
    ("sys._stream", |vm, a, _| {
        Ok(Py::Obj(
            [vm.s.stdin, vm.s.stdout, vm.s.stderr]
                [usize::try_from(vm.need_int(a, 0, "stream")?).unwrap_or(0)],
        ))
    }),
    ("sys._memory", |vm, _, _| Ok(Py::Int(i64::try_from(vm.s.heap.peak).unwrap_or(i64::MAX)))),
    ("sys.getsizeof", |vm, a, _| Ok(Py::Int(vm.len(a[0]).map_or(28, |n| 56 + n * 8)))),
    ("sys.exc_info", |vm, _, _| {
        let e = vm.handled().unwrap_or(Py::None);
        let class = if e == Py::None { e } else { vm.class_of(e) };
        Ok(vm.tuple(vec![class, e, Py::None]))
    }),
    ("builtins._at_exit", |vm, a, _| {
        vm.s.exit_hooks.extend(a.first());
        Ok(Py::None)
    }),
    ("builtins.input", |vm, a, _| {
        if let (Some(prompt), None) = (a.first(), vm.s.deadline.0) {
            // The prompt is printed once, even if the process must wait for the line.
            let text = vm.str(*prompt)?;
            vm.write_out(&text);
            vm.s.deadline.0 = Some(base::time::Time(0));
        }
        let out = vm.s.stdout;
        vm.flush_file(out)?;
        let stdin = Py::Obj(vm.s.stdin);
        let line = vm.read_line(stdin, usize::MAX)?;
        vm.s.deadline.0 = None;
        let text = vm.str_ref(line).unwrap_or("").to_owned();
        if text.is_empty() {
            return Err(vm.error("EOFError", "EOF when reading a line"));
        }
        Ok(vm.text(text.trim_end_matches('\n')))
    }),
];
