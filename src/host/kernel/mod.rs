//! System calls on plain data: what all processes share, and its rooms.
//!
//! Every process that lives is in exactly one of these: running (popped by [`Kernel::next_ready`], until its slice
//! ends), in the ready queue, waiting, or stopped. A call with the number of a process that is gone does nothing
//! or gives an error; it never fails otherwise, so that a process may die in the middle of its slice.

mod account;
mod bulk;
mod check;
mod descriptors;
mod editing;
mod group;
mod io;
mod login;
mod ports;
mod process;
mod run;
mod signals;
mod terminals;
#[cfg(test)]
mod tests;
mod weight;

pub use account::{Account, EXEC_COST, GpuUse, Meter};
pub use bulk::Bulk;
pub use descriptors::own_descriptor;
pub use ports::Listener;
pub use process::Process;

use super::fs::{Fs, Ino, View};
use super::tty::{Tty, TtyId};
use super::users::Users;
use super::{Hardware, Notice};
use crate::base::cow::CowMap;
use crate::base::cow_set::CowSet;
use crate::base::ids::{Cgroup, Pid, Uid};
use crate::base::time::Time;
use editing::Editing;
use group::Group;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Bytes a pipe holds.
pub const PIPE_SIZE: usize = 65_536;
/// Open descriptors of a process.
pub const MAX_FDS: usize = 1024;
/// Most open descriptors of a process that raises its limit.
pub const HARD_FDS: usize = 65_536;
/// Processes of one user on one host, zombies too: what stops a fork bomb (`fork: retry: Resource temporarily
/// unavailable`).
pub const MAX_PROCESSES: u32 = 512;
/// Processes of all users on all hosts.
pub const MAX_ALL_PROCESSES: u64 = 32_768;

/// Everything that processes share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kernel {
    /// The file system.
    pub fs: Fs,
    /// The people.
    pub users: Users,
    /// The login node's name.
    pub login: Arc<str>,
    /// When the cluster was started.
    pub since: Time,
    /// Processes of one user on the login node (root is exempt).
    pub login_processes: u32,
    /// `$SLURM_TMPDIR` of jobs, with `%u` and `%j` for user and job.
    pub job_tmp: Option<String>,
    processes: CowMap<Pid, Process>,
    files: CowMap<u32, OpenFile>,
    pipes: BTreeMap<u32, Pipe>,
    ttys: BTreeMap<TtyId, Tty>,
    ready: VecDeque<Pid>,
    notices: VecDeque<Notice>,
    /// Who waits for what; kept in step with [`Process`]'s own list.
    waiters: BTreeSet<(Resource, Pid)>,
    /// Processes of each user on each host, zombies too.
    counts: CowSet<(Uid, Arc<str>, u32)>,
    /// Tracking groups that somebody lives in or asks about.
    groups: CowMap<Cgroup, Group>,
    /// Resident memory on each host, MiB.
    memory: BTreeMap<Arc<str>, u64>,
    /// What hosts are made of.
    hardware: Arc<BTreeMap<Arc<str>, Hardware>>,
    /// Who uses a GPU.
    gpu_users: BTreeSet<Pid>,
    /// Editors that were called.
    editing: Vec<Editing>,
    /// Who listens on a port.
    listeners: Vec<Listener>,
    /// What the login node sees.
    login_view: Option<View>,
    next_pid: u32,
    next_file: u32,
    next_pipe: u32,
    next_tty: u32,
    /// Where the stream of `/dev/urandom` stands.
    random: u64,
}

/// An open file description, shared by descriptors after `dup` and `fork`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenFile {
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
    Urandom,
}

/// What a wait can hang on, besides moments and being woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Resource {
    /// Bytes in a pipe, or its last writer gone.
    PipeRead(u32),
    /// Room in a pipe, or its last reader gone.
    PipeWrite(u32),
    /// Something typed.
    Tty(TtyId),
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

/// The next number from `next` on that is not `taken`; numbers come round after 2^32.
fn fresh(next: &mut u32, taken: impl Fn(u32) -> bool) -> u32 {
    loop {
        let number = *next;
        *next = next.checked_add(1).unwrap_or(1);
        if !taken(number) {
            return number;
        }
    }
}
