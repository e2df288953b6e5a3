//! What passes decide, and how a pass goes on.
//!
//! A pass reads `&Slurmctld` and yields one decision at a time; `Slurmctld::apply` commits it before the pass looks at the next
//! entry of the queue, because an earlier start changes what a later entry sees. A pass may be interrupted between two
//! decisions.

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
    /// A sentence that is shown if `why` has none.
    pub said: Option<String>,
    /// The loop that considered it; none: unchanged.
    pub by: Option<Scheduler>,
    /// The last task of an array gets a record of its own.
    pub single_out: bool,
    /// No nodes can ever hold it: it is held.
    pub hold: bool,
}

/// A job is expected to start.
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
    /// No start is expected of the job any more.
    Unplan(JobId),
    /// Nodes that are reserved for jobs.
    ShowPlanned(BitSet),
}

/// The outcome of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// `whole`: nothing of the entry is left to start.
    Started { whole: bool },
    /// Nothing has started.
    Done,
}

/// One step of a pass.
#[derive(Debug)]
pub(crate) enum Step {
    /// To be committed; the pass is then told what came of it.
    Decided(Decision),
    /// The entry needs no decision.
    Nothing,
    /// The pass is over.
    Over,
}

/// A pass over the queue. It is a value and may be interrupted between two steps; nothing else may happen to the controller
/// meanwhile.
pub(crate) trait Pass {
    /// The moment at which it runs.
    fn now(&self) -> Time;
    /// Decides about the next entry; fills the request classes as it goes.
    fn decide(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses) -> Step;
    /// Receives the outcome of the last decision.
    fn note(&mut self, ctld: &Slurmctld, applied: Applied);
}
