//! One job, for the inspector.

use super::Micros;
use serde::{Deserialize, Serialize};

/// Details of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct JobDetail {
    pub id: String,
    /// slurmctld has purged it: this is slurmdbd's record.
    pub forgotten: bool,
    pub job: u32,
    pub name: String,
    pub user: String,
    pub account: String,
    pub partition: String,
    pub qos: String,
    pub state: String,
    pub reason: String,
    pub exit: String,
    /// Exit code and terminating signal.
    pub exit_code: u8,
    pub exit_signal: u8,
    /// The user who cancelled it.
    pub cancelled_by: String,
    /// Number of requeues.
    pub restarts: u32,
    /// Earlier runs, oldest first.
    pub runs: Vec<JobRun>,
    pub pushed: Option<JobPreemption>,
    pub used: Option<JobUsage>,
    pub priority: u32,
    /// Dependencies: type (`afterok`), job (empty for singleton), state.
    pub depends_on: Vec<(String, String, DependencyState)>,
    /// Dependent jobs.
    pub needed_by: Vec<String>,
    pub array: Option<ArrayMembership>,
    /// Command that resubmits it with more of the resource it ran out of.
    pub again: Option<String>,
    pub submit_line: String,
    pub submit: Micros,
    pub eligible: Option<Micros>,
    pub start: Option<Micros>,
    pub end: Option<Micros>,
    /// Time limit in seconds; -1 means none.
    pub limit_seconds: i64,
    pub requested: String,
    pub allocated: String,
    pub nodes: String,
    pub work_dir: String,
    pub comment: String,
    pub script: String,
    pub stdout_path: String,
    /// The end of its output file.
    pub stdout_tail: String,
    pub stderr_path: String,
    pub stderr_tail: String,
}

/// An earlier run of a requeued job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct JobRun {
    pub submit: Micros,
    pub start: Micros,
    pub end: Option<Micros>,
    /// Why it ended: `PREEMPTED`, `NODE_FAIL`, `REQUEUED`.
    pub state: String,
    pub nodes: String,
}

/// The last preemption of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobPreemption {
    /// ID of the preempting job.
    pub by: String,
    /// Seconds between SIGTERM and the end.
    pub grace: u32,
    /// The grace time has not expired.
    pub leaving: bool,
}

/// Resources used and allocated, as `sstat` and `sacct` report them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct JobUsage {
    /// Run time in seconds.
    pub elapsed: i64,
    /// CPU seconds used.
    pub cpu_seconds: i64,
    /// CPU seconds allocated: CPUs times run time.
    pub cpu_most: i64,
    pub cpus: u32,
    /// Peak memory, KiB.
    pub memory: u64,
    /// KiB allocated.
    pub memory_most: u64,
}

/// State of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum DependencyState {
    Waits,
    Holds,
    Never,
}

/// A job's task within its array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ArrayMembership {
    /// The array's job ID.
    pub array: u32,
    /// Its task; `None` for the record of the pending tasks.
    pub task: Option<u32>,
    /// Number of tasks submitted.
    pub tasks: u32,
    pub waiting: u32,
    pub running: u32,
    /// Task throttle; 0: no limit.
    pub throttle: u32,
    /// Tasks with records of their own (at most 40): task, id and state.
    pub known: Vec<(u32, String, String)>,
}
