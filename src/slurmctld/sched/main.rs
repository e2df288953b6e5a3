//! The main loop: in order of priority; the first job of a partition that finds no room stops the partition (and its
//! nodes for others), so that it is next. Mirrors sched_config.html.

use super::super::Slurmctld;
use super::super::job::{Allocation, Job, JobState, Scheduler};
use super::super::limits;
use super::super::limits::access::{self, Denied, Guest};
use super::super::preempt;
use super::super::reason::Reason;
use super::super::reservation;
use super::super::select::{Board, Forecast};
use super::super::unavailable::{self, Why};
use super::queue::{Row, Walk};
use super::quiet::{self, Sight};
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, PartId};
use crate::base::time::Time;

/// Sees each row before it is tried, with the nodes that are kept from it, and for whom.
pub(in super::super) type Look<'a> = dyn FnMut(&mut Slurmctld, Row, &BitSet, &[Keeper]) + 'a;

/// A pass on its way. Nothing else happens to the controller between its parts.
#[derive(Debug)]
pub(in super::super) struct Pass {
    now: Time,
    depth: u64,
    /// Partitions that wait for jobs on their way out.
    closed: BitSet,
    stopped: Stopped,
    walk: Walk,
    /// How many jobs waited when it began.
    waiting: u64,
    looked: u64,
    /// The row that is tried, if it is to be tried again.
    row: Option<Row>,
    /// It came to the end of the queue.
    whole: bool,
}

impl Pass {
    /// One over at most `depth` rows; none if it could only decide what the last one did.
    pub(in super::super) fn unless_repeated(ctld: &mut Slurmctld, depth: usize, now: Time) -> Option<Self> {
        super::refresh(ctld, now);
        Forecast::refresh(ctld);
        if quiet::main_repeats(ctld) { None } else { Self::begin(ctld, depth, now) }
    }

    /// One over at most `depth` rows; none while jobs on their way out are waited for.
    pub(in super::super) fn begin(ctld: &mut Slurmctld, depth: usize, now: Time) -> Option<Self> {
        super::refresh(ctld, now);
        let closed = ctld.open_but_for(now)?;
        Forecast::refresh(ctld);
        Some(Self {
            now,
            depth: u64::try_from(depth).unwrap_or(u64::MAX),
            closed,
            stopped: Stopped::default(),
            walk: ctld.live.queue.walk(),
            waiting: u64::try_from(ctld.index.pending.len()).unwrap_or(0),
            looked: 0,
            row: None,
            whole: false,
        })
    }

    /// At most so many tries; false when that was all.
    pub(in super::super) fn part(&mut self, ctld: &mut Slurmctld, tries: u32, look: &mut Look<'_>) -> bool {
        for _ in 0..tries {
            let Some(row) = self.row.take().or_else(|| self.next(ctld, look)) else { return false };
            let again = attempt_row(ctld, row, &mut self.stopped, self.now);
            self.row = Some(row).filter(|_| again);
        }
        true
    }

    /// The next row that is to be tried.
    fn next(&mut self, ctld: &mut Slurmctld, look: &mut Look<'_>) -> Option<Row> {
        while self.looked < self.depth {
            let Self { stopped, closed, .. } = self;
            let open = |part: PartId| !stopped.parts.contains(part.0) && !closed.contains(part.0);
            let Some(row) = self.walk.next(&ctld.live.queue, open) else {
                self.whole = true;
                return None;
            };
            let most = ctld.live.knobs.sched_max_job_start;
            if most > 0 && self.stopped.started >= most {
                return None;
            }
            self.looked += 1;
            look(ctld, row, &self.stopped.nodes, &self.stopped.keepers);
            let Some(job) = ctld.jobs.get(row.job()) else { continue };
            if job.het.is_none() {
                self.stopped.count(ctld, row.part);
                return Some(row);
            }
            // Only backfill starts the components of heterogeneous jobs; to this pass they are jobs that found no room.
            if super::barred(ctld, job, row.part, self.now).is_none() {
                self.stopped.stop(ctld, row);
            }
        }
        None
    }

    /// It is over. Gives who keeps nodes from those behind.
    pub(in super::super) fn end(self, ctld: &mut Slurmctld) -> Vec<Keeper> {
        let cut = self.looked >= self.depth;
        ctld.stats.pass(false, self.looked, self.waiting, cut, self.now);
        label(ctld, &self.stopped, self.now);
        ctld.live.seen = self.whole.then(|| Sight::new(ctld));
        self.stopped.keepers
    }
}

/// A job that found no room and keeps nodes from those behind it: its partition's, which is stopped, or those that it named
/// or has reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Keeper {
    pub job: JobId,
    /// The partition that is stopped.
    pub part: Option<PartId>,
}

impl Keeper {
    /// The nodes that it keeps.
    pub(in super::super) fn nodes(&self, ctld: &Slurmctld) -> BitSet {
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
    keepers: Vec<Keeper>,
    /// How many rows of each partition were looked at.
    looked: Vec<u32>,
    /// How many jobs were started.
    started: u32,
}

impl Stopped {
    fn stop(&mut self, ctld: &Slurmctld, Row { key, part, .. }: Row) {
        self.keepers.push(Keeper { job: key.job, part: Some(part) });
        self.parts.insert(part.0);
        self.nodes.union_with(&ctld.partition(part).nodes);
    }

    /// What a job that found no room keeps from those behind it: the nodes that it named, those of its reservation,
    /// or the partition.
    fn keep_for(&mut self, ctld: &Slurmctld, row: Row, why: &Why, now: Time) {
        let kept = |job: &&Job| !super::passed_over(ctld, job, now);
        let Some(job) = ctld.jobs.get(row.job()).filter(kept) else { return };
        let named = job.needs.required.len() >= job.needs.min_nodes.max(1);
        if named && (why.blocks() || why.reason == Reason::NodeNotAvail) {
            self.keepers.push(Keeper { job: job.id, part: None });
            self.nodes.union_with(&job.needs.required);
        } else if why.blocks() && !reservation::of_cores(ctld, job) {
            match reservation::own_nodes(ctld, job) {
                Some(own) => {
                    self.keepers.push(Keeper { job: job.id, part: None });
                    self.nodes.union_with(&own);
                }
                None => self.stop(ctld, row),
            }
        }
    }

    /// `partition_job_depth`.
    fn count(&mut self, ctld: &Slurmctld, part: PartId) {
        let most = ctld.live.knobs.partition_job_depth;
        if most > 0 {
            self.looked.resize(ctld.partitions.len(), 0);
            self.looked[part.0 as usize] += 1;
            if self.looked[part.0 as usize] >= most {
                self.parts.insert(part.0);
            }
        }
    }
}

/// Tries one row. True when it is to be tried again: an array is as often as its tasks find room.
fn attempt_row(ctld: &mut Slurmctld, row: Row, stopped: &mut Stopped, now: Time) -> bool {
    match attempt(ctld, row, &stopped.nodes, now) {
        Ok(allocation) => {
            stopped.started += 1;
            let most = ctld.live.knobs.sched_max_job_start;
            let whole = begin(ctld, row.job(), row.part, allocation, Scheduler::Main, now);
            !whole && (most == 0 || stopped.started < most)
        }
        Err(why) => {
            if let Some(whole) = preempt_for(ctld, row, why.reason, &stopped.nodes, now) {
                return !whole;
            }
            let limited = why.reason.is_limit() && ctld.live.knobs.assoc_limit_stop;
            if limited {
                stopped.stop(ctld, row);
            } else {
                stopped.keep_for(ctld, row, &why, now);
            }
            let tried = why.reason == Reason::Resources;
            let never = why.reason == Reason::FailBadConstraints;
            refuse(ctld, row.job(), row.part, why, now);
            if tried {
                ctld.single_out(row.job());
            }
            if never {
                ctld.hold_impossible(row.job());
            }
            false
        }
    }
}

/// Makes room for a row that finds none, if others may be preempted for it. When it could start at once: whether nothing
/// of it is left.
fn preempt_for(ctld: &mut Slurmctld, row: Row, reason: Reason, closed: &BitSet, now: Time) -> Option<bool> {
    let job = ctld.jobs.get(row.job()).filter(|_| reason == Reason::Resources)?;
    let plan = preempt::plan(ctld, job, row.part, &Board::now_for(ctld, job, now), closed, now)?;
    let allocation = ctld.preempt(plan, now)?;
    Some(begin(ctld, row.job(), row.part, allocation, Scheduler::Main, now))
}

/// The job stays where it is, and says why.
fn refuse(ctld: &mut Slurmctld, job: JobId, part: PartId, why: Why, now: Time) {
    let said = ctld.jobs.get(job).and_then(|j| access::sentence(ctld, j, part, why.reason));
    ctld.change_job(job, |j| {
        j.reason = why.reason;
        j.state_desc = why.text.or(said);
        j.last_sched = Some(now);
        j.scheduler = Scheduler::Main;
    });
}

impl Slurmctld {
    /// No nodes can ever hold a job: it is held until its request is changed, or an administrator lets it go. In several
    /// partitions it only says so, as seen of 22.05.
    fn hold_impossible(&mut self, id: JobId) {
        if self.jobs.get(id).is_some_and(|job| job.partitions.len() == 1) {
            self.change_job(id, |job| (job.priority, job.held_by_admin) = (0, true));
        }
    }
}

/// Jobs behind the one that stops their partition wait for it, and say so.
fn label(ctld: &mut Slurmctld, stopped: &Stopped, now: Time) {
    for id in ctld.live.queue.restless() {
        let untried =
            |j: &&Job| j.last_sched != Some(now) && j.het.is_none() && j.reason != Reason::PartConfig;
        let Some(job) = ctld.jobs.get(id).filter(untried) else { continue };
        if job.partitions.iter().all(|p| stopped.parts.contains(p.0)) {
            let bars = job.partitions.iter().map(|p| super::barred_by_partition(ctld, job, *p));
            let reason = bars.min_by_key(Option::is_some).flatten().unwrap_or(Reason::Priority);
            let part = job.partitions.first().copied().unwrap_or_default();
            refuse(ctld, id, part, reason.into(), now);
        }
    }
}

/// Starts one job now if it finds room in one of its partitions.
pub(in super::super) fn at_once(ctld: &mut Slurmctld, id: JobId, now: Time) {
    if ctld.open_but_for(now).is_none_or(|closed| !closed.is_empty()) {
        return;
    }
    Forecast::refresh(ctld);
    for row in ctld.live.queue.rows_of(id) {
        match attempt(ctld, row, &BitSet::new(), now) {
            Ok(allocation) => {
                begin(ctld, id, row.part, allocation, Scheduler::Main, now);
                return;
            }
            Err(why) => ctld.change_job(id, |job| {
                job.reason = why.reason;
                job.state_desc = why.text;
                job.last_sched = Some(now);
            }),
        }
    }
}

/// Where the row could start now, outside of the nodes that are closed.
pub(in super::super) fn attempt(
    ctld: &mut Slurmctld,
    row: Row,
    closed: &BitSet,
    now: Time,
) -> Result<Allocation, Why> {
    let job = ctld.jobs.get(row.job()).filter(|j| j.state == JobState::Pending).ok_or(Reason::None)?;
    if let Some(reason) = super::barred(ctld, job, row.part, now) {
        return Err(reason.into());
    }
    if let Some(why) = unavailable::nobody_there(ctld, row.part, closed) {
        return Err(why);
    }
    access::admits(ctld, Guest::of(job), row.part).map_err(Denied::reason)?;
    let allocation = ctld.with_shapes(|ctld, shapes| {
        let fits = shapes.may_fit(ctld, row.shape);
        let job = ctld.jobs.get(row.job()).ok_or(Reason::None)?;
        let found = match fits || ctld.plain {
            true => super::now::now(ctld, job, (row.part, row.shape), shapes, closed, now),
            false => Err(unavailable::why(ctld, job, row.part, closed, now)),
        };
        debug_assert!(fits || found.is_err(), "counting is not too strict: {:?}", job.needs);
        // Nodes are not what they were when the job was taken in, or others of its partitions have them.
        let mut never =
            || job.reservations.is_empty() && shapes.feasible_row(ctld, job, row.part, row.shape).is_err();
        found.map_err(|why| if never() { Reason::FailBadConstraints.into() } else { why })
    })?;
    let job = ctld.jobs.get(row.job()).ok_or(Reason::None)?;
    limits::after_selection(ctld, job, row.part, &allocation, now).map_err(|b| b.reason)?;
    Ok(allocation)
}

/// Starts a job, or one task of an array. True when nothing of it is left to start.
pub(super) fn begin(
    ctld: &mut Slurmctld,
    job: JobId,
    part: PartId,
    allocation: Allocation,
    by: Scheduler,
    now: Time,
) -> bool {
    let throttled = |j: &&Job| j.reason == Reason::ArrayTaskLimit;
    if ctld.jobs.get(job).filter(throttled).is_some() {
        // Its turn has come: that is when it became eligible.
        ctld.change_job(job, |j| j.eligible = Some(now));
    }
    let task = ctld.jobs.get(job).and_then(|j| j.array.as_ref()).and_then(|a| a.pending.first());
    let started = task.map_or(job, |task| ctld.split_task(job, task));
    ctld.start(started, part, allocation, by, now);
    Forecast::refresh(ctld);
    started == job
}
