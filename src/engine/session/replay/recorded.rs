//! What a real cluster did with a workload, from a trace that `sandbatch import` wrote.
//!
//! A replay decides for itself when jobs start. It takes the actions of users and machines from here (run times,
//! cancellations, node failures), and comparisons use the recorded starts and ends. [`super::events`] documents the
//! text format.

use base::state::JobState;
use base::time::Span;

/// One run of a job, from a start to the following end or requeue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedRun {
    /// Start, relative to the trace's beginning.
    pub start: Span,
    /// End or requeue. None: it was still running when the history was exported.
    pub end: Option<Span>,
    /// How the run ended. A run before the last one: `Preempted`, `NodeFail`, or `Pending` after `scontrol requeue`.
    pub state: JobState,
}

/// What the cluster recorded about a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedJob {
    /// Its number there (`JobIDRaw`). Dependencies of other jobs refer to it.
    pub job: u32,
    /// The array's number and the task.
    pub array: Option<(u32, u32)>,
    /// The heterogeneous job's first number and the component.
    pub het: Option<(u32, u32)>,
    /// When it became eligible, relative to the trace's beginning.
    pub eligible: Option<Span>,
    /// Its runs in order. Empty if it never started.
    pub runs: Vec<RecordedRun>,
    /// The end, which also exists for a job that never started.
    pub end: Option<Span>,
    /// The state when the history was exported.
    pub state: JobState,
    /// Allocated CPUs in the last run.
    pub cpus: u32,
    /// Allocated nodes in the last run, as a host list; empty if not recorded.
    pub nodes: String,
    /// What it waited for besides resources, separated by commas: `dependency`, `reservation`, `hold`, `begin`, or the
    /// last reason that Slurm recorded.
    pub waited_for: String,
    /// Submitted before the recorded window. It occupies the cluster, but comparisons omit it.
    pub warm_up: bool,
}

impl RecordedJob {
    /// A job that was cancelled before it started.
    pub(super) const fn cancelled(job: u32, end: Span) -> Self {
        Self {
            job,
            array: None,
            het: None,
            eligible: None,
            runs: Vec::new(),
            end: Some(end),
            state: JobState::Cancelled,
            cpus: 0,
            nodes: String::new(),
            waited_for: String::new(),
            warm_up: false,
        }
    }

    /// The time from eligibility to the first start.
    #[must_use]
    pub fn wait(&self, submit: Span) -> Option<Span> {
        let from = self.eligible.map_or(submit, |at| at.max(submit));
        self.runs.first().map(|run| Span((run.start.0 - from.0).max(0)))
    }

    /// How long after its submission it became eligible, because of a begin time or a hold.
    #[must_use]
    pub fn eligible_after(&self, submit: Span) -> Option<Span> {
        let after = self.eligible.map(|at| Span(at.0 - submit.0));
        after.filter(|after| after.secs() > 0)
    }

    /// Whether it was held from its submission on and never released.
    #[must_use]
    pub fn stayed_held(&self) -> bool {
        let open = matches!(self.state, JobState::Pending | JobState::Cancelled);
        let held = |word: &str| ["hold", "JobHeldUser", "JobHeldAdmin"].contains(&word);
        open && self.runs.is_empty() && self.eligible.is_none() && self.waited_for.split(',').any(held)
    }

    /// How long it ran each time before `scontrol requeue` put it back.
    pub fn requeued_runs(&self) -> impl Iterator<Item = Span> {
        let requeued = self.runs.iter().filter(|run| run.state == JobState::Pending);
        requeued.filter_map(|run| Some(Span((run.end?.0 - run.start.0).max(0))))
    }

    /// How long after its last requeue it was cancelled, if it did not start again.
    #[must_use]
    pub fn patience_after_requeue(&self) -> Option<Span> {
        let last = self.runs.last().filter(|run| run.state == JobState::Pending)?.end?;
        let end = self.end.filter(|_| self.state == JobState::Cancelled)?;
        Some(Span((end.0 - last.0).max(0)))
    }

    /// How long after its submission it was cancelled, if it never started.
    #[must_use]
    pub fn patience(&self, submit: Span) -> Option<Span> {
        let never = self.runs.is_empty() && self.state == JobState::Cancelled;
        self.end.filter(|_| never).map(|end| Span((end.0 - submit.0).max(0)))
    }
}

/// A change of nodes not caused by jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedNodeChange {
    /// When, relative to the trace's beginning.
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
