//! Executes a model in slices.

use super::context::ModelContext;
use super::plan::SignalReaction;
use crate::kernel::GpuUse;
use crate::signal::Disposition;
use crate::{Errno, Kernel, Signal, SliceEnd, Status, Wait, path};
use base::ids::Pid;
use base::order::StableSort as _;
use base::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A running model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// Program name, for messages.
    name: String,
    /// Progress in time at full speed, when it was last updated, and the current speed in thousandths.
    done: Span,
    since: Option<Time>,
    rate: u32,
    stopped: bool,
    /// Total work in time at full speed.
    duration: Span,
    /// Scheduled actions in order of time.
    pub(super) due: VecDeque<ScheduledAction>,
    exit: u8,
    /// Load in hundredths of a CPU.
    pub(super) load: u32,
    pub(super) gpus: Vec<GpuUse>,
    /// The listening port and its answer.
    pub(super) serve: Option<(u16, String)>,
    /// It needs a GPU but sees none.
    pub(super) blind: bool,
    pub(super) reactions: Vec<(Signal, Vec<SignalReaction>)>,
    /// Checkpoint file.
    pub(super) checkpoint: Option<String>,
    /// Output not yet written: descriptor and bytes.
    backlog: Vec<(u32, Vec<u8>)>,
    /// Exit status, once all output is written.
    ending: Option<Status>,
}

/// An action scheduled along the work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ScheduledAction {
    pub at: Span,
    /// Repetition interval.
    pub every: Option<Span>,
    /// The number of times it ran.
    pub times: u32,
    pub act: ModelAction,
}

/// A scheduled action.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum ModelAction {
    /// Prints a line on a descriptor.
    Say(u32, String),
    /// Sets resident memory, MiB.
    Memory(u64),
    /// Appends a line to a file.
    Write(String, String),
    Checkpoint,
    /// Ends with a final message.
    End(Status, String),
}

impl ScheduledAction {
    pub const fn at(at: Span, act: ModelAction) -> Self {
        Self { at, every: None, times: 0, act }
    }
}

impl Model {
    pub(super) fn new(context: &ModelContext, duration: Span, exit: u8) -> Self {
        Self {
            name: context.name.clone(),
            done: Span(0),
            since: None,
            rate: 1000,
            stopped: false,
            duration,
            due: VecDeque::new(),
            exit,
            load: 100,
            gpus: Vec::new(),
            serve: None,
            blind: false,
            reactions: Vec::new(),
            checkpoint: None,
            backlog: Vec::new(),
            ending: None,
        }
    }

    /// Runs one slice.
    pub fn run(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> SliceEnd {
        if self.since.is_none() {
            self.since = Some(now);
            self.begin(kernel, pid);
        }
        self.advance(now);
        self.handle_signals(kernel, pid, now);
        self.act(kernel, pid, now);
        if let Some(wait) = self.flush(kernel, pid, now) {
            return wait;
        }
        if let Some(status) = self.ending {
            return SliceEnd::Exit(status);
        }
        if self.done >= self.duration {
            self.forget_checkpoint(kernel, pid, now);
            return SliceEnd::Exit(Status::Exited(self.exit));
        }
        kernel.set_load(pid, self.load, now);
        self.rate = share(kernel, pid, &self.gpus);
        let next = self.due.front().map_or(self.duration, |d| d.at.min(self.duration));
        let left = i128::from((next.0 - self.done.0).max(1)) * 1000;
        let wait = left.div_euclid(i128::from(self.rate)) + i128::from(left % i128::from(self.rate) != 0);
        SliceEnd::Wait(Wait::Until(now + Span(i64::try_from(wait).unwrap_or(i64::MAX / 4))))
    }

    /// Handles a stop or continue of its process: its work pauses meanwhile.
    pub fn stop(&mut self, kernel: &mut Kernel, pid: Pid, yes: bool, now: Time) {
        if self.since.is_none() {
            return;
        }
        if yes {
            self.advance(now);
            kernel.set_load(pid, 0, now);
            kernel.set_gpus(pid, self.gpus.iter().map(|g| GpuUse { load: 0, ..*g }).collect());
        } else {
            self.since = Some(now);
            kernel.set_gpus(pid, self.gpus.clone());
            kernel.wake(pid);
        }
        self.stopped = yes;
    }

    /// Starts: signal dispositions, GPUs, and the checkpoint of an earlier run.
    fn begin(&mut self, kernel: &mut Kernel, pid: Pid) {
        for (signal, actions) in &self.reactions {
            let ignored = actions.iter().all(|a| *a == SignalReaction::Ignore);
            let how = if ignored { Disposition::Ignore } else { Disposition::Catch };
            kernel.set_disposition(pid, *signal, how);
        }
        if self.blind {
            self.end_with(Status::Exited(1), "RuntimeError: No CUDA GPUs are available");
            return;
        }
        if let Some(full) = out_of_memory(kernel, pid, &self.gpus) {
            self.end_with(Status::Exited(1), &full);
            return;
        }
        if let Some((port, answer)) = &self.serve
            && let Err(why) = kernel.listen(pid, *port, answer)
        {
            // Python's wording.
            self.end_with(Status::Exited(1), &format!("OSError: [Errno 98] {why}"));
            return;
        }
        kernel.set_gpus(pid, self.gpus.clone());
        self.restore(kernel, pid);
    }

    fn end_with(&mut self, status: Status, text: &str) {
        if !text.is_empty() {
            self.backlog.push((2, format!("{text}\n").into_bytes()));
        }
        self.ending = Some(status);
    }

    /// Advances the work since the last update.
    fn advance(&mut self, now: Time) {
        let since = self.since.replace(now).unwrap_or(now);
        if !self.stopped {
            let micros = i128::from((now - since).0.max(0)) * i128::from(self.rate) / 1000;
            self.done = self.done + Span(i64::try_from(micros).unwrap_or(i64::MAX));
        }
    }

    /// Handles caught signals.
    fn handle_signals(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) {
        while let Some(signal) = kernel.take_signal(pid) {
            let actions = self.reactions.iter().find(|(s, _)| *s == signal).map(|(_, a)| a.clone());
            for action in actions.unwrap_or_default() {
                match action {
                    SignalReaction::Ignore => {}
                    SignalReaction::Checkpoint => self.save(kernel, pid, now),
                    SignalReaction::Exit(code) => self.ending = Some(Status::Exited(code)),
                    SignalReaction::Print(text) => self.say(1, &text, 0, now),
                }
            }
        }
    }

    /// Runs the actions that are due.
    fn act(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) {
        while self.ending.is_none() && self.due.front().is_some_and(|d| d.at <= self.done) {
            let Some(due) = self.due.pop_front() else { break };
            let times = due.times + 1;
            match &due.act {
                ModelAction::Say(fd, text) => self.say(*fd, text, times, now),
                ModelAction::Memory(mebibytes) => kernel.set_memory(pid, *mebibytes),
                ModelAction::Write(file, text) => {
                    let line = self.filled(text, times);
                    append(kernel, pid, file, &line, now);
                }
                ModelAction::Checkpoint => self.save(kernel, pid, now),
                ModelAction::End(status, message) => self.end_with(*status, message),
            }
            if let Some(every) = due.every {
                let at = due.at + every;
                if at <= self.duration {
                    let context = self.due.partition_point(|d| d.at <= at);
                    self.due.insert(context, ScheduledAction { at, times, ..due });
                }
            }
        }
    }

    fn say(&mut self, fd: u32, text: &str, times: u32, _now: Time) {
        let line = self.filled(text, times);
        self.backlog.push((fd, format!("{line}\n").into_bytes()));
    }

    /// Substitutes run-time values: `$n`, `$percent`, `$elapsed`.
    fn filled(&self, text: &str, times: u32) -> String {
        if !text.contains('$') {
            return text.to_owned();
        }
        let percent = self.millionths() / 10_000;
        let text =
            text.replace("$percent", &percent.to_string()).replace("$elapsed", &self.done.secs().to_string());
        text.replace("$n", &times.to_string())
    }

    /// Progress in millionths.
    fn millionths(&self) -> i64 {
        let part =
            i128::from(self.done.0.min(self.duration.0)) * 1_000_000 / i128::from(self.duration.0.max(1));
        i64::try_from(part).unwrap_or(0)
    }

    /// Writes the checkpoint file.
    fn save(&self, kernel: &mut Kernel, pid: Pid, now: Time) {
        let Some((uid, file)) = self.checkpoint_path(kernel, pid) else { return };
        let text = format!("checkpoint of {}\nprogress={}/1000000\n", self.name, self.millionths());
        // A full disk or a missing permission loses the checkpoint, as in reality.
        let _ = kernel.fs.write(uid, &file, text.as_bytes(), 0o644, now);
    }

    /// Resumes from the checkpoint of an earlier run.
    fn restore(&mut self, kernel: &Kernel, pid: Pid) {
        let Some((uid, file)) = self.checkpoint_path(kernel, pid) else { return };
        let Ok(text) = kernel.fs.read(uid, &file) else { return };
        let text = String::from_utf8_lossy(&text);
        let saved =
            text.lines().find_map(|l| l.strip_prefix("progress=")?.split('/').next()?.parse::<u32>().ok());
        let Some(saved) = saved.filter(|s| (1..1_000_000).contains(s)) else { return };
        let micros = i128::from(self.duration.0) * i128::from(saved) / 1_000_000;
        self.done = Span(i64::try_from(micros).unwrap_or(0));
        let done = self.done;
        for due in &mut self.due {
            while let Some(every) = due.every.filter(|_| due.at <= done) {
                due.at = due.at + every;
                due.times += 1;
            }
        }
        // Past output is not repeated; the memory at this point still applies.
        self.due.retain(|d| d.at > done || matches!(d.act, ModelAction::Memory(_)));
        self.due.make_contiguous().order_by_key(|d| d.at);
        let line = format!("Restarting from {} at {}%\n", path::base_name(&file), saved / 10_000);
        self.backlog.push((1, line.into_bytes()));
    }

    fn forget_checkpoint(&self, kernel: &mut Kernel, pid: Pid, now: Time) {
        if let Some((uid, file)) = self.checkpoint_path(kernel, pid) {
            let _ = kernel.fs.unlink(uid, &file, now);
        }
    }

    fn checkpoint_path(&self, kernel: &Kernel, pid: Pid) -> Option<(base::ids::Uid, String)> {
        let process = kernel.process(pid)?;
        Some((process.origin.uid, path::resolve(&process.cwd, self.checkpoint.as_deref()?)))
    }

    fn flush(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> Option<SliceEnd> {
        while let Some((fd, data)) = self.backlog.first_mut() {
            match kernel.write(pid, *fd, data, now) {
                Ok(n) if n < data.len() => drop(data.drain(..n)),
                Ok(_) => drop(self.backlog.remove(0)),
                Err(Errno::EAGAIN) => return Some(SliceEnd::Wait(Wait::Writable(*fd))),
                Err(_) => drop(self.backlog.remove(0)),
            }
        }
        None
    }
}

/// Speed of work on these GPUs in thousandths: processes on a saturated GPU share it.
fn share(kernel: &Kernel, pid: Pid, gpus: &[GpuUse]) -> u32 {
    let Some(process) = kernel.process(pid).filter(|_| !gpus.is_empty()) else { return 1000 };
    let all: Vec<&GpuUse> = kernel.gpu_users(&process.origin.host).flat_map(|p| &p.gpus).collect();
    let full = |index: u32| all.iter().filter(|g| g.index == index).map(|g| g.load).sum::<u32>();
    let least = gpus.iter().map(|g| 100_000 / full(g.index).max(100)).min();
    least.unwrap_or(1000).max(1)
}

/// The error message if a GPU has too little free memory.
fn out_of_memory(kernel: &Kernel, pid: Pid, gpus: &[GpuUse]) -> Option<String> {
    let process = kernel.process(pid)?;
    let host = &process.origin.host;
    let hardware = kernel.hardware(host)?;
    let all: Vec<&GpuUse> = kernel.gpu_users(host).filter(|p| p.pid != pid).flat_map(|p| &p.gpus).collect();
    gpus.iter().find_map(|own| {
        let total = hardware.gpus.get(own.index as usize)?.memory;
        let taken: u64 = all.iter().filter(|g| g.index == own.index).map(|g| g.memory).sum();
        let gib = |mib: u64| format!("{}.{:02} GiB", mib / 1024, mib % 1024 * 100 / 1024);
        (taken + own.memory > total).then(|| {
            format!(
                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {}. GPU {} has a total capacity of {} \
                 of which {} is free.",
                gib(own.memory),
                own.index,
                gib(total),
                gib(total.saturating_sub(taken))
            )
        })
    })
}

/// Appends a line to a file as the process's user.
fn append(kernel: &mut Kernel, pid: Pid, file: &str, line: &str, now: Time) {
    let Some(process) = kernel.process(pid) else { return };
    let (uid, file) = (process.origin.uid, path::resolve(&process.cwd, file));
    let mut data = kernel.fs.read(uid, &file).map(|d| d.to_vec()).unwrap_or_default();
    if !line.is_empty() {
        data.extend_from_slice(line.as_bytes());
        data.push(b'\n');
    }
    // Ignore write errors, like a program that does not check.
    let _ = kernel.fs.write(uid, &file, &data, 0o644, now);
}
