//! The tasks of a step: started, fed, listened to, waited for.

use super::report;
use crate::base::ids::Pid;
use crate::base::time::{Span, Time};
use crate::commands::slurm::jobenv;
use crate::commands::slurm::opt::RunOptions;
use crate::commands::slurm::opt::script::words;
use crate::commands::{Cx, STDERR, STDIN, STDOUT};
use crate::host::kernel::{OpenFlags, Whom};
use crate::host::signal::Disposition;
use crate::host::{Env, Errno, Exec, Fd, Origin, Signal, Status, Wait};
use crate::shell::Born;
use crate::slurmctld::job::ExitCode;
use crate::slurmctld::request::{StepLayout, Usage};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub rank: u32,
    pub node: String,
    pid: Option<Pid>,
    out: Option<Fd>,
    err: Option<Fd>,
    input: Option<Fd>,
    /// Read from it and not yet a whole line, for labels.
    out_rest: Vec<u8>,
    err_rest: Vec<u8>,
    pub status: Option<Status>,
    /// Why it could not be started, for standard error.
    note: Option<String>,
}

/// All tasks of the step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tasks {
    pub layout: StepLayout,
    pub tasks: Vec<Task>,
    /// Read from standard input and not yet taken by every task, with how much each took.
    input: Vec<u8>,
    taken: Vec<u32>,
    input_open: bool,
    /// Only this task's output is shown (`-o 2`).
    only: Option<u32>,
    first_end: Option<Time>,
    interrupted: Option<Time>,
    aborted: bool,
    /// Someone ends the job or step, and it was told.
    ending_told: bool,
    quiet: bool,
}

/// What a slice came to.
pub enum Slice {
    Wait(Wait),
    Done { code: u8, exit: ExitCode, usage: Usage },
}

/// Starts all tasks.
pub fn launch(
    cx: &mut Cx,
    run: &RunOptions,
    command: &[String],
    files: &[Option<String>; 3],
    layout: StepLayout,
    quiet: bool,
) -> Tasks {
    let mut all = Tasks {
        tasks: Vec::new(),
        input: Vec::new(),
        taken: Vec::new(),
        input_open: !run.pty && files[2].as_deref() != Some("none"),
        only: files[0].as_deref().and_then(|f| f.parse().ok()),
        first_end: None,
        interrupted: None,
        aborted: false,
        ending_told: false,
        quiet,
        layout,
    };
    let programs =
        if run.multi_prog { multi_prog(cx, command.first().map_or("", String::as_str)) } else { Vec::new() };
    let base = cx.env.clone();
    for (n, node) in all.layout.nodes.clone().iter().enumerate() {
        for (place, rank) in node.ranks.iter().enumerate() {
            let state = cx.slurm.state();
            let Some(job) = state.jobs.get(all.layout.step.job) else { continue };
            let env = jobenv::task(&base, job, state, &all.layout, n, place);
            let argv = if run.multi_prog { program_of(&programs, *rank) } else { command.to_vec() };
            let origin = Origin { uid: cx.uid(), host: node.name.as_str().into(), cgroup: node.cgroup };
            let names = Names { node: &node.name, place: n, rank: *rank, step: all.layout.step.to_string() };
            let task = start_task(cx, run, files, argv, env, origin, &names);
            all.tasks.push(task);
        }
    }
    all.taken = vec![0; all.tasks.len()];
    all
}

/// What names a task in a file's name.
struct Names<'a> {
    node: &'a str,
    place: usize,
    rank: u32,
    step: String,
}

fn start_task(
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
    match start_process(cx, run, files, &mut task, &origin, names) {
        Ok(child) => {
            cx.kernel.set_origin(child, origin);
            let env = Arc::new(with_pid(env, child));
            cx.born.push((child, Born::Exec(Exec { path, argv, env })));
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
    origin: &Origin,
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
    cx.kernel.set_group(child, child);
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
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
    let _ = origin;
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
        truncate: !input && !(shared && names.rank > 0),
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
fn multi_prog(cx: &mut Cx, file: &str) -> Vec<(String, Vec<String>)> {
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

fn program_of(programs: &[(String, Vec<String>)], rank: u32) -> Vec<String> {
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

impl Tasks {
    /// One slice.
    pub fn slice(&mut self, cx: &mut Cx, run: &RunOptions) -> Slice {
        self.signals(cx);
        self.feed(cx);
        self.listen(cx, run);
        self.reap(cx, run);
        let ended = self.tasks.iter().all(|t| t.status.is_some());
        if ended {
            for node in &self.layout.nodes {
                cx.kernel.kill_cgroup(node.cgroup, Signal::KILL);
            }
            // What was written before the end is still in the pipes.
            self.listen(cx, run);
        }
        let quiet = self.tasks.iter().all(|t| t.out.is_none() && t.err.is_none());
        if ended && quiet {
            let (code, exit) = report::result(&self.tasks);
            let cpu: i64 = self
                .tasks
                .iter()
                .filter_map(|t| t.pid)
                .filter_map(|p| cx.kernel.process(p))
                .map(|p| p.cpu_time)
                .sum();
            return Slice::Done {
                code,
                exit,
                usage: Usage { cpu_time: u64::try_from(cpu).unwrap_or(0), max_rss: 0 },
            };
        }
        self.waiting_limit(cx, run);
        let mut waits = vec![Wait::Child, Wait::Wakeup];
        waits.extend(self.tasks.iter().flat_map(|t| [t.out, t.err]).flatten().map(Wait::Readable));
        if self.input_open && self.input.is_empty() && !ended {
            waits.push(Wait::Readable(STDIN));
        }
        if !self.input.is_empty() {
            waits.extend(self.tasks.iter().filter_map(|t| t.input).map(Wait::Writable));
        }
        if let (Some(first), Some(seconds)) =
            (self.first_end, run.wait_seconds.filter(|s| *s > 0 && !self.aborted))
        {
            waits.push(Wait::Until(first + Span::from_secs(seconds.into())));
        }
        Slice::Wait(Wait::Any(waits))
    }

    fn kill(&self, cx: &mut Cx, signal: Signal) {
        for node in &self.layout.nodes {
            cx.kernel.kill_cgroup(node.cgroup, signal);
        }
    }

    /// Ctrl-C twice within a second ends the step; SIGTERM at once.
    fn signals(&mut self, cx: &mut Cx) {
        while let Some(signal) = cx.kernel.take_signal(cx.pid) {
            let step = self.layout.step;
            let again = self.interrupted.is_some_and(|t| cx.now - t <= Span::from_secs(1));
            if signal == Signal::INT && !again {
                self.interrupted = Some(cx.now);
                cx.complain("srun: interrupt (one more within 1 sec to abort)");
                let running: Vec<u32> =
                    self.tasks.iter().filter(|t| t.status.is_none()).map(|t| t.rank).collect();
                cx.complain(&format!("srun: StepId={step} {}: running", report::ranks(&running)));
                continue;
            }
            if signal == Signal::INT {
                cx.complain(&format!("srun: sending Ctrl-C to StepId={step}"));
                self.kill(cx, Signal::INT);
            } else {
                cx.complain("srun: forcing job termination");
            }
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
            self.aborted = true;
            self.ending_told = true;
            if signal != Signal::INT {
                self.kill(cx, Signal::TERM);
            }
        }
        let ending = cx.slurm.state().jobs.get(step_job(self)).and_then(|j| j.ending);
        if let Some(ending) = ending.filter(|_| !self.ending_told) {
            self.ending_told = true;
            let node = self.layout.nodes.first().map_or("", |n| n.name.as_str());
            let line = report::cancelled(cx.now, &self.layout.step.to_string(), node, ending.state);
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
            cx.complain(&line);
        }
    }

    /// Standard input goes to every task.
    fn feed(&mut self, cx: &mut Cx) {
        if !self.input_open && self.input.is_empty() {
            self.close_inputs(cx);
            return;
        }
        if self.input_open && self.input.is_empty() {
            match cx.kernel.read(cx.pid, STDIN, 16_384) {
                Ok(data) if data.is_empty() => self.input_open = false,
                Ok(data) => self.input = data,
                Err(Errno::EAGAIN) => {}
                Err(_) => self.input_open = false,
            }
        }
        for (task, taken) in self.tasks.iter_mut().zip(&mut self.taken) {
            let Some(fd) = task.input else { continue };
            let rest = self.input.get(*taken as usize..).unwrap_or_default();
            if rest.is_empty() {
                continue;
            }
            match cx.kernel.write(cx.pid, fd, rest, cx.now) {
                Ok(n) => *taken += u32::try_from(n).unwrap_or(0),
                Err(Errno::EAGAIN) => {}
                Err(_) => {
                    let _ = cx.kernel.close(cx.pid, fd);
                    task.input = None;
                }
            }
        }
        let open =
            |(task, taken): (&Task, &u32)| task.input.is_some() && (*taken as usize) < self.input.len();
        if !self.tasks.iter().zip(&self.taken).any(open) {
            self.input.clear();
            self.taken.iter_mut().for_each(|t| *t = 0);
            if !self.input_open {
                self.close_inputs(cx);
            }
        }
    }

    fn close_inputs(&mut self, cx: &mut Cx) {
        for task in &mut self.tasks {
            if let Some(fd) = task.input.take() {
                let _ = cx.kernel.close(cx.pid, fd);
            }
        }
    }

    /// Passes on what the tasks printed.
    fn listen(&mut self, cx: &mut Cx, run: &RunOptions) {
        let width = self.tasks.len().saturating_sub(1).to_string().len();
        for task in &mut self.tasks {
            let shown = self.only.is_none_or(|only| only == task.rank);
            let label = run.label.then(|| format!("{:0width$}: ", task.rank));
            if let Some(fd) = task.out {
                let (data, open) = drain(cx, fd);
                if !open {
                    task.out = None;
                }
                if shown {
                    pass(cx.out, &mut task.out_rest, &data, label.as_deref(), !open);
                }
            }
            if let Some(fd) = task.err {
                let (data, open) = drain(cx, fd);
                if !open {
                    task.err = None;
                }
                let mut text = Vec::new();
                pass(&mut text, &mut task.err_rest, &data, label.as_deref(), !open);
                cx.err.extend_from_slice(&text);
            }
        }
    }

    fn reap(&mut self, cx: &mut Cx, run: &RunOptions) {
        let mut ended = Vec::new();
        while let Ok(Some((pid, status))) = cx.kernel.wait(cx.pid, Whom::Any) {
            if let Some(task) = self.tasks.iter_mut().find(|t| t.pid == Some(pid)) {
                task.status = Some(status);
                ended.push((task.node.clone(), task.rank, status));
            }
        }
        // Tasks that could not be started are told of at once, too.
        if self.first_end.is_none() {
            let failed = self.tasks.iter().filter(|t| t.pid.is_none());
            ended.extend(failed.filter_map(|t| Some((t.node.clone(), t.rank, t.status?))));
        }
        if ended.is_empty() {
            return;
        }
        self.first_end.get_or_insert(cx.now);
        let bad = ended.iter().any(|(_, _, s)| *s != Status::Exited(0));
        let step = self.layout.step;
        if !self.quiet {
            for line in report::ends(&ended) {
                cx.complain(&line);
            }
            for line in self.tasks.iter_mut().filter_map(|t| t.note.take()) {
                cx.complain(&line);
            }
            let killed = ended.iter().any(|(_, _, s)| *s == Status::Signaled(Signal::KILL));
            if killed && !self.ending_told && self.tasks.iter().all(|t| t.status.is_some()) {
                cx.complain(&format!("srun: Force Terminated StepId={step}"));
            }
        }
        if bad && run.kill_on_bad_exit && !self.aborted {
            self.aborted = true;
            self.ending_told = true;
            cx.complain(&format!("srun: Terminating StepId={step}"));
            let node = self.layout.nodes.first().map_or("", |n| n.name.as_str());
            let stamp = (cx.now.iso_millis(), cx.now.iso());
            cx.complain(&format!(
                "[{}] error: *** STEP {step} ON {node} CANCELLED AT {} DUE TO TASK FAILURE ***",
                stamp.0, stamp.1
            ));
            self.kill(cx, Signal::TERM);
        }
    }

    /// `--wait`: the others may go on for so long after the first end.
    fn waiting_limit(&mut self, cx: &mut Cx, run: &RunOptions) {
        let (Some(first), Some(seconds)) = (self.first_end, run.wait_seconds.filter(|s| *s > 0)) else {
            return;
        };
        if self.aborted || cx.now < first + Span::from_secs(seconds.into()) {
            return;
        }
        self.aborted = true;
        self.ending_told = true;
        let step = self.layout.step;
        let ranks = |done: bool| -> Vec<u32> {
            self.tasks.iter().filter(|t| t.status.is_some() == done).map(|t| t.rank).collect()
        };
        cx.complain(&format!("srun: First task exited {seconds}s ago"));
        cx.complain(&format!("srun: StepId={step} {}: running", report::ranks(&ranks(false))));
        cx.complain(&format!("srun: StepId={step} {}: exited", report::ranks(&ranks(true))));
        cx.complain(&format!("srun: Terminating StepId={step}"));
        cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
        self.kill(cx, Signal::KILL);
    }
}

fn step_job(tasks: &Tasks) -> crate::base::ids::JobId {
    tasks.layout.step.job
}

/// What a pipe holds now, and whether it is still open; at its end it is closed.
fn drain(cx: &mut Cx, fd: Fd) -> (Vec<u8>, bool) {
    let mut all = Vec::new();
    loop {
        match cx.kernel.read(cx.pid, fd, 65_536) {
            Ok(data) if data.is_empty() => break,
            Ok(data) => all.extend_from_slice(&data),
            Err(Errno::EAGAIN) => return (all, true),
            Err(_) => break,
        }
        if all.len() > 1 << 20 {
            return (all, true);
        }
    }
    let _ = cx.kernel.close(cx.pid, fd);
    (all, false)
}

/// Output as it came, or line by line with the task's label.
fn pass(to: &mut Vec<u8>, rest: &mut Vec<u8>, data: &[u8], label: Option<&str>, end: bool) {
    let Some(label) = label else {
        to.extend_from_slice(data);
        return;
    };
    rest.extend_from_slice(data);
    while let Some(at) = rest.iter().position(|b| *b == b'\n') {
        to.extend_from_slice(label.as_bytes());
        to.extend(rest.drain(..=at));
    }
    if end && !rest.is_empty() {
        to.extend_from_slice(label.as_bytes());
        to.append(rest);
        to.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_go_before_whole_lines() {
        let (mut to, mut rest) = (Vec::new(), Vec::new());
        pass(&mut to, &mut rest, b"one\ntw", Some("0: "), false);
        assert_eq!(to, b"0: one\n");
        pass(&mut to, &mut rest, b"o", Some("0: "), true);
        assert_eq!(to, b"0: one\n0: two\n");
    }

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
