//! The simulated Unix: users, files, processes, pipes, terminals and signals, as plain data.
//!
//! [`Kernel`] keeps what every process shares; what a process *does* (its program) lives above, in
//! `world`, which calls it in slices and gets a [`Step`] back. A call that would block returns
//! [`Errno::EAGAIN`]; the caller then returns `Step::Wait` and is run again when the thing it waits
//! for may have changed (so a woken program must try again, never assume).
//!
//! On purpose unlike Unix: one file system for all hosts, permissions of owner/group/others without
//! ACLs, no memory pages, no devices but null, zero, full, tty and urandom.

pub mod errno;
pub mod fs;
pub mod hardware;
pub mod kernel;
pub mod mail;
pub mod model;
pub mod path;
pub mod scripts;
pub mod signal;
pub mod tty;
pub mod users;

pub use errno::Errno;
pub use hardware::{Gpu, Hardware};
pub use kernel::Kernel;
pub use signal::Signal;

use crate::base::ids::{Cgroup, Pid, Uid};
use crate::base::time::Time;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file descriptor of a process.
pub type Fd = u32;

/// Environment variables, sorted by name.
pub type Env = BTreeMap<String, String>;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// `exit(code)`, 0 to 255.
    Exited(u8),
    /// Killed by a signal.
    Signaled(Signal),
}

impl Status {
    /// What a shell shows in `$?`: the code, or 128 and the signal's number.
    #[must_use]
    pub const fn shell_code(self) -> u8 {
        match self {
            Self::Exited(code) => code,
            Self::Signaled(signal) => 128 + signal.number(),
        }
    }
}

/// What a process waits for. It is run again when that may have come true, or a signal that it
/// catches arrives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wait {
    /// Bytes, or the end, on this descriptor.
    Readable(Fd),
    /// Room, or no more reader, behind this descriptor.
    Writable(Fd),
    /// A child's end or stop.
    Child,
    /// A moment.
    Until(Time),
    /// A signal (`pause`), or being woken by [`Kernel::wake`] (an answer of slurmctld, say).
    Wakeup,
    /// Any of these.
    Any(Vec<Wait>),
}

/// What a program's slice ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It used up its slice and has more to do.
    Again,
    /// It waits.
    Wait(Wait),
    /// It ends with this status.
    Exit(Status),
    /// It becomes another program (`exec`).
    Exec(Exec),
}

/// A program to be executed: what `execve` takes, the path already found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exec {
    /// Absolute path of the file.
    pub path: String,
    /// Arguments; the first is the name it was called by.
    pub argv: Vec<String>,
    /// Its environment.
    pub env: Arc<Env>,
}

/// What a new process is to be told apart by; inherited by its children.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Whose it is.
    pub uid: Uid,
    /// On which host: the login node's or a compute node's name.
    pub host: Arc<str>,
    /// slurmd's tracking group, `Cgroup(0)` outside of jobs.
    pub cgroup: Cgroup,
}

/// What the kernel tells the world about, in order; drained by [`Kernel::take_notices`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notice {
    /// A process became a zombie or was reaped at once; its program can be dropped.
    Exited {
        /// Which.
        pid: Pid,
        /// Its tracking group.
        cgroup: Cgroup,
        /// Its task.
        task: Pid,
        /// Hundredths of a CPU that it kept busy until now; the task's account is told by [`Kernel::end_load`].
        load: u32,
        /// How.
        status: Status,
    },
    /// A signal stopped a process, or it goes on.
    Stopped {
        /// Which.
        pid: Pid,
        /// It stopped.
        yes: bool,
    },
    /// A process must be woken at a moment, unless `ticket` is stale by then (see [`Kernel::alarm`]).
    Alarm {
        /// When.
        at: Time,
        /// Which.
        pid: Pid,
        /// The wait it belongs to.
        ticket: u32,
    },
}
