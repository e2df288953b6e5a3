//! The change log: the parts of a job that indices, counters and caches depend on, before and after each change.
//!
//! Every change of a job goes through [`super::jobs::JobTable`], which logs it here. `Slurmctld::follow_changes` passes
//! each change on to statistics, limits, priorities, the queue, the availability and licences.

use super::factors::Factors;
use super::job::{Job, JobState};
use super::waiting::JobStage;
use base::ids::{AssocId, JobId, PartId, QosId, Uid};
use base::time::{Limit, Span, Time};

/// A logged change of a job.
#[derive(Clone, Debug)]
pub(crate) struct JobChange {
    pub id: JobId,
    /// None if the job is new.
    pub before: Option<Snapshot>,
    pub after: Snapshot,
}

/// The parts of a job that indices, counters and caches depend on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Snapshot {
    pub state: JobState,
    pub priority: u32,
    pub stage: JobStage,
    /// None if usage is not counted for limits.
    pub counted: Option<LimitUse>,
    pub queued: QueueState,
    pub holds_licenses: bool,
    pub(super) end: Option<Time>,
    pub(super) limit_check: Option<Time>,
    pub(super) lists: [bool; 4],
}

impl Snapshot {
    pub(super) fn of(job: &Job, counts: bool) -> Self {
        Self {
            state: job.state,
            priority: job.priority,
            stage: JobStage::of(job),
            counted: counts.then(|| LimitUse::of(job)),
            queued: QueueState::of(job),
            holds_licenses: job.holds_licenses(),
            end: job.end,
            limit_check: job.limit_look(),
            lists: lists(job),
        }
    }
}

/// Whether a job is in the lists of configuring, planned, pending and active jobs.
pub(super) fn lists(job: &Job) -> [bool; 4] {
    let (pending, completing) = (job.state == JobState::Pending, job.flags.completing);
    [
        job.flags.configuring,
        pending && job.planned.is_some(),
        pending && !completing,
        completing || (!pending && !job.state.ended()),
    ]
}

/// A running job without a time limit counts as a year, in seconds.
const YEAR: i64 = 365 * 86_400;

/// How a job counts towards limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimitUse {
    pub uid: Uid,
    pub assoc: Option<AssocId>,
    pub qos: QosId,
    pub part: Option<PartId>,
    /// Jobs, or tasks of an array, that count as submitted.
    pub submitted: u32,
    /// Of these, those that accrue age.
    pub accruing: u32,
    /// Start and expected end while it holds resources.
    pub runs: Option<(Time, Time)>,
}

impl LimitUse {
    pub(crate) fn of(job: &Job) -> Self {
        let ending = job.flags.completing && !job.ending.is_some_and(|e| e.requeue);
        let over = job.state.ended() || ending;
        let tasks = job.array.as_ref().filter(|a| a.task.is_none()).map_or(1, |a| a.pending.len());
        let start = job.start.unwrap_or_default();
        let end = job.end.filter(|e| e.0 < i64::MAX).unwrap_or(start + Span::from_secs(YEAR));
        Self {
            uid: job.uid(),
            assoc: job.assoc,
            qos: job.qos,
            part: job.partitions.first().copied(),
            submitted: if over { 0 } else { tasks },
            accruing: if job.state == JobState::Pending && job.accrue.is_some() { tasks } else { 0 },
            runs: job.runs().then_some((start, end)),
        }
    }

    /// Whether it counts at all.
    pub(crate) const fn counts(&self) -> bool {
        self.submitted > 0 || self.runs.is_some()
    }

    /// Whether it counts towards the same limits.
    pub(crate) fn has_same_owners(&self, other: &Self) -> bool {
        (self.uid, self.assoc, self.qos, self.part) == (other.uid, other.assoc, other.qos, other.part)
    }
}

/// The parts of a job that the queue and the availability depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct QueueState {
    /// None if it is not in the queue.
    pub entry: Option<QueueRequest>,
    /// When its nodes are expected to be free.
    pub end: Option<Time>,
    provisional: bool,
}

/// What determines a job's position in the queue, and its request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct QueueRequest {
    priority: u32,
    /// The first partitions, and how many there are.
    partitions: [u32; 4],
    count: usize,
    /// With several partitions, the inputs of its priority in each of them.
    factors: Option<Box<(Factors, i64)>>,
    /// The identity of its needs. Valid for comparison only while the job exists.
    needs: usize,
    limit: Limit,
    /// A job with a reservation sorts earlier.
    reserved: bool,
    qos: QosId,
}

impl QueueRequest {
    /// Whether at most the position in the queue differs.
    pub(crate) fn asks_like(&self, other: &Self) -> bool {
        let alike = |r: &Self| (r.partitions, r.count, r.needs, r.limit, r.reserved, r.qos);
        alike(self) == alike(other) && self.count <= 4
    }
}

impl QueueState {
    /// Whether it is queued and the next pass sets its reason.
    pub(crate) const fn is_provisional(&self) -> bool {
        self.entry.is_some() && self.provisional
    }

    pub(crate) fn of(job: &Job) -> Self {
        let entry = job.queued().then(|| QueueRequest {
            priority: job.priority,
            partitions: std::array::from_fn(|at| job.partitions.get(at).map_or(u32::MAX, |part| part.0)),
            count: job.partitions.len(),
            factors: (job.partitions.len() > 1).then(|| Box::new((job.factors, job.nice))),
            needs: std::sync::Arc::as_ptr(&job.needs) as usize,
            limit: job.time_limit,
            reserved: !job.reservations.is_empty(),
            qos: job.qos,
        });
        Self {
            entry,
            end: job.holds_nodes().then(|| job.planned_end()),
            provisional: job.reason.is_provisional(),
        }
    }
}
