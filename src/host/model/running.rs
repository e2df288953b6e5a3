//! A model at work: what it does at which moment of its work, in slices.

use super::place::Place;
use super::plan::Action;
use crate::base::ids::Pid;
use crate::base::order::Order as _;
use crate::base::time::{Span, Time};
use crate::host::kernel::GpuUse;
use crate::host::signal::Disposition;
use crate::host::{Errno, Kernel, Signal, Status, Step, Wait, path};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A running model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// Its program, for messages.
    name: String,
    /// How much of its work is done, in time at full speed, when that was so, and how fast it goes on (thousandths).
    done: Span,
    since: Option<Time>,
    rate: u32,
    stopped: bool,
    /// The whole work, in time at full speed.
    duration: Span,
    /// What it does when, in order of time.
    pub(super) due: VecDeque<Due>,
    exit: u8,
    /// Hundredths of CPUs that it keeps busy.
    pub(super) load: u32,
    pub(super) gpus: Vec<GpuUse>,
    /// The port that it listens on, and what it answers.
    pub(super) serve: Option<(u16, String)>,
    /// It wants a GPU and sees none.
    pub(super) blind: bool,
    pub(super) reactions: Vec<(Signal, Vec<Action>)>,
    /// Where it saves how far it is.
    pub(super) checkpoint: Option<String>,
    /// What could not be written yet.
    backlog: Vec<(u32, Vec<u8>)>,
    /// It ends so, once all is written.
    ending: Option<Status>,
}

/// Something to do at a moment of the work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Due {
    pub at: Span,
    /// Again so much later.
    pub every: Option<Span>,
    /// How often it was done.
    pub times: u32,
    pub act: Act,
}

/// What is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Act {
    /// A line on a descriptor.
    Say(u32, String),
    /// Resident memory, MiB.
    Memory(u64),
    /// A line added to a file.
    Write(String, String),
    Checkpoint,
    /// The end, with a last word.
    End(Status, String),
}

impl Due {
    pub const fn at(at: Span, act: Act) -> Self {
        Self { at, every: None, times: 0, act }
    }
}

impl Model {
    pub(super) fn new(place: &Place, duration: Span, exit: u8) -> Self {
        Self {
            name: place.name.clone(),
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

    /// One slice.
    pub fn run(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> Step {
        if self.since.is_none() {
            self.since = Some(now);
            self.begin(kernel, pid);
        }
        self.advance(now);
        self.heed(kernel, pid, now);
        self.act(kernel, pid, now);
        if let Some(wait) = self.flush(kernel, pid, now) {
            return wait;
        }
        if let Some(status) = self.ending {
            return Step::Exit(status);
        }
        if self.done >= self.duration {
            self.forget_checkpoint(kernel, pid, now);
            return Step::Exit(Status::Exited(self.exit));
        }
        kernel.set_load(pid, self.load, now);
        self.rate = share(kernel, pid, &self.gpus);
        let next = self.due.front().map_or(self.duration, |d| d.at.min(self.duration));
        let left = i128::from((next.0 - self.done.0).max(1)) * 1000;
        let wait = left.div_euclid(i128::from(self.rate)) + i128::from(left % i128::from(self.rate) != 0);
        Step::Wait(Wait::Until(now + Span(i64::try_from(wait).unwrap_or(i64::MAX / 4))))
    }

    /// A signal stopped its process, or it goes on: its work stands still meanwhile.
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

    /// The first moment: signals, GPUs, what an earlier run has saved.
    fn begin(&mut self, kernel: &mut Kernel, pid: Pid) {
        for (signal, actions) in &self.reactions {
            let ignored = actions.iter().all(|a| *a == Action::Ignore);
            let how = if ignored { Disposition::Ignore } else { Disposition::Catch };
            kernel.set_disposition(pid, *signal, how);
        }
        if self.blind {
            self.end_with(Status::Exited(1), "RuntimeError: No CUDA GPUs are available");
            return;
        }
        if let Some(full) = overfull(kernel, pid, &self.gpus) {
            self.end_with(Status::Exited(1), &full);
            return;
        }
        if let Some((port, answer)) = &self.serve
            && let Err(why) = kernel.listen(pid, *port, answer)
        {
            // As Python says it.
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

    /// Work goes on since the last look.
    fn advance(&mut self, now: Time) {
        let since = self.since.replace(now).unwrap_or(now);
        if !self.stopped {
            let micros = i128::from((now - since).0.max(0)) * i128::from(self.rate) / 1000;
            self.done = self.done + Span(i64::try_from(micros).unwrap_or(i64::MAX));
        }
    }

    /// Signals that it takes notice of.
    fn heed(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) {
        while let Some(signal) = kernel.take_signal(pid) {
            let actions = self.reactions.iter().find(|(s, _)| *s == signal).map(|(_, a)| a.clone());
            for action in actions.unwrap_or_default() {
                match action {
                    Action::Ignore => {}
                    Action::Checkpoint => self.save(kernel, pid, now),
                    Action::Exit(code) => self.ending = Some(Status::Exited(code)),
                    Action::Print(text) => self.say(1, &text, 0, now),
                }
            }
        }
    }

    /// Does what is due.
    fn act(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) {
        while self.ending.is_none() && self.due.front().is_some_and(|d| d.at <= self.done) {
            let Some(due) = self.due.pop_front() else { break };
            let times = due.times + 1;
            match &due.act {
                Act::Say(fd, text) => self.say(*fd, text, times, now),
                Act::Memory(mebibytes) => kernel.set_memory(pid, *mebibytes),
                Act::Write(file, text) => {
                    let line = self.filled(text, times);
                    append(kernel, pid, file, &line, now);
                }
                Act::Checkpoint => self.save(kernel, pid, now),
                Act::End(status, message) => self.end_with(*status, message),
            }
            if let Some(every) = due.every {
                let at = due.at + every;
                if at <= self.duration {
                    let place = self.due.partition_point(|d| d.at <= at);
                    self.due.insert(place, Due { at, times, ..due });
                }
            }
        }
    }

    fn say(&mut self, fd: u32, text: &str, times: u32, _now: Time) {
        let line = self.filled(text, times);
        self.backlog.push((fd, format!("{line}\n").into_bytes()));
    }

    /// What becomes known only now: `$n`, `$percent`, `$elapsed`.
    fn filled(&self, text: &str, times: u32) -> String {
        if !text.contains('$') {
            return text.to_owned();
        }
        let percent = self.millionths() / 10_000;
        let text =
            text.replace("$percent", &percent.to_string()).replace("$elapsed", &self.done.secs().to_string());
        text.replace("$n", &times.to_string())
    }

    /// How much of the work is done.
    fn millionths(&self) -> i64 {
        let part =
            i128::from(self.done.0.min(self.duration.0)) * 1_000_000 / i128::from(self.duration.0.max(1));
        i64::try_from(part).unwrap_or(0)
    }

    /// Writes its checkpoint.
    fn save(&self, kernel: &mut Kernel, pid: Pid, now: Time) {
        let Some((uid, file)) = self.checkpoint_path(kernel, pid) else { return };
        let text = format!("checkpoint of {}\nprogress={}/1000000\n", self.name, self.millionths());
        // A full disk or a forbidden directory loses it, as it would the real one.
        let _ = kernel.fs.write(uid, &file, text.as_bytes(), 0o644, now);
    }

    /// Goes on from the checkpoint of an earlier run.
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
        // What was said is not said again; the memory of the moment still counts.
        self.due.retain(|d| d.at > done || matches!(d.act, Act::Memory(_)));
        self.due.make_contiguous().order_by_key(|d| d.at);
        let line = format!("Restarting from {} at {}%\n", path::base_name(&file), saved / 10_000);
        self.backlog.push((1, line.into_bytes()));
    }

    fn forget_checkpoint(&self, kernel: &mut Kernel, pid: Pid, now: Time) {
        if let Some((uid, file)) = self.checkpoint_path(kernel, pid) {
            let _ = kernel.fs.unlink(uid, &file, now);
        }
    }

    fn checkpoint_path(&self, kernel: &Kernel, pid: Pid) -> Option<(crate::base::ids::Uid, String)> {
        let process = kernel.process(pid)?;
        Some((process.origin.uid, path::resolve(&process.cwd, self.checkpoint.as_deref()?)))
    }

    fn flush(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> Option<Step> {
        while let Some((fd, data)) = self.backlog.first_mut() {
            match kernel.write(pid, *fd, data, now) {
                Ok(n) if n < data.len() => drop(data.drain(..n)),
                Ok(_) => drop(self.backlog.remove(0)),
                Err(Errno::EAGAIN) => return Some(Step::Wait(Wait::Writable(*fd))),
                Err(_) => drop(self.backlog.remove(0)),
            }
        }
        None
    }
}

/// How fast work on these GPUs goes, in thousandths: who shares one that is full gets a part of it.
fn share(kernel: &Kernel, pid: Pid, gpus: &[GpuUse]) -> u32 {
    let Some(process) = kernel.process(pid).filter(|_| !gpus.is_empty()) else { return 1000 };
    let all: Vec<&GpuUse> = kernel.gpu_users(&process.origin.host).flat_map(|p| &p.gpus).collect();
    let full = |index: u32| all.iter().filter(|g| g.index == index).map(|g| g.load).sum::<u32>();
    let least = gpus.iter().map(|g| 100_000 / full(g.index).max(100)).min();
    least.unwrap_or(1000).max(1)
}

/// What is said where a GPU has not enough memory left.
fn overfull(kernel: &Kernel, pid: Pid, gpus: &[GpuUse]) -> Option<String> {
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

/// Adds a line to a file of the process' user.
fn append(kernel: &mut Kernel, pid: Pid, file: &str, line: &str, now: Time) {
    let Some(process) = kernel.process(pid) else { return };
    let (uid, file) = (process.origin.uid, path::resolve(&process.cwd, file));
    let mut data = kernel.fs.read(uid, &file).map(|d| d.to_vec()).unwrap_or_default();
    if !line.is_empty() {
        data.extend_from_slice(line.as_bytes());
        data.push(b'\n');
    }
    // What cannot be written is lost, as it would be to a program that does not look.
    let _ = kernel.fs.write(uid, &file, &data, 0o644, now);
}
