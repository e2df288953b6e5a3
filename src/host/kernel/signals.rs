//! Signals: `signal(7)`, `kill(2)`. Default actions take effect at once.

use super::super::signal::{Disposition, Signal};
use super::super::{Errno, KernelEvent, Status};
use super::{Kernel, ProcessTarget};
use base::ids::{Cgroup, Pid, Uid};

impl Kernel {
    /// `kill(2)` by `sender`: `EPERM` for other users' processes (except for root), `ESRCH` if there is none.
    /// Without a signal, only checks. [`ProcessTarget::Any`] means all processes that the sender may signal (`kill
    /// -1`).
    pub fn kill(&mut self, sender: Uid, whom: ProcessTarget, signal: Option<Signal>) -> Result<(), Errno> {
        let pids: Vec<Pid> = match whom {
            ProcessTarget::Process(pid) => {
                self.processes.get(pid).map(|process| process.pid).into_iter().collect()
            }
            ProcessTarget::Group(group) => self.pids(|process| process.group == group),
            ProcessTarget::Any => self.pids(|_| true),
        };
        if pids.is_empty() {
            return Err(Errno::ESRCH);
        }
        let may = |pid: &Pid| {
            sender == Uid(0) || self.processes.get(*pid).is_some_and(|process| process.origin.uid == sender)
        };
        let pids: Vec<Pid> = pids.into_iter().filter(may).collect();
        if pids.is_empty() {
            return Err(Errno::EPERM);
        }
        if let Some(signal) = signal {
            for pid in pids {
                self.deliver(pid, signal);
            }
        }
        Ok(())
    }

    fn pids(&self, meant: impl Fn(&super::Process) -> bool) -> Vec<Pid> {
        self.processes.values().filter(|process| meant(process)).map(|process| process.pid).collect()
    }

    /// Signals every process of a cgroup, by PID.
    pub fn kill_cgroup(&mut self, cgroup: Cgroup, signal: Signal) {
        let members: Vec<Pid> = self.members(cgroup).collect();
        for pid in members {
            self.deliver(pid, signal);
        }
    }

    /// Delivers a signal to a process.
    pub(super) fn deliver(&mut self, pid: Pid, signal: Signal) {
        let Ok(process) = self.living_mut(pid) else { return };
        let disposition = process.dispositions.get(&signal).copied().unwrap_or_default();
        if signal == Signal::CHLD && disposition != Disposition::Catch {
            return;
        }
        if signal == Signal::KILL {
            return self.exit(pid, Status::Signaled(signal));
        }
        if signal == Signal::CONT {
            process.pending.retain(|pending| !pending.stops());
            self.resume(pid);
        } else if signal.stops() {
            process.pending.remove(&Signal::CONT);
        }
        match disposition {
            Disposition::Ignore => {}
            Disposition::Catch => {
                if let Ok(process) = self.living_mut(pid) {
                    process.pending.insert(signal);
                    self.unblock(pid);
                }
            }
            Disposition::Default if signal.stops() => self.stop(pid),
            Disposition::Default if signal.kills() => self.end(pid, signal),
            Disposition::Default => {}
        }
    }

    /// The default action "terminate". The signal stays pending while the process is stopped.
    fn end(&mut self, pid: Pid, signal: Signal) {
        match self.living_mut(pid) {
            Ok(process) if process.stopped => {
                process.pending.insert(signal);
            }
            Ok(_) => self.exit(pid, Status::Signaled(signal)),
            Err(_) => {}
        }
    }

    /// Stops a process: removes it from the ready queue until SIGCONT, and keeps its wait.
    fn stop(&mut self, pid: Pid) {
        let Ok(process) = self.living_mut(pid) else { return };
        if process.stopped {
            return;
        }
        process.stopped = true;
        process.stop_untold = true;
        let parent = process.parent;
        self.notices.push_back(KernelEvent::Stopped { pid, yes: true });
        let Ok(process) = self.living_mut(pid) else { return };
        if std::mem::take(&mut process.queued) {
            self.ready.retain(|other| *other != pid);
        }
        self.notify_parent(parent);
    }

    /// Continues a stopped process and delivers pending signals.
    fn resume(&mut self, pid: Pid) {
        let Ok(process) = self.living_mut(pid) else { return };
        if !std::mem::take(&mut process.stopped) {
            return;
        }
        process.stop_untold = false;
        let waits = process.waiting.is_some();
        self.notices.push_back(KernelEvent::Stopped { pid, yes: false });
        if !waits {
            self.enqueue(pid);
        }
        self.redeliver(pid);
    }

    /// Delivers pending signals with the current dispositions.
    pub(super) fn redeliver(&mut self, pid: Pid) {
        if let Ok(process) = self.living_mut(pid) {
            for signal in std::mem::take(&mut process.pending) {
                self.deliver(pid, signal);
            }
        }
    }

    /// Sets a signal's disposition (KILL and STOP cannot be changed).
    pub fn set_disposition(&mut self, pid: Pid, signal: Signal, disposition: Disposition) {
        let Ok(process) = self.living_mut(pid) else { return };
        match (signal, disposition) {
            (Signal::KILL | Signal::STOP, _) => return,
            (_, Disposition::Default) => process.dispositions.remove(&signal),
            (_, Disposition::Ignore | Disposition::Catch) => process.dispositions.insert(signal, disposition),
        };
        if disposition != Disposition::Catch && process.pending.remove(&signal) {
            self.deliver(pid, signal);
        }
    }

    /// A signal's disposition.
    #[must_use]
    pub fn disposition(&self, pid: Pid, signal: Signal) -> Disposition {
        self.processes
            .get(pid)
            .and_then(|process| process.dispositions.get(&signal).copied())
            .unwrap_or_default()
    }

    /// Whether caught signals are pending; `None` if the process is gone.
    #[must_use]
    pub fn has_signals(&self, pid: Pid) -> Option<bool> {
        self.living(pid).ok().map(|process| !process.pending.is_empty())
    }

    /// Takes the next caught signal, lowest number first.
    pub fn take_signal(&mut self, pid: Pid) -> Option<Signal> {
        self.living_mut(pid).ok()?.pending.pop_first()
    }
}
