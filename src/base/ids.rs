//! Identifiers: newtypes over integers, so the compiler keeps job, node and user numbers apart.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub $inner);
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl From<$name> for u64 {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }
    )*};
}

ids! {
    /// A job ID; numbering starts at `FirstJobId`.
    JobId(u32);
    /// A node's index in the configuration.
    NodeId(u32);
    /// A partition's index in the configuration.
    PartId(u32);
    /// An association of cluster, account, user and partition in slurmdbd.
    AssocId(u32);
    /// A reservation, numbered in order of creation.
    ResvId(u32);
    /// A quality of service in slurmdbd.
    QosId(u32);
    /// A Unix user ID.
    Uid(u32);
    /// A Unix group ID; a user's private group has the user's number.
    Gid(u32);
    /// A Unix process ID; unique across the hosts of a cluster.
    Pid(u32);
    /// A cgroup: the processes of one step on one node, as slurmd tracks them; 0 means none.
    Cgroup(u32);
    /// A record of the accounting database, numbered in order of creation.
    DbIndex(u64);
}

/// The record's index in the order of creation; `usize::MAX` beyond the word size.
impl From<DbIndex> for usize {
    fn from(i: DbIndex) -> Self {
        Self::try_from(i.0).unwrap_or(Self::MAX)
    }
}

/// Identifies a step within a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum StepNum {
    /// The batch script.
    Batch,
    /// The step of an interactive allocation (`salloc` with `LaunchParameters=use_interactive_step`).
    Interactive,
    /// The external step (`PrologFlags=contain`).
    Extern,
    /// A regular step, started by `srun`.
    Number(u32),
}

impl fmt::Display for StepNum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Batch => f.write_str("batch"),
            Self::Interactive => f.write_str("interactive"),
            Self::Extern => f.write_str("extern"),
            Self::Number(n) => n.fmt(f),
        }
    }
}

/// A job step; displays as `12.batch` or `12.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StepId {
    /// The job.
    pub job: JobId,
    /// The step within it.
    pub step: StepNum,
}

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.job, self.step)
    }
}
