//! States and exit codes of jobs and steps, shared by the controller, the database and the commands.

use serde::{Deserialize, Serialize};

/// The base state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum JobState {
    Pending,
    Running,
    Suspended,
    Complete,
    Cancelled,
    Failed,
    Timeout,
    NodeFail,
    Preempted,
    BootFail,
    Deadline,
    OutOfMemory,
}

/// `code:signal`, as `ExitCode` shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ExitCode {
    pub code: u8,
    pub signal: u8,
}

impl JobState {
    /// `RUNNING`.
    #[must_use]
    pub const fn long(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Running => "RUNNING",
            Self::Suspended => "SUSPENDED",
            Self::Complete => "COMPLETED",
            Self::Cancelled => "CANCELLED",
            Self::Failed => "FAILED",
            Self::Timeout => "TIMEOUT",
            Self::NodeFail => "NODE_FAIL",
            Self::Preempted => "PREEMPTED",
            Self::BootFail => "BOOT_FAIL",
            Self::Deadline => "DEADLINE",
            Self::OutOfMemory => "OUT_OF_MEMORY",
        }
    }

    /// `R`.
    #[must_use]
    pub const fn compact(self) -> &'static str {
        match self {
            Self::Pending => "PD",
            Self::Running => "R",
            Self::Suspended => "S",
            Self::Complete => "CD",
            Self::Cancelled => "CA",
            Self::Failed => "F",
            Self::Timeout => "TO",
            Self::NodeFail => "NF",
            Self::Preempted => "PR",
            Self::BootFail => "BF",
            Self::Deadline => "DL",
            Self::OutOfMemory => "OOM",
        }
    }

    /// Whether the job has ended.
    #[must_use]
    pub const fn ended(self) -> bool {
        !matches!(self, Self::Pending | Self::Running | Self::Suspended)
    }
}

impl std::fmt::Display for ExitCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.code, self.signal)
    }
}
