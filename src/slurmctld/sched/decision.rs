//! The decisions of a scheduling pass, and the trait of a pass.
//!
//! A pass reads `&Slurmctld` and yields one decision at a time. `Slurmctld::apply` commits it before the pass considers the next
//! queue entry, because a start changes what is free for later entries. A pass may be interrupted between two decisions.

use crate::Slurmctld;
use crate::preempt;
use crate::select::RequestClasses;
use crate::select::unavailable::PendingReason;
use crate::state::job::{Allocation, Scheduler};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::time::{Limit, Time};

/// A job, or one task of an array, starts.
#[derive(Debug)]
pub(crate) struct Start {
    pub job: JobId,
    pub part: PartId,
    pub allocation: Allocation,
    pub by: Scheduler,
    /// A time limit that replaces the job's (`--time-min`).
    pub limit: Option<Limit>,
}

/// A job stays pending, with a reason.
#[derive(Debug)]
pub(crate) struct RefusedStart {
    pub job: JobId,
    pub why: PendingReason,
    /// A text that is shown if `why` has none.
    pub said: Option<String>,
    /// The loop that considered the job; none: unchanged.
    pub by: Option<Scheduler>,
    /// The last pending task of an array gets a job record of its own.
    pub single_out: bool,
    /// The job is held, because no nodes can ever run it.
    pub hold: bool,
}

/// The expected start of a job.
#[derive(Debug)]
pub(crate) struct PlannedStart {
    pub job: JobId,
    pub at: Time,
    pub nodes: BitSet,
}

/// What a pass decided.
#[derive(Debug)]
pub(crate) enum Decision {
    Start(Start),
    /// All components of heterogeneous jobs that fit. `last`: no decision of the pass follows, and the next pass
    /// brings the availability up to date.
    StartHet {
        starts: Vec<Start>,
        last: bool,
    },
    /// Other jobs are preempted. If they end at once, the job starts.
    Preempt(preempt::PreemptionPlan, PartId, Scheduler),
    Refuse(RefusedStart),
    /// Only the reason changes.
    Reason(JobId, Reason),
    Plan(PlannedStart),
    /// The job no longer has an expected start.
    Unplan(JobId),
    /// The nodes to show as planned.
    ShowPlanned(BitSet),
}

/// The outcome of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// `whole`: no task of the entry is left to start.
    Started { whole: bool },
    /// Applied; no job has started.
    Done,
}

/// One step of a pass.
#[derive(Debug)]
pub(crate) enum Step {
    /// To be committed; [`Pass::note`] then receives the outcome.
    Decided(Decision),
    /// The entry needs no decision.
    Nothing,
    /// The pass has ended.
    Over,
}

/// A pass over the queue. It is a value and may be interrupted between two steps. In the meantime, nothing else may change the
/// controller.
pub(crate) trait Pass {
    /// The time of the pass.
    fn now(&self) -> Time;
    /// Decides about the next entry, and updates the request classes.
    fn decide(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses) -> Step;
    /// Receives the outcome of the last decision.
    fn note(&mut self, ctld: &Slurmctld, applied: Applied);
}
