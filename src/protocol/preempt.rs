//! Who pushed whom out.

use super::Micros;
use serde::{Deserialize, Serialize};

/// The last preemptions, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreemptPicture {
    /// The rows.
    pub rows: Vec<PreemptRow>,
    /// `PreemptType`, `PreemptMode` and `PreemptExemptTime` as slurm.conf says them.
    pub rules: [String; 3],
    /// Whether anybody can be preempted.
    pub on: bool,
}

/// One job made way for another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PreemptRow {
    pub at: Micros,
    pub victim: PreemptJob,
    /// For whom.
    pub by: PreemptJob,
    /// `REQUEUE`, `CANCEL`, `SUSPEND`.
    pub mode: String,
    /// Seconds between the first signal and the end.
    pub grace: u32,
}

/// One of the two, as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PreemptJob {
    pub id: String,
    pub job: u32,
    pub user: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// squeue's short code; empty: slurmctld has forgotten it.
    pub state: String,
    /// How often it went back to the queue.
    pub restarts: u32,
    /// When it last started.
    pub start: Option<Micros>,
}
