//! Starts one task of a step: its program, its process, its descriptors.

use super::launch::SrunTask;
use crate::{Cx, STDERR, STDIN, STDOUT};
use base::ids::Pid;
use host::kernel::OpenFlags;
use host::signal::Disposition;
use host::{Env, Errno, Exec, Fd, ProcessOrigin, Signal, Status, path};
use shell::Born;
use std::sync::Arc;

/// The first bytes of a binary.
const ELF: &[u8] = b"\x7fELF";

/// The parameters for starting a task.
pub(super) struct TaskStart {
    pub argv: Vec<String>,
    pub env: Env,
    pub origin: ProcessOrigin,
    /// The file for its standard input; none means srun's.
    pub input: Option<String>,
    /// Its working directory.
    pub dir: Option<String>,
    /// `--task-prolog`.
    pub task_prolog: Option<String>,
    /// The task has the terminal.
    pub pty: bool,
}

/// Starts the task.
pub(super) fn start_task(cx: &mut Cx, task: &mut SrunTask, mut start: TaskStart) {
    let name = start.argv.first().cloned().unwrap_or_default();
    let base = start.dir.clone().unwrap_or_else(|| cx.cwd());
    let missing = start.dir.as_ref().is_some_and(|dir| cx.kernel.fs.stat(cx.uid(), dir).is_err());
    let base = if missing { "/tmp".to_owned() } else { base };
    let found = program(cx, &name, &start.env, &base).and_then(|path| loadable(cx, &name, &base, path));
    let path = match found {
        Ok(path) => path,
        Err((name, errno)) => {
            let stamp = cx.now.iso_millis();
            task.chdir_failed = start.dir.as_deref().filter(|_| missing).map(|dir| no_directory(&stamp, dir));
            task.note = Some(format!("[{stamp}] error: execve(): {name}: {errno}"));
            task.status = Some(Status::Exited(match errno {
                Errno::EACCES => 13,
                Errno::ENOEXEC => 8,
                _ => 2,
            }));
            return;
        }
    };
    if name.contains('/') && !name.starts_with('/') {
        // slurmstepd starts a command given as a path by its absolute path.
        start.argv[0] = format!("{}/{name}", base.trim_end_matches('/'));
    }
    match start_process(cx, task, &start) {
        Ok(child) => {
            cx.kernel.set_origin(child, start.origin);
            if let Some(dir) = &start.dir
                && cx.kernel.chdir(child, dir).is_err()
            {
                let stamp = cx.now.iso_millis();
                task.chdir_failed = Some(no_directory(&stamp, dir));
                let _ = cx.kernel.chdir(child, "/tmp");
            }
            start.env.insert("SLURM_TASK_PID".to_owned(), child.to_string());
            if let Some(process) = cx.kernel.process(child) {
                start.env.insert("PWD".to_owned(), process.cwd.to_string());
            }
            let exec = Exec { path, argv: start.argv, env: Arc::new(start.env) };
            let own = start.task_prolog.as_deref();
            let exec = slurmctld::prolog::task(cx.cluster.state(), own, exec);
            cx.born.push((child, Born::Exec(exec)));
            task.pid = Some(child);
        }
        Err(errno) => {
            cx.complain(&format!("srun: error: task {} launch failed: {errno}", task.rank));
            task.status = Some(Status::Exited(1));
        }
    }
}

/// slurmstepd's message about a missing directory.
fn no_directory(stamp: &str, dir: &str) -> String {
    format!("[{stamp}] error: couldn't chdir to `{dir}': No such file or directory: going to /tmp instead")
}

/// The program, searched along the task's own `PATH`. Otherwise the name that was not found, and why.
fn program(cx: &Cx, name: &str, env: &Env, base: &str) -> Result<String, (String, Errno)> {
    if name.is_empty() {
        return Err((String::new(), Errno::ENOENT));
    }
    let here = path::join(base, name);
    if name.contains('/') {
        return cx.which(&here).map(|_| here).map_err(|errno| (typed(name, base), errno));
    }
    let mut why = Errno::ENOENT;
    for dir in env.get("PATH").map_or("", String::as_str).split(':').filter(|dir| !dir.is_empty()) {
        match cx.which(&format!("{dir}/{name}")) {
            Ok(found) => return Ok(found),
            Err(Errno::EACCES) => why = Errno::EACCES,
            Err(_) => {}
        }
    }
    // A program that is not on the path may be in the current directory.
    match cx.which(&here) {
        Ok(_) => Ok(here),
        Err(Errno::EACCES) => Err((name.to_owned(), Errno::EACCES)),
        Err(_) => Err((name.to_owned(), why)),
    }
}

/// The program itself if it is executable; otherwise its name for the error message, and why not. A script without a
/// `#!` line can only be run by a shell.
fn loadable(cx: &mut Cx, name: &str, base: &str, file: String) -> Result<String, (String, Errno)> {
    let Ok(data) = cx.read_file(&file) else { return Ok(file) };
    let Some(rest) = data.strip_prefix(b"#!") else {
        let binary = data.starts_with(ELF);
        return if binary { Ok(file) } else { Err((typed(name, base), Errno::ENOEXEC)) };
    };
    let line = String::from_utf8_lossy(rest.split(|b| *b == b'\n').next().unwrap_or_default());
    match line.split_whitespace().next() {
        Some(missing) if missing.starts_with('/') && cx.which(missing).is_err() => {
            Err((format!("bad interpreter({missing})"), Errno::ENOENT))
        }
        Some(_) | None => Ok(file),
    }
}

/// A program's name in Slurm's messages: as typed, with the directory in front of a relative path.
fn typed(name: &str, base: &str) -> String {
    if name.contains('/') && !name.starts_with('/') { format!("{base}/{name}") } else { name.to_owned() }
}

/// A child with its descriptors in place.
fn start_process(cx: &mut Cx, task: &mut SrunTask, start: &TaskStart) -> Result<Pid, Errno> {
    if start.pty {
        // The task uses the terminal itself; srun does not handle its signals.
        return cx.kernel.fork(cx.pid, cx.now);
    }
    let out = pipe(cx)?;
    let err = pipe(cx)?;
    let input = pipe(cx)?;
    let child = cx.kernel.fork(cx.pid, cx.now)?;
    // A task that exits without reading its input must not end srun.
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

/// A pipe that the tasks' programs do not inherit.
fn pipe(cx: &mut Cx) -> Result<(Fd, Fd), Errno> {
    let (read, write) = cx.kernel.pipe(cx.pid)?;
    cx.kernel.set_cloexec(cx.pid, read, true);
    cx.kernel.set_cloexec(cx.pid, write, true);
    Ok((read, write))
}
