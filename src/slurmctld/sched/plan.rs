//! The plan of a backfill pass: who keeps which nodes when, and the earliest place for one more.

use super::super::Slurmctld;
use super::super::reservation;
use super::super::select::{self, Board, Shapes};
use super::queue::Row;
use crate::base::bitset::BitSet;
use crate::base::time::{SECOND, Span, Time};

/// Nodes kept for a planned job, from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Place {
    pub from: Time,
    pub to: Time,
    pub nodes: BitSet,
}

/// How far a request was from fitting at any earlier moment, at the nearest: nodes, and tasks. While fewer than that
/// come free anywhere, it still does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Short {
    pub nodes: u32,
    pub tasks: u64,
}

impl Short {
    /// Nothing was tried.
    pub(super) const ANY: Self = Self { nodes: u32::MAX, tasks: u64::MAX };

    pub(super) fn min(self, other: Self) -> Self {
        Self { nodes: self.nodes.min(other.nodes), tasks: self.tasks.min(other.tasks) }
    }

    /// Whether it still cannot fit when so much came free.
    pub(super) const fn survives(self, nodes: u32, tasks: u64) -> bool {
        self.nodes > nodes || self.tasks > tasks
    }

    /// What is left of it when so much came free.
    pub(super) const fn after(self, nodes: u32, tasks: u64) -> Self {
        let nodes = if self.nodes == u32::MAX { u32::MAX } else { self.nodes.saturating_sub(nodes) };
        let tasks = if self.tasks == u64::MAX { u64::MAX } else { self.tasks.saturating_sub(tasks) };
        Self { nodes, tasks }
    }
}

/// Where a row fits first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Found {
    /// When, and on which nodes (now: all that are free for it); none: not within the window.
    pub place: Option<(Time, BitSet)>,
    pub short: Short,
}

impl Found {
    /// What a job of this length keeps there.
    pub(super) fn kept_for(&self, plan: &Plan, span: i64) -> Option<Place> {
        let (at, nodes) = self.place.clone()?;
        Some(plan.place(at, span, nodes))
    }
}

/// What is planned so far.
pub(super) struct Plan {
    now: Time,
    /// Microseconds.
    step: i64,
    until: Time,
    places: Vec<Place>,
    /// Places by their beginning and by their end.
    by_from: Vec<(Time, u32)>,
    by_to: Vec<(Time, u32)>,
    sweep: Sweep,
}

/// What a search counts as it goes through time; kept to reuse its memory.
#[derive(Default)]
struct Sweep {
    /// Tasks that each node could take at the moment, if it were not kept.
    tasks: Vec<u32>,
    /// How many places overlap the job's time on each node.
    kept: Vec<u16>,
    nodes: u32,
    total: u64,
}

impl Sweep {
    fn begin(&mut self, tasks: &[u32], (nodes, total): (u32, u64)) {
        self.tasks.clear();
        self.tasks.extend_from_slice(tasks);
        self.kept.clear();
        self.kept.resize(tasks.len(), 0);
        (self.nodes, self.total) = (nodes, total);
    }

    fn enter(&mut self, nodes: &BitSet) {
        for node in nodes.iter().map(|n| n as usize) {
            if self.kept[node] == 0 && self.tasks[node] > 0 {
                self.nodes -= 1;
                self.total -= u64::from(self.tasks[node]);
            }
            self.kept[node] += 1;
        }
    }

    fn leave(&mut self, nodes: &BitSet) {
        for node in nodes.iter().map(|n| n as usize) {
            self.kept[node] -= 1;
            if self.kept[node] == 0 && self.tasks[node] > 0 {
                self.nodes += 1;
                self.total += u64::from(self.tasks[node]);
            }
        }
    }

    fn set(&mut self, node: usize, tasks: u32) {
        if self.kept[node] == 0 {
            self.nodes = self.nodes + u32::from(tasks > 0) - u32::from(self.tasks[node] > 0);
            self.total = self.total + u64::from(tasks) - u64::from(self.tasks[node]);
        }
        self.tasks[node] = tasks;
    }

    /// Nodes that can take a task and are not kept.
    fn open(&self) -> BitSet {
        let open = |(tasks, kept): (&u32, &u16)| *tasks > 0 && *kept == 0;
        (0u32..).zip(self.tasks.iter().zip(&self.kept)).filter(|(_, n)| open(*n)).map(|(i, _)| i).collect()
    }
}

impl Plan {
    pub(super) fn new(ctld: &Slurmctld, now: Time) -> Self {
        let knobs = &ctld.live.knobs;
        Self {
            now,
            step: knobs.bf_resolution * SECOND,
            until: now + knobs.bf_window,
            places: Vec::new(),
            by_from: Vec::new(),
            by_to: Vec::new(),
            sweep: Sweep::default(),
        }
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
        let id = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        for (list, at) in [(&mut self.by_from, place.from), (&mut self.by_to, place.to)] {
            let index = list.partition_point(|e| e.0 <= at);
            list.insert(index, (at, id));
        }
        self.places.push(place);
    }

    /// When somebody who is planned for later wants some of these nodes.
    pub(super) fn wanted_from(&self, nodes: &BitSet) -> Option<Time> {
        self.places.iter().filter(|p| p.from > self.now && p.nodes.intersects(nodes)).map(|p| p.from).min()
    }

    /// Where the window ends.
    pub(super) const fn until(&self) -> Time {
        self.until
    }

    /// Whether anything ends in a stretch of time, so that something might fit there.
    pub(super) fn ends_between(&self, ctld: &Slurmctld, after: Time, until: Time) -> bool {
        let first = self.by_to.partition_point(|e| e.0 <= after);
        self.by_to.get(first).is_some_and(|e| e.0 <= until)
            || ctld.live.ends_from(after).next().is_some_and(|e| e.0 <= until)
    }

    /// When a running job ends by its limit; an overdue one counts as ending soon.
    fn counted_end(&self, end: Time) -> Time {
        end.max(self.soon())
    }

    /// When overdue jobs are thought to end.
    pub(super) fn soon(&self) -> Time {
        self.now + Span::from_secs(1)
    }

    /// The earliest moment from `floor` on within the window at which the row fits.
    pub(super) fn earliest(&mut self, ctld: &Slurmctld, shapes: &mut Shapes, row: Row, floor: Time) -> Found {
        let fits_now = shapes.may_fit(ctld, row.shape);
        shapes.look_ahead(ctld, row.shape);
        let mut sweep = std::mem::take(&mut self.sweep);
        sweep.begin(shapes.tasks_now(row.shape), shapes.sums_now(row.shape));
        let found = self.search(ctld, shapes, row, (floor, fits_now), &mut sweep);
        self.sweep = sweep;
        found
    }

    fn search(
        &self,
        ctld: &Slurmctld,
        shapes: &Shapes,
        row: Row,
        (floor, fits_now): (Time, bool),
        sweep: &mut Sweep,
    ) -> Found {
        let mut found = Found { place: None, short: Short::ANY };
        let Some(job) = ctld.jobs.get(row.job()) else { return found };
        let span = super::span_of(job);
        let releases = shapes.releases(row.shape).iter();
        let mut releases = releases.map(|r| (self.counted_end(r.at), r)).peekable();
        let mut edges = reservation::edges(ctld, self.now, self.until).into_iter().peekable();
        let (mut from, mut to) = (0, 0);
        let mut at = self.now;
        loop {
            while let Some((_, place)) = self.by_from.get(from).filter(|f| f.0 < at + span) {
                sweep.enter(&self.places[*place as usize].nodes);
                from += 1;
            }
            let mut news = at == self.now;
            while let Some((_, place)) = self.by_to.get(to).filter(|t| t.0 <= at) {
                sweep.leave(&self.places[*place as usize].nodes);
                (to, news) = (to + 1, true);
            }
            while let Some((_, release)) = releases.next_if(|r| r.0 <= at) {
                sweep.set(release.node as usize, release.tasks);
                news = true;
            }
            while edges.next_if(|e| *e <= at).is_some() {
                news = true;
            }
            if news && at >= floor {
                let short = shapes.short(row.shape, sweep.nodes, sweep.total);
                let counts = ctld.plain || !short.survives(0, 0);
                if counts && (fits_now || ctld.plain || at > self.now) {
                    let mut open = sweep.open();
                    if let Some(shut) = reservation::closed(ctld, job, at, at + span) {
                        open.subtract(&shut);
                    }
                    let board = if at == self.now { Board::now(ctld) } else { Board::after(ctld, at) };
                    if let Ok(nodes) = select::nodes_for(ctld, job, row.part, &board, &open) {
                        debug_assert!(
                            !short.survives(0, 0),
                            "counting tells no less than choosing: {:?}",
                            job.needs
                        );
                        found.place = Some((at, if at == self.now { open } else { nodes }));
                        return found;
                    }
                }
                found.short = found.short.min(short);
            }
            let next = [releases.peek().map(|e| e.0), self.by_to.get(to).map(|t| t.0), edges.peek().copied()];
            match next.into_iter().flatten().min().filter(|at| *at <= self.until) {
                Some(next) => at = next,
                None => return found,
            }
        }
    }
}
