//! Backfill: every `bf_interval`, jobs in order of priority get the earliest place in a plan made of time limits; who
//! can start now without moving anyone before it starts now. Mirrors sched_config.html.
//!
//! As in Slurm, a planned job keeps whole nodes in full steps of `bf_resolution` around its time, and running jobs end
//! when their limits do. A plan is made anew only where something changed since the last pass (see [`super::memo`]), and
//! when nobody looks at expected starts only as far as it can matter: see [`hopeful`].

use super::super::Slurmctld;
use super::super::hetjob::Ready;
use super::super::job::{Allocation, Job, JobState, Scheduler, UNLIMITED};
use super::super::limits;
use super::super::preempt;
use super::super::reason::Reason;
use super::super::reservation;
use super::super::select::{self, Board, Forecast, ShapeId};
use super::main::begin;
use super::memo::Recall;
use super::plan::{Found, Place, Plan, Short};
use super::queue::Row;
use crate::base::bitset::BitSet;
use crate::base::ids::{AssocId, JobId, PartId, Uid};
use crate::base::time::{Limit, Span, Time};

/// One pass.
pub(in super::super) fn pass(ctld: &mut Slurmctld, now: Time) {
    super::refresh(ctld, now);
    Forecast::refresh(ctld);
    let lean = ctld.lean && !ctld.plain;
    if lean && !ctld.with_shapes(|ctld, shapes| shapes.any_may_fit(ctld)) {
        return;
    }
    let mut pass = Pass::new(ctld, now);
    let rows = pass.rows(ctld);
    let last = if lean { hopeful(ctld, &rows) } else { rows.len() };
    let (depth, waiting) = (u64::try_from(last).unwrap_or(0), u64::try_from(rows.len()).unwrap_or(0));
    let cut = rows.len() >= ctld.live.knobs.bf_max_job_test;
    ctld.stats.pass(true, depth, waiting, cut, now);
    for row in rows.into_iter().take(last) {
        pass.visit(ctld, row);
    }
    ctld.start_het_jobs(std::mem::take(&mut pass.ready), now);
    let Pass { recall, planned, .. } = pass;
    recall.store(ctld);
    if !ctld.lean {
        for node in &mut ctld.nodes {
            // Allocated nodes are not shown as planned, mixed ones are.
            node.flags.planned = planned.contains(node.id.0) && node.cpus_used < node.cpus();
        }
    }
}

/// How many rows must be planned when nobody looks at expected starts: up to the last that could start now if nobody
/// else had a plan. What comes after it cannot start, and moves nobody.
fn hopeful(ctld: &mut Slurmctld, rows: &[Row]) -> usize {
    ctld.with_shapes(|ctld, shapes| {
        let last = rows.iter().rposition(|row| shapes.may_fit(ctld, row.shape));
        last.map_or(0, |at| at + 1)
    })
}

/// A pass on its way.
struct Pass {
    now: Time,
    plan: Plan,
    recall: Recall,
    started: u32,
    /// Nodes kept for jobs that are shown as planned.
    planned: BitSet,
    /// What was found last for rows of a shape, with their time: the next like it comes no earlier.
    floors: Vec<Floor>,
    /// Components of heterogeneous jobs that could start now.
    ready: Vec<Ready>,
}

/// See [`Pass::floors`].
struct Floor {
    shape: ShapeId,
    /// Microseconds.
    span: i64,
    /// None: not within the window.
    at: Option<Time>,
    short: Short,
}

impl Pass {
    fn new(ctld: &mut Slurmctld, now: Time) -> Self {
        let plan = Plan::new(ctld, now);
        Self {
            now,
            recall: Recall::new(ctld, &plan, now),
            plan,
            started: 0,
            planned: BitSet::new(),
            floors: Vec::new(),
            ready: Vec::new(),
        }
    }

    /// The rows that this pass looks at: `bf_max_job_test` and its relatives.
    fn rows(&self, ctld: &Slurmctld) -> Vec<Row> {
        let knobs = &ctld.live.knobs;
        let mut counts = Counts::default();
        let mut walk = ctld.live.queue.walk();
        let mut rows = Vec::new();
        while rows.len() < knobs.bf_max_job_test {
            let Some(row) = walk.next(&ctld.live.queue, |_| true) else { break };
            if ctld.jobs.get(row.job()).is_some_and(|job| counts.admit(ctld, job, row.part)) {
                rows.push(row);
            }
        }
        rows
    }

    /// Starts the row, or keeps a place for it; an array as often as its tasks go.
    fn visit(&mut self, ctld: &mut Slurmctld, row: Row) {
        let mut reserved = 0;
        while let Some(job) = ctld.jobs.get(row.job()).filter(|j| j.state == JobState::Pending) {
            if let Some(reason) = super::barred(ctld, job, row.part, self.now) {
                // The main loop says it of other jobs; it does not come to components.
                if job.het.is_some() {
                    ctld.change_job(row.job(), |j| j.reason = reason);
                }
                return;
            }
            if limits::access::admits(ctld, limits::access::Guest::of(job), row.part).is_err() {
                return;
            }
            if let Err(blocked) = limits::needs(ctld, job, row.part, self.now) {
                return ctld.change_job(row.job(), |j| j.reason = blocked.reason);
            }
            let het = job.het.is_some();
            let span = super::span_of(job).0;
            let found = self.earliest(ctld, (row, reserved, span));
            if found.place.as_ref().is_none_or(|f| f.0 > self.now)
                && !het
                && let Some(whole) = self.preempt(ctld, row)
            {
                if whole {
                    return;
                }
                continue;
            }
            let Some((at, nodes)) = found.place.clone() else {
                self.recall.keep(&self.plan, (row, reserved, span), found);
                if ctld.jobs.get(row.job()).is_some_and(|j| j.planned.is_some()) {
                    ctld.change_job(row.job(), |j| j.planned = None);
                }
                return;
            };
            if at <= self.now && het {
                return self.hold_ready(ctld, row, &nodes);
            }
            let most = ctld.live.knobs.bf_max_job_start;
            if at <= self.now && (most == 0 || self.started < most) {
                if self.start(ctld, row, &nodes) {
                    return;
                }
                continue;
            }
            let Some(job) = ctld.jobs.get(row.job()) else { return };
            if job.priority < ctld.live.knobs.bf_min_prio_reserve || !limits::reserves(ctld, job, row.part) {
                return;
            }
            let more = job.array.as_ref().is_some_and(|a| a.pending.len() > reserved + 1);
            self.plan.keep(self.plan.place(at, span, nodes.clone()));
            self.recall.keep(&self.plan, (row, reserved, span), found);
            if reserved == 0 && !ctld.lean {
                self.planned.union_with(&nodes);
                self.expect(ctld, row.job(), at, nodes);
            }
            reserved += 1;
            if !more || reserved >= ctld.live.knobs.bf_max_job_array_resv {
                return;
            }
        }
    }

    /// The earliest moment at which the row fits, and where: as the last pass found it, or found anew.
    fn earliest(&mut self, ctld: &mut Slurmctld, what: (Row, u32, i64)) -> Found {
        let (row, _, span) = what;
        // Who waits for switches only so long, or has a reservation, is not like others that ask for the same.
        let unlike = |job: &Job| job.needs.switches.is_some() || reservation::personal(ctld, job);
        if ctld.jobs.get(row.job()).is_some_and(unlike) {
            let found = self.search(ctld, row, self.now, Short::ANY);
            self.recall.note_change(found.kept_for(&self.plan, span).as_ref());
            return found;
        }
        let known = ctld.with_shapes(|ctld, shapes| self.recall.find(ctld, shapes, &self.plan, what));
        let like = |f: &Floor| f.shape == row.shape && f.span <= span && !ctld.plain;
        let floor = self.floors.iter().position(like);
        let found = known.unwrap_or_else(|| {
            let found = match floor.map(|at| &self.floors[at]) {
                Some(Floor { at: None, short, .. }) => Found { place: None, short: *short },
                Some(Floor { at: Some(at), short, .. }) => self.search(ctld, row, *at, *short),
                None => self.search(ctld, row, self.now, Short::ANY),
            };
            self.recall.note_change(found.kept_for(&self.plan, span).as_ref());
            found
        });
        let entry =
            Floor { shape: row.shape, span, at: found.place.as_ref().map(|p| p.0), short: found.short };
        match floor.filter(|at| self.floors[*at].span == span) {
            Some(at) => self.floors[at] = entry,
            None => self.floors.insert(0, entry),
        }
        found
    }

    fn search(&mut self, ctld: &mut Slurmctld, row: Row, floor: Time, before: Short) -> Found {
        let found = ctld.with_shapes(|ctld, shapes| self.plan.earliest(ctld, shapes, row, floor));
        Found { short: found.short.min(before), ..found }
    }

    /// Starts the row on some of the nodes that are free for all of its time. True when nothing of it is left.
    fn start(&mut self, ctld: &mut Slurmctld, row: Row, nodes: &BitSet) -> bool {
        let Some(job) = ctld.jobs.get(row.job()) else { return true };
        let mut nodes = nodes.clone();
        nodes.subtract(&ctld.index.completing);
        let Ok(choice) = select::choose(ctld, job, row.part, &Board::now(ctld), &nodes) else { return true };
        let limit = self.stretched(job, &choice.nodes());
        let allocation = choice.allocation(ctld, job, row.part);
        if let Err(blocked) = limits::after_selection(ctld, job, row.part, &allocation, self.now) {
            ctld.change_job(row.job(), |j| j.reason = blocked.reason);
            return true;
        }
        self.started += 1;
        if let Some(limit) = limit {
            ctld.change_job(row.job(), |j| j.time_limit = limit);
        }
        let taken = self.taken(ctld, row, &allocation);
        let whole = begin(ctld, row.job(), row.part, allocation, Scheduler::Backfill, self.now);
        self.recall.note_change(Some(&taken));
        whole
    }

    /// The limit that a job with `--time-min` gets: what it asked for, or less where its nodes are wanted earlier.
    fn stretched(&self, job: &Job, nodes: &BitSet) -> Option<Limit> {
        let (least, asked) = (job.desc.time_min?, job.time_limit);
        let minutes = |until: Time| u32::try_from((until - self.now).secs() / 60).unwrap_or(u32::MAX);
        let free = self.plan.wanted_from(nodes).map_or(Limit::Unlimited, |t| Limit::Minutes(minutes(t)));
        Some(asked.min(free.max(least)))
    }

    /// What a job that starts now keeps until its limit.
    fn taken(&self, ctld: &Slurmctld, row: Row, allocation: &Allocation) -> Place {
        let span = ctld.jobs.get(row.job()).map_or(Span(0), |job| job.time_limit.span().unwrap_or(UNLIMITED));
        let nodes = allocation.nodes.iter().map(|n| n.node.0).collect();
        Place { from: self.now, to: self.now + span, nodes }
    }

    /// A component could start: its nodes are kept until it is known whether the others can, too.
    fn hold_ready(&mut self, ctld: &Slurmctld, row: Row, nodes: &BitSet) {
        let Some(job) = ctld.jobs.get(row.job()) else { return };
        let Ok(choice) = select::choose(ctld, job, row.part, &Board::now(ctld), nodes) else { return };
        let taken = choice.nodes();
        let allocation = choice.allocation(ctld, job, row.part);
        if limits::after_selection(ctld, job, row.part, &allocation, self.now).is_ok() {
            self.plan.keep(self.plan.place(self.now, super::span_of(job).0, taken));
            self.ready.push(Ready { job: row.job(), part: row.part, allocation });
        }
    }

    /// Makes room for a row that finds none, if others may be preempted for it. When it could start at once: whether
    /// nothing of it is left.
    fn preempt(&mut self, ctld: &mut Slurmctld, row: Row) -> Option<bool> {
        let job = ctld.jobs.get(row.job()).filter(|job| preempt::possible(ctld, job, row.part))?;
        let kept = self.plan.nodes();
        let plan = preempt::plan(ctld, job, row.part, &Board::now(ctld), &kept, self.now)?;
        let allocation = ctld.preempt(plan, self.now)?;
        self.started += 1;
        let taken = self.taken(ctld, row, &allocation);
        let whole = begin(ctld, row.job(), row.part, allocation, Scheduler::Backfill, self.now);
        self.recall.note_change(Some(&taken));
        Some(whole)
    }

    /// The job is shown with the start that is expected of it.
    fn expect(&self, ctld: &mut Slurmctld, id: JobId, at: Time, nodes: BitSet) {
        let now = self.now;
        ctld.change_job(id, |j| {
            j.planned = Some((at, nodes));
            j.last_sched = Some(now);
            j.scheduler = Scheduler::Backfill;
            if j.reason == Reason::None {
                j.reason = Reason::Priority;
            }
        });
    }
}

/// How many jobs of whom were looked at.
#[derive(Default)]
struct Counts {
    users: Vec<(Uid, u32)>,
    assocs: Vec<(AssocId, u32)>,
    parts: Vec<(PartId, u32)>,
    user_parts: Vec<((Uid, PartId), u32)>,
}

impl Counts {
    /// Counts a job, or says that there were enough like it.
    fn admit(&mut self, ctld: &Slurmctld, job: &Job, part: PartId) -> bool {
        let knobs = &ctld.live.knobs;
        let uid = job.uid();
        count(&mut self.users, uid, knobs.bf_max_job_user)
            && count(&mut self.parts, part, knobs.bf_max_job_part)
            && count(&mut self.user_parts, (uid, part), knobs.bf_max_job_user_part)
            && job.assoc.is_none_or(|assoc| count(&mut self.assocs, assoc, knobs.bf_max_job_assoc))
    }
}

fn count<T: Ord + Copy>(counts: &mut Vec<(T, u32)>, of: T, most: u32) -> bool {
    if most == 0 {
        return true;
    }
    let at = match counts.binary_search_by_key(&of, |c| c.0) {
        Ok(at) => at,
        Err(at) => {
            counts.insert(at, (of, 0));
            at
        }
    };
    counts[at].1 += 1;
    counts[at].1 <= most
}
