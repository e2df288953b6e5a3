//! Starting one task of a step: its program, its process, its descriptors and files.

use super::launch::Task;
use crate::base::ids::Pid;
use crate::commands::slurm::opt::RunOptions;
use crate::commands::slurm::opt::script::words;
use crate::commands::{Cx, STDERR, STDIN, STDOUT};
use crate::host::kernel::OpenFlags;
use crate::host::signal::Disposition;
use crate::host::{Env, Errno, Exec, Fd, Origin, Signal, Status};
use crate::shell::Born;
use std::sync::Arc;

/// What names a task in a file's name.
pub(super) struct Names<'a> {
    pub node: &'a str,
    pub place: usize,
    pub rank: u32,
    pub step: String,
}

pub(super) fn start_task(
    cx: &mut Cx,
    run: &RunOptions,
    files: &[Option<String>; 3],
    argv: Vec<String>,
    env: Env,
    origin: Origin,
    names: &Names,
) -> Task {
    let mut task = Task {
        rank: names.rank,
        node: names.node.to_owned(),
        pid: None,
        out: None,
        err: None,
        input: None,
        out_rest: Vec::new(),
        err_rest: Vec::new(),
        status: None,
        note: None,
    };
    let name = argv.first().cloned().unwrap_or_default();
    let path = match cx.which(&name) {
        Ok(path) => path,
        Err(errno) => {
            let stamp = cx.now.iso_millis();
            task.note = Some(format!("[{stamp}] error: execve(): {name}: {errno}"));
            task.status = Some(Status::Exited(if errno == Errno::EACCES { 13 } else { 2 }));
            return task;
        }
    };
    match start_process(cx, run, files, &mut task, names) {
        Ok(child) => {
            cx.kernel.set_origin(child, origin);
            let env = Arc::new(with_pid(env, child));
            let exec = crate::slurmctld::prolog::task(cx.slurm.state(), Exec { path, argv, env });
            cx.born.push((child, Born::Exec(exec)));
            task.pid = Some(child);
        }
        Err(errno) => {
            cx.complain(&format!("srun: error: task {} launch failed: {errno}", names.rank));
            task.status = Some(Status::Exited(1));
        }
    }
    task
}

fn with_pid(mut env: Env, pid: Pid) -> Env {
    env.insert("SLURM_TASK_PID".to_owned(), pid.to_string());
    env
}

/// A child with its descriptors in place.
fn start_process(
    cx: &mut Cx,
    run: &RunOptions,
    files: &[Option<String>; 3],
    task: &mut Task,
    names: &Names,
) -> Result<Pid, Errno> {
    if run.pty {
        // The tasks talk to the terminal themselves; srun leaves its signals to them.
        let child = cx.kernel.fork(cx.pid, cx.now)?;
        return Ok(child);
    }
    let out = pipe(cx)?;
    let err = pipe(cx)?;
    let input = pipe(cx)?;
    let child = cx.kernel.fork(cx.pid, cx.now)?;
    // A task that ends without reading its input must not take srun with it.
    cx.kernel.set_disposition(cx.pid, Signal::PIPE, Disposition::Ignore);
    cx.kernel.set_group(child, child);
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::PIPE] {
        cx.kernel.set_disposition(child, signal, Disposition::Default);
    }
    cx.kernel.dup2(child, input.0, STDIN)?;
    cx.kernel.dup2(child, out.1, STDOUT)?;
    cx.kernel.dup2(child, err.1, STDERR)?;
    for fd in [out.1, err.1, input.0] {
        cx.kernel.close(cx.pid, fd)?;
    }
    (task.out, task.err, task.input) = (Some(out.0), Some(err.0), Some(input.1));
    if let Some(pattern) = files[0].as_deref().filter(|p| p.parse::<u32>().is_err()) {
        redirect(cx, child, pattern, STDOUT, names)?;
        if files[1].is_none() {
            cx.kernel.dup2(child, STDOUT, STDERR)?;
        }
    }
    if let Some(pattern) = &files[1] {
        redirect(cx, child, pattern, STDERR, names)?;
    }
    if let Some(pattern) = &files[2] {
        redirect(cx, child, pattern, STDIN, names)?;
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

/// Opens a task's file; one that several tasks share is truncated by the first.
fn redirect(cx: &mut Cx, child: Pid, pattern: &str, to: Fd, names: &Names) -> Result<(), Errno> {
    let file = if pattern == "none" { "/dev/null".to_owned() } else { file_name(cx, pattern, names) };
    let shared = !["%t", "%n", "%N"].iter().any(|p| pattern.contains(p));
    let input = to == STDIN;
    let flags = OpenFlags {
        read: input,
        write: !input,
        create: !input,
        truncate: !(input || shared && names.rank > 0),
        append: !input && shared,
        ..OpenFlags::default()
    };
    let fd = cx.kernel.open(child, &file, flags, 0o666, cx.now)?;
    cx.kernel.dup2(child, fd, to)?;
    cx.kernel.close(child, fd)
}

fn file_name(cx: &Cx, pattern: &str, names: &Names) -> String {
    let (job, step) = names.step.split_once('.').unwrap_or((&names.step, "0"));
    let mut out = String::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut width = String::new();
        while let Some(d) = chars.next_if(char::is_ascii_digit) {
            width.push(d);
        }
        let width: usize = width.parse().unwrap_or(0).min(10);
        let number = |text: &str| format!("{text:0>width$}");
        match chars.next() {
            Some('j' | 'A') => out += &number(job),
            Some('J') => out += &names.step,
            Some('s') => out += &number(step),
            Some('t') => out += &number(&names.rank.to_string()),
            Some('n') => out += &number(&names.place.to_string()),
            Some('N') => out += names.node,
            Some('u') => out += &cx.user(),
            Some('%') => out.push('%'),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    out
}

/// Lines of a `--multi-prog` file: ranks and words.
pub(super) fn multi_prog(cx: &mut Cx, file: &str) -> Vec<(String, Vec<String>)> {
    let Ok(data) = cx.read_file(file) else {
        cx.complain(&format!("srun: error: Could not open multi_prog config file {file}"));
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&data).into_owned();
    text.lines()
        .map(words)
        .filter_map(|mut words| (!words.is_empty()).then(|| (words.remove(0), words)))
        .filter(|(ranks, _)| !ranks.starts_with('#'))
        .collect()
}

pub(super) fn program_of(programs: &[(String, Vec<String>)], rank: u32) -> Vec<String> {
    for (ranks, words) in programs {
        let mut offset = 0;
        for part in ranks.split(',') {
            let (low, high) = match part.split_once('-') {
                _ if part == "*" => (0, u32::MAX),
                Some((a, b)) => (a.parse().unwrap_or(u32::MAX), b.parse().unwrap_or(0)),
                None => (part.parse().unwrap_or(u32::MAX), part.parse().unwrap_or(0)),
            };
            if (low..=high).contains(&rank) {
                let place = offset + rank - low;
                let fill = |w: &String| w.replace("%t", &rank.to_string()).replace("%o", &place.to_string());
                return words.iter().map(fill).collect();
            }
            offset += high.saturating_sub(low).saturating_add(1);
        }
    }
    vec![String::new()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_by_rank() {
        let programs = vec![
            ("0".to_owned(), vec!["hostname".to_owned()]),
            ("1-2".to_owned(), vec!["echo".to_owned(), "%t:%o".to_owned()]),
            ("*".to_owned(), vec!["rest".to_owned()]),
        ];
        assert_eq!(program_of(&programs, 2), ["echo", "2:1"]);
        assert_eq!(program_of(&programs, 4), ["rest"]);
    }
}
