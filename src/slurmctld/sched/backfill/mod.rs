//! Backfill: every `bf_interval`, each queue entry in order of priority gets the earliest reservation in a plan built from
//! time limits. An entry whose reservation begins now starts now. Mirrors sched_config.html.
//!
//! Invariant: a lower-priority start never delays a reservation.
//!
//! As in Slurm, a planned job reserves whole nodes in full steps of `bf_resolution`, and running jobs end when their limits
//! do. Reservations are recomputed only where something changed since the last pass ([`super::backfill_cache`]). When nobody
//! reads expected starts, a pass ends with the last entry that could start ([`super::start_candidates`]).

mod het;
mod search;

use super::admitted::rows;
use super::backfill_cache::{
    BackfillCache, BackfillPlan, CacheCursor, FirstFit, LowerBounds, PlannedReservation, SlotRequest,
};
use super::decision::{Applied, Decision, Pass, PlannedStart, Start, Step};
use super::licenses::PlannedLicenses;
use super::queue::QueueEntry;
use super::start_candidates::StartCandidates;
use crate::Slurmctld;
use crate::acct_policy;
use crate::preempt;
use crate::select::{self, Choice, FreeResources, RequestClasses};
use crate::state::job::{Allocation, Job, JobState, Scheduler, UNLIMITED};
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::time::{Limit, Span, Time};
use std::collections::BTreeSet;

/// Whether only what could start matters.
const fn leaves_out(ctld: &Slurmctld) -> bool {
    ctld.lean && !ctld.plain
}

/// As in Slurm, each pass begins without expected starts: whom it does not come to has none.
fn others(ctld: &Slurmctld, kept: &BTreeSet<JobId>) -> Vec<JobId> {
    ctld.jobs.index().planned.iter().filter(|id| !kept.contains(id)).copied().collect()
}

/// A decision that starts a job, if it does; `taken` is what the job then keeps until its limit.
#[derive(Debug)]
enum BackfillTrial {
    Start(PlannedReservation),
    /// Others make way for the row, for which this was found.
    Preempt {
        asked: SlotRequest,
        found: FirstFit,
        taken: PlannedReservation,
    },
    /// Others are on their way out for the row: it is planned like any other.
    Plan(SlotRequest, FirstFit),
}

/// How a row goes on.
#[derive(Debug)]
enum Next {
    /// Whether it is tried once more: an array is as often as its tasks go.
    Again(bool),
    /// That follows from what comes of the decision.
    Await(BackfillTrial),
}

/// What a backfill pass takes over from the one before it, and leaves for the next one.
#[derive(Debug, Default)]
pub(crate) struct BackfillMemo {
    cache: BackfillCache,
    /// Only its memory is used again.
    plan: BackfillPlan,
}

/// Whether a pass could start no job where only starts matter.
pub(crate) fn is_futile(ctld: &Slurmctld, classes: &mut RequestClasses) -> bool {
    leaves_out(ctld) && !preempt::configured(ctld) && !classes.any_may_fit(ctld)
}

/// What a backfill pass leaves behind.
#[derive(Debug)]
pub(crate) struct BackfillEnd {
    /// The last decisions: starts of heterogeneous jobs, and what is shown of reservations.
    pub decisions: Vec<Decision>,
    /// Entries that it looked at, all that it could have, and whether `bf_max_job_test` limits these.
    pub looked: u64,
    pub waiting: u64,
    pub cut: bool,
    pub memo: BackfillMemo,
}

/// A pass on its way. Nothing else happens to the controller between its parts.
#[derive(Debug)]
pub(crate) struct BackfillPass {
    now: Time,
    rows: Vec<QueueEntry>,
    /// The row that is looked at, whether it was tried before, and for how many of its tasks places are kept.
    index: usize,
    again: bool,
    reserved: u32,
    plan: BackfillPlan,
    cache: CacheCursor,
    started: u32,
    /// Nodes kept for jobs that are shown as planned.
    planned: BitSet,
    /// Jobs for which a place is kept.
    kept: BTreeSet<JobId>,
    lower_bounds: LowerBounds,
    /// Where nobody looks at expected starts.
    start_candidates: Option<StartCandidates>,
    /// Components of heterogeneous jobs that could start now.
    ready: Vec<Start>,
    /// With `bf_licenses`, who has which when.
    licenses: Option<PlannedLicenses>,
    /// What the decision that is being committed is about.
    trial: Option<BackfillTrial>,
    /// For how many jobs of each partition places are kept.
    kept_in: Vec<u32>,
}

impl BackfillPass {
    /// One that goes on from what the last pass left.
    pub(crate) fn begin(ctld: &Slurmctld, memo: BackfillMemo, now: Time) -> Self {
        let rows = rows(ctld);
        let start_candidates = leaves_out(ctld).then(|| StartCandidates::new(&rows));
        let plan = BackfillPlan::new(ctld, memo.plan, now);
        let licensed = ctld.caches.parameters.bf_licenses;
        Self {
            trial: None,
            licenses: licensed.then(|| PlannedLicenses::of_running(ctld, now, plan.soon())),
            kept_in: vec![0; ctld.partitions.len()],
            now,
            cache: CacheCursor::new(ctld, memo.cache, &plan, &rows, now),
            rows,
            index: 0,
            again: false,
            reserved: 0,
            plan,
            started: 0,
            planned: BitSet::new(),
            kept: BTreeSet::new(),
            lower_bounds: LowerBounds::default(),
            start_candidates,
            ready: Vec::new(),
        }
    }

    /// It is over.
    pub(crate) fn end(self, ctld: &Slurmctld) -> BackfillEnd {
        let (looked, all) = (self.index, self.rows.len());
        let count = |n: usize| u64::try_from(n).unwrap_or(0);
        let mut decisions = Vec::new();
        if !self.ready.is_empty() {
            decisions.push(Decision::StartHet { starts: self.ready, last: true });
        }
        if !ctld.lean {
            decisions.extend(others(ctld, &self.kept).into_iter().map(Decision::Unplan));
            decisions.push(Decision::ShowPlanned(self.planned));
        }
        BackfillEnd {
            decisions,
            looked: count(looked),
            waiting: count(all),
            cut: all >= ctld.caches.parameters.bf_max_job_test,
            memo: BackfillMemo { cache: self.cache.store(ctld, looked < all), plan: self.plan },
        }
    }

    /// Whether no row from this one on can start now, and nobody looks at what else is expected of it.
    fn is_over(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses) -> bool {
        let Self { start_candidates, plan, rows, index, now, .. } = self;
        start_candidates
            .as_mut()
            .is_some_and(|candidates| !candidates.remain(ctld, classes, (plan, rows), *index, *now))
    }

    /// Starts the row, or keeps a place for it.
    fn consider(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        row: QueueEntry,
    ) -> (Option<Decision>, Next) {
        let nothing = (None, Next::Again(false));
        let Some(job) = ctld.jobs.get(row.job()).filter(|j| j.state == JobState::Pending) else {
            return nothing;
        };
        let licensed = |job: &Job| self.licenses.is_some() || ctld.licenses_free(job, self.now);
        if let Some(reason) = super::barred_or(ctld, job, row.part, licensed) {
            // The main loop says it of jobs that it comes to.
            let says = (job.reason != reason).then_some(Decision::Reason(job.id, reason));
            return (says, Next::Again(false));
        }
        if acct_policy::access::admits(ctld, acct_policy::access::AccessIdentity::of(job), row.part).is_err()
        {
            return nothing;
        }
        if let Err(blocked) = acct_policy::needs(ctld, job, row.part, self.now) {
            return (Some(Decision::Reason(job.id, blocked.reason)), Next::Again(false));
        }
        let het = job.het.is_some();
        let span = job.planned_span().0;
        let asked = SlotRequest { row, index: self.index, nth: self.reserved, span };
        let licensed = self.licensed(ctld, classes, asked);
        let found = licensed.unwrap_or_else(|| self.earliest(ctld, classes, asked));
        if found.slot.as_ref().is_none_or(|f| f.0 > self.now)
            && !het
            && let Some(plan) = self.preemption(ctld, row)
        {
            // More may be free than was counted with.
            self.start_candidates = None;
            let taken = self.taken(job.time_limit, &plan.allocation);
            let trial = BackfillTrial::Preempt { asked, found, taken };
            return (Some(Decision::Preempt(plan, row.part, Scheduler::Backfill)), Next::Await(trial));
        }
        self.place(ctld, classes, asked, found)
    }

    /// Starts the row where it was found to fit, or keeps that place for it.
    fn place(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        asked: SlotRequest,
        found: FirstFit,
    ) -> (Option<Decision>, Next) {
        let row = asked.row;
        let Some((at, nodes)) = &found.slot else {
            self.cache.keep(ctld, &self.plan, asked, found);
            return (None, Next::Again(false));
        };
        let at = *at;
        if at <= self.now && ctld.jobs.get(row.job()).is_some_and(|job| job.het.is_some()) {
            return (self.hold_ready(ctld, classes, asked, &found), Next::Again(false));
        }
        let most = ctld.caches.parameters.bf_max_job_start;
        if at <= self.now && (most == 0 || self.started < most) {
            return self.start(ctld, classes, row, nodes);
        }
        let (planned, again) = self.reserve(ctld, classes, asked, at, found);
        (planned.map(Decision::Plan), Next::Again(again))
    }

    /// Keeps the place that was found, and whether there is more of the row for which one may be kept.
    fn reserve(
        &mut self,
        ctld: &Slurmctld,
        classes: &RequestClasses,
        asked: SlotRequest,
        at: Time,
        found: FirstFit,
    ) -> (Option<PlannedStart>, bool) {
        let SlotRequest { row, nth, span, .. } = asked;
        let Some(job) = ctld.jobs.get(row.job()) else { return (None, false) };
        let one_only = ctld.caches.parameters.bf_one_resv_per_job && nth == 0;
        if super::passed_over(ctld, job, self.now)
            || !acct_policy::reserves(ctld, job, row.part)
            || (one_only && self.kept.contains(&job.id))
            || (nth == 0 && self.enough_kept(ctld, row.part))
        {
            self.forgo(&found, span);
            return (None, false);
        }
        if let Some(licenses) = &mut self.licenses {
            licenses.keep(ctld, job, (at, Span(span)));
        }
        let more = job.array.as_ref().is_some_and(|a| a.pending.len() > nth + 1);
        let nodes = found.slot.as_ref().map(|place| place.1.clone()).unwrap_or_default();
        let place = self.plan.reservation(at, span, nodes.clone());
        if at <= self.now {
            self.cache.note_reserved(&place);
        }
        self.plan.keep_found(classes.node_request(row.class), span, &found, place);
        let mut planned = None;
        if nth == 0 && !ctld.lean {
            self.planned.union_with(&nodes);
            planned = self.expect(job, at, nodes);
        }
        self.cache.keep(ctld, &self.plan, asked, found);
        self.reserved += 1;
        (planned, more && self.reserved < ctld.caches.parameters.bf_max_job_array_resv)
    }

    /// Whether places are kept for as many jobs of a partition as `bf_job_part_count_reserve` says; if not, it is one more.
    fn enough_kept(&mut self, ctld: &Slurmctld, part: PartId) -> bool {
        let most = ctld.caches.parameters.bf_job_part_count_reserve;
        let Some(kept) = self.kept_in.get_mut(part.0 as usize).filter(|_| most > 0) else { return false };
        *kept += 1;
        *kept > most
    }

    /// What the row gets now out of some nodes.
    fn choose(
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        row: QueueEntry,
        nodes: &BitSet,
    ) -> Option<Choice> {
        let job = ctld.jobs.get(row.job())?;
        select::among(ctld, job, (row.part, row.class), classes, nodes).ok()
    }

    /// Starts the row on some of the nodes that are free for all of its time.
    fn start(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        row: QueueEntry,
        nodes: &BitSet,
    ) -> (Option<Decision>, Next) {
        let mut nodes = nodes.clone();
        nodes.subtract(&ctld.nodes.index().completing);
        let nothing = (None, Next::Again(false));
        let Some(choice) = Self::choose(ctld, classes, row, &nodes) else { return nothing };
        let Some(job) = ctld.jobs.get(row.job()) else { return nothing };
        let limit = self.stretched(job, &choice.nodes());
        let allocation = choice.allocation(ctld, job, row.part);
        if let Err(blocked) = acct_policy::after_selection(ctld, job, row.part, &allocation, self.now) {
            return (Some(Decision::Reason(job.id, blocked.reason)), Next::Again(false));
        }
        self.started += 1;
        let taken = self.taken(limit.unwrap_or(job.time_limit), &allocation);
        if let Some(licenses) = &mut self.licenses {
            licenses.keep(ctld, job, (self.now, job.planned_span()));
        }
        let start = Start { job: job.id, part: row.part, allocation, by: Scheduler::Backfill, limit };
        (Some(Decision::Start(start)), Next::Await(BackfillTrial::Start(taken)))
    }

    /// The limit that a job with `--time-min` gets: what it asked for, or less where its nodes are wanted earlier.
    fn stretched(&self, job: &Job, nodes: &BitSet) -> Option<Limit> {
        let (least, asked) = (job.desc.time_min?, job.time_limit);
        let minutes = |until: Time| u32::try_from((until - self.now).secs() / 60).unwrap_or(u32::MAX);
        let free = self.plan.wanted_from(nodes).map_or(Limit::Unlimited, |t| Limit::Minutes(minutes(t)));
        Some(asked.min(free.max(least)))
    }

    /// What a job that starts now keeps until its limit.
    fn taken(&self, limit: Limit, allocation: &Allocation) -> PlannedReservation {
        let nodes = allocation.nodes.iter().map(|n| n.node.0).collect();
        PlannedReservation { from: self.now, to: self.now + limit.span().unwrap_or(UNLIMITED), nodes }
    }

    /// Who must make way for a row that finds no room, if others may be preempted for it.
    fn preemption(&self, ctld: &Slurmctld, row: QueueEntry) -> Option<preempt::PreemptionPlan> {
        let job = ctld.jobs.get(row.job()).filter(|job| preempt::possible(ctld, job, row.part))?;
        let resources = FreeResources::now_for(ctld, job, self.now);
        preempt::plan(ctld, job, row.part, &resources, &self.plan.nodes(), self.now)
    }

    /// The start that is expected of a job; none: it is expected in the first of its partitions that has room.
    fn expect(&mut self, job: &Job, at: Time, nodes: BitSet) -> Option<PlannedStart> {
        let again = !self.kept.insert(job.id);
        let sooner = again && job.planned.as_ref().is_some_and(|p| p.0 <= at);
        (!sooner).then_some(PlannedStart { job: job.id, at, nodes })
    }

    /// How the row goes on.
    fn go_on(&mut self, again: bool) {
        self.again = again;
        if !again {
            (self.index, self.reserved) = (self.index + 1, 0);
        }
    }
}

impl Pass for BackfillPass {
    fn now(&self) -> Time {
        self.now
    }

    fn decide(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses) -> Step {
        let (decision, next) = if let Some(BackfillTrial::Plan(asked, found)) = self.trial.take() {
            self.place(ctld, classes, asked, found)
        } else {
            let Some(row) = self.rows.get(self.index).copied() else { return Step::Over };
            if !self.again && self.is_over(ctld, classes) {
                return Step::Over;
            }
            self.consider(ctld, classes, row)
        };
        match next {
            Next::Again(again) => self.go_on(again),
            Next::Await(trial) => self.trial = Some(trial),
        }
        decision.map_or(Step::Nothing, Step::Decided)
    }

    fn note(&mut self, _: &Slurmctld, applied: Applied) {
        match (self.trial.take(), applied) {
            (Some(BackfillTrial::Start(taken)), Applied::Started { whole }) => {
                self.cache.note_reserved(&taken);
                self.go_on(!whole);
            }
            (Some(BackfillTrial::Preempt { asked, found, taken }), Applied::Started { whole }) => {
                self.started += 1;
                self.cache.note_reserved(&taken);
                self.forgo(&found, asked.span);
                self.go_on(!whole);
            }
            (Some(BackfillTrial::Preempt { asked, found, .. }), Applied::Done) => {
                self.trial = Some(BackfillTrial::Plan(asked, found));
            }
            _ => {}
        }
    }
}
