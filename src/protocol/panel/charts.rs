//! Charts panel: cluster usage over time from slurmdbd's records.

use crate::Micros;
use serde::{Deserialize, Serialize};

/// The time range of the charts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChartsWindow {
    /// Seconds; 0: everything.
    pub seconds: u32,
    /// Its end; `None` follows the present.
    pub until: Option<Micros>,
}

/// Time series over equal intervals, and totals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChartsPicture {
    /// Start of the first interval.
    pub from: Micros,
    /// Length of an interval, microseconds.
    pub step: Micros,
    /// End of the last interval.
    pub until: Micros,
    /// Mean CPUs in use per interval.
    pub cpus: Vec<f64>,
    /// Mean memory in use per interval, MiB.
    pub memory: Vec<f64>,
    /// Mean GPUs in use per interval.
    pub gpus: Vec<f64>,
    /// Current totals of the cluster: CPUs, MiB, GPUs.
    pub totals: [f64; 3],
    /// Mean number of running jobs.
    pub running: Vec<f64>,
    /// Mean number of eligible pending jobs.
    pub waiting: Vec<f64>,
    /// Job starts per interval.
    pub starts: Vec<u32>,
    /// Job ends per interval.
    pub ends: Vec<u32>,
    /// Wait times of started jobs, by partition.
    pub waits: Vec<WaitRow>,
    /// CPU time by user, largest first.
    pub users: Vec<UseRow>,
    /// CPU time by account, largest first.
    pub accounts: Vec<UseRow>,
    /// Whether jobs older than the records that were read may overlap the time range.
    pub cut: bool,
}

/// Wait times of a partition's jobs, seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct WaitRow {
    pub partition: String,
    /// Number of started jobs.
    pub jobs: u32,
    pub median: i64,
    /// The ninth decile.
    pub ninth: i64,
    pub longest: i64,
}

/// Usage of one user or account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct UseRow {
    pub name: String,
    /// Index into `Started::users`, for the hue; `None` for accounts.
    pub user_index: Option<u32>,
    pub cpu_seconds: f64,
    pub gpu_seconds: f64,
    pub jobs: u32,
}
