//! Processes: birth, end and waiting for children (`fork(2)`, `_exit(2)`, `waitpid(2)`).

use super::super::fs::{Access, View};
use super::super::signal::{Disposition, Signal};
use super::super::tty::TtyId;
use super::super::{Errno, Fd, Notice, Origin, Status, Wait, path};
use super::account::{GpuUse, Meter};
use super::{Kernel, MAX_ALL_PROCESSES, MAX_PROCESSES, Resource, Whom, fresh};
use crate::base::ids::{Cgroup, Pid, Uid};
use crate::base::time::Time;
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// One process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: Pid,
    /// Its parent's number; `Pid(0)` for what the world started.
    pub parent: Pid,
    /// Its process group.
    pub group: Pid,
    /// User, host and tracking group.
    pub origin: Origin,
    /// Current directory, absolute.
    pub cwd: String,
    /// `umask`.
    pub umask: u32,
    /// Arguments, for `ps`.
    pub argv: Vec<String>,
    /// When it started.
    pub started: Time,
    /// Its controlling terminal.
    pub tty: Option<TtyId>,
    /// Resident memory, MiB; see [`Kernel::set_memory`].
    pub rss: u64,
    /// The first process of its tracking group that it descends from, or itself: what Slurm calls a task.
    pub task: Pid,
    /// CPU time; see [`Process::cpu_time`].
    pub(super) cpu: Meter,
    /// CPU time of children that were waited for, microseconds.
    pub(super) children_cpu: i64,
    /// The GPUs that it uses; see [`Kernel::set_gpus`].
    pub gpus: Vec<GpuUse>,
    pub(super) fds: BTreeMap<Fd, u32>,
    pub(super) cloexec: BTreeSet<Fd>,
    pub(super) dispositions: BTreeMap<Signal, Disposition>,
    pub(super) pending: BTreeSet<Signal>,
    pub(super) waiting: Option<Wait>,
    /// What it is registered for in the kernel's list of waiters.
    pub(super) registered: Vec<Resource>,
    /// It stands in the ready queue.
    pub(super) queued: bool,
    pub(super) ticket: u32,
    pub(super) stopped: bool,
    /// It stopped and its parent was not told yet.
    pub(super) stop_untold: bool,
    /// A child ended or stopped while it did not wait for children; its next such wait returns at once.
    pub(super) child_news: bool,
    /// Children, zombies too.
    pub(super) children: BTreeSet<Pid>,
    /// Set once it is a zombie.
    pub(super) status: Option<Status>,
}

impl Process {
    fn new(pid: Pid, parent: Pid, origin: Origin, cwd: &str, argv: Vec<String>, now: Time) -> Self {
        Self {
            pid,
            parent,
            group: pid,
            origin,
            cwd: cwd.to_owned(),
            umask: 0o022,
            argv,
            started: now,
            tty: None,
            rss: 0,
            task: pid,
            cpu: Meter::default(),
            children_cpu: 0,
            gpus: Vec::new(),
            fds: BTreeMap::new(),
            cloexec: BTreeSet::new(),
            dispositions: BTreeMap::new(),
            pending: BTreeSet::new(),
            waiting: None,
            registered: Vec::new(),
            queued: false,
            ticket: 0,
            stopped: false,
            stop_untold: false,
            child_news: false,
            children: BTreeSet::new(),
            status: None,
        }
    }

    /// What it waits for.
    #[must_use]
    pub const fn waiting(&self) -> Option<&Wait> {
        self.waiting.as_ref()
    }

    /// Whether a signal stopped it.
    #[must_use]
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// How it ended, if it is a zombie.
    #[must_use]
    pub const fn status(&self) -> Option<Status> {
        self.status
    }

    /// Its children, zombies too.
    pub fn children(&self) -> impl Iterator<Item = Pid> {
        self.children.iter().copied()
    }
}

impl Kernel {
    /// Starts a process from nothing (slurmd's launch, a login): no descriptors, default signals, `parent`
    /// `Pid(0)`. It is ready to run. `EAGAIN` when the user has [`MAX_PROCESSES`].
    pub fn spawn(&mut self, origin: Origin, cwd: &str, argv: Vec<String>, now: Time) -> Result<Pid, Errno> {
        let pid = self.free_pid(&origin)?;
        Ok(self.enter(Process::new(pid, Pid(0), origin, cwd, argv, now)))
    }

    /// `fork(2)`: a copy of the caller's entry, ready to run. Pending signals are not inherited.
    pub fn fork(&mut self, pid: Pid, now: Time) -> Result<Pid, Errno> {
        let origin = self.living(pid)?.origin.clone();
        let number = self.free_pid(&origin)?;
        let parent = self.living_mut(pid)?;
        parent.children.insert(number);
        let mut child = Process::new(number, pid, origin, &parent.cwd, parent.argv.clone(), now);
        child.group = parent.group;
        child.task = parent.task;
        child.umask = parent.umask;
        child.tty = parent.tty;
        child.fds = parent.fds.clone();
        child.cloexec = parent.cloexec.clone();
        child.dispositions = parent.dispositions.clone();
        for file in child.fds.values() {
            if let Some(file) = self.files.get_mut(file) {
                file.refs += 1;
            }
        }
        Ok(self.enter(child))
    }

    /// A number for one more process, if its user may have one.
    fn free_pid(&mut self, origin: &Origin) -> Result<Pid, Errno> {
        let user = (origin.uid, origin.host.clone());
        let limited = origin.host == self.login && origin.uid != Uid(0);
        let most = if limited { self.login_processes } else { MAX_PROCESSES };
        let full = self.counts.get(&user).is_some_and(|count| *count >= most);
        if full || self.processes.len() >= MAX_ALL_PROCESSES {
            return Err(Errno::EAGAIN);
        }
        Ok(Pid(fresh(&mut self.next_pid, |number| self.processes.contains_key(&Pid(number)))))
    }

    fn enter(&mut self, process: Process) -> Pid {
        let pid = process.pid;
        self.count(&process.origin, true);
        self.cgroups.insert((process.origin.cgroup, pid));
        self.processes.insert(pid, process);
        self.enqueue(pid);
        pid
    }

    /// Keeps the counts of a user's processes on a host.
    fn count(&mut self, origin: &Origin, up: bool) {
        change(&mut self.counts, (origin.uid, origin.host.clone()), up);
    }

    /// Moves a fresh child to another host and tracking group (a task of a step), before it runs.
    pub fn set_origin(&mut self, pid: Pid, origin: Origin) {
        if let Ok(process) = self.living_mut(pid) {
            let old = std::mem::replace(&mut process.origin, origin.clone());
            if old.cgroup != origin.cgroup {
                process.task = pid;
            }
            self.count(&old, false);
            self.count(&origin, true);
            self.cgroups.remove(&(old.cgroup, pid));
            self.cgroups.insert((origin.cgroup, pid));
        }
    }

    /// What `execve` does to the entry: new arguments, caught signals back to default, close-on-exec
    /// descriptors closed. Ignored signals stay ignored. A caught signal that is still pending now takes its
    /// default action, so the process may be gone afterwards.
    pub fn exec(&mut self, pid: Pid, argv: Vec<String>) {
        let Ok(process) = self.living_mut(pid) else { return };
        process.argv = argv;
        process.dispositions.retain(|_, disposition| *disposition == Disposition::Ignore);
        for fd in std::mem::take(&mut process.cloexec) {
            self.close(pid, fd).unwrap_or_default();
        }
        self.redeliver(pid);
    }

    /// The process ends: descriptors closed, children given to `Pid(0)`, a [`Notice::Exited`] made, the
    /// parent told (SIGCHLD, woken). With parent `Pid(0)` it is reaped at once.
    pub fn exit(&mut self, pid: Pid, status: Status) {
        self.park(pid);
        let Ok(process) = self.living_mut(pid) else { return };
        process.status = Some(status);
        process.stopped = false;
        process.stop_untold = false;
        process.cloexec.clear();
        process.pending.clear();
        let (parent, cgroup, host) = (process.parent, process.origin.cgroup, process.origin.host.clone());
        let (task, load, memory) = (process.task, process.cpu.load(), std::mem::take(&mut process.rss));
        let gpus = std::mem::take(&mut process.gpus);
        let fds = std::mem::take(&mut process.fds);
        let children = std::mem::take(&mut process.children);
        self.cgroups.remove(&(cgroup, pid));
        self.count_memory(cgroup, task, &host, memory, 0);
        if self.gpu_users.remove(&pid) {
            self.wake_gpu_users(pid, &gpus);
        }
        for file in fds.into_values() {
            self.drop_file(file);
        }
        for child in children {
            self.orphan(child);
        }
        self.notices.push(Notice::Exited { pid, cgroup, task, load, status });
        if self.living(parent).is_ok() {
            self.tell_parent(parent);
        } else {
            self.bury(pid);
        }
    }

    /// `Pid(0)` becomes the parent, which reaps at once.
    fn orphan(&mut self, child: Pid) {
        if let Some(process) = self.processes.get_mut(&child) {
            process.parent = Pid(0);
            if process.status.is_some() {
                self.bury(child);
            }
        }
    }

    /// Forgets a zombie.
    fn bury(&mut self, pid: Pid) {
        if let Some(process) = self.processes.remove(&pid) {
            self.count(&process.origin, false);
            if let Some(parent) = self.processes.get_mut(&process.parent) {
                parent.children.remove(&pid);
                parent.children_cpu += process.cpu.at(Time::default()) + process.children_cpu;
            }
        }
    }

    /// `waitpid(2)` with `WNOHANG`: reaps a zombie child. `Ok(None)`: children, none ended; `ECHILD`: none at all.
    pub fn wait(&mut self, pid: Pid, whom: Whom) -> Result<Option<(Pid, Status)>, Errno> {
        let children = self.living(pid)?.children.iter().filter_map(|child| self.processes.get(child));
        let mut meant = children.filter(|child| match whom {
            Whom::Process(one) => child.pid == one,
            Whom::Group(group) => child.group == group,
            Whom::Any => true,
        });
        let first = meant.next().ok_or(Errno::ECHILD)?;
        let ended = std::iter::once(first).chain(meant).find_map(|child| Some((child.pid, child.status?)));
        if let Some((child, _)) = ended {
            self.bury(child);
        }
        Ok(ended)
    }

    /// A child that stopped since the last call (`WUNTRACED`).
    pub fn wait_stopped(&mut self, pid: Pid) -> Option<Pid> {
        let children = self.living(pid).ok()?.children.clone();
        let child = children
            .into_iter()
            .find(|child| self.processes.get(child).is_some_and(|child| child.stop_untold))?;
        self.processes.get_mut(&child)?.stop_untold = false;
        Some(child)
    }

    /// Paths mean what the process sees from now on, until [`Kernel::enter_login`].
    /// Gives the view before.
    pub fn enter_host_of(&mut self, pid: Pid, now: Time) -> View {
        let host = self.processes.get(&pid).map_or(&self.login, |process| &process.origin.host);
        self.fs.enter(host, now)
    }

    /// Paths mean what the login node sees: what holds between slices of processes.
    pub fn enter_login(&mut self, now: Time) {
        self.fs.enter(&self.login, now);
    }

    /// A process, also a zombie.
    #[must_use]
    pub fn process(&self, pid: Pid) -> Option<&Process> {
        self.processes.get(&pid)
    }

    /// Its entry, to set `umask`, `argv`, `tty`.
    pub fn process_mut(&mut self, pid: Pid) -> Option<&mut Process> {
        self.processes.get_mut(&pid)
    }

    /// All processes, zombies too, by number.
    pub fn processes(&self) -> impl Iterator<Item = &Process> {
        self.processes.values()
    }

    /// A process that is no zombie.
    pub(super) fn living(&self, pid: Pid) -> Result<&Process, Errno> {
        self.processes.get(&pid).filter(|process| process.status.is_none()).ok_or(Errno::ESRCH)
    }

    pub(super) fn living_mut(&mut self, pid: Pid) -> Result<&mut Process, Errno> {
        self.processes.get_mut(&pid).filter(|process| process.status.is_none()).ok_or(Errno::ESRCH)
    }

    /// Whether it runs or could (no zombie, not reaped).
    #[must_use]
    pub fn alive(&self, pid: Pid) -> bool {
        self.living(pid).is_ok()
    }

    /// The living processes of a tracking group, by number.
    pub(super) fn members(&self, cgroup: Cgroup) -> impl Iterator<Item = Pid> {
        self.cgroups.range((cgroup, Pid(0))..=(cgroup, Pid(u32::MAX))).map(|(_, pid)| *pid)
    }

    /// Whether any living process belongs to the tracking group.
    #[must_use]
    pub fn cgroup_alive(&self, cgroup: Cgroup) -> bool {
        self.members(cgroup).next().is_some()
    }

    /// `setpgid(2)`.
    pub fn set_group(&mut self, pid: Pid, group: Pid) {
        if let Ok(process) = self.living_mut(pid) {
            process.group = group;
            // It may have waited for a terminal that its new group can read.
            self.unblock(pid);
        }
    }

    /// `chdir(2)`; the path is resolved against the current directory, which is kept without symbolic links.
    pub fn chdir(&mut self, pid: Pid, path: &str) -> Result<(), Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let process = self.living(pid)?;
        let uid = process.origin.uid;
        let path = path::join(&process.cwd, path);
        let (host, now) = (process.origin.host.clone(), process.started);
        let view = self.fs.enter(&host, now);
        let real = self.fs.real_path(uid, &format!("{path}/."));
        let real = real.and_then(|real| self.fs.access(uid, &real, Access::Exec).map(|()| real));
        self.fs.back(view);
        let real = real?;
        self.living_mut(pid)?.cwd = real;
        Ok(())
    }
}

/// Counts one more or one less; what counts nothing is left out.
fn change<K: Ord>(counts: &mut BTreeMap<K, u32>, key: K, up: bool) {
    match counts.entry(key) {
        Entry::Vacant(entry) if up => {
            entry.insert(1);
        }
        Entry::Vacant(_) => {}
        Entry::Occupied(mut entry) if up => *entry.get_mut() += 1,
        Entry::Occupied(mut entry) if *entry.get() > 1 => *entry.get_mut() -= 1,
        Entry::Occupied(entry) => {
            entry.remove();
        }
    }
}
