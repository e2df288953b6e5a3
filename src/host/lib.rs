//! A simulated Unix as plain data: users, files, processes, pipes, terminals and signals.
//!
//! Invariants: [`Kernel`] holds what processes share; the engine runs each process's program in slices that
//! end with a [`SliceEnd`]. A call that would block returns [`Errno::EAGAIN`]. The program then returns
//! `Step::Wait` and runs again when the condition may hold, so it must retry and never assume.
//!
//! Deliberate differences: one file tree for all hosts, owner/group/other permissions without ACLs, no memory
//! pages, and only the devices null, zero, full, tty and urandom.

pub mod errno;
pub mod fs;
pub mod hardware;
pub mod kernel;
pub mod mail;
pub mod memory;
pub mod model;
pub mod path;
#[cfg(feature = "real-host")]
pub mod real_host;
pub mod scripts;
pub mod tty;
pub mod users;

pub use base::process::{Env, Exec, Fd, Status};
pub use base::signal::{self, Signal};
pub use errno::Errno;
pub use hardware::{Gpu, Hardware};
pub use kernel::Kernel;

use base::ids::{Cgroup, Pid, Uid};
use base::time::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a process waits for. It runs again when the condition may hold, or when a signal that it catches
/// arrives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wait {
    /// Data or end of file on this descriptor.
    Readable(Fd),
    /// Space in the pipe of this descriptor, or no reader left.
    Writable(Fd),
    /// A child to end or stop.
    Child,
    /// A point in time.
    Until(Time),
    /// A signal (`pause`), or [`Kernel::wake`] (for example, a response of slurmctld).
    Wakeup,
    /// Any of these conditions.
    Any(Vec<Wait>),
    /// Data or end of file in a pipe that the process watches ([`Kernel::watch`]). New variants come last, because saved
    /// sessions store the index of the variant.
    Watched,
}

/// How a slice of a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SliceEnd {
    /// The slice is used up; there is more to do.
    Again,
    /// The process waits.
    Wait(Wait),
    /// The process ends with this status.
    Exit(Status),
    /// The process executes another program.
    Exec(Exec),
}

/// The identity of a process; children inherit it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessOrigin {
    /// The user.
    pub uid: Uid,
    /// The host: name of the login node or of a compute node.
    pub host: Arc<str>,
    /// The cgroup; `Cgroup(0)` outside jobs.
    pub cgroup: Cgroup,
}

/// An event for the engine, in order; drained by [`Kernel::take_notices`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KernelEvent {
    /// A process became a zombie or was reaped at once; the engine can drop its program.
    Exited {
        /// The process.
        pid: Pid,
        /// Its cgroup.
        cgroup: Cgroup,
        /// Its task.
        task: Pid,
        /// Its load in hundredths of a CPU; [`Kernel::end_load`] removes it from the task's account.
        load: u32,
        /// Its exit status.
        status: Status,
    },
    /// A process was stopped by a signal or continued.
    Stopped {
        /// The process.
        pid: Pid,
        /// Whether it stopped.
        yes: bool,
    },
    /// A timer: the process must be woken at this time unless `ticket` is stale (see [`Kernel::alarm`]).
    Alarm {
        /// The time.
        at: Time,
        /// The process.
        pid: Pid,
        /// The wait that the timer belongs to.
        ticket: u32,
    },
}
