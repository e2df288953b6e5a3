//! What a real cluster did with a workload: the recorded half of a trace that `sandbatch import` wrote.
//!
//! A replay decides by itself when jobs start. It takes from here what users and machines did (how long each run took, who
//! cancelled, which nodes were down), and comparisons take the recorded starts and ends. [`super::events`] has the text
//! format.

use base::state::JobState;
use base::time::Span;

/// One run of a job: from a start to the end or requeue that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedRun {
    /// Start, since the trace's beginning.
    pub start: Span,
    /// End or requeue; none: it was still running when the history was exported.
    pub end: Option<Span>,
    /// How the run ended. A run before the last one: `Preempted`, `NodeFail`, or `Pending` after `scontrol requeue`.
    pub state: JobState,
}

/// What the cluster recorded of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedJob {
    /// Its number there (`JobIDRaw`). Dependencies of other jobs refer to it.
    pub job: u32,
    /// The array's number and the task.
    pub array: Option<(u32, u32)>,
    /// The heterogeneous job's first number and the component.
    pub het: Option<(u32, u32)>,
    /// When it could have started at the earliest, since the trace's beginning.
    pub eligible: Option<Span>,
    /// Its runs in order; empty: it never started.
    pub runs: Vec<RecordedRun>,
    /// The end, also of a job that never started.
    pub end: Option<Span>,
    /// The state when the history was exported.
    pub state: JobState,
    /// Allocated CPUs in the last run.
    pub cpus: u32,
    /// Allocated nodes in the last run, as a host list; empty if not recorded.
    pub nodes: String,
    /// What it asked for or waited for beside resources, separated by commas: `dependency`, `reservation`, `hold`, `begin`,
    /// or the reason that Slurm recorded last.
    pub waited_for: String,
    /// It was submitted before the recorded window began. It occupies the cluster, and comparisons leave it out.
    pub warm_up: bool,
}

impl RecordedJob {
    /// The time from the moment the job could have started to its first start.
    #[must_use]
    pub fn wait(&self, submit: Span) -> Option<Span> {
        let from = self.eligible.map_or(submit, |at| at.max(submit));
        self.runs.first().map(|run| Span((run.start.0 - from.0).max(0)))
    }
}

/// A change of nodes that did not come from jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedNodeChange {
    /// When, since the trace's beginning.
    pub at: Span,
    /// A host list.
    pub nodes: String,
    /// `DOWN`, `DRAIN` or `RESUME`.
    pub state: String,
    /// As recorded.
    pub reason: String,
}

/// All states, as sacct names them.
const STATES: [JobState; 12] = [
    JobState::Pending,
    JobState::Running,
    JobState::Suspended,
    JobState::Complete,
    JobState::Cancelled,
    JobState::Failed,
    JobState::Timeout,
    JobState::NodeFail,
    JobState::Preempted,
    JobState::BootFail,
    JobState::Deadline,
    JobState::OutOfMemory,
];

/// The state with this long name: `COMPLETED`.
#[must_use]
pub fn state_named(text: &str) -> Option<JobState> {
    STATES.into_iter().find(|state| state.long() == text)
}
