//! The cluster over time, as slurmdbd's records tell it.

use super::Micros;
use serde::{Deserialize, Serialize};

/// Series over equal spans of time, and sums over all of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChartsPicture {
    /// Where the first span begins.
    pub from: Micros,
    /// Microseconds of a span.
    pub step: Micros,
    /// The moment of the picture; the last span ends there.
    pub until: Micros,
    /// Mean in each span ...
    pub cpus: Vec<f64>,
    /// ... in MiB ...
    pub memory: Vec<f64>,
    /// ... and of GPUs.
    pub gpus: Vec<f64>,
    /// What the cluster has now: CPUs, MiB, GPUs.
    pub totals: [f64; 3],
    /// Mean number of jobs that run ...
    pub running: Vec<f64>,
    /// ... and of jobs that could run and wait.
    pub waiting: Vec<f64>,
    /// Jobs that started in each span ...
    pub starts: Vec<u32>,
    /// ... and that ended.
    pub ends: Vec<u32>,
    /// Waits of jobs that started, by partition.
    pub waits: Vec<WaitRow>,
    /// CPU time by user, the most first ...
    pub users: Vec<UseRow>,
    /// ... and by account.
    pub accounts: Vec<UseRow>,
    /// Older records than those that were looked at may reach into it.
    pub cut: bool,
}

/// How long jobs of a partition waited; seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct WaitRow {
    pub partition: String,
    pub jobs: u32,
    pub median: i64,
    pub ninth: i64,
    pub longest: i64,
}

/// Who used how much.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct UseRow {
    pub name: String,
    /// Index into `Started::users`, for the hue; accounts have none.
    pub user_index: Option<u32>,
    pub cpu_seconds: f64,
    pub gpu_seconds: f64,
    pub jobs: u32,
}
