//! The main scheduling loop, in order of priority. The first job of a partition that cannot start stops the partition, and
//! its nodes for other partitions, so that it is next. Mirrors sched_config.html.

use super::decision::{Applied, Decision, Pass, RefusedStart, Start, Step};
use super::queue::{QueueEntry, QueueWalk};
use crate::Slurmctld;
use crate::acct_policy;
use crate::acct_policy::access::{self, AccessIdentity, Denied};
use crate::preempt;
use crate::reservation;
use crate::select::unavailable::{self, PendingReason};
use crate::select::{FreeResources, RequestClasses};
use crate::state::job::{Allocation, Job, JobState, Scheduler};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::time::Time;

/// Sees each row before it is tried, with the nodes that are kept from it, and for whom.
pub(crate) type Look<'a> =
    dyn FnMut(&Slurmctld, &mut RequestClasses, QueueEntry, &BitSet, &[BlockingJob]) + 'a;

/// A decision that starts a job, if it does.
#[derive(Debug)]
enum MainTrial {
    Start(QueueEntry),
    /// Others make way for the row, which does not fit; the reason for that.
    Preempt(QueueEntry, PendingReason),
    /// Others are on their way out for the row.
    Refuse(QueueEntry, PendingReason),
}

/// A pass on its way. Nothing else happens to the controller between its parts.
#[derive(Debug)]
pub(crate) struct MainPass {
    now: Time,
    depth: u64,
    /// Partitions that wait for jobs on their way out.
    closed: BitSet,
    stopped: Stopped,
    walk: QueueWalk,
    /// How many jobs waited when it began.
    waiting: u64,
    looked: u64,
    /// The row that is tried, if it is to be tried again.
    row: Option<QueueEntry>,
    /// What the decision that is being committed is about.
    trial: Option<MainTrial>,
}

impl MainPass {
    /// One over at most `depth` rows; none while completing jobs are waited for.
    pub(crate) fn begin(ctld: &Slurmctld, depth: usize, now: Time) -> Option<Self> {
        let closed = ctld.open_but_for(now)?;
        Some(Self {
            now,
            depth: u64::try_from(depth).unwrap_or(u64::MAX),
            closed,
            stopped: Stopped::default(),
            walk: ctld.caches.queue.walk(),
            waiting: u64::try_from(ctld.jobs.index().pending.len()).unwrap_or(0),
            looked: 0,
            row: None,
            trial: None,
        })
    }

    /// Decides about the next row; `look` sees it before.
    pub(crate) fn decide_watched(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        look: &mut Look<'_>,
    ) -> Step {
        if let Some(MainTrial::Refuse(row, why)) = self.trial.take() {
            return Step::Decided(Decision::Refuse(self.refuse(ctld, row, why)));
        }
        let Some(row) = self.row.take().or_else(|| self.next(ctld, classes, look)) else { return Step::Over };
        let (job, part, by) = (row.job(), row.part, Scheduler::Main);
        let why = match attempt(ctld, classes, row, &self.stopped.nodes, self.now) {
            Ok(allocation) => {
                self.trial = Some(MainTrial::Start(row));
                return Step::Decided(Decision::Start(Start { job, part, allocation, by, limit: None }));
            }
            Err(why) => why,
        };
        if let Some(plan) = self.preemption(ctld, row, why.reason) {
            self.trial = Some(MainTrial::Preempt(row, why));
            return Step::Decided(Decision::Preempt(plan, part, by));
        }
        Step::Decided(Decision::Refuse(self.refuse(ctld, row, why)))
    }

    /// Who must make way for an entry that does not fit, if others may be preempted for it.
    fn preemption(
        &self,
        ctld: &Slurmctld,
        row: QueueEntry,
        reason: Reason,
    ) -> Option<preempt::PreemptionPlan> {
        let job = ctld.jobs.get(row.job()).filter(|_| reason == Reason::Resources)?;
        let resources = FreeResources::now_for(ctld, job, self.now);
        preempt::plan(ctld, job, row.part, &resources, &self.stopped.nodes, self.now)
    }

    /// An entry does not fit: what that keeps from those behind it, and what its job says.
    fn refuse(&mut self, ctld: &Slurmctld, row: QueueEntry, why: PendingReason) -> RefusedStart {
        if why.reason.is_limit() && ctld.caches.parameters.assoc_limit_stop {
            self.stopped.stop(ctld, row);
        } else {
            self.stopped.keep_for(ctld, row, &why, self.now);
        }
        let single_out = why.reason == Reason::Resources;
        let hold = why.reason == Reason::FailBadConstraints;
        RefusedStart { single_out, hold, ..refusal(ctld, row.job(), row.part, why) }
    }

    /// The next row that is to be tried.
    fn next(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        look: &mut Look<'_>,
    ) -> Option<QueueEntry> {
        while self.looked < self.depth {
            let Self { stopped, closed, .. } = self;
            let open = |part: PartId| !stopped.parts.contains(part.0) && !closed.contains(part.0);
            let row = self.walk.next(&ctld.caches.queue, open)?;
            let most = ctld.caches.parameters.sched_max_job_start;
            if most > 0 && self.stopped.started >= most {
                return None;
            }
            self.looked += 1;
            look(ctld, classes, row, &self.stopped.nodes, &self.stopped.keepers);
            let Some(job) = ctld.jobs.get(row.job()) else { continue };
            if job.het.is_none() {
                self.stopped.count(ctld, row.part);
                return Some(row);
            }
            // Only backfill starts the components of heterogeneous jobs; to this pass they are jobs that do not fit.
            if super::barred(ctld, job, row.part, self.now).is_none() {
                self.stopped.stop(ctld, row);
            }
        }
        None
    }

    /// It is over.
    pub(crate) fn end(self, ctld: &Slurmctld) -> MainEnd {
        MainEnd {
            decisions: label(ctld, &self.stopped, self.now).into_iter().map(Decision::Refuse).collect(),
            looked: self.looked,
            waiting: self.waiting,
            cut: self.looked >= self.depth,
            blockers: self.stopped.keepers,
        }
    }
}

/// What a pass of the main loop leaves behind.
#[derive(Debug)]
pub(crate) struct MainEnd {
    /// The last decisions: reasons of the jobs that it did not come to.
    pub decisions: Vec<Decision>,
    /// Entries that it looked at, jobs that waited when it began, and whether its depth ended it.
    pub looked: u64,
    pub waiting: u64,
    pub cut: bool,
    /// The jobs that keep nodes from those behind them.
    pub blockers: Vec<BlockingJob>,
}

impl Pass for MainPass {
    fn now(&self) -> Time {
        self.now
    }

    fn decide(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses) -> Step {
        self.decide_watched(ctld, classes, &mut |_, _, _, _, _| {})
    }

    fn note(&mut self, ctld: &Slurmctld, applied: Applied) {
        let most = ctld.caches.parameters.sched_max_job_start;
        match (self.trial.take(), applied) {
            (Some(MainTrial::Start(row)), Applied::Started { whole }) => {
                self.stopped.started += 1;
                let again = !whole && (most == 0 || self.stopped.started < most);
                self.row = Some(row).filter(|_| again);
            }
            (Some(MainTrial::Preempt(row, _)), Applied::Started { whole }) => {
                self.row = Some(row).filter(|_| !whole);
            }
            (Some(MainTrial::Preempt(row, why)), Applied::Done) => {
                self.trial = Some(MainTrial::Refuse(row, why))
            }
            _ => {}
        }
    }
}

/// A job that does not fit and keeps nodes from those behind it: its partition's, which is stopped, or those that it named
/// or has reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockingJob {
    pub job: JobId,
    /// The partition that is stopped.
    pub part: Option<PartId>,
}

impl BlockingJob {
    /// The nodes that it keeps.
    pub(crate) fn nodes(&self, ctld: &Slurmctld) -> BitSet {
        let of_job = |job: &Job| {
            let named = || job.needs.required.clone();
            reservation::own_nodes(ctld, job).filter(|_| job.needs.required.is_empty()).unwrap_or_else(named)
        };
        match self.part {
            Some(part) => ctld.partition(part).nodes.clone(),
            None => ctld.jobs.get(self.job).map(of_job).unwrap_or_default(),
        }
    }
}

/// Partitions that are stopped for this pass, and the nodes that they keep.
#[derive(Debug, Default)]
struct Stopped {
    parts: BitSet,
    nodes: BitSet,
    keepers: Vec<BlockingJob>,
    /// How many rows of each partition were looked at.
    looked: Vec<u32>,
    /// How many jobs were started.
    started: u32,
}

impl Stopped {
    fn stop(&mut self, ctld: &Slurmctld, QueueEntry { key, part, .. }: QueueEntry) {
        self.keepers.push(BlockingJob { job: key.job, part: Some(part) });
        self.parts.insert(part.0);
        self.nodes.union_with(&ctld.partition(part).nodes);
    }

    /// What a job that does not fit keeps from those behind it: the nodes that it named, those of its reservation,
    /// or the partition.
    fn keep_for(&mut self, ctld: &Slurmctld, row: QueueEntry, why: &PendingReason, now: Time) {
        let kept = |job: &&Job| !super::passed_over(ctld, job, now);
        let Some(job) = ctld.jobs.get(row.job()).filter(kept) else { return };
        let named = job.needs.required.len() >= job.needs.min_nodes.max(1);
        if named && (why.blocks() || why.reason == Reason::NodeNotAvail) {
            self.keepers.push(BlockingJob { job: job.id, part: None });
            self.nodes.union_with(&job.needs.required);
        } else if why.blocks() && !reservation::of_cores(ctld, job) {
            match reservation::own_nodes(ctld, job) {
                Some(own) => {
                    self.keepers.push(BlockingJob { job: job.id, part: None });
                    self.nodes.union_with(&own);
                }
                None => self.stop(ctld, row),
            }
        }
    }

    /// `partition_job_depth`.
    fn count(&mut self, ctld: &Slurmctld, part: PartId) {
        let most = ctld.caches.parameters.partition_job_depth;
        if most > 0 {
            self.looked.resize(ctld.partitions.len(), 0);
            self.looked[part.0 as usize] += 1;
            if self.looked[part.0 as usize] >= most {
                self.parts.insert(part.0);
            }
        }
    }
}

/// The job stays where it is, and says why.
fn refusal(ctld: &Slurmctld, job: JobId, part: PartId, why: PendingReason) -> RefusedStart {
    let said = ctld.jobs.get(job).and_then(|j| access::sentence(ctld, j, part, why.reason));
    RefusedStart { job, why, said, by: Some(Scheduler::Main), single_out: false, hold: false }
}

/// Jobs behind the one that stops their partition wait for it, and say so. An array's throttle is a reason only while as many
/// tasks run as it lets.
fn label(ctld: &Slurmctld, stopped: &Stopped, now: Time) -> Vec<RefusedStart> {
    let untried = |j: &&Job| j.last_sched != Some(now) && j.het.is_none() && j.reason != Reason::PartConfig;
    let behind = |j: &&Job| j.partitions.iter().all(|p| stopped.parts.contains(p.0));
    let throttled = |j: &&Job| j.reason == Reason::ArrayTaskLimit && super::is_throttled(ctld, j);
    let provisional = ctld.caches.queue.provisional().into_iter().filter_map(|id| ctld.jobs.get(id));
    let jobs = provisional.filter(untried).filter(behind).filter(|j| !throttled(j));
    let label = |job: &Job| {
        let bars = job.partitions.iter().map(|p| super::barred_by_partition(ctld, job, *p));
        let reason = bars.min_by_key(Option::is_some).flatten().unwrap_or(Reason::Priority);
        let part = job.partitions.first().copied().unwrap_or_default();
        refusal(ctld, job.id, part, reason.into())
    };
    jobs.map(label).collect()
}

/// Where the row could start now, outside of the nodes that are closed.
pub(crate) fn attempt(
    ctld: &Slurmctld,
    classes: &mut RequestClasses,
    row: QueueEntry,
    closed: &BitSet,
    now: Time,
) -> Result<Allocation, PendingReason> {
    let job = ctld.jobs.get(row.job()).filter(|j| j.state == JobState::Pending).ok_or(Reason::None)?;
    if let Some(reason) = super::barred(ctld, job, row.part, now) {
        return Err(reason.into());
    }
    if let Some(why) = unavailable::nobody_there(ctld, row.part, closed) {
        return Err(why);
    }
    access::admits(ctld, AccessIdentity::of(job), row.part).map_err(Denied::reason)?;
    let fits = classes.may_fit(ctld, row.class);
    let found = match fits || ctld.plain {
        true => super::now::now(ctld, job, (row.part, row.class), classes, closed, now),
        false => Err(unavailable::why(ctld, job, row.part, closed, now)),
    };
    debug_assert!(fits || found.is_err(), "counting is not too strict: {:?}", job.needs);
    // The nodes have changed since the job was submitted, or its other partitions have them.
    let mut never =
        || job.reservations.is_empty() && classes.feasible_row(ctld, job, row.part, row.class).is_err();
    let allocation = found.map_err(|why| if never() { Reason::FailBadConstraints.into() } else { why })?;
    acct_policy::after_selection(ctld, job, row.part, &allocation, now).map_err(|b| b.reason)?;
    Ok(allocation)
}
