//! The plan of a backfill pass: which nodes are reserved when, and the earliest start for one more request.

use super::node_space::{NodeSpace, Window, unite};
use super::reserved_totals::{ReservedTotals, TotalsStep};
use crate::Slurmctld;
use crate::reservation;
use crate::sched::queue::QueueEntry;
use crate::select::{
    self, Counts, FreeResources, RequestClasses, ResourceProfile, Shortfall, Sums, UsableNodes,
};
use base::bitset::BitSet;
use base::time::{SECOND, Span, Time, earlier};

/// A backfill reservation: nodes for a planned job, from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedReservation {
    pub from: Time,
    pub to: Time,
    pub nodes: BitSet,
}

/// The earliest slot for a queue entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FirstFit {
    /// Start and nodes (for a start now: all that are free for it). None: no slot within the window.
    pub slot: Option<(Time, BitSet)>,
    /// The capacity of these nodes for the request at that time.
    pub capacity: Sums,
    /// How much was missing before it.
    pub shortfall: Shortfall,
}

impl Default for FirstFit {
    /// No slot, before any search.
    fn default() -> Self {
        Self { slot: None, capacity: Sums::default(), shortfall: Shortfall::ANY }
    }
}

impl FirstFit {
    /// The reservation for a job of this length.
    pub(in crate::sched) fn reservation_for(
        &self,
        plan: &BackfillPlan,
        span: i64,
    ) -> Option<PlannedReservation> {
        let (at, nodes) = self.slot.clone()?;
        Some(plan.reservation(at, span, nodes))
    }
}

/// The reservations of a pass so far.
#[derive(Debug, Default)]
pub(crate) struct BackfillPlan {
    now: Time,
    /// Microseconds.
    step: i64,
    until: Time,
    reservations: Vec<PlannedReservation>,
    node_space: NodeSpace,
    /// The ends of the reservations, in order, with their numbers of nodes.
    ends: Vec<(Time, u32)>,
    reserved: ReservedTotals,
    sweep: Sweep,
}

/// The reserved totals of a node request, for ascending moments.
struct ReservedTotalsAt<'a> {
    steps: &'a [TotalsStep],
    next: usize,
}

impl<'a> ReservedTotalsAt<'a> {
    fn new(steps: &'a [TotalsStep], at: Time) -> Self {
        Self { steps, next: steps.partition_point(|s| s.from <= at) }
    }

    fn at(&mut self, at: Time) -> Sums {
        while self.steps.get(self.next).is_some_and(|s| s.from <= at) {
            self.next += 1;
        }
        self.next.checked_sub(1).map_or_else(Sums::default, |last| self.steps[last].sums)
    }
}

/// The state of a sweep through time. It is stored to reuse its memory.
#[derive(Debug, Default)]
struct Sweep {
    /// Tasks that each node could take at the moment, without regard to reservations.
    tasks: Counts,
    window: Window,
}

impl BackfillPlan {
    /// An empty plan that reuses the memory of the last one.
    pub(in crate::sched) fn new(ctld: &Slurmctld, mut plan: Self, now: Time) -> Self {
        let parameters = &ctld.caches.parameters;
        (plan.now, plan.until) = (now, now + parameters.bf_window);
        plan.step = parameters.bf_resolution * SECOND;
        plan.reservations.clear();
        plan.ends.clear();
        plan.node_space.reset(ctld.nodes.len());
        plan.reserved.clear();
        plan
    }

    /// The reservation of a job that starts at a moment and runs for `span` microseconds, rounded outwards to full steps of
    /// `bf_resolution`.
    pub(in crate::sched) fn reservation(&self, at: Time, span: i64, nodes: BitSet) -> PlannedReservation {
        let from = at.0.div_euclid(self.step) * self.step;
        let to = (at.0 + span + self.step - 1).div_euclid(self.step) * self.step;
        PlannedReservation { from: Time(from), to: Time(to), nodes }
    }

    /// All nodes with a reservation.
    pub(in crate::sched) fn nodes(&self) -> BitSet {
        let mut all = BitSet::new();
        self.reservations.iter().for_each(|reservation| all.union_with(&reservation.nodes));
        all
    }

    /// Adds a reservation.
    pub(in crate::sched) fn add(&mut self, reservation: PlannedReservation) {
        let index = self.ends.partition_point(|e| e.0 <= reservation.to);
        self.ends.insert(index, (reservation.to, reservation.nodes.len()));
        self.node_space.add(&reservation);
        self.reservations.push(reservation);
    }

    /// Adds the reservation of a first fit.
    pub(in crate::sched) fn add_found(
        &mut self,
        node_request: usize,
        span: i64,
        found: &FirstFit,
        reservation: PlannedReservation,
    ) {
        if let Some((at, _)) = found.slot {
            self.reserved.add(node_request, (at, Time(at.0 + span)), found.capacity);
        }
        self.add(reservation);
    }

    /// The number of reservations.
    pub(in crate::sched) const fn count(&self) -> usize {
        self.reservations.len()
    }

    /// Adds the nodes that are reserved between two moments to `nodes`, which already has those of the first `known`
    /// reservations. Returns whether any reservation was added.
    pub(in crate::sched) fn reserved_between(
        &self,
        (from, to): (Time, Time),
        known: usize,
        nodes: &mut Vec<u64>,
    ) -> bool {
        nodes.resize(self.node_space.words(), 0);
        let overlaps = |reservation: &&PlannedReservation| reservation.from < to && reservation.to > from;
        let more = self.reservations[known..].iter().filter(overlaps);
        more.map(|reservation| unite(nodes, reservation.nodes.words())).count() > 0
    }

    /// The start of the next reservation of any of these nodes.
    pub(in crate::sched) fn next_reserved(&self, nodes: &BitSet) -> Option<Time> {
        self.reservations
            .iter()
            .filter(|p| p.from > self.now && p.nodes.intersects(nodes))
            .map(|p| p.from)
            .min()
    }

    /// The end of the planning window.
    pub(in crate::sched) const fn until(&self) -> Time {
        self.until
    }

    /// The next moment at which a job or a reservation ends, so that something might fit.
    pub(in crate::sched) fn next_end(&self, ctld: &Slurmctld, after: Time) -> Option<Time> {
        let first = self.ends.partition_point(|e| e.0 <= after);
        let running = ctld.caches.ends_from(after).next().map(|e| e.0);
        earlier(self.ends.get(first).map(|e| e.0), running)
    }

    /// The planned end of a running job. An overdue job counts as ending soon.
    fn counted_end(&self, end: Time) -> Time {
        end.max(self.soon())
    }

    /// The number of releases up to a time.
    fn released_by(&self, profile: ResourceProfile<'_>, at: Time) -> usize {
        if at < self.soon() { 0 } else { profile.released_by(at) }
    }

    /// The number of releases up to a time, counted from the number at an earlier time.
    fn released_on(&self, profile: ResourceProfile<'_>, mut released: usize, at: Time) -> usize {
        while at >= self.soon() && profile.next_release(released).is_some_and(|next| next <= at) {
            released += 1;
        }
        released
    }

    /// The time at which overdue jobs are assumed to end.
    pub(in crate::sched) fn soon(&self) -> Time {
        self.now + Span::from_secs(1)
    }

    /// The first fit of the entry within a range of time.
    pub(in crate::sched) fn earliest(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        entry: QueueEntry,
        (lower_bound, last): (Time, Time),
    ) -> FirstFit {
        classes.update_profile(ctld, entry.class);
        let mut sweep = std::mem::take(&mut self.sweep);
        let found = self.search(ctld, classes, entry, (lower_bound, last.min(self.until)), &mut sweep);
        self.sweep = sweep;
        found
    }

    /// The first moment at which enough is free without regard to reservations, and the shortfall before it.
    fn first_with_enough(&self, classes: &RequestClasses, entry: QueueEntry) -> (Option<Time>, Shortfall) {
        let profile = classes.profile(entry.class);
        let Some(before) = profile.moments_without(|there| classes.enough(entry.class, there)) else {
            return (Some(self.now), Shortfall::ANY);
        };
        let at = profile.next_release(before).map(|at| self.counted_end(at));
        (at, classes.shortfall(entry.class, profile.capacity_after(before)))
    }

    fn search(
        &self,
        ctld: &Slurmctld,
        classes: &RequestClasses,
        entry: QueueEntry,
        (lower_bound, last): (Time, Time),
        sweep: &mut Sweep,
    ) -> FirstFit {
        let mut found = FirstFit::default();
        let Some(job) = ctld.jobs.get(entry.job()) else { return found };
        let span = job.planned_span();
        let mut at = lower_bound.max(self.now);
        if !ctld.plain {
            let (first, before) = self.first_with_enough(classes, entry);
            found.shortfall = before;
            let Some(first) = first else { return found };
            at = at.max(first);
        }
        if at > last {
            return found;
        }
        let profile = classes.profile(entry.class);
        sweep.window.begin(&self.node_space);
        let mut ends = self.ends[self.ends.partition_point(|e| e.0 <= at)..].iter().peekable();
        let mut edges = reservation::edges(ctld, self.now, self.until).into_iter().peekable();
        let mut reserved = ReservedTotalsAt::new(self.reserved.from(classes.node_request(entry.class)), at);
        // The number of releases at the last exact count, the shortfall at that count, and what reservations have released since.
        let mut counted = self.released_by(profile, at);
        let mut released = counted;
        profile.count_after(counted, &mut sweep.tasks);
        let (mut shortfall, mut left) = (Shortfall::NONE, Sums::default());
        while at <= last {
            released = self.released_on(profile, released, at);
            while let Some((_, nodes)) = ends.next_if(|e| e.0 <= at) {
                left = left.and(*nodes, u64::from(*nodes) * u64::from(profile.most));
            }
            let there = profile.capacity_after(released);
            let more = left.plus(there.less(profile.capacity_after(counted)));
            let most = there.less(reserved.at(at));
            let least = shortfall.after(more.nodes, more.tasks).max(classes.shortfall(entry.class, most));
            while edges.next_if(|e| *e <= at).is_some() {}
            if least.survives(0, 0) && !ctld.plain {
                found.shortfall = found.shortfall.min(least);
            } else {
                profile.count_on(counted, released, &mut sweep.tasks);
                let shut = sweep.window.between(&self.node_space, at, at + span);
                shortfall = classes.shortfall(entry.class, sweep.tasks.sums(shut));
                (counted, left) = (released, Sums::default());
                if ctld.plain || !shortfall.survives(0, 0) {
                    let open = sweep.tasks.open(shut);
                    if let Some(nodes) =
                        self.fits(ctld, entry, (at, span), open, (profile.level, &sweep.tasks))
                    {
                        debug_assert!(
                            !shortfall.survives(0, 0),
                            "counting is not too strict: {:?}",
                            job.needs
                        );
                        found.capacity = sweep.tasks.sums_on(&nodes);
                        found.slot = Some((at, nodes));
                        return found;
                    }
                }
                found.shortfall = found.shortfall.min(shortfall);
            }
            let release = profile.next_release(released).map(|at| self.counted_end(at));
            let next = earlier(earlier(release, ends.peek().map(|t| t.0)), edges.peek().copied());
            let Some(next) = next else { break };
            at = next;
        }
        found
    }

    /// The nodes that the entry would get at a moment out of the `open` ones; for a start now, all open nodes if they are enough.
    fn fits(
        &self,
        ctld: &Slurmctld,
        entry: QueueEntry,
        (at, span): (Time, Span),
        mut open: BitSet,
        (level, tasks): (bool, &Counts),
    ) -> Option<BitSet> {
        let job = ctld.jobs.get(entry.job())?;
        if let Some(shut) = reservation::closed(ctld, job, at, at + span) {
            open.subtract(&shut);
        }
        let resources =
            if at == self.now { FreeResources::now(ctld) } else { FreeResources::after(ctld, at) };
        let resources = resources.reserved_for(job, (at, at + span));
        let counted = Some(tasks).filter(|_| level && !ctld.plain && !resources.is_changed());
        let usable = UsableNodes::counted(&open, counted);
        let nodes = select::nodes_for(ctld, job, entry.part, &resources, usable).ok()?;
        Some(if at == self.now { open } else { nodes })
    }
}
