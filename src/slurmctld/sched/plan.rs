//! The plan of a backfill pass: who keeps which nodes when, and the earliest place for one more.

use super::super::Slurmctld;
use super::super::reservation;
use super::super::select::{self, Ahead, Board, Counts, Ground, Shapes, Short, Sums};
use super::held::{Held, Step};
use super::queue::Row;
use super::space::{Space, Window, unite};
use crate::base::bitset::BitSet;
use crate::base::time::{SECOND, Span, Time};

/// Nodes kept for a planned job, from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Place {
    pub from: Time,
    pub to: Time,
    pub nodes: BitSet,
}

/// Where a row fits first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Found {
    /// When, and on which nodes (now: all that are free for it); none: not within the window.
    pub place: Option<(Time, BitSet)>,
    /// What these nodes could take then of what it asks for.
    pub room: Sums,
    pub short: Short,
}

impl Default for Found {
    /// Nothing, and nothing was tried.
    fn default() -> Self {
        Self { place: None, room: Sums::default(), short: Short::ANY }
    }
}

impl Found {
    /// What a job of this length keeps there.
    pub(super) fn kept_for(&self, plan: &Plan, span: i64) -> Option<Place> {
        let (at, nodes) = self.place.clone()?;
        Some(plan.place(at, span, nodes))
    }
}

/// What is planned so far.
#[derive(Debug, Default)]
pub(in super::super) struct Plan {
    now: Time,
    /// Microseconds.
    step: i64,
    until: Time,
    places: Vec<Place>,
    space: Space,
    /// When places end, in order, with how many nodes they have.
    ends: Vec<(Time, u32)>,
    held: Held,
    sweep: Sweep,
}

/// What is kept of a kind at moments that only go forward.
struct HeldAt<'a> {
    steps: &'a [Step],
    next: usize,
}

impl<'a> HeldAt<'a> {
    fn new(steps: &'a [Step], at: Time) -> Self {
        Self { steps, next: steps.partition_point(|s| s.from <= at) }
    }

    fn at(&mut self, at: Time) -> Sums {
        while self.steps.get(self.next).is_some_and(|s| s.from <= at) {
            self.next += 1;
        }
        self.next.checked_sub(1).map_or_else(Sums::default, |last| self.steps[last].kept)
    }
}

/// What a search goes through time with; kept to reuse its memory.
#[derive(Debug, Default)]
struct Sweep {
    /// Tasks that each node could take at the moment, if nobody kept it.
    tasks: Counts,
    window: Window,
}

impl Plan {
    /// Nothing yet; takes the memory of the plan before.
    pub(super) fn new(ctld: &mut Slurmctld, now: Time) -> Self {
        let mut plan = std::mem::take(&mut ctld.live.plan);
        let knobs = &ctld.live.knobs;
        (plan.now, plan.until) = (now, now + knobs.bf_window);
        plan.step = knobs.bf_resolution * SECOND;
        plan.places.clear();
        plan.ends.clear();
        plan.space.renew(ctld.nodes.len());
        plan.held.clear();
        plan
    }

    /// What a job keeps that starts at a moment and runs for some microseconds: full steps of `bf_resolution` around
    /// its time.
    pub(super) fn place(&self, at: Time, span: i64, nodes: BitSet) -> Place {
        let from = at.0.div_euclid(self.step) * self.step;
        let to = (at.0 + span + self.step - 1).div_euclid(self.step) * self.step;
        Place { from: Time(from), to: Time(to), nodes }
    }

    /// All nodes that somebody keeps at some time.
    pub(super) fn nodes(&self) -> BitSet {
        let mut all = BitSet::new();
        self.places.iter().for_each(|place| all.union_with(&place.nodes));
        all
    }

    /// Nobody else gets these nodes in that time.
    pub(super) fn keep(&mut self, place: Place) {
        let index = self.ends.partition_point(|e| e.0 <= place.to);
        self.ends.insert(index, (place.to, place.nodes.len()));
        self.space.keep(&place);
        self.places.push(place);
    }

    /// Nobody else gets what was found for a job of a kind that runs for some microseconds.
    pub(super) fn keep_found(&mut self, kind: usize, span: i64, found: &Found, place: Place) {
        if let Some((at, _)) = found.place {
            self.held.keep(kind, (at, Time(at.0 + span)), found.room);
        }
        self.keep(place);
    }

    /// How many places are kept.
    pub(super) const fn count(&self) -> usize {
        self.places.len()
    }

    /// Adds the nodes that somebody keeps between two moments to a set that knows the first `known` places. Whether there
    /// are any.
    pub(super) fn shut_between(&self, (from, to): (Time, Time), known: usize, shut: &mut Vec<u64>) -> bool {
        shut.resize(self.space.words(), 0);
        let then = |place: &&Place| place.from < to && place.to > from;
        let more = self.places[known..].iter().filter(then);
        more.map(|place| unite(shut, place.nodes.words())).count() > 0
    }

    /// When somebody who is planned for later wants some of these nodes.
    pub(super) fn wanted_from(&self, nodes: &BitSet) -> Option<Time> {
        self.places.iter().filter(|p| p.from > self.now && p.nodes.intersects(nodes)).map(|p| p.from).min()
    }

    /// Where the window ends.
    pub(super) const fn until(&self) -> Time {
        self.until
    }

    /// When anything ends next after a moment, so that something might fit there.
    pub(super) fn next_end(&self, ctld: &Slurmctld, after: Time) -> Option<Time> {
        let first = self.ends.partition_point(|e| e.0 <= after);
        let running = ctld.live.ends_from(after).next().map(|e| e.0);
        self.ends.get(first).map(|e| e.0).into_iter().chain(running).min()
    }

    /// When a running job ends by its limit; an overdue one counts as ending soon.
    fn counted_end(&self, end: Time) -> Time {
        end.max(self.soon())
    }

    /// How many moments of releases have come by a time.
    fn released_by(&self, ahead: Ahead<'_>, at: Time) -> usize {
        if at < self.soon() { 0 } else { ahead.released_by(at) }
    }

    /// The same if so many had come by an earlier time.
    fn released_on(&self, ahead: Ahead<'_>, mut released: usize, at: Time) -> usize {
        while at >= self.soon() && ahead.next_release(released).is_some_and(|next| next <= at) {
            released += 1;
        }
        released
    }

    /// When overdue jobs are thought to end.
    pub(super) fn soon(&self) -> Time {
        self.now + Span::from_secs(1)
    }

    /// The earliest moment at which the row fits, from one on and up to another.
    pub(super) fn earliest(
        &mut self,
        ctld: &Slurmctld,
        shapes: &mut Shapes,
        row: Row,
        (floor, last): (Time, Time),
    ) -> Found {
        shapes.look_ahead(ctld, row.shape);
        let mut sweep = std::mem::take(&mut self.sweep);
        let found = self.search(ctld, shapes, row, (floor, last.min(self.until)), &mut sweep);
        self.sweep = sweep;
        found
    }

    /// The first moment at which there was enough if nobody kept anything, and what is missing before it at the least.
    fn first_with_enough(&self, shapes: &Shapes, row: Row) -> (Option<Time>, Short) {
        let ahead = shapes.ahead(row.shape);
        let Some(before) = ahead.moments_without(|there| shapes.enough(row.shape, there)) else {
            return (Some(self.now), Short::ANY);
        };
        let at = ahead.next_release(before).map(|at| self.counted_end(at));
        (at, shapes.short(row.shape, ahead.there_after(before)))
    }

    fn search(
        &self,
        ctld: &Slurmctld,
        shapes: &Shapes,
        row: Row,
        (floor, last): (Time, Time),
        sweep: &mut Sweep,
    ) -> Found {
        let mut found = Found::default();
        let Some(job) = ctld.jobs.get(row.job()) else { return found };
        let span = job.planned_span();
        let mut at = floor.max(self.now);
        if !ctld.plain {
            let (first, before) = self.first_with_enough(shapes, row);
            found.short = before;
            let Some(first) = first else { return found };
            at = at.max(first);
        }
        if at > last {
            return found;
        }
        let ahead = shapes.ahead(row.shape);
        sweep.window.begin(&self.space);
        let mut ends = self.ends[self.ends.partition_point(|e| e.0 <= at)..].iter().peekable();
        let mut edges = reservation::edges(ctld, self.now, self.until).into_iter().peekable();
        let mut held = HeldAt::new(self.held.from(shapes.kind(row.shape)), at);
        // After how many moments it was last counted, what was missing then, and what has come free of places since.
        let mut counted = self.released_by(ahead, at);
        let mut released = counted;
        ahead.count_after(counted, &mut sweep.tasks);
        let (mut short, mut left) = (Short::NONE, Sums::default());
        while at <= last {
            released = self.released_on(ahead, released, at);
            while let Some((_, nodes)) = ends.next_if(|e| e.0 <= at) {
                left = left.and(*nodes, u64::from(*nodes) * u64::from(ahead.most));
            }
            let there = ahead.there_after(released);
            let more = left.plus(there.less(ahead.there_after(counted)));
            let most = there.less(held.at(at));
            let least = short.after(more.nodes, more.tasks).max(shapes.short(row.shape, most));
            while edges.next_if(|e| *e <= at).is_some() {}
            if least.survives(0, 0) && !ctld.plain {
                found.short = found.short.min(least);
            } else {
                ahead.count_on(counted, released, &mut sweep.tasks);
                let shut = sweep.window.between(&self.space, at, at + span);
                short = shapes.short(row.shape, sweep.tasks.sums(shut));
                (counted, left) = (released, Sums::default());
                if ctld.plain || !short.survives(0, 0) {
                    let open = sweep.tasks.open(shut);
                    if let Some(nodes) = self.fits(ctld, row, (at, span), open, (ahead.level, &sweep.tasks)) {
                        debug_assert!(!short.survives(0, 0), "counting is not too strict: {:?}", job.needs);
                        found.room = sweep.tasks.sums_on(&nodes);
                        found.place = Some((at, nodes));
                        return found;
                    }
                }
                found.short = found.short.min(short);
            }
            let release = ahead.next_release(released).map(|at| self.counted_end(at));
            let next = [release, ends.peek().map(|t| t.0), edges.peek().copied()];
            let Some(next) = next.into_iter().flatten().min() else { break };
            at = next;
        }
        found
    }

    /// The nodes that the row would get at a moment out of those that nobody keeps; now, all of these.
    fn fits(
        &self,
        ctld: &Slurmctld,
        row: Row,
        (at, span): (Time, Span),
        mut open: BitSet,
        (level, tasks): (bool, &Counts),
    ) -> Option<BitSet> {
        let job = ctld.jobs.get(row.job())?;
        if let Some(shut) = reservation::closed(ctld, job, at, at + span) {
            open.subtract(&shut);
        }
        let board = if at == self.now { Board::now(ctld) } else { Board::after(ctld, at) };
        let board = board.reserved_for(job, (at, at + span));
        let counted = Some(tasks).filter(|_| level && !ctld.plain && !board.is_changed());
        let ground = Ground::counted(&open, counted);
        let nodes = select::nodes_for(ctld, job, row.part, &board, ground).ok()?;
        Some(if at == self.now { open } else { nodes })
    }
}
