//! Child processes and pipes: what `subprocess`, `multiprocessing` and the low-level functions of `os` are built on.

use super::NativeTable;
use super::threads::until;
use crate::value::{Py, PyFile, PyObject};
use crate::vm::{PyResult, PyVm, Stop};
use base::ids::Pid;
use base::time::Time;
use host::kernel::ProcessTarget;
use host::{Errno, Exec, Status, Wait};
use std::sync::Arc;

/// Most bytes of a value that processes share: the size of the pipe that holds it.
const MAX_SHARED: usize = 65_536;

fn signal_of(number: u8) -> Option<host::Signal> {
    host::Signal::ALL.iter().copied().find(|s| s.number() == number)
}

fn fd_of(vm: &mut PyVm<'_>, a: &[Py], index: usize, function: &str) -> PyResult<u32> {
    Ok(u32::try_from(vm.need_int(a, index, function)?).unwrap_or(u32::MAX))
}

fn bytes_of(vm: &mut PyVm<'_>, value: Option<&Py>) -> PyResult<Vec<u8>> {
    if let Some(Py::Obj(id)) = value
        && let PyObject::Bytes(data, _) = vm.obj(*id)
    {
        return Ok(data.clone());
    }
    vm.type_error("a bytes-like object is required")
}

/// Waits for a condition, at most until a moment: an error to return, or nothing if the moment has come.
fn wait_at_most(vm: &mut PyVm<'_>, wait: Wait, limit: Option<Time>) -> PyResult<()> {
    let Some(end) = vm.s.deadline.0.or(limit) else { return Err(Stop::Wait(wait)) };
    if end <= vm.now {
        vm.s.deadline.0 = None;
        return Ok(());
    }
    vm.s.deadline.0 = Some(end);
    Err(Stop::Wait(Wait::Any(vec![wait, Wait::Until(end)])))
}

/// The wait status of a child as `waitpid` gives it.
fn wait_status(status: Status) -> i64 {
    match status {
        Status::Exited(code) => i64::from(code) << 8,
        Status::Signaled(signal) => i64::from(signal.number()),
    }
}

pub(super) const TABLE: NativeTable = &[
    ("os._fork", |vm, _, _| {
        if vm.nested > 0 {
            return Err(vm.error(
                "NotImplementedError",
                "sandbatch does not fork in a method that the interpreter calls",
            ));
        }
        match vm.kernel.fork(vm.pid, vm.now) {
            Ok(child) => {
                vm.forked.push(child);
                vm.pause = true;
                Ok(Py::Int(i64::from(child.0)))
            }
            Err(errno) => Err(vm.os_error(errno, None)),
        }
    }),
    ("os.write", |vm, a, _| {
        let fd = fd_of(vm, a, 0, "write")?;
        let data = bytes_of(vm, a.get(1))?;
        match vm.kernel.write(vm.pid, fd, &data, vm.now) {
            Ok(n) => Ok(Py::Int(i64::try_from(n).unwrap_or(0))),
            Err(Errno::EAGAIN) => Err(Stop::Wait(Wait::Writable(fd))),
            Err(errno) => Err(vm.os_error(errno, None)),
        }
    }),
    ("os._wait_for", |vm, a, _| {
        // Waits for a child, unless the second argument is true: PID and status as `waitpid` gives them.
        let number = vm.need_int(a, 0, "waitpid")?;
        let whom = u32::try_from(number).map_or(ProcessTarget::Any, |n| ProcessTarget::Process(Pid(n)));
        match vm.kernel.wait(vm.pid, whom) {
            Ok(Some((pid, status))) => {
                Ok(vm.tuple(vec![Py::Int(i64::from(pid.0)), Py::Int(wait_status(status))]))
            }
            Ok(None) if a.get(1) == Some(&Py::Bool(true)) => Ok(vm.tuple(vec![Py::Int(0), Py::Int(0)])),
            Ok(None) => Err(Stop::Wait(Wait::Child)),
            Err(errno) => Err(vm.os_error(errno, None)),
        }
    }),
    ("os.kill", |vm, a, _| {
        let (pid, number) = (vm.need_int(a, 0, "kill")?, vm.need_int(a, 1, "kill")?);
        let uid = vm.kernel.process(vm.pid).map(|p| p.origin.uid).unwrap_or_default();
        // A signal to itself is handled before the next statement.
        vm.pause |= pid == i64::from(vm.pid.0);
        let signal = u8::try_from(number).ok().and_then(signal_of);
        match vm.kernel.kill(uid, ProcessTarget::Process(Pid(u32::try_from(pid).unwrap_or(0))), signal) {
            Ok(()) => Ok(Py::None),
            Err(errno) => Err(vm.os_error(errno, None)),
        }
    }),
    ("os._file", |vm, a, _| {
        // A file for a descriptor: its number, whether it is written, whether it is binary, whether each line is flushed.
        let fd = fd_of(vm, a, 0, "fdopen")?;
        let flag = |index: usize| a.get(index) == Some(&Py::Bool(true));
        let mode = match (flag(1), flag(2)) {
            (false, false) => "r",
            (true, false) => "w",
            (false, true) => "rb",
            (true, true) => "wb",
        };
        let file = PyFile {
            name: fd.to_string(),
            mode: mode.to_owned(),
            fd: Some(fd),
            binary: flag(2),
            readable: !flag(1),
            writable: flag(1),
            out: Vec::new(),
            input: Vec::new(),
            at_end: false,
            by_line: flag(3),
            memory: false,
        };
        Ok(vm.add(PyObject::File(Box::new(file))))
    }),
    ("subprocess._start", |vm, a, _| {
        // Arguments: words, standard input (a descriptor or None), output and errors. Result: the PID.
        let words = vm.items(a[0]).into_iter().map(|w| vm.str(w)).collect::<PyResult<Vec<String>>>()?;
        let name = words.first().cloned().unwrap_or_default();
        let Some(file) = vm.which(&name) else { return Err(vm.os_error(Errno::ENOENT, Some(&name))) };
        let child = match vm.kernel.fork(vm.pid, vm.now) {
            Ok(child) => child,
            Err(errno) => return Err(vm.os_error(errno, None)),
        };
        for (to, from) in (0..3).zip(&a[1..4]) {
            if let Py::Int(fd) = from {
                let _ = vm.kernel.dup2(child, u32::try_from(*fd).unwrap_or(0), to);
            }
        }
        for fd in vm.kernel.fds(child).into_iter().filter(|fd| *fd > 2) {
            let _ = vm.kernel.close(child, fd);
        }
        let mut env: host::Env = vm.s.env.iter().cloned().collect();
        if let Some(given) = a.get(4).filter(|e| **e != Py::None) {
            env = Default::default();
            for (name, value) in vm.pairs(*given) {
                env.insert(vm.str(name)?, vm.str(value)?);
            }
        }
        vm.born.push((child, Exec { path: file, argv: words, env: Arc::new(env) }));
        Ok(Py::Int(i64::from(child.0)))
    }),
    ("subprocess._pipe", |vm, _, _| match vm.kernel.pipe(vm.pid) {
        Ok((read, write)) => Ok(vm.tuple(vec![Py::Int(i64::from(read)), Py::Int(i64::from(write))])),
        Err(errno) => Err(vm.os_error(errno, None)),
    }),
    ("subprocess._close", |vm, a, _| {
        let fd = u32::try_from(vm.need_int(a, 0, "close")?).unwrap_or(0);
        let _ = vm.kernel.close(vm.pid, fd);
        Ok(Py::None)
    }),
    ("subprocess._read", |vm, a, _| {
        // At most this many bytes, or None after this many seconds.
        let fd = fd_of(vm, a, 0, "read")?;
        let most = usize::try_from(vm.need_int(a, 1, "read")?).unwrap_or(0).min(1 << 20);
        match vm.kernel.read(vm.pid, fd, most) {
            Ok(data) => {
                vm.s.deadline.0 = None;
                Ok(vm.add(PyObject::Bytes(data, false)))
            }
            Err(Errno::EAGAIN) => {
                let limit = until(vm, a.get(2));
                wait_at_most(vm, Wait::Readable(fd), limit).map(|()| Py::None)
            }
            Err(errno) => Err(vm.os_error(errno, None)),
        }
    }),
    ("subprocess._try_write", |vm, a, _| {
        // The number of bytes that the pipe takes now.
        let fd = fd_of(vm, a, 0, "write")?;
        let data = bytes_of(vm, a.get(1))?;
        match vm.kernel.write(vm.pid, fd, &data, vm.now) {
            Ok(n) => Ok(Py::Int(i64::try_from(n).unwrap_or(0))),
            Err(Errno::EAGAIN) => Ok(Py::Int(0)),
            Err(errno) => Err(vm.os_error(errno, None)),
        }
    }),
    ("subprocess._select", |vm, a, _| {
        // Waits until one of the descriptors has input or one of the others takes output, at most this many seconds:
        // those with input.
        let fds = |vm: &PyVm<'_>, value: Option<&Py>| -> Vec<u32> {
            let items = value.map(|list| vm.items(*list)).unwrap_or_default();
            items.iter().filter_map(|fd| vm.as_int(*fd)).filter_map(|fd| u32::try_from(fd).ok()).collect()
        };
        let (reads, writes) = (fds(vm, a.first()), fds(vm, a.get(1)));
        let ready: Vec<Py> = reads
            .iter()
            .filter(|fd| vm.kernel.has_input(vm.pid, **fd))
            .map(|fd| Py::Int(i64::from(*fd)))
            .collect();
        // After a wait without input, one of the others takes output.
        let waited = vm.s.deadline.0;
        if ready.is_empty() && (waited.is_none() || writes.is_empty()) {
            let end = waited.or_else(|| until(vm, a.get(2))).unwrap_or(Time(i64::MAX));
            if vm.now < end {
                let mut waits: Vec<Wait> = reads.into_iter().map(Wait::Readable).collect();
                waits.extend(writes.into_iter().map(Wait::Writable));
                waits.extend((end != Time(i64::MAX)).then_some(Wait::Until(end)));
                vm.s.deadline.0 = Some(end);
                return Err(Stop::Wait(Wait::Any(waits)));
            }
        }
        vm.s.deadline.0 = None;
        Ok(vm.list(ready))
    }),
    ("subprocess._pending", |vm, a, _| {
        let fd = fd_of(vm, a, 0, "pending")?;
        Ok(Py::Int(i64::try_from(vm.kernel.pipe_bytes(vm.pid, fd)).unwrap_or(0)))
    }),
    ("subprocess._swap", |vm, a, _| {
        // Replaces the value in a pipe if it is the expected one (or without one in any case): the value before. No
        // process ever sees the pipe empty.
        let (from, to) = (fd_of(vm, a, 0, "swap")?, fd_of(vm, a, 1, "swap")?);
        let data = match vm.kernel.read(vm.pid, from, MAX_SHARED) {
            Ok(data) => data,
            Err(Errno::EAGAIN) => Vec::new(),
            Err(errno) => return Err(vm.os_error(errno, None)),
        };
        let new = match a.get(2) {
            None | Some(Py::None) => data.clone(),
            given => bytes_of(vm, given)?,
        };
        let same = match a.get(3) {
            None | Some(Py::None) => true,
            given => bytes_of(vm, given)? == data,
        };
        let fits = new.len() <= MAX_SHARED;
        let next = if same && fits { &new } else { &data };
        if let Err(errno) = vm.kernel.write(vm.pid, to, next, vm.now) {
            return Err(vm.os_error(errno, None));
        }
        if !fits {
            return Err(vm.error(
                "NotImplementedError",
                "sandbatch keeps at most 64 kB in an object that processes share",
            ));
        }
        Ok(vm.add(PyObject::Bytes(data, false)))
    }),
    ("subprocess._wait", |vm, a, _| {
        // The exit code of a child; None if it runs, at once or after this many seconds.
        let pid = Pid(u32::try_from(vm.need_int(a, 0, "wait")?).unwrap_or(0));
        let code = match vm.kernel.wait(vm.pid, ProcessTarget::Process(pid)) {
            Ok(Some((_, Status::Exited(code)))) => Py::Int(i64::from(code)),
            Ok(Some((_, Status::Signaled(signal)))) => Py::Int(-i64::from(signal.number())),
            Ok(None) if a.get(1) == Some(&Py::Bool(true)) => return Ok(Py::None),
            Ok(None) => {
                let limit = until(vm, a.get(2));
                return wait_at_most(vm, Wait::Child, limit).map(|()| Py::None);
            }
            // Another call has waited for it.
            Err(Errno::ECHILD) => Py::Int(0),
            Err(errno) => return Err(vm.os_error(errno, None)),
        };
        vm.s.deadline.0 = None;
        Ok(code)
    }),
];
