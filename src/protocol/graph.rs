//! What waits for what, and arrays by their tasks.

use serde::{Deserialize, Serialize};

/// Jobs that wait for others or are waited for, and the arrays that slurmctld has in memory. An array is one job here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphPicture {
    /// As they were come upon, those behind the newest dependencies first.
    pub jobs: Vec<GraphJob>,
    /// What they wait for.
    pub edges: Vec<GraphEdge>,
    /// There is more than is sent.
    pub cut: bool,
    /// The newest first.
    pub arrays: Vec<ArrayRow>,
    /// The array whose tasks follow: the one that was asked for, else the newest.
    pub open: Option<u32>,
    /// Its first tasks and their states, as squeue's short codes; empty: nobody knows any more.
    pub tasks: Vec<(u32, String)>,
}

/// A job, or an array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GraphJob {
    /// `12`, `12_[1-4]`: as squeue calls it.
    pub id: String,
    /// The number that `sbatch` printed.
    pub job: u32,
    pub name: String,
    pub user: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// squeue's short code.
    pub state: String,
    /// Why it waits; empty where it does not.
    pub reason: String,
}

/// One waits for another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphEdge {
    /// Who is waited for: index into the jobs.
    pub from: u32,
    /// Who waits.
    pub to: u32,
    /// `afterok`, `after+5`, `aftercorr`, `singleton`.
    pub kind: String,
    /// How it stands.
    pub standing: EdgeStanding,
    /// One of several is enough (`?`).
    pub any: bool,
}

/// How a dependency stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EdgeStanding {
    /// It holds.
    Satisfied,
    /// Not yet.
    Waiting,
    /// It never will.
    Never,
}

/// An array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ArrayRow {
    pub job: u32,
    pub name: String,
    pub user: String,
    pub user_index: u32,
    /// As submitted.
    pub count: u32,
    /// `%N`; 0: no limit.
    pub throttle: u32,
    pub pending: u32,
    pub running: u32,
}
