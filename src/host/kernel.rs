//! System calls on plain data.

use super::fs::{Fs, Ino};
use super::signal::{Disposition, Signal};
use super::tty::{Tty, TtyId};
use super::users::Users;
use super::{Env, Errno, Fd, Notice, Origin, Status, Wait};
use crate::base::ids::{Cgroup, Pid, Uid};
use crate::base::time::Time;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Bytes a pipe holds.
pub const PIPE_SIZE: usize = 65_536;
/// Open descriptors of a process.
pub const MAX_FDS: usize = 1024;
/// Living processes of one user on all hosts: what stops a fork bomb (`fork: retry: Resource temporarily unavailable`).
pub const MAX_PROCESSES: usize = 512;

/// Everything that processes share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kernel {
    /// The file system.
    pub fs: Fs,
    /// The people.
    pub users: Users,
    /// The login node's name.
    pub login: Arc<str>,
    processes: BTreeMap<Pid, Process>,
    files: BTreeMap<u32, OpenFile>,
    pipes: BTreeMap<u32, Pipe>,
    ttys: BTreeMap<TtyId, Tty>,
    ready: VecDeque<Pid>,
    notices: Vec<Notice>,
    next_pid: u32,
    next_file: u32,
    next_pipe: u32,
}

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
    /// Resident memory, MiB; set by program models, counted by slurmd.
    pub rss: u64,
    /// Virtual CPU time used so far, microseconds.
    pub cpu_time: i64,
    fds: BTreeMap<Fd, u32>,
    cloexec: BTreeSet<Fd>,
    dispositions: BTreeMap<Signal, Disposition>,
    pending: BTreeSet<Signal>,
    waiting: Option<Wait>,
    ticket: u32,
    stopped: bool,
    /// Set once it is a zombie.
    status: Option<Status>,
}

/// An open file description, shared by descriptors after `dup` and `fork`.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct OpenFile {
    what: Target,
    refs: u32,
    readable: bool,
    writable: bool,
    append: bool,
    offset: u64,
}

/// What an open file leads to.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Target {
    Inode(Ino),
    PipeRead(u32),
    PipeWrite(u32),
    Tty(TtyId),
    Null,
    Zero,
    Full,
}

/// A pipe; a named end is gone when no open file leads to it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Pipe {
    data: VecDeque<u8>,
    readers: u32,
    writers: u32,
}

/// How to open a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct OpenFlags {
    pub read: bool,
    pub write: bool,
    pub append: bool,
    pub create: bool,
    pub truncate: bool,
    /// Fail if it exists (`O_EXCL`, bash's noclobber).
    pub exclusive: bool,
}

/// Whom `kill` and `wait` mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Whom {
    /// One process.
    Process(Pid),
    /// A process group.
    Group(Pid),
    /// For `wait`: any child.
    Any,
}

impl Kernel {
    /// A machine with these people and their homes, `/etc/passwd`, `/etc/hostname`, and nothing running.
    #[must_use]
    pub fn new(_users: Users, _login: &str, _now: Time) -> Self {
        todo!()
    }

    // Processes

    /// Starts a process from nothing (slurmd's launch, a login): no descriptors, default signals, `parent`
    /// `Pid(0)`. It is ready to run. `EAGAIN` when the user has [`MAX_PROCESSES`].
    pub fn spawn(
        &mut self,
        _origin: Origin,
        _cwd: &str,
        _argv: Vec<String>,
        _now: Time,
    ) -> Result<Pid, Errno> {
        todo!()
    }

    /// `fork(2)`: a copy of the caller's entry, ready to run. Pending signals are not inherited.
    pub fn fork(&mut self, _pid: Pid, _now: Time) -> Result<Pid, Errno> {
        todo!()
    }

    /// Moves a fresh child to another host and tracking group (a task of a step), before it runs.
    pub fn set_origin(&mut self, _pid: Pid, _origin: Origin) {
        todo!()
    }

    /// What `execve` does to the entry: new arguments, caught signals back to default, close-on-exec
    /// descriptors closed. Ignored signals stay ignored.
    pub fn exec(&mut self, _pid: Pid, _argv: Vec<String>) {
        todo!()
    }

    /// The process ends: descriptors closed, children given to `Pid(0)`, a [`Notice::Exited`] made, the
    /// parent told (SIGCHLD, woken). With parent `Pid(0)` it is reaped at once.
    pub fn exit(&mut self, _pid: Pid, _status: Status) {
        todo!()
    }

    /// `waitpid(2)` with `WNOHANG`: reaps a zombie child. `Ok(None)`: children, none ended; `ECHILD`: none at all.
    pub fn wait(&mut self, _pid: Pid, _whom: Whom) -> Result<Option<(Pid, Status)>, Errno> {
        todo!()
    }

    /// A child that stopped since the last call (`WUNTRACED`).
    pub fn wait_stopped(&mut self, _pid: Pid) -> Option<Pid> {
        todo!()
    }

    /// A process, also a zombie.
    #[must_use]
    pub fn process(&self, _pid: Pid) -> Option<&Process> {
        todo!()
    }

    /// Its entry, to set `rss`, `cpu_time`, `umask`, `argv`, `tty`.
    pub fn process_mut(&mut self, _pid: Pid) -> Option<&mut Process> {
        todo!()
    }

    /// All processes, zombies too, by number.
    pub fn processes(&self) -> impl Iterator<Item = &Process> {
        self.processes.values()
    }

    /// Whether it runs or could (no zombie, not reaped).
    #[must_use]
    pub fn alive(&self, _pid: Pid) -> bool {
        todo!()
    }

    /// Whether any living process belongs to the tracking group.
    #[must_use]
    pub fn cgroup_alive(&self, _cgroup: Cgroup) -> bool {
        todo!()
    }

    /// `setpgid(2)`.
    pub fn set_group(&mut self, _pid: Pid, _group: Pid) {
        todo!()
    }

    /// `chdir(2)`; the path is resolved against the current directory.
    pub fn chdir(&mut self, _pid: Pid, _path: &str) -> Result<(), Errno> {
        todo!()
    }

    // Running

    /// The next process that may run; it is no longer in the queue.
    pub fn next_ready(&mut self) -> Option<Pid> {
        todo!()
    }

    /// Whether any process may run.
    #[must_use]
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// It has more to do: back to the end of the queue.
    pub fn requeue(&mut self, _pid: Pid) {
        todo!()
    }

    /// It waits. If the condition holds already (or a caught signal is pending) it stays ready. Moments
    /// become [`Notice::Alarm`]s.
    pub fn block(&mut self, _pid: Pid, _wait: Wait) {
        todo!()
    }

    /// Wakes a process whatever it waits for.
    pub fn wake(&mut self, _pid: Pid) {
        todo!()
    }

    /// An alarm rang; stale tickets are ignored.
    pub fn alarm(&mut self, _pid: Pid, _ticket: u32) {
        todo!()
    }

    /// What happened since the last call, in order.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    // Signals

    /// `kill(2)` by `sender`: `EPERM` for other people's processes (root may), `ESRCH` if there is none. With no
    /// signal only checks. The default action is carried out at once.
    pub fn kill(&mut self, _sender: Uid, _whom: Whom, _signal: Option<Signal>) -> Result<(), Errno> {
        todo!()
    }

    /// Signals every process of a tracking group, in the order of their numbers.
    pub fn kill_cgroup(&mut self, _cgroup: Cgroup, _signal: Signal) {
        todo!()
    }

    /// What the process does with a signal from now on (KILL and STOP cannot be changed).
    pub fn set_disposition(&mut self, _pid: Pid, _signal: Signal, _disposition: Disposition) {
        todo!()
    }

    /// How the process takes a signal.
    #[must_use]
    pub fn disposition(&self, _pid: Pid, _signal: Signal) -> Disposition {
        todo!()
    }

    /// The next caught signal, lowest number first.
    pub fn take_signal(&mut self, _pid: Pid) -> Option<Signal> {
        todo!()
    }

    // Descriptors

    /// `open(2)`; the path is resolved against the current directory, `mode` is masked by `umask`. The lowest free
    /// number is used.
    pub fn open(
        &mut self,
        _pid: Pid,
        _path: &str,
        _flags: OpenFlags,
        _mode: u32,
        _now: Time,
    ) -> Result<Fd, Errno> {
        todo!()
    }

    /// Opens a terminal on the lowest free number, for reading and writing.
    pub fn open_tty(&mut self, _pid: Pid, _tty: TtyId) -> Result<Fd, Errno> {
        todo!()
    }

    /// `pipe(2)`: read end, write end.
    pub fn pipe(&mut self, _pid: Pid) -> Result<(Fd, Fd), Errno> {
        todo!()
    }

    /// `dup2(2)`: `to` leads where `from` leads.
    pub fn dup2(&mut self, _pid: Pid, _from: Fd, _to: Fd) -> Result<(), Errno> {
        todo!()
    }

    /// `fcntl(F_DUPFD)`: a copy on the lowest free number from `least` on.
    pub fn dup_from(&mut self, _pid: Pid, _from: Fd, _least: Fd) -> Result<Fd, Errno> {
        todo!()
    }

    /// Closes at the next [`Kernel::exec`].
    pub fn set_cloexec(&mut self, _pid: Pid, _fd: Fd, _on: bool) {
        todo!()
    }

    /// `close(2)`.
    pub fn close(&mut self, _pid: Pid, _fd: Fd) -> Result<(), Errno> {
        todo!()
    }

    /// Passes a copy of a descriptor to another process (slurmstepd's pipes, `srun`'s terminal).
    pub fn give_fd(&mut self, _from: Pid, _fd: Fd, _to: Pid, _as_fd: Fd) -> Result<(), Errno> {
        todo!()
    }

    /// `read(2)`: at most `max` bytes, empty at the end. `EAGAIN`: nothing yet.
    pub fn read(&mut self, _pid: Pid, _fd: Fd, _max: usize) -> Result<Vec<u8>, Errno> {
        todo!()
    }

    /// `write(2)`: how many bytes went. `EAGAIN`: the pipe is full; `EPIPE`: no reader (SIGPIPE was sent).
    pub fn write(&mut self, _pid: Pid, _fd: Fd, _data: &[u8], _now: Time) -> Result<usize, Errno> {
        todo!()
    }

    /// Whether the descriptor is a terminal (`isatty`), and which.
    #[must_use]
    pub fn fd_tty(&self, _pid: Pid, _fd: Fd) -> Option<TtyId> {
        todo!()
    }

    /// The process' open descriptors.
    #[must_use]
    pub fn fds(&self, _pid: Pid) -> Vec<Fd> {
        todo!()
    }

    // Terminals

    /// A new terminal.
    pub fn new_tty(&mut self) -> TtyId {
        todo!()
    }

    /// The terminal.
    #[must_use]
    pub fn tty(&self, _tty: TtyId) -> Option<&Tty> {
        todo!()
    }

    /// The terminal, to set its foreground group or size.
    pub fn tty_mut(&mut self, _tty: TtyId) -> Option<&mut Tty> {
        todo!()
    }

    /// Somebody typed: control characters act, the rest becomes readable.
    pub fn tty_input(&mut self, _tty: TtyId, _bytes: &[u8]) {
        todo!()
    }

    /// Output since the last call.
    pub fn take_tty_output(&mut self, _tty: TtyId) -> Vec<u8> {
        todo!()
    }

    // Convenience

    /// A user's login environment on a host: HOME, USER, LOGNAME, SHELL, PATH, LANG, TERM, HOSTNAME, PWD, MAIL.
    #[must_use]
    pub fn login_env(&self, _uid: Uid, _host: &str) -> Env {
        todo!()
    }
}
