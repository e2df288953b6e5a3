//! Backfill: every `bf_interval`, each queue entry in order of priority gets the earliest reservation in a plan built from
//! time limits. An entry whose reservation begins now starts now. Mirrors sched_config.html.
//!
//! Invariant: a lower-priority start never delays a reservation.
//!
//! As in Slurm, a planned job reserves whole nodes in full steps of `bf_resolution`, and running jobs end when their limits
//! do. Reservations are recomputed only where something changed since the last pass ([`super::backfill_cache`]). When expected
//! starts are not read, a pass ends with the last entry that could start ([`super::start_candidates`]).

mod het;
mod search;

use super::admitted::entries;
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

/// Whether expected starts are not read, so that only jobs that could start now matter.
const fn starts_only(ctld: &Slurmctld) -> bool {
    ctld.lean && !ctld.plain
}

/// Planned jobs that lose their expected start: as in Slurm, each pass makes a new plan, and a job that it does not reach has no
/// expected start.
fn unplanned(ctld: &Slurmctld, planned: &BTreeSet<JobId>) -> Vec<JobId> {
    ctld.jobs.index().planned.iter().filter(|id| !planned.contains(id)).copied().collect()
}

/// A decision that is being committed. `taken` is what the job holds until its time limit, if it starts.
#[derive(Debug)]
enum BackfillTrial {
    Start(PlannedReservation),
    /// Other jobs are preempted for the entry; `found` is its first fit without preemption.
    Preempt {
        asked: SlotRequest,
        found: FirstFit,
        taken: PlannedReservation,
    },
    /// Preempted jobs are still ending, so the entry gets a reservation like any other.
    Plan(SlotRequest, FirstFit),
}

/// State that the next backfill pass reuses.
#[derive(Debug, Default)]
pub(crate) struct BackfillMemo {
    cache: BackfillCache,
    /// Only its allocations are reused.
    plan: BackfillPlan,
}

/// Whether only starts matter and a pass could start no job.
pub(crate) fn is_futile(ctld: &Slurmctld, classes: &mut RequestClasses) -> bool {
    starts_only(ctld) && !preempt::configured(ctld) && !classes.any_may_fit(ctld)
}

/// The result of a backfill pass.
#[derive(Debug)]
pub(crate) struct BackfillEnd {
    /// The last decisions: starts of heterogeneous jobs, and the planned nodes to show.
    pub decisions: Vec<Decision>,
    /// Entries considered, entries in the queue, and whether `bf_max_job_test` cut the queue.
    pub looked: u64,
    pub waiting: u64,
    pub cut: bool,
    pub memo: BackfillMemo,
}

/// A backfill pass in progress. The controller does not change between its steps, except by its decisions.
#[derive(Debug)]
pub(crate) struct BackfillPass {
    now: Time,
    entries: Vec<QueueEntry>,
    /// The current entry, whether it was tried before, and how many of its tasks have a reservation.
    index: usize,
    again: bool,
    reserved: u32,
    plan: BackfillPlan,
    cache: CacheCursor,
    started: u32,
    /// Nodes of the jobs that are shown as planned.
    planned_nodes: BitSet,
    /// Jobs with a reservation.
    planned_jobs: BTreeSet<JobId>,
    lower_bounds: LowerBounds,
    /// Used when expected starts are not read.
    start_candidates: Option<StartCandidates>,
    /// Components of heterogeneous jobs that could start now.
    ready: Vec<Start>,
    /// With `bf_licenses`: licences in use or reserved over time.
    licenses: Option<PlannedLicenses>,
    /// The decision that is being committed.
    trial: Option<BackfillTrial>,
    /// Number of jobs with a reservation, by partition.
    planned_in: Vec<u32>,
}

impl BackfillPass {
    /// Begins a pass with the results of the last one.
    pub(crate) fn begin(ctld: &Slurmctld, memo: BackfillMemo, now: Time) -> Self {
        let entries = entries(ctld);
        let start_candidates = starts_only(ctld).then(|| StartCandidates::new(&entries));
        let plan = BackfillPlan::new(ctld, memo.plan, now);
        let licensed = ctld.caches.parameters.bf_licenses;
        Self {
            trial: None,
            licenses: licensed.then(|| PlannedLicenses::of_running(ctld, now, plan.soon())),
            planned_in: vec![0; ctld.partitions.len()],
            now,
            cache: CacheCursor::new(ctld, memo.cache, &plan, &entries, now),
            entries,
            index: 0,
            again: false,
            reserved: 0,
            plan,
            started: 0,
            planned_nodes: BitSet::new(),
            planned_jobs: BTreeSet::new(),
            lower_bounds: LowerBounds::default(),
            start_candidates,
            ready: Vec::new(),
        }
    }

    /// Ends the pass.
    pub(crate) fn end(self: Box<Self>, ctld: &Slurmctld) -> BackfillEnd {
        let (looked, all) = (self.index, self.entries.len());
        let count = |n: usize| u64::try_from(n).unwrap_or(0);
        let mut decisions = Vec::new();
        if !self.ready.is_empty() {
            decisions.push(Decision::StartHet { starts: self.ready, last: true });
        }
        if !ctld.lean {
            decisions.extend(unplanned(ctld, &self.planned_jobs).into_iter().map(Decision::Unplan));
            decisions.push(Decision::ShowPlanned(self.planned_nodes));
        }
        BackfillEnd {
            decisions,
            looked: count(looked),
            waiting: count(all),
            cut: all >= ctld.caches.parameters.bf_max_job_test,
            memo: BackfillMemo { cache: self.cache.store(ctld, looked < all), plan: self.plan },
        }
    }

    /// Whether the pass may end early: expected starts are not read, and no remaining entry can start now.
    fn is_over(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses) -> bool {
        let Self { start_candidates, plan, entries, index, now, .. } = self;
        start_candidates
            .as_mut()
            .is_some_and(|candidates| !candidates.remain(ctld, classes, (plan, entries), *index, *now))
    }

    /// Starts the entry, or gives it a reservation. A start is a trial until the controller has committed it.
    fn consider(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        entry: QueueEntry,
    ) -> Option<Decision> {
        let Some(job) = ctld.jobs.get(entry.job()).filter(|j| j.state == JobState::Pending) else {
            return self.go_on(false, None);
        };
        let licensed = |job: &Job| self.licenses.is_some() || ctld.licenses_free(job, self.now);
        if let Some(reason) = super::barred_with(ctld, job, entry.part, licensed) {
            // The main loop sets this reason for the jobs that it reaches.
            let says = (job.reason != reason).then_some(Decision::Reason(job.id, reason));
            return self.go_on(false, says);
        }
        if acct_policy::access::admits(ctld, acct_policy::access::AccessIdentity::of(job), entry.part)
            .is_err()
        {
            return self.go_on(false, None);
        }
        if let Err(blocked) = acct_policy::needs(ctld, job, entry.part, self.now) {
            return self.go_on(false, Some(Decision::Reason(job.id, blocked.reason)));
        }
        let het = job.het.is_some();
        let span = job.planned_span().0;
        let asked = SlotRequest { entry, index: self.index, nth: self.reserved, span };
        let licensed = self.licensed(ctld, classes, asked);
        let found = licensed.unwrap_or_else(|| self.earliest(ctld, classes, asked));
        if found.slot.as_ref().is_none_or(|f| f.0 > self.now)
            && !het
            && let Some(plan) = self.preemption(ctld, entry)
        {
            // Preemption may free more than the candidates were counted with.
            self.start_candidates = None;
            let taken = self.taken(job.time_limit, &plan.allocation);
            self.trial = Some(BackfillTrial::Preempt { asked, found, taken });
            return Some(Decision::Preempt(plan, entry.part, Scheduler::Backfill));
        }
        self.start_or_reserve(ctld, classes, asked, found)
    }

    /// Starts the entry if its first fit is now, otherwise reserves the slot.
    fn start_or_reserve(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        asked: SlotRequest,
        found: FirstFit,
    ) -> Option<Decision> {
        let entry = asked.entry;
        let Some((at, nodes)) = &found.slot else {
            self.cache.insert(ctld, &self.plan, asked, found);
            return self.go_on(false, None);
        };
        let at = *at;
        if at <= self.now && ctld.jobs.get(entry.job()).is_some_and(|job| job.het.is_some()) {
            let decision = self.reserve_component(ctld, classes, asked, &found);
            return self.go_on(false, decision);
        }
        let most = ctld.caches.parameters.bf_max_job_start;
        if at <= self.now && (most == 0 || self.started < most) {
            return self.start(ctld, classes, entry, nodes);
        }
        let (planned, again) = self.reserve(ctld, classes, asked, at, found);
        self.go_on(again, planned.map(Decision::Plan))
    }

    /// Reserves the first fit; also returns whether another task of the entry may get a reservation.
    fn reserve(
        &mut self,
        ctld: &Slurmctld,
        classes: &RequestClasses,
        asked: SlotRequest,
        at: Time,
        found: FirstFit,
    ) -> (Option<PlannedStart>, bool) {
        let SlotRequest { entry, nth, span, .. } = asked;
        let Some(job) = ctld.jobs.get(entry.job()) else { return (None, false) };
        let one_only = ctld.caches.parameters.bf_one_resv_per_job && nth == 0;
        if super::gets_no_reservation(ctld, job, self.now)
            || !acct_policy::reserves(ctld, job, entry.part)
            || (one_only && self.planned_jobs.contains(&job.id))
            || (nth == 0 && self.exceeds_partition_reserve(ctld, entry.part))
        {
            self.release(&found, span);
            return (None, false);
        }
        if let Some(licenses) = &mut self.licenses {
            licenses.reserve(ctld, job, (at, Span(span)));
        }
        let more = job.array.as_ref().is_some_and(|a| a.pending.len() > nth + 1);
        let nodes = found.slot.as_ref().map(|slot| slot.1.clone()).unwrap_or_default();
        let reservation = self.plan.reservation(at, span, nodes.clone());
        if at <= self.now {
            self.cache.note_reserved(&reservation);
        }
        self.plan.add_found(classes.node_request(entry.class), span, &found, reservation);
        let mut planned = None;
        if nth == 0 && !ctld.lean {
            self.planned_nodes.union_with(&nodes);
            planned = self.expect(job, at, nodes);
        }
        self.cache.insert(ctld, &self.plan, asked, found);
        self.reserved += 1;
        (planned, more && self.reserved < ctld.caches.parameters.bf_max_job_array_resv)
    }

    /// Counts one more job with a reservation in a partition; true if `bf_job_part_count_reserve` was already reached.
    fn exceeds_partition_reserve(&mut self, ctld: &Slurmctld, part: PartId) -> bool {
        let most = ctld.caches.parameters.bf_job_part_count_reserve;
        let Some(planned) = self.planned_in.get_mut(part.0 as usize).filter(|_| most > 0) else {
            return false;
        };
        *planned += 1;
        *planned > most
    }

    /// Selects resources for a start of the entry now on some of these nodes.
    fn choose(
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        entry: QueueEntry,
        nodes: &BitSet,
    ) -> Option<Choice> {
        let job = ctld.jobs.get(entry.job())?;
        select::among(ctld, job, (entry.part, entry.class), classes, nodes).ok()
    }

    /// Starts the entry on some of the nodes that are free until its time limit.
    fn start(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        entry: QueueEntry,
        nodes: &BitSet,
    ) -> Option<Decision> {
        let mut nodes = nodes.clone();
        nodes.subtract(&ctld.nodes.index().completing);
        let choice = Self::choose(ctld, classes, entry, &nodes);
        let Some((choice, job)) = choice.zip(ctld.jobs.get(entry.job())) else {
            return self.go_on(false, None);
        };
        let limit = self.stretched(job, &choice.nodes());
        let allocation = choice.allocation(ctld, job, entry.part);
        if let Err(blocked) = acct_policy::after_selection(ctld, job, entry.part, &allocation, self.now) {
            return self.go_on(false, Some(Decision::Reason(job.id, blocked.reason)));
        }
        self.started += 1;
        let taken = self.taken(limit.unwrap_or(job.time_limit), &allocation);
        if let Some(licenses) = &mut self.licenses {
            licenses.reserve(ctld, job, (self.now, job.planned_span()));
        }
        let start = Start { job: job.id, part: entry.part, allocation, by: Scheduler::Backfill, limit };
        self.trial = Some(BackfillTrial::Start(taken));
        Some(Decision::Start(start))
    }

    /// The time limit of a job with `--time-min`: the requested one, or less if a reservation needs the nodes earlier.
    fn stretched(&self, job: &Job, nodes: &BitSet) -> Option<Limit> {
        let (least, asked) = (job.desc.time_min?, job.time_limit);
        let minutes = |until: Time| u32::try_from((until - self.now).secs() / 60).unwrap_or(u32::MAX);
        let free = self.plan.next_reserved(nodes).map_or(Limit::Unlimited, |t| Limit::Minutes(minutes(t)));
        Some(asked.min(free.max(least)))
    }

    /// The nodes that a job which starts now holds until its time limit.
    fn taken(&self, limit: Limit, allocation: &Allocation) -> PlannedReservation {
        let nodes = allocation.nodes.iter().map(|n| n.node.0).collect();
        PlannedReservation { from: self.now, to: self.now + limit.span().unwrap_or(UNLIMITED), nodes }
    }

    /// The jobs to preempt for an entry that does not fit, if there are any.
    fn preemption(&self, ctld: &Slurmctld, entry: QueueEntry) -> Option<preempt::PreemptionPlan> {
        let job = ctld.jobs.get(entry.job()).filter(|job| preempt::possible(ctld, job, entry.part))?;
        let resources = FreeResources::now_for(ctld, job, self.now);
        preempt::plan(ctld, job, entry.part, &resources, &self.plan.nodes(), self.now)
    }

    /// The expected start of a job; none if it is expected earlier in another of its partitions.
    fn expect(&mut self, job: &Job, at: Time, nodes: BitSet) -> Option<PlannedStart> {
        let again = !self.planned_jobs.insert(job.id);
        let sooner = again && job.planned.as_ref().is_some_and(|p| p.0 <= at);
        (!sooner).then_some(PlannedStart { job: job.id, at, nodes })
    }

    /// Moves to the next entry, unless the same one is tried `again`: an array is tried once for each task that may start or be
    /// planned. Returns the decision about the entry.
    fn go_on(&mut self, again: bool, decision: Option<Decision>) -> Option<Decision> {
        self.advance(again);
        decision
    }

    /// Moves to the next entry, unless the same one is tried again.
    fn advance(&mut self, again: bool) {
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
        let decision = if matches!(self.trial, Some(BackfillTrial::Plan(..)))
            && let Some(BackfillTrial::Plan(asked, found)) = self.trial.take()
        {
            self.start_or_reserve(ctld, classes, asked, found)
        } else {
            let Some(entry) = self.entries.get(self.index).copied() else { return Step::Over };
            if !self.again && self.is_over(ctld, classes) {
                return Step::Over;
            }
            self.consider(ctld, classes, entry)
        };
        decision.map_or(Step::Nothing, Step::Decided)
    }

    fn note(&mut self, _: &Slurmctld, applied: Applied) {
        match (self.trial.take(), applied) {
            (Some(BackfillTrial::Start(taken)), Applied::Started { whole }) => {
                self.cache.note_reserved(&taken);
                self.advance(!whole);
            }
            (Some(BackfillTrial::Preempt { asked, found, taken }), Applied::Started { whole }) => {
                self.started += 1;
                self.cache.note_reserved(&taken);
                self.release(&found, asked.span);
                self.advance(!whole);
            }
            (Some(BackfillTrial::Preempt { asked, found, .. }), Applied::Done) => {
                self.trial = Some(BackfillTrial::Plan(asked, found));
            }
            _ => {}
        }
    }
}
