//! Starting one task of a step: its program, its process, its descriptors.

use super::launch::Task;
use crate::base::ids::Pid;
use crate::commands::{Cx, STDERR, STDIN, STDOUT};
use crate::host::kernel::OpenFlags;
use crate::host::signal::Disposition;
use crate::host::{Env, Errno, Exec, Fd, Origin, Signal, Status, path};
use crate::shell::Born;
use std::sync::Arc;

/// What a task is started with.
pub(super) struct Start {
    pub argv: Vec<String>,
    pub env: Env,
    pub origin: Origin,
    /// The file that its standard input is; none: srun's.
    pub input: Option<String>,
    /// Its directory.
    pub dir: Option<String>,
    /// `--task-prolog`.
    pub task_prolog: Option<String>,
    /// The task has the terminal.
    pub pty: bool,
}

/// Starts it.
pub(super) fn start_task(cx: &mut Cx, task: &mut Task, mut start: Start) {
    let name = start.argv.first().cloned().unwrap_or_default();
    let found = program(cx, &name, &start.env).and_then(|path| match bad_interpreter(cx, &path) {
        Some(missing) => Err((format!("bad interpreter({missing})"), Errno::ENOENT)),
        None => Ok(path),
    });
    let path = match found {
        Ok(path) => path,
        Err((name, errno)) => {
            let stamp = cx.now.iso_millis();
            task.note = Some(format!("[{stamp}] error: execve(): {name}: {errno}"));
            task.status = Some(Status::Exited(if errno == Errno::EACCES { 13 } else { 2 }));
            return;
        }
    };
    if name.contains('/') && !name.starts_with('/') {
        // slurmstepd starts what it was given as a path by its whole path.
        start.argv[0] = format!("{}/{name}", cx.cwd().trim_end_matches('/'));
    }
    match start_process(cx, task, &start) {
        Ok(child) => {
            cx.kernel.set_origin(child, start.origin);
            if let Some(dir) = &start.dir
                && cx.kernel.chdir(child, dir).is_err()
            {
                let stamp = cx.now.iso_millis();
                task.chdir_failed = Some(format!(
                    "[{stamp}] error: couldn't chdir to `{dir}': No such file or directory: going to /tmp instead"
                ));
                let _ = cx.kernel.chdir(child, "/tmp");
            }
            start.env.insert("SLURM_TASK_PID".to_owned(), child.to_string());
            if let Some(process) = cx.kernel.process(child) {
                start.env.insert("PWD".to_owned(), process.cwd.to_string());
            }
            let exec = Exec { path, argv: start.argv, env: Arc::new(start.env) };
            let own = start.task_prolog.as_deref();
            let exec = crate::slurmctld::prolog::task(cx.slurm.state(), own, exec);
            cx.born.push((child, Born::Exec(exec)));
            task.pid = Some(child);
        }
        Err(errno) => {
            cx.complain(&format!("srun: error: task {} launch failed: {errno}", task.rank));
            task.status = Some(Status::Exited(1));
        }
    }
}

/// The program along the task's own `PATH`; what could not be found, and why.
fn program(cx: &Cx, name: &str, env: &Env) -> Result<String, (String, Errno)> {
    let here = path::join(&cx.cwd(), name);
    if name.contains('/') {
        return cx.which(name).map(|_| here.clone()).map_err(|errno| (here, errno));
    }
    let mut why = Errno::ENOENT;
    for dir in env.get("PATH").map_or("", String::as_str).split(':').filter(|dir| !dir.is_empty()) {
        match cx.which(&format!("{dir}/{name}")) {
            Ok(found) => return Ok(found),
            Err(Errno::EACCES) => why = Errno::EACCES,
            Err(_) => {}
        }
    }
    // What is nowhere on the path may be in the current directory.
    if cx.which(&here).is_ok() { Ok(here) } else { Err((name.to_owned(), why)) }
}

/// The interpreter that a script names and that is not there.
fn bad_interpreter(cx: &mut Cx, file: &str) -> Option<String> {
    let data = cx.read_file(file).ok()?;
    let first = data.strip_prefix(b"#!")?.split(|b| *b == b'\n').next()?;
    let name = String::from_utf8_lossy(first).split_whitespace().next()?.to_owned();
    (cx.which(&name).is_err() && name.starts_with('/')).then_some(name)
}

/// A child with its descriptors in place.
fn start_process(cx: &mut Cx, task: &mut Task, start: &Start) -> Result<Pid, Errno> {
    if start.pty {
        // The task talks to the terminal itself; srun leaves its signals to it.
        return cx.kernel.fork(cx.pid, cx.now);
    }
    let out = pipe(cx)?;
    let err = pipe(cx)?;
    let input = pipe(cx)?;
    let child = cx.kernel.fork(cx.pid, cx.now)?;
    // A task that ends without reading its input must not take srun with it.
    cx.kernel.set_disposition(cx.pid, Signal::PIPE, Disposition::Ignore);
    cx.kernel.set_group(child, child);
    for signal in super::signals::CAUGHT.iter().chain(&[Signal::PIPE]) {
        cx.kernel.set_disposition(child, *signal, Disposition::Default);
    }
    cx.kernel.dup2(child, input.0, STDIN)?;
    cx.kernel.dup2(child, out.1, STDOUT)?;
    cx.kernel.dup2(child, err.1, STDERR)?;
    for fd in [out.1, err.1, input.0] {
        cx.kernel.close(cx.pid, fd)?;
    }
    (task.out, task.err, task.input) = (Some(out.0), Some(err.0), Some(input.1));
    if let Some(file) = &start.input {
        let flags = OpenFlags { read: true, ..OpenFlags::default() };
        let fd = cx.kernel.open(child, file, flags, 0, cx.now)?;
        cx.kernel.dup2(child, fd, STDIN)?;
        cx.kernel.close(child, fd)?;
        cx.kernel.close(cx.pid, input.1)?;
        task.input = None;
    }
    Ok(child)
}

/// A pipe that the tasks' programs do not inherit by accident.
fn pipe(cx: &mut Cx) -> Result<(Fd, Fd), Errno> {
    let (read, write) = cx.kernel.pipe(cx.pid)?;
    cx.kernel.set_cloexec(cx.pid, read, true);
    cx.kernel.set_cloexec(cx.pid, write, true);
    Ok((read, write))
}
