//! Preemption panel.

use crate::Micros;
use serde::{Deserialize, Serialize};

/// The last preemptions, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreemptPicture {
    /// The rows.
    pub rows: Vec<PreemptRow>,
    /// `PreemptType`, `PreemptMode` and `PreemptExemptTime` from slurm.conf.
    pub rules: [String; 3],
    /// Whether preemption is enabled.
    pub on: bool,
}

/// One preemption.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct PreemptRow {
    pub at: Micros,
    pub victim: PreemptJob,
    /// The preempting job.
    pub by: PreemptJob,
    /// `REQUEUE`, `CANCEL`, `SUSPEND`.
    pub mode: String,
    /// Seconds between SIGTERM and the end.
    pub grace: u32,
}

/// A job of the pair, in its current state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct PreemptJob {
    pub id: String,
    pub job: u32,
    pub user: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// squeue's short state code; empty if slurmctld has purged it.
    pub state: String,
    /// Number of requeues.
    pub restarts: u32,
    /// Its last start.
    pub start: Option<Micros>,
}
