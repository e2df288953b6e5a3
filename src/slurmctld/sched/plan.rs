//! The plan of a backfill pass: who keeps which nodes when, and the earliest place for one more.

use super::super::Slurmctld;
use super::super::reservation;
use super::super::select::{self, Board, ShapeId, Shapes};
use super::queue::Row;
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, NodeId};
use crate::base::order::Order as _;
use crate::base::time::{SECOND, Span, Time};

/// Nodes kept for a planned job, from its start to its end.
pub(super) struct Place {
    pub from: Time,
    pub to: Time,
    pub nodes: BitSet,
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
    /// Running jobs by the end of their limits, rounded up; none until somebody asks.
    ends: Option<Vec<(Time, JobId)>>,
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
            ends: None,
            sweep: Sweep::default(),
        }
    }

    fn round_up(&self, t: Time) -> Time {
        Time((t.0 + self.step - 1).div_euclid(self.step) * self.step)
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

    /// A job was started by this pass: it ends some time, too.
    pub(super) fn note_start(&mut self, ctld: &Slurmctld) {
        if self.ends.is_some() {
            self.ends = Some(self.ends_of(ctld));
        }
    }

    /// When running jobs end by their limits, rounded up; overdue ones count as ending soon.
    fn ends_of(&self, ctld: &Slurmctld) -> Vec<(Time, JobId)> {
        let soon = self.now + Span::from_secs(1);
        let mut ends: Vec<(Time, JobId)> =
            ctld.active_jobs().map(|job| (self.round_up(job.planned_end().max(soon)), job.id)).collect();
        ends.order();
        ends
    }

    /// The earliest moment from `floor` on within the window at which the row fits, and nodes that are free for it
    /// (for now: all that are free; for later: those it would take).
    pub(super) fn earliest(
        &mut self,
        ctld: &Slurmctld,
        shapes: &mut Shapes,
        row: Row,
        floor: Time,
    ) -> Option<(Time, BitSet)> {
        let fits_now = shapes.may_fit(ctld, row.shape);
        if self.ends.is_none() {
            self.ends = Some(self.ends_of(ctld));
        }
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
    ) -> Option<(Time, BitSet)> {
        let job = ctld.jobs.get(row.job())?;
        let span = super::span_of(job);
        let ends = self.ends.as_deref().unwrap_or_default();
        let edges = reservation::edges(ctld, self.now, self.until);
        let (mut end, mut from, mut to, mut edge) = (0, 0, 0, 0);
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
            while let Some((_, ended)) = ends.get(end).filter(|e| e.0 <= at) {
                release(ctld, shapes, row.shape, *ended, at, sweep);
                (end, news) = (end + 1, true);
            }
            while edges.get(edge).is_some_and(|e| *e <= at) {
                (edge, news) = (edge + 1, true);
            }
            let counts = shapes.enough(row.shape, sweep.nodes, sweep.total);
            if news && at >= floor && counts && (fits_now || at > self.now) {
                let mut open = sweep.open();
                if let Some(shut) = reservation::closed(ctld, job, at, at + span) {
                    open.subtract(&shut);
                }
                let board = if at == self.now { Board::now(ctld) } else { Board::after(ctld, at) };
                if let Ok(choice) = select::choose(ctld, job, row.part, &board, &open) {
                    return Some((at, if at == self.now { open } else { choice.nodes() }));
                }
            }
            let next =
                [ends.get(end).map(|e| e.0), self.by_to.get(to).map(|t| t.0), edges.get(edge).copied()];
            at = next.into_iter().flatten().min().filter(|at| *at <= self.until)?;
        }
    }
}

/// A running job reaches its limit: its nodes can take more.
fn release(ctld: &Slurmctld, shapes: &Shapes, shape: ShapeId, job: JobId, at: Time, sweep: &mut Sweep) {
    let Some(job) = ctld.jobs.get(job) else { return };
    let board = Board::after(ctld, at);
    for part in job.allocation.iter().flat_map(|a| &a.nodes) {
        let node = part.node.0 as usize;
        let tasks = shapes.tasks_if_candidate(ctld, shape, NodeId(part.node.0), &board);
        sweep.set(node, tasks);
    }
}
