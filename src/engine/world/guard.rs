//! The rules of a login node: a user who computes there gets a warning, then the process is killed. Sites do
//! this with cgroups or a monitoring daemon (Arbiter). The limits are in `site.toml` (`[login_limits]`).

use super::World;
use super::event::WorldEvent;
use base::ids::{Cgroup, Pid, Uid};
use base::time::Span;
use config::LoginLimits;
use host::kernel::{Process, ProcessTarget};
use host::{Signal, path};

/// Maximum number of unreported bounds.
const MAX_BOUNDS: usize = 16;
/// Microseconds in a second.
const SECOND: i64 = 1_000_000;

impl World {
    /// The rules for a process. They apply to users' processes on the login node outside jobs.
    fn rules(&self, process: &Process) -> Option<&LoginLimits> {
        let origin = &process.origin;
        let free = origin.host != self.kernel.login || origin.uid == Uid(0) || origin.cgroup != Cgroup(0);
        self.site.login_limits.as_ref().filter(|_| !free)
    }

    /// Checks what a process has used on the login node.
    pub(super) fn guard(&mut self, pid: Pid) {
        let Some(process) = self.kernel.process(pid).filter(|p| p.status().is_none()) else { return };
        let Some(limits) = self.rules(process) else { return };
        let (warned, base) = self.guarded.get(&pid).copied().unwrap_or_default();
        let (used, load) = (process.cpu_time(self.now) - base, process.load());
        let (warn, most) = (i64::from(limits.warn_seconds) * SECOND, i64::from(limits.cpu_seconds) * SECOND);
        if used >= most {
            let why = format!("used {} s of CPU time", limits.cpu_seconds);
            return self.end_for(pid, &why);
        }
        if self.memory_of(process.origin.uid) > limits.memory {
            let why = format!("needs more than the {} MiB of memory that a user may have", limits.memory);
            return self.end_for(pid, &why);
        }
        if used >= warn && !warned {
            let text = format!(
                "has used {} s of CPU time on the login node and will be ended at {} s.\n{}",
                limits.warn_seconds, limits.cpu_seconds, limits.message
            );
            self.guarded.insert(pid, (true, base));
            self.message_owner(pid, &text);
        }
        if load > 0 {
            let left = if used >= warn { most - used } else { warn - used };
            let wait = left.saturating_mul(100) / i64::from(load) + 1;
            self.queue.push(self.now + Span(wait), WorldEvent::Guard(pid));
        }
    }

    /// Resident memory of all of a user's processes on the login node, in MiB.
    fn memory_of(&self, uid: Uid) -> u64 {
        let own = |p: &&Process| p.origin.uid == uid && p.origin.host == self.kernel.login;
        self.kernel.processes().filter(own).map(|p| p.rss).sum()
    }

    /// Tells the owner that an endless loop was slowed down. For a job, the message goes to the page or the session's
    /// owner, so a script's output stays what a real cluster would write.
    pub(super) fn report_slowdown(&mut self, pid: Pid) {
        let Some(process) = self.kernel.process(pid) else { return };
        let job = self.slurmd.job_of(process.origin.cgroup);
        let what = "has run without a pause for forty million steps of the simulation; it continues with two thousand \
                    steps per second";
        match (process.tty, job) {
            (Some(_), _) => self.message_owner(pid, &format!("{what}. Ctrl-C ends it.")),
            (None, Some(job)) => {
                self.record_bound(format!("a script of job {job} {what}, until its time limit"))
            }
            (None, None) => self.record_bound(format!("process {pid} {what}")),
        }
    }

    /// Records a bound that no terminal shows.
    fn record_bound(&mut self, text: String) {
        if self.bounds.len() < MAX_BOUNDS {
            self.bounds.push(text);
        }
    }

    /// The bounds hit since the last call.
    pub fn take_bounds(&mut self) -> Vec<String> {
        std::mem::take(&mut self.bounds)
    }

    fn end_for(&mut self, pid: Pid, why: &str) {
        let message = self.site.login_limits.as_ref().map_or("", |limits| limits.message.as_str());
        let text = format!("{why} on the login node and was ended.\n{message}");
        self.message_owner(pid, &text);
        // A login shell in a loop gets SIGINT, so that the user keeps the terminal.
        let shell = self.terminals.values().any(|shell| *shell == pid);
        let signal = if shell { Signal::INT } else { Signal::KILL };
        let used = self.kernel.process(pid).map_or(0, |process| process.cpu_time(self.now));
        self.guarded.insert(pid, (false, used));
        let _ = self.kernel.kill(Uid(0), ProcessTarget::Process(pid), Some(signal));
    }

    /// Like wall(1) and write(1): prints a message on the terminal of the process, otherwise on its standard error.
    fn message_owner(&mut self, pid: Pid, text: &str) {
        let Some(process) = self.kernel.process(pid) else { return };
        let name = process.argv.first().map_or("", |name| path::base_name(name));
        let command = process.argv.iter().skip(1).fold(name.to_owned(), |all, word| all + " " + word);
        let tty = process.tty;
        let text = format!(
            "\nMessage from root@{} ({}):\nYour process {pid} ({command:.60}) {text}\n\n",
            self.kernel.login,
            self.now.strftime("%H:%M:%S")
        );
        match tty {
            Some(tty) => self.kernel.print_on(tty, text.as_bytes()),
            None => drop(self.kernel.write(pid, 2, text.as_bytes(), self.now)),
        }
    }
}
