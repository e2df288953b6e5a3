//! The tasks of a step: started, fed, listened to, waited for.

use super::report;
use super::start::{Names, multi_prog, program_of, start_task};
use crate::base::ids::Pid;
use crate::base::time::{Span, Time};
use crate::commands::slurm::jobenv;
use crate::commands::slurm::opt::RunOptions;
use crate::commands::{Cx, STDIN};
use crate::host::kernel::Whom;
use crate::host::{Errno, Fd, Origin, Signal, Status, Wait};
use crate::slurmctld::job::ExitCode;
use crate::slurmctld::request::{StepLayout, Usage};
use serde::{Deserialize, Serialize};

/// One task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub rank: u32,
    pub node: String,
    pub(super) pid: Option<Pid>,
    pub(super) out: Option<Fd>,
    pub(super) err: Option<Fd>,
    pub(super) input: Option<Fd>,
    /// Read from it and not yet a whole line, for labels.
    pub(super) out_rest: Vec<u8>,
    pub(super) err_rest: Vec<u8>,
    pub status: Option<Status>,
    /// Why it could not be started, for standard error.
    pub(super) note: Option<String>,
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
    /// The signal to end of which slurmstepd's line was passed on last.
    told: Option<(Time, Signal)>,
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
        told: None,
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
            let mut env = jobenv::task(&base, job, state, &all.layout, n, place);
            if let Some(dir) = cx.kernel.job_tmp(cx.uid(), job.id.0) {
                env.insert("SLURM_TMPDIR".to_owned(), dir);
            }
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
            let usage = cx.slurm.usage(cx.kernel, self.layout.step);
            return Slice::Done { code, exit, usage };
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
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
            let line = report::cancelled(cx.now, &self.layout, report::why(ending.state));
            cx.complain(&line);
        } else {
            self.step_signals(cx);
        }
    }

    /// Somebody told the step to end: slurmstepd says so on its standard error.
    fn step_signals(&mut self, cx: &mut Cx) {
        let step = self.layout.step;
        let record = cx.slurm.state().jobs.get(step.job).and_then(|j| j.steps.get(&step.step));
        let Some((at, signal)) = record.and_then(|s| s.told).filter(|told| self.told != Some(*told)) else {
            return;
        };
        self.told = Some((at, signal));
        cx.complain(&report::cancelled(at, &self.layout, &format!("DUE to SIGNAL {}", signal.text())));
        if signal == Signal::KILL {
            self.ending_told = true;
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
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
            // Programs keep output back and say errors at once.
            if let Some(fd) = task.err {
                let (data, open) = drain(cx, fd);
                if !open {
                    task.err = None;
                }
                let mut text = Vec::new();
                pass(&mut text, &mut task.err_rest, &data, label.as_deref(), !open);
                cx.complain_raw_bytes(&text);
            }
            if let Some(fd) = task.out {
                let (data, open) = drain(cx, fd);
                if !open {
                    task.out = None;
                }
                if shown {
                    pass(cx.out, &mut task.out_rest, &data, label.as_deref(), !open);
                }
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
            let killed = ended.iter().any(|(_, _, s)| {
                *s == Status::Signaled(Signal::KILL)
                    || *s == Status::Signaled(Signal::TERM) && self.told.is_some()
            });
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
}
