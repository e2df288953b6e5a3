//! Children and jobs: reaping, waiting in the foreground, telling what became of them.

use super::{Pending, Res, Turn, Vm};
use crate::base::ids::Pid;
use crate::host::kernel::Whom;
use crate::host::{Signal, Status, Wait};
use crate::shell::Cx;
use crate::shell::options::Flag;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Ended children that are remembered for `wait`.
const REMEMBERED: usize = 1024;

/// A pipeline that was started.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Job {
    pub key: u32,
    /// Its number, once it is in the background.
    pub id: Option<u32>,
    pub pids: Vec<(Pid, Option<Status>)>,
    pub group: Option<Pid>,
    pub text: Arc<str>,
    pub line: u32,
    pub stopped: bool,
    /// The status of a last member that ran in the shell itself.
    pub tail: Option<u8>,
    /// What became of it was told; it stays for `wait %1` until the next job.
    pub told: bool,
}

impl Job {
    /// Whether all of its processes have ended.
    pub fn is_done(&self) -> bool {
        self.pids.iter().all(|(_, status)| status.is_some())
    }

    /// The status of its last process.
    pub fn status(&self) -> Status {
        self.pids.last().and_then(|(_, s)| *s).unwrap_or(Status::Exited(0))
    }

    /// `Running`, `Done`, `Exit 1`, `Terminated`, `Stopped`.
    pub fn state(&self) -> String {
        match (self.is_done(), self.status()) {
            (false, _) if self.stopped => "Stopped".into(),
            (false, _) => "Running".into(),
            (true, Status::Exited(0)) => "Done".into(),
            (true, Status::Exited(code)) => format!("Exit {code}"),
            (true, Status::Signaled(signal)) => signal.text().into(),
        }
    }
}

impl Vm {
    pub(super) fn free_job_number(&self) -> u32 {
        self.jobs.iter().filter_map(|j| j.id).max().unwrap_or(0) + 1
    }

    /// Takes note of every child that has ended or stopped.
    pub(in crate::shell) fn reap(&mut self, cx: &mut Cx) {
        while let Ok(Some((pid, status))) = cx.kernel.wait(cx.pid, Whom::Any) {
            let slot = self.jobs.iter_mut().flat_map(|j| &mut j.pids).find(|(p, _)| *p == pid);
            if let Some(slot) = slot {
                slot.1 = Some(status);
            } else {
                self.remember(pid, status.shell_code());
            }
        }
        while !self.jobs.is_empty()
            && let Some(pid) = cx.kernel.wait_stopped(cx.pid)
        {
            if let Some(job) = self.jobs.iter_mut().find(|j| j.pids.iter().any(|(p, _)| *p == pid)) {
                job.stopped = true;
            }
        }
    }

    pub(in crate::shell) fn remember(&mut self, pid: Pid, status: u8) {
        if self.ended.len() >= REMEMBERED {
            self.ended.pop_first();
            self.untold.truncate(REMEMBERED / 2);
        }
        self.ended.insert(pid, status);
        self.untold.push(pid);
    }

    /// The status of an ended child, forgotten with this.
    pub(super) fn take_ended(&mut self, pid: Pid) -> Option<u8> {
        self.untold.retain(|p| *p != pid);
        self.ended.remove(&pid)
    }

    pub(in crate::shell) fn wait_foreground(&mut self, cx: &mut Cx, key: u32) -> Res<Turn> {
        self.reap(cx);
        let Some(at) = self.jobs.iter().position(|j| j.key == key) else { return Ok(Turn::Go) };
        if self.jobs[at].stopped && !self.jobs[at].is_done() {
            self.stop_job(cx, at);
            return self.after_status(cx);
        }
        if !self.jobs[at].is_done() {
            self.run.pending = Pending::Job(key);
            return Ok(Turn::Wait(Wait::Child));
        }
        let job = self.jobs.remove(at);
        self.take_terminal(cx);
        self.job_status(&job);
        self.tell_death(&job, true);
        if !self.interactive {
            self.forget_done();
        }
        if self.interactive && job.status() == Status::Signaled(Signal::INT) {
            // Ctrl-C ends the whole line, loops and all.
            return Err(super::Halt::Discard(self.status));
        }
        self.after_status(cx)
    }

    /// A job in the foreground was stopped: it becomes a background job.
    fn stop_job(&mut self, cx: &mut Cx, at: usize) {
        let number = self.free_job_number();
        let job = &mut self.jobs[at];
        let id = *job.id.get_or_insert(number);
        let line = format!("\n[{id}]+  {:<24}{}\n", "Stopped", job.text);
        self.run.err.extend(line.as_bytes());
        self.status = 128 + Signal::TSTP.number();
        self.take_terminal(cx);
    }

    /// The terminal belongs to the shell again.
    pub(in crate::shell) fn take_terminal(&self, cx: &mut Cx) {
        if self.interactive {
            let group = cx.kernel.process(cx.pid).map(|p| p.group);
            if let Some(group) = group {
                self.give_terminal(cx, group);
            }
        }
    }

    /// `$?` and `PIPESTATUS` after a job.
    pub(in crate::shell) fn job_status(&mut self, job: &Job) {
        let codes = job.pids.iter().map(|(_, s)| s.map_or(0, Status::shell_code));
        self.pipe.clear();
        self.pipe.extend(codes.chain(job.tail));
        let last = self.pipe.last().copied().unwrap_or(0);
        self.status = if self.flag(Flag::Pipefail) {
            self.pipe.iter().rev().copied().find(|c| *c != 0).unwrap_or(0)
        } else {
            last
        };
    }

    /// `PIPESTATUS`: of a pipeline; of anything else it is `$?` (see [`Vm::pipe_status`]).
    pub(in crate::shell) fn set_pipe_status(&mut self, codes: &[u8]) {
        self.pipe.clear();
        self.pipe.extend_from_slice(codes);
    }

    /// What bash says of a child that died of a signal.
    fn tell_death(&mut self, job: &Job, foreground: bool) {
        if self.interactive {
            let Status::Signaled(signal) = job.status() else { return };
            let text = match signal {
                Signal::INT => "\n".to_owned(),
                Signal::PIPE => return,
                other => format!("{}\n", other.text()),
            };
            self.run.err.extend(text.as_bytes());
            return;
        }
        let Status::Signaled(signal) = job.status() else { return };
        if self.substitution || job.tail.is_some() {
            return;
        }
        let quiet = matches!(signal, Signal::INT | Signal::TERM | Signal::PIPE) || self.dash;
        if !quiet && !self.traps.contains_key(&super::Trap::Signal(signal)) {
            let pid = job.pids.last().map_or(0, |(pid, _)| pid.0);
            let line = format!("{}{pid:>5} {:<24}{}\n", self.prefix(), signal.text(), job.text);
            self.run.err.extend(line.as_bytes());
        } else if foreground && !matches!(signal, Signal::INT | Signal::PIPE) {
            self.run.err.extend(format!("{}\n", signal.text()).as_bytes());
        }
    }

    /// Between two commands: background jobs that have ended are forgotten, or told of.
    pub(super) fn between_commands(&mut self, cx: &mut Cx) {
        let depth = u32::try_from(self.run.frames.len()).unwrap_or(u32::MAX);
        while let Some((_, fd)) = self.run.open_ends.pop_if(|(opened, _)| *opened >= depth) {
            let _ = cx.kernel.close(cx.pid, fd);
        }
        if self.jobs.is_empty() {
            return;
        }
        self.reap(cx);
    }

    /// Tells of background jobs that have ended; their statuses stay for `wait`.
    pub(in crate::shell) fn forget_done(&mut self) {
        if self.jobs.is_empty() {
            return;
        }
        let done: Vec<Job> = self
            .jobs
            .iter_mut()
            .filter(|job| job.id.is_some() && !job.told && job.is_done())
            .map(|job| {
                job.told = true;
                job.clone()
            })
            .collect();
        for job in done {
            for (pid, status) in &job.pids {
                self.remember(*pid, status.map_or(0, Status::shell_code));
            }
            self.tell_death(&job, false);
        }
    }

    /// At a prompt: what became of the background jobs.
    pub(super) fn notify(&mut self, cx: &mut Cx) {
        self.reap(cx);
        let current = self.jobs.iter().filter_map(|j| j.id).max();
        let (done, open): (Vec<Job>, Vec<Job>) =
            std::mem::take(&mut self.jobs).into_iter().partition(Job::is_done);
        self.jobs = open;
        for job in done {
            let Some(id) = job.id else { continue };
            let sign = if Some(id) == current { '+' } else { '-' };
            let line = format!("[{id}]{sign}  {:<24}{}\n", job.state(), job.text);
            self.run.err.extend(line.as_bytes());
            for (pid, status) in &job.pids {
                self.remember(*pid, status.map_or(0, Status::shell_code));
            }
        }
    }
}
