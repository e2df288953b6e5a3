//! Dependencies panel: the dependency graph and job arrays.

use serde::{Deserialize, Serialize};

/// Jobs with dependencies or dependents, and the arrays in slurmctld's memory. An array counts as one job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphPicture {
    /// In traversal order, starting from the newest dependencies.
    pub jobs: Vec<GraphJob>,
    /// Dependencies between these jobs.
    pub edges: Vec<GraphEdge>,
    /// Whether there is more than was sent.
    pub cut: bool,
    /// Newest first.
    pub arrays: Vec<ArrayRow>,
    /// The array whose tasks follow: the requested one, or the newest.
    pub open: Option<u32>,
    /// Its first tasks with squeue's short state codes; empty if slurmctld no longer has them.
    pub tasks: Vec<(u32, String)>,
}

/// A job or an array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct GraphJob {
    /// As squeue prints it: `12`, `12_[1-4]`.
    pub id: String,
    /// The job ID that `sbatch` printed.
    pub job: u32,
    pub name: String,
    pub user: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// squeue's short state code.
    pub state: String,
    /// Pending reason; empty if it is not pending.
    pub reason: String,
}

/// A dependency of one job on another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphEdge {
    /// The job depended on: index into the jobs.
    pub from: u32,
    /// The dependent job.
    pub to: u32,
    /// `afterok`, `after+5`, `aftercorr`, `singleton`.
    pub kind: String,
    /// Its current state.
    pub state: EdgeState,
    /// Any one of several is enough (`?`).
    pub any: bool,
}

/// State of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EdgeState {
    /// Satisfied.
    Satisfied,
    /// Pending.
    Waiting,
    /// Can never be satisfied.
    Never,
}

/// A job array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ArrayRow {
    pub job: u32,
    pub name: String,
    pub user: String,
    pub user_index: u32,
    /// Number of tasks submitted.
    pub count: u32,
    /// `%N`; 0: no limit.
    pub throttle: u32,
    pub pending: u32,
    pub running: u32,
}
