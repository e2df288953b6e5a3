//! Identifiers. Plain numbers in named coats, so that a job is never taken for a node.

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
    /// A job's number, from `FirstJobId` on.
    JobId(u32);
    /// A node's place in the configuration.
    NodeId(u32);
    /// A partition's place in the configuration.
    PartId(u32);
    /// An association of cluster, account, user and partition in slurmdbd.
    AssocId(u32);
    /// A reservation, in the order in which they were made.
    ResvId(u32);
    /// A quality of service in slurmdbd.
    QosId(u32);
    /// A Unix user's number.
    Uid(u32);
    /// A Unix group's number; a person's own group has the person's number.
    Gid(u32);
    /// A Unix process' number; unique over all hosts of a cluster.
    Pid(u32);
    /// A group of processes that slurmd tracks together (a step on a node); 0 is none.
    Cgroup(u32);
    /// A record of the accounting database, in the order in which they were made.
    DbIndex(u64);
}

/// Which step of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum StepNum {
    /// The batch script.
    Batch,
    /// The step of an interactive allocation (`salloc` with `LaunchParameters=use_interactive_step`).
    Interactive,
    /// The external step (`PrologFlags=contain`).
    Extern,
    /// One `srun`.
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

/// A step of a job; prints as `12.batch` or `12.0`.
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
