//! The main scheduling loop, in order of priority. The first job of a partition that cannot start blocks the partition and its
//! nodes, so that no job behind it takes the resources that it waits for. Mirrors sched_config.html.

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
use smallvec::SmallVec;

/// Observes each entry before it is tried, with the nodes that are blocked for it and the jobs that block them.
pub(crate) type Look<'a> =
    dyn FnMut(&Slurmctld, &mut RequestClasses, QueueEntry, &BitSet, &[BlockingJob]) + 'a;

/// A decision that is being committed.
#[derive(Debug)]
enum MainTrial {
    Start(QueueEntry),
    /// Other jobs are preempted for the entry; why it did not fit.
    Preempt(QueueEntry, PendingReason),
    /// Preempted jobs are still ending; why the entry does not fit.
    Refuse(QueueEntry, PendingReason),
}

/// A main pass in progress. The controller does not change between its steps, except by its decisions.
#[derive(Debug)]
pub(crate) struct MainPass {
    now: Time,
    depth: u64,
    /// Partitions that wait for completing jobs (`CompleteWait`).
    closed: BitSet,
    stopped: Stopped,
    walk: QueueWalk,
    /// Number of pending jobs when the pass began.
    waiting: u64,
    looked: u64,
    /// The current entry, if it must be tried again.
    entry: Option<QueueEntry>,
    /// The decision that is being committed.
    trial: Option<MainTrial>,
}

impl MainPass {
    /// Begins a pass over at most `depth` entries. Returns none while completing jobs must be awaited.
    pub(crate) fn begin(ctld: &Slurmctld, depth: usize, now: Time) -> Option<Self> {
        let closed = ctld.closed_partitions(now)?;
        Some(Self {
            now,
            depth: u64::try_from(depth).unwrap_or(u64::MAX),
            closed,
            stopped: Stopped::default(),
            walk: ctld.caches.queue.walk(),
            waiting: u64::try_from(ctld.jobs.index().pending.len()).unwrap_or(0),
            looked: 0,
            entry: None,
            trial: None,
        })
    }

    /// Decides about the next entry, after `look` has observed it.
    pub(crate) fn decide_watched(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        look: &mut Look<'_>,
    ) -> Step {
        if let Some(MainTrial::Refuse(entry, why)) = self.trial.take() {
            return Step::Decided(Decision::Refuse(self.refuse(ctld, entry, why)));
        }
        let Some(entry) = self.entry.take().or_else(|| self.next(ctld, classes, look)) else {
            return Step::Over;
        };
        let (job, part, by) = (entry.job(), entry.part, Scheduler::Main);
        let why = match attempt(ctld, classes, entry, &self.stopped.nodes, self.now) {
            Ok(allocation) => {
                self.trial = Some(MainTrial::Start(entry));
                return Step::Decided(Decision::Start(Start { job, part, allocation, by, limit: None }));
            }
            Err(why) => why,
        };
        if let Some(plan) = self.preemption(ctld, entry, why.reason) {
            self.trial = Some(MainTrial::Preempt(entry, why));
            return Step::Decided(Decision::Preempt(plan, part, by));
        }
        Step::Decided(Decision::Refuse(self.refuse(ctld, entry, why)))
    }

    /// The jobs to preempt for an entry that does not fit, if there are any.
    fn preemption(
        &self,
        ctld: &Slurmctld,
        entry: QueueEntry,
        reason: Reason,
    ) -> Option<preempt::PreemptionPlan> {
        let job = ctld.jobs.get(entry.job()).filter(|_| reason == Reason::Resources)?;
        let resources = FreeResources::now_for(ctld, job, self.now);
        preempt::plan(ctld, job, entry.part, &resources, &self.stopped.nodes, self.now)
    }

    /// Refuses an entry that does not fit. Its nodes are blocked for the entries behind it.
    fn refuse(&mut self, ctld: &Slurmctld, entry: QueueEntry, why: PendingReason) -> RefusedStart {
        if why.reason.is_limit() && ctld.caches.parameters.assoc_limit_stop {
            self.stopped.stop(ctld, entry);
        } else {
            self.stopped.block_for(ctld, entry, &why, self.now);
        }
        let single_out = why.reason == Reason::Resources;
        let hold = why.reason == Reason::FailBadConstraints;
        RefusedStart { single_out, hold, ..refusal(ctld, entry.job(), entry.part, why) }
    }

    /// The next entry to try.
    fn next(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        look: &mut Look<'_>,
    ) -> Option<QueueEntry> {
        while self.looked < self.depth {
            let Self { stopped, closed, .. } = self;
            let open = |part: PartId| !stopped.parts.contains(part.0) && !closed.contains(part.0);
            let entry = self.walk.next(&ctld.caches.queue, open)?;
            let most = ctld.caches.parameters.sched_max_job_start;
            if most > 0 && self.stopped.started >= most {
                return None;
            }
            self.looked += 1;
            look(ctld, classes, entry, &self.stopped.nodes, &self.stopped.blocking);
            let Some(job) = ctld.jobs.get(entry.job()) else { continue };
            if job.het.is_none() {
                self.stopped.count(ctld, entry.part);
                return Some(entry);
            }
            // Only backfill starts components of heterogeneous jobs. Here they count as jobs that do not fit.
            if super::barred(ctld, job, entry.part, self.now).is_none() {
                self.stopped.stop(ctld, entry);
            }
        }
        None
    }

    /// Ends the pass.
    pub(crate) fn end(self: Box<Self>, ctld: &Slurmctld) -> MainEnd {
        MainEnd {
            decisions: label(ctld, &self.stopped, self.now).into_iter().map(Decision::Refuse).collect(),
            looked: self.looked,
            waiting: self.waiting,
            cut: self.looked >= self.depth,
            blockers: self.stopped.blocking,
        }
    }
}

/// The result of a main pass.
#[derive(Debug)]
pub(crate) struct MainEnd {
    /// The last decisions: reasons of the jobs that the pass did not reach.
    pub decisions: Vec<Decision>,
    /// Entries considered, jobs pending when it began, and whether the depth limit ended it.
    pub looked: u64,
    pub waiting: u64,
    pub cut: bool,
    /// The jobs that block nodes for the jobs behind them.
    pub blockers: BlockingJobs,
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
            (Some(MainTrial::Start(entry)), Applied::Started { whole }) => {
                self.stopped.started += 1;
                let again = !whole && (most == 0 || self.stopped.started < most);
                self.entry = Some(entry).filter(|_| again);
            }
            (Some(MainTrial::Preempt(entry, _)), Applied::Started { whole }) => {
                self.entry = Some(entry).filter(|_| !whole);
            }
            (Some(MainTrial::Preempt(entry, why)), Applied::Done) => {
                self.trial = Some(MainTrial::Refuse(entry, why))
            }
            _ => {}
        }
    }
}

/// A job that does not fit and blocks nodes for the jobs behind it: all nodes of its partition, which is stopped, or only the
/// nodes that it requires or those of its advance reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockingJob {
    pub job: JobId,
    /// The partition, if it is stopped.
    pub part: Option<PartId>,
}

/// Usually there is one.
pub(crate) type BlockingJobs = SmallVec<[BlockingJob; 1]>;

impl BlockingJob {
    /// The nodes that it blocks.
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

/// Partitions that are stopped for this pass, and the nodes blocked by them.
#[derive(Debug, Default)]
struct Stopped {
    parts: BitSet,
    nodes: BitSet,
    blocking: BlockingJobs,
    /// Number of entries considered, by partition.
    looked: Vec<u32>,
    /// Number of jobs started.
    started: u32,
}

impl Stopped {
    fn stop(&mut self, ctld: &Slurmctld, QueueEntry { key, part, .. }: QueueEntry) {
        self.blocking.push(BlockingJob { job: key.job, part: Some(part) });
        self.parts.insert(part.0);
        self.nodes.union_with(&ctld.partition(part).nodes);
    }

    /// Blocks nodes for the jobs behind one that does not fit: the nodes that it requires, those of its advance reservation,
    /// or its partition.
    fn block_for(&mut self, ctld: &Slurmctld, entry: QueueEntry, why: &PendingReason, now: Time) {
        let reserves = |job: &&Job| !super::gets_no_reservation(ctld, job, now);
        let Some(job) = ctld.jobs.get(entry.job()).filter(reserves) else { return };
        let named = job.needs.required.len() >= job.needs.min_nodes.max(1);
        if named && (why.blocks() || why.reason == Reason::NodeNotAvail) {
            self.blocking.push(BlockingJob { job: job.id, part: None });
            self.nodes.union_with(&job.needs.required);
        } else if why.blocks() && !reservation::of_cores(ctld, job) {
            match reservation::own_nodes(ctld, job) {
                Some(own) => {
                    self.blocking.push(BlockingJob { job: job.id, part: None });
                    self.nodes.union_with(&own);
                }
                None => self.stop(ctld, entry),
            }
        }
    }

    /// Counts an entry of a partition, and stops the partition at `partition_job_depth`.
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

/// The decision that leaves a job pending with a reason.
fn refusal(ctld: &Slurmctld, job: JobId, part: PartId, why: PendingReason) -> RefusedStart {
    let said = ctld.jobs.get(job).and_then(|j| access::sentence(ctld, j, part, why.reason));
    RefusedStart { job, why, said, by: Some(Scheduler::Main), single_out: false, hold: false }
}

/// Reasons of the jobs behind a blocking job. The throttle of an array is a reason only while it is reached.
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

/// The allocation with which the entry could start now, without the blocked nodes.
pub(crate) fn attempt(
    ctld: &Slurmctld,
    classes: &mut RequestClasses,
    entry: QueueEntry,
    closed: &BitSet,
    now: Time,
) -> Result<Allocation, PendingReason> {
    let job = ctld.jobs.get(entry.job()).filter(|j| j.state == JobState::Pending).ok_or(Reason::None)?;
    if let Some(reason) = super::barred(ctld, job, entry.part, now) {
        return Err(reason.into());
    }
    if let Some(why) = unavailable::no_node_left(ctld, entry.part, closed) {
        return Err(why);
    }
    access::admits(ctld, AccessIdentity::of(job), entry.part).map_err(Denied::reason)?;
    let fits = classes.may_fit(ctld, entry.class);
    let found = match fits || ctld.plain {
        true => super::now::now(ctld, job, (entry.part, entry.class), classes, closed, now),
        false => Err(unavailable::why(ctld, job, entry.part, closed, now)),
    };
    debug_assert!(fits || found.is_err(), "counting is not too strict: {:?}", job.needs);
    // Never feasible: the nodes have changed since the submission, or only another partition of the job has suitable nodes.
    let mut never =
        || job.reservations.is_empty() && classes.feasible_entry(ctld, job, entry.part, entry.class).is_err();
    let allocation = found.map_err(|why| if never() { Reason::FailBadConstraints.into() } else { why })?;
    acct_policy::after_selection(ctld, job, entry.part, &allocation, now).map_err(|b| b.reason)?;
    Ok(allocation)
}
