//! System calls on plain data: the state that processes share.
//!
//! Invariant: every live process is in exactly one state: running (returned by [`Kernel::next_ready`], until
//! its slice ends), in the ready queue, waiting, or stopped. A call with the PID of an ended process has no
//! effect or returns an error and never panics, so a process may die in the middle of its slice.

mod account;
mod bulk;
mod check;
mod descriptors;
mod editing;
mod group;
mod io;
mod login;
mod ports;
mod proc_files;
mod process;
mod pty;
mod refusals;
mod run;
mod signals;
mod terminals;
#[cfg(test)]
mod tests;
mod watch;
mod weight;

pub use account::{EXEC_COST, GpuUse, Meter, TaskAccount};
pub use bulk::Bulk;
pub use descriptors::own_descriptor;
pub use ports::Listener;
pub use process::Process;

use super::fs::{Fs, HostView, Ino};
use super::memory::MemoryBounds;
use super::tty::{Tty, TtyId};
use super::users::Users;
use super::{Fd, Hardware, KernelEvent};
use base::cow::CowMap;
use base::cow_set::CowSet;
use base::ids::{Cgroup, Pid, Uid};
use base::refusal::Refusal;
use base::time::Time;
use editing::Editing;
use group::CgroupState;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Capacity of a pipe in bytes.
pub const PIPE_SIZE: usize = 65_536;
/// Soft limit of open descriptors of a process.
pub const MAX_FDS: usize = 1024;
/// Hard limit of open descriptors.
pub const HARD_FDS: usize = 65_536;
/// Maximum processes of a user on a host, including zombies; stops fork bombs (`fork: retry: Resource
/// temporarily unavailable`).
pub const MAX_PROCESSES: u32 = 512;
/// Maximum processes on all hosts together.
pub const MAX_ALL_PROCESSES: u64 = 32_768;

/// The system state that processes share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kernel {
    /// The file system.
    pub fs: Fs,
    /// The users.
    pub users: Users,
    /// Name of the login node.
    pub login: Arc<str>,
    /// Time at which the cluster was started.
    pub since: Time,
    /// Maximum processes of a user on the login node (root is exempt).
    pub login_processes: u32,
    /// `$SLURM_TMPDIR` of jobs, with `%u` and `%j` for user and job ID.
    pub job_tmp: Option<String>,
    /// What processes may hold. The same in every session; tests set smaller ones.
    #[serde(skip)]
    pub memory_bounds: MemoryBounds,
    processes: CowMap<Pid, Process>,
    files: CowMap<u32, OpenFile>,
    pipes: BTreeMap<u32, Pipe>,
    ttys: BTreeMap<TtyId, Tty>,
    ready: VecDeque<Pid>,
    notices: VecDeque<KernelEvent>,
    /// Waiting processes by resource; consistent with [`Process`]'s own list.
    waiters: BTreeSet<(WaitResource, Pid)>,
    /// Watched descriptors that may have input, by process. Unknown after a session was restored.
    #[serde(skip)]
    news: BTreeMap<Pid, BTreeSet<Fd>>,
    /// How many times a descriptor was read, or checked or registered for a wait. For tests of the work of a wake-up.
    #[serde(skip)]
    pub descriptor_checks: u64,
    /// Number of processes by user and host, including zombies.
    counts: CowSet<(Uid, Arc<str>, u32)>,
    /// Cgroups with live processes or with usage still to be read.
    groups: CowMap<Cgroup, CgroupState>,
    /// Resident memory by host, MiB.
    memory: BTreeMap<Arc<str>, u64>,
    /// Hardware by host.
    hardware: Arc<BTreeMap<Arc<str>, Hardware>>,
    /// Processes that use a GPU.
    gpu_users: BTreeSet<Pid>,
    /// Running editors.
    editing: Vec<Editing>,
    /// See [`Kernel::note_refusal`].
    #[serde(skip)]
    refusals: Vec<(TtyId, Refusal)>,
    /// Listening sockets.
    listeners: Vec<Listener>,
    /// The login node's view of the file system.
    login_view: Option<HostView>,
    next_pid: u32,
    next_file: u32,
    next_pipe: u32,
    next_tty: u32,
    /// State of the `/dev/urandom` generator.
    random: u64,
}

/// An open file description, shared by descriptors after `dup` and `fork`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenFile {
    what: FileTarget,
    refs: u32,
    readable: bool,
    writable: bool,
    append: bool,
    offset: u64,
}

/// The target of an open file description.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum FileTarget {
    Inode(Ino),
    PipeRead(u32),
    PipeWrite(u32),
    Tty(TtyId),
    Null,
    Zero,
    Full,
    Urandom,
    /// The other end of a terminal. New variants come after the others, because saved sessions store the index of the variant.
    Master(TtyId),
    /// A file of the machine that the simulation runs on.
    #[cfg(feature = "real-host")]
    RealHost(#[serde(skip)] u32),
}

/// What a process can wait for, besides timers and explicit wake-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum WaitResource {
    /// Data in a pipe, or its last writer closed.
    PipeRead(u32),
    /// Space in a pipe, or its last reader closed.
    PipeWrite(u32),
    /// Terminal input.
    Tty(TtyId),
    /// Like `PipeRead`, for the descriptor of a process that watches the pipe. New variants come last, because saved
    /// sessions store the index of the variant.
    Watched { pipe: u32, fd: Fd },
    /// Output of a terminal, for its master.
    Master(TtyId),
}

/// A pipe. An end is closed when no open file description refers to it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Pipe {
    data: VecDeque<u8>,
    readers: u32,
    writers: u32,
    /// It stands for the terminal of a client on the machine that the simulation runs on.
    #[cfg(feature = "real-host")]
    #[serde(skip)]
    terminal: bool,
}

/// Flags of `open(2)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct OpenFlags {
    pub read: bool,
    pub write: bool,
    pub append: bool,
    pub create: bool,
    pub truncate: bool,
    /// Fail if the file exists (`O_EXCL`, bash's noclobber).
    pub exclusive: bool,
}

/// The target of `kill` and `wait`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProcessTarget {
    /// One process.
    Process(Pid),
    /// A process group.
    Group(Pid),
    /// For `wait`: any child.
    Any,
}

/// The next number from `next` on that is not `taken`; numbers wrap around after 2^32.
fn fresh(next: &mut u32, taken: impl Fn(u32) -> bool) -> u32 {
    loop {
        let number = *next;
        *next = next.checked_add(1).unwrap_or(1);
        if !taken(number) {
            return number;
        }
    }
}
