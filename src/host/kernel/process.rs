//! Processes: creation, termination and waiting for children (`fork(2)`, `_exit(2)`, `waitpid(2)`).

#[cfg(feature = "real-host")]
use super::super::fs::FileKind;
use super::super::fs::{Access, HostView};
use super::super::signal::{Disposition, Signal};
use super::super::tty::TtyId;
use super::super::{Errno, Fd, KernelEvent, ProcessOrigin, Status, Wait, path};
use super::account::{GpuUse, Meter};
use super::{Kernel, MAX_ALL_PROCESSES, MAX_PROCESSES, ProcessTarget, WaitResource, fresh};
use base::cow_set::EntryEdit;
use base::ids::{Pid, Uid};
use base::time::Time;
use base::vec_map::VecMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Process {
    /// Its PID.
    pub pid: Pid,
    /// Parent PID; `Pid(0)` for processes started by the engine.
    pub parent: Pid,
    /// Its process group.
    pub group: Pid,
    /// User, host and cgroup.
    pub origin: ProcessOrigin,
    /// Current directory, absolute.
    pub cwd: Arc<str>,
    /// `umask`.
    pub umask: u32,
    /// Arguments, for `ps`.
    pub argv: Arc<Vec<String>>,
    /// Start time.
    pub started: Time,
    /// Its controlling terminal.
    pub tty: Option<TtyId>,
    /// Resident memory, MiB; see [`Kernel::set_memory`].
    pub rss: u64,
    /// The root of its task: the first process of its cgroup from which it descends, or itself.
    pub task: Pid,
    /// CPU time; see [`Process::cpu_time`].
    pub(super) cpu: Meter,
    /// CPU time of reaped children, microseconds.
    pub(super) children_cpu: i64,
    /// GPUs in use; see [`Kernel::set_gpus`].
    pub gpus: Vec<GpuUse>,
    pub(super) fds: VecMap<Fd, u32>,
    /// Whether it has raised its limit of open files.
    pub(super) many_fds: bool,
    pub(super) cloexec: BTreeSet<Fd>,
    pub(super) dispositions: BTreeMap<Signal, Disposition>,
    pub(super) pending: BTreeSet<Signal>,
    pub(super) waiting: Option<Wait>,
    /// The resources under which it is registered in the kernel's waiter table.
    pub(super) registered: Vec<WaitResource>,
    /// Whether it is in the ready queue.
    pub(super) queued: bool,
    pub(super) ticket: u32,
    pub(super) stopped: bool,
    /// It stopped and its parent has not been notified.
    pub(super) stop_untold: bool,
    /// A child ended or stopped while the process was not waiting for children; its next such wait returns at
    /// once.
    pub(super) child_news: bool,
    /// Children including zombies, sorted.
    pub(super) children: Vec<Pid>,
    /// The exit status, once it is a zombie.
    pub(super) status: Option<Status>,
    /// Its host's view of the file system, cached.
    pub(super) view: Option<HostView>,
}

impl Process {
    fn new(
        pid: Pid,
        parent: Pid,
        origin: ProcessOrigin,
        cwd: Arc<str>,
        argv: Arc<Vec<String>>,
        now: Time,
    ) -> Self {
        Self {
            pid,
            parent,
            group: pid,
            origin,
            cwd,
            umask: 0o022,
            argv,
            started: now,
            tty: None,
            rss: 0,
            task: pid,
            cpu: Meter::default(),
            children_cpu: 0,
            gpus: Vec::new(),
            fds: VecMap::default(),
            many_fds: false,
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
            children: Vec::new(),
            status: None,
            view: None,
        }
    }

    /// The condition it waits for.
    #[must_use]
    pub const fn waiting(&self) -> Option<&Wait> {
        self.waiting.as_ref()
    }

    /// Whether it is stopped by a signal.
    #[must_use]
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// The exit status if it is a zombie.
    #[must_use]
    pub const fn status(&self) -> Option<Status> {
        self.status
    }

    /// The descriptors of the pipes that it watches.
    pub(super) fn watched(&self) -> impl Iterator<Item = Fd> {
        self.registered.iter().filter_map(|resource| match resource {
            WaitResource::Watched { fd, .. } => Some(*fd),
            WaitResource::PipeRead(_)
            | WaitResource::PipeWrite(_)
            | WaitResource::Tty(_)
            | WaitResource::Master(_) => None,
        })
    }

    /// Its children, including zombies.
    pub fn children(&self) -> impl Iterator<Item = Pid> {
        self.children.iter().copied()
    }
}

impl Kernel {
    /// Starts a process without a parent (slurmd's launch, a login): no descriptors, default signal
    /// dispositions, parent `Pid(0)`. It is ready to run. `EAGAIN` if the user has [`MAX_PROCESSES`].
    pub fn spawn(
        &mut self,
        origin: ProcessOrigin,
        cwd: &str,
        argv: Vec<String>,
        now: Time,
    ) -> Result<Pid, Errno> {
        let pid = self.free_pid(&origin)?;
        Ok(self.enter(Process::new(pid, Pid(0), origin, cwd.into(), Arc::new(argv), now)))
    }

    /// `fork(2)`: copies the caller's entry, ready to run. Pending signals are not inherited.
    pub fn fork(&mut self, pid: Pid, now: Time) -> Result<Pid, Errno> {
        let origin = self.living(pid)?.origin.clone();
        let number = self.free_pid(&origin)?;
        let parent = self.living_mut(pid)?;
        if let Err(at) = parent.children.binary_search(&number) {
            parent.children.insert(at, number);
        }
        let mut child = Process::new(number, pid, origin, parent.cwd.clone(), parent.argv.clone(), now);
        child.group = parent.group;
        child.task = parent.task;
        child.view = parent.view;
        child.umask = parent.umask;
        child.tty = parent.tty;
        child.fds = parent.fds.clone();
        child.cloexec = parent.cloexec.clone();
        child.dispositions = parent.dispositions.clone();
        for file in child.fds.values() {
            if let Some(file) = self.files.get_mut(*file) {
                file.refs += 1;
            }
        }
        Ok(self.enter(child))
    }

    /// Allocates a PID if the user may have another process.
    fn free_pid(&mut self, origin: &ProcessOrigin) -> Result<Pid, Errno> {
        let limited = origin.host == self.login && origin.uid != Uid(0);
        let most = if limited { self.login_processes } else { MAX_PROCESSES };
        if self.counted(origin) >= most || self.processes.len() >= MAX_ALL_PROCESSES {
            return Err(Errno::EAGAIN);
        }
        Ok(Pid(fresh(&mut self.next_pid, |number| self.processes.contains(Pid(number)))))
    }

    fn enter(&mut self, process: Process) -> Pid {
        let pid = process.pid;
        self.count(&process.origin, true);
        self.enlist(process.origin.cgroup, pid, true);
        self.processes.insert(pid, process);
        self.enqueue(pid);
        pid
    }

    /// Updates the process count of a user on a host.
    fn count(&mut self, origin: &ProcessOrigin, up: bool) {
        let least = (origin.uid, Arc::clone(&origin.host), 1);
        let found = self.counts.change(&least, |(uid, host, count)| {
            let after = if up { count + 1 } else { count - 1 };
            if (uid, host) != (&least.0, &least.1) {
                EntryEdit::Nothing
            } else if after == 0 {
                EntryEdit::Gone
            } else {
                EntryEdit::To((*uid, Arc::clone(host), after))
            }
        });
        if up && !found {
            self.counts.insert(least);
        }
    }

    /// The number of processes of a user on a host.
    fn counted(&self, origin: &ProcessOrigin) -> u32 {
        let first = self.counts.range((origin.uid, Arc::clone(&origin.host), 0)..).next();
        first
            .filter(|(uid, host, _)| *uid == origin.uid && *host == origin.host)
            .map_or(0, |(.., count)| *count)
    }

    /// Moves a new child to another host and cgroup (a task of a step), before it runs.
    pub fn set_origin(&mut self, pid: Pid, origin: ProcessOrigin) {
        if let Ok(process) = self.living_mut(pid) {
            let old = std::mem::replace(&mut process.origin, origin.clone());
            process.view = None;
            if old.cgroup != origin.cgroup {
                process.task = pid;
            }
            self.count(&old, false);
            self.count(&origin, true);
            self.enlist(old.cgroup, pid, false);
            self.enlist(origin.cgroup, pid, true);
        }
    }

    /// The effect of `execve` on the entry: new arguments, caught signals reset to default, close-on-exec
    /// descriptors closed. Ignored signals stay ignored. A pending caught signal now takes its default
    /// action, so the process may be gone afterwards.
    pub fn exec(&mut self, pid: Pid, argv: Vec<String>) {
        let Ok(process) = self.living_mut(pid) else { return };
        process.argv = Arc::new(argv);
        process.dispositions.retain(|_, disposition| *disposition == Disposition::Ignore);
        let closed = std::mem::take(&mut process.cloexec);
        let mut files = Vec::new();
        process.fds.retain(|fd, file| {
            let closes = closed.contains(fd);
            files.extend(closes.then_some(*file));
            !closes
        });
        for file in files {
            self.drop_file(file);
        }
        for fd in closed {
            self.unwatch(pid, fd);
        }
        self.unblock(pid);
        self.redeliver(pid);
    }

    /// Ends the process: closes descriptors, gives children to `Pid(0)`, emits [`KernelEvent::Exited`] and
    /// notifies the parent (SIGCHLD, wake-up). With parent `Pid(0)` it is reaped at once.
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
        let (gpus, tty) = (std::mem::take(&mut process.gpus), process.tty);
        let fds = std::mem::take(&mut process.fds);
        let children = std::mem::take(&mut process.children);
        self.enlist(cgroup, pid, false);
        self.end_editing(pid);
        self.end_listening(pid);
        if let Some(tty) = tty {
            self.give_keys_back(pid, tty);
        }
        self.count_memory(cgroup, task, &host, memory, 0);
        if self.gpu_users.remove(&pid) {
            self.wake_gpu_users(pid, &gpus);
        }
        for file in fds.values() {
            self.drop_file(*file);
        }
        for child in children {
            self.orphan(child);
        }
        self.notices.push_back(KernelEvent::Exited { pid, cgroup, task, load, status });
        if self.living(parent).is_ok() {
            self.notify_parent(parent);
        } else {
            self.remove_zombie(pid);
        }
    }

    /// Makes `Pid(0)` the parent, which reaps at once.
    fn orphan(&mut self, child: Pid) {
        if let Some(process) = self.processes.get_mut(child) {
            process.parent = Pid(0);
            if process.status.is_some() {
                self.remove_zombie(child);
            }
        }
    }

    /// Removes a reaped zombie.
    fn remove_zombie(&mut self, pid: Pid) {
        if let Some(process) = self.processes.remove(pid) {
            self.count(&process.origin, false);
            if let Some(parent) = self.processes.get_mut(process.parent) {
                parent.children.retain(|child| *child != pid);
                parent.children_cpu += process.cpu.at(Time::default()) + process.children_cpu;
            }
        }
    }

    /// `waitpid(2)` with `WNOHANG`: reaps a zombie child. `Ok(None)`: no child has ended; `ECHILD`: no
    /// children.
    pub fn wait(&mut self, pid: Pid, whom: ProcessTarget) -> Result<Option<(Pid, Status)>, Errno> {
        let children = self.living(pid)?.children.iter().filter_map(|child| self.processes.get(*child));
        let mut meant = children.filter(|child| match whom {
            ProcessTarget::Process(one) => child.pid == one,
            ProcessTarget::Group(group) => child.group == group,
            ProcessTarget::Any => true,
        });
        let first = meant.next().ok_or(Errno::ECHILD)?;
        let ended = std::iter::once(first).chain(meant).find_map(|child| Some((child.pid, child.status?)));
        if let Some((child, _)) = ended {
            self.remove_zombie(child);
        }
        Ok(ended)
    }

    /// A child that has stopped since the last call (`WUNTRACED`).
    pub fn wait_stopped(&mut self, pid: Pid) -> Option<Pid> {
        let untold = |child: &Pid| self.processes.get(*child).is_some_and(|child| child.stop_untold);
        let child = self.living(pid).ok()?.children().find(untold)?;
        self.processes.get_mut(child)?.stop_untold = false;
        Some(child)
    }

    /// Resolves paths as the process sees them, until [`Kernel::enter_login`]. Returns the previous view.
    pub fn enter_host_of(&mut self, pid: Pid, now: Time) -> HostView {
        let process = self.processes.get(pid);
        if let Some(view) = process.and_then(|process| process.view) {
            return self.fs.turn(view);
        }
        let host = process.map_or(&self.login, |process| &process.origin.host);
        let before = self.fs.enter(host, now);
        let view = self.fs.view();
        if let Some(process) = self.processes.get_mut(pid) {
            process.view = Some(view);
        }
        before
    }

    /// Resolves paths as the login node sees them: the default between slices.
    pub fn enter_login(&mut self, now: Time) {
        match self.login_view {
            Some(view) => drop(self.fs.turn(view)),
            None => {
                self.fs.enter(&self.login, now);
                self.login_view = Some(self.fs.view());
            }
        }
    }

    /// A process, including zombies.
    #[must_use]
    pub fn process(&self, pid: Pid) -> Option<&Process> {
        self.processes.get(pid)
    }

    /// A process, mutably, to set `umask`, `argv`, `tty`.
    pub fn process_mut(&mut self, pid: Pid) -> Option<&mut Process> {
        self.processes.get_mut(pid)
    }

    /// All processes including zombies, by PID.
    pub fn processes(&self) -> impl Iterator<Item = &Process> {
        self.processes.values()
    }

    /// A process that is not a zombie.
    pub(super) fn living(&self, pid: Pid) -> Result<&Process, Errno> {
        self.processes.get(pid).filter(|process| process.status.is_none()).ok_or(Errno::ESRCH)
    }

    pub(super) fn living_mut(&mut self, pid: Pid) -> Result<&mut Process, Errno> {
        self.processes.get_mut(pid).filter(|process| process.status.is_none()).ok_or(Errno::ESRCH)
    }

    /// Whether a process is alive: neither a zombie nor reaped.
    #[must_use]
    pub fn alive(&self, pid: Pid) -> bool {
        self.living(pid).is_ok()
    }

    /// `setpgid(2)`.
    pub fn set_group(&mut self, pid: Pid, group: Pid) {
        if let Ok(process) = self.living_mut(pid) {
            process.group = group;
            // It may be waiting for a terminal that its new group may read.
            self.unblock(pid);
        }
    }

    /// `chdir(2)`. Resolves the path against the current directory; the result contains no symbolic links.
    pub fn chdir(&mut self, pid: Pid, path: &str) -> Result<(), Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let process = self.living(pid)?;
        let uid = process.origin.uid;
        let path = path::join(&process.cwd, path);
        let (host, now) = (process.origin.host.clone(), process.started);
        #[cfg(feature = "real-host")]
        if let Some(real_host) = self.fs.real_host_at(uid, &path) {
            return match real_host.stat(&path)?.0 {
                FileKind::Dir => {
                    self.living_mut(pid)?.cwd = path::resolve("/", &path).into();
                    Ok(())
                }
                FileKind::File | FileKind::Link | FileKind::Program | FileKind::Device => Err(Errno::ENOTDIR),
            };
        }
        let view = self.fs.enter(&host, now);
        let real = self.fs.real_path(uid, &format!("{path}/."));
        let real = real.and_then(|real| self.fs.access(uid, &real, Access::Exec).map(|()| real));
        self.fs.back(view);
        let real = real?;
        self.living_mut(pid)?.cwd = real.into();
        Ok(())
    }
}
