//! Children and jobs: reaping, foreground waits, status notifications.

use super::{Pending, Res, Vm, VmAction};
use crate::ShellContext;
use crate::options::Flag;
use base::ids::Pid;
use host::kernel::ProcessTarget;
use host::{Signal, Status, Wait};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Maximum number of exit statuses kept for `wait`.
const REMEMBERED: usize = 1024;

/// A started pipeline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ShellJob {
    pub key: u32,
    /// Its job number, once it is in the background.
    pub id: Option<u32>,
    pub pids: Vec<(Pid, Option<Status>)>,
    pub group: Option<Pid>,
    pub text: Arc<str>,
    pub line: u32,
    pub stopped: bool,
    /// The status of a last member that ran in the shell itself.
    pub tail: Option<u8>,
    /// Its end was reported; it stays for `wait %1` until the next job.
    pub reported: bool,
}

impl ShellJob {
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

    /// Records every child that has ended or stopped.
    pub(crate) fn reap(&mut self, cx: &mut ShellContext) {
        while let Ok(Some((pid, status))) = cx.kernel.wait(cx.pid, ProcessTarget::Any) {
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

    pub(crate) fn remember(&mut self, pid: Pid, status: u8) {
        if self.ended.len() >= REMEMBERED {
            self.ended.pop_first();
            self.untold.truncate(REMEMBERED / 2);
        }
        self.ended.insert(pid, status);
        self.untold.push(pid);
    }

    /// Takes the status of an ended child.
    pub(super) fn take_ended(&mut self, pid: Pid) -> Option<u8> {
        self.untold.retain(|p| *p != pid);
        self.ended.remove(&pid)
    }

    pub(crate) fn wait_foreground(&mut self, cx: &mut ShellContext, key: u32) -> Res<VmAction> {
        self.reap(cx);
        let Some(at) = self.jobs.iter().position(|j| j.key == key) else { return Ok(VmAction::Go) };
        if self.jobs[at].stopped && !self.jobs[at].is_done() {
            self.stop_job(cx, at);
            return self.after_status(cx);
        }
        if !self.jobs[at].is_done() {
            self.run.pending = Pending::Job(key);
            return Ok(VmAction::Wait(Wait::Child));
        }
        let job = self.jobs.remove(at);
        self.take_terminal(cx);
        self.job_status(&job);
        self.report_death(&job, true);
        if !self.interactive {
            self.forget_done();
        }
        if self.interactive && job.status() == Status::Signaled(Signal::INT) {
            // Ctrl-C aborts the whole line, including loops.
            return Err(super::Halt::Discard(self.status));
        }
        self.after_status(cx)
    }

    /// Turns a stopped foreground job into a background job.
    fn stop_job(&mut self, cx: &mut ShellContext, at: usize) {
        let number = self.free_job_number();
        let job = &mut self.jobs[at];
        let id = *job.id.get_or_insert(number);
        let line = format!("\n[{id}]+  {:<24}{}\n", "Stopped", job.text);
        self.run.err.extend(line.as_bytes());
        self.status = 128 + Signal::TSTP.number();
        self.take_terminal(cx);
    }

    /// Makes the shell's process group the terminal's foreground again.
    pub(crate) fn take_terminal(&self, cx: &mut ShellContext) {
        if self.interactive {
            let group = cx.kernel.process(cx.pid).map(|p| p.group);
            if let Some(group) = group {
                self.give_terminal(cx, group);
            }
        }
    }

    /// Sets `$?` and `PIPESTATUS` after a job.
    pub(crate) fn job_status(&mut self, job: &ShellJob) {
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

    /// Sets `PIPESTATUS` of a pipeline; for other commands it equals `$?` (see [`Vm::pipe_status`]).
    pub(crate) fn set_pipe_status(&mut self, codes: &[u8]) {
        self.pipe.clear();
        self.pipe.extend_from_slice(codes);
    }

    /// Prints bash's message for a child killed by a signal.
    fn report_death(&mut self, job: &ShellJob, foreground: bool) {
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

    /// Between two commands: forgets or reports ended background jobs.
    pub(super) fn between_commands(&mut self, cx: &mut ShellContext) {
        let depth = u32::try_from(self.run.frames.len()).unwrap_or(u32::MAX);
        while let Some((_, fd)) = self.run.open_ends.pop_if(|(opened, _)| *opened >= depth) {
            let _ = cx.kernel.close(cx.pid, fd);
        }
        if self.jobs.is_empty() {
            return;
        }
        self.reap(cx);
    }

    /// Reports ended background jobs; their statuses stay for `wait`.
    pub(crate) fn forget_done(&mut self) {
        if self.jobs.is_empty() {
            return;
        }
        let done: Vec<ShellJob> = self
            .jobs
            .iter_mut()
            .filter(|job| job.id.is_some() && !job.reported && job.is_done())
            .map(|job| {
                job.reported = true;
                job.clone()
            })
            .collect();
        for job in done {
            for (pid, status) in &job.pids {
                self.remember(*pid, status.map_or(0, Status::shell_code));
            }
            self.report_death(&job, false);
        }
    }

    /// At a prompt: reports state changes of background jobs.
    pub(super) fn notify(&mut self, cx: &mut ShellContext) {
        self.reap(cx);
        let current = self.jobs.iter().filter_map(|j| j.id).max();
        let (done, open): (Vec<ShellJob>, Vec<ShellJob>) =
            std::mem::take(&mut self.jobs).into_iter().partition(ShellJob::is_done);
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
