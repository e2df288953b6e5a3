//! One job, for the inspector.

use super::Micros;
use serde::{Deserialize, Serialize};

/// A job's details.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct JobDetail {
    pub id: String,
    /// slurmctld has forgotten it: this is what slurmdbd kept.
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
    /// What it ended with, and the signal that ended it.
    pub exit_code: u8,
    pub exit_signal: u8,
    /// Who cancelled it.
    pub cancelled_by: String,
    /// How often it went back to the queue.
    pub restarts: u32,
    /// Earlier runs of it, the oldest first.
    pub runs: Vec<Run>,
    pub pushed: Option<Pushed>,
    pub used: Option<Used>,
    pub priority: u32,
    /// What it waits for: the kind (`afterok`), the job (empty: those of the same name), how that stands.
    pub depends_on: Vec<(String, String, DependsOn)>,
    /// Jobs that wait for it.
    pub needed_by: Vec<String>,
    pub array: Option<ArrayPlace>,
    /// The command that submits it anew with more of what it lacked.
    pub again: Option<String>,
    pub submit_line: String,
    pub submit: Micros,
    pub eligible: Option<Micros>,
    pub start: Option<Micros>,
    pub end: Option<Micros>,
    pub limit_seconds: i64,
    pub requested: String,
    pub allocated: String,
    pub nodes: String,
    pub work_dir: String,
    pub comment: String,
    pub script: String,
    pub stdout_path: String,
    /// The last lines of its output file.
    pub stdout_tail: String,
    pub stderr_path: String,
    pub stderr_tail: String,
}

/// An earlier run of a job that went back to the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Run {
    pub submit: Micros,
    pub start: Micros,
    pub end: Option<Micros>,
    /// Why it ended: `PREEMPTED`, `NODE_FAIL`, `REQUEUED`.
    pub state: String,
    pub nodes: String,
}

/// For whom a job had to make way the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pushed {
    /// The job that needed its place, as its id is written.
    pub by: String,
    /// Seconds between the first signal and the end.
    pub grace: u32,
    /// These are not over.
    pub leaving: bool,
}

/// What a job used of what it had, as `sstat` and `sacct` know it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Used {
    /// Seconds that it ran.
    pub elapsed: i64,
    /// CPU seconds used, and CPU seconds that it could have used.
    pub cpu_seconds: i64,
    pub cpu_most: i64,
    pub cpus: u32,
    /// Memory at its peak and what was given, KiB.
    pub memory: u64,
    pub memory_most: u64,
}

/// How a dependency stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum DependsOn {
    Waits,
    Holds,
    Never,
}

/// A job's place in its array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ArrayPlace {
    /// The array's id.
    pub array: u32,
    /// Its own task; none: it stands for those that wait.
    pub task: Option<u32>,
    pub tasks: u32,
    pub waiting: u32,
    pub running: u32,
    /// Tasks at once; 0: no limit.
    pub throttle: u32,
    /// Tasks that have a record of their own, at most 40: task, id and state.
    pub known: Vec<(u32, String, String)>,
}
