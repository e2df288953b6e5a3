//! Requests that are alike. A [`Kind`] is what one node can tell of a request: how many of its tasks it could take now,
//! kept for all nodes and brought up to date where nodes changed. A [`Shape`] is a kind with what is asked in all. With
//! them "does it fit anywhere now, if nobody else planned anything?" costs two comparisons.

use super::super::Slurmctld;
use super::super::job::{Exclusive, Job, Needs};
use super::board::Board;
use super::{alone_in, candidates, choice};
use crate::base::bitset::BitSet;
use crate::base::ids::{NodeId, PartId, Uid};
use std::cell::Cell;
use std::sync::Arc;

/// Which shape; valid as long as [`Shapes`] lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct ShapeId(u32);

/// All shapes and kinds met so far.
#[derive(Debug, Default)]
pub(in super::super) struct Shapes {
    shapes: Vec<Shape>,
    kinds: Vec<Kind>,
}

/// What is asked of a partition.
#[derive(Debug)]
struct Shape {
    needs: Arc<Needs>,
    part: PartId,
    uid: Option<Uid>,
    kind: usize,
    /// Rows of the queue that have it.
    queued: Cell<u32>,
}

/// What one node can tell of a request.
#[derive(Debug)]
struct Kind {
    /// A job that asks for it, its totals taken away.
    example: Job,
    part: PartId,
    uid: Option<Uid>,
    /// Tasks that each node could take now; 0 where the job may not go.
    tasks: Vec<u32>,
    /// Nodes where it may go.
    open: BitSet,
    /// Nodes that could take one, and tasks in all.
    nodes: u32,
    total: u64,
    /// How much of the forecast's log is in it.
    seen: Option<u64>,
}

/// More tasks than any job has: a node says how many it could take.
const MANY: u32 = 1 << 20;

/// The needs as one node sees them.
fn of_one_node(needs: &Needs) -> Needs {
    Needs {
        min_nodes: 1,
        max_nodes: 0,
        ntasks: MANY,
        min_cpus: 1,
        required: Default::default(),
        likely_nodes: 0,
        switches: None,
        ..needs.clone()
    }
}

impl Shapes {
    /// The shape of a job in a partition, which gets one row more in the queue.
    pub(in super::super) fn enter(&mut self, ctld: &Slurmctld, job: &Job, part: PartId) -> ShapeId {
        let id = self.find(ctld, job, part);
        let queued = &self.shapes[id.0 as usize].queued;
        queued.set(queued.get() + 1);
        id
    }

    /// A row of this shape leaves the queue.
    pub(in super::super) fn leave(&self, id: ShapeId) {
        if let Some(shape) = self.shapes.get(id.0 as usize) {
            shape.queued.set(shape.queued.get().saturating_sub(1));
        }
    }

    fn find(&mut self, ctld: &Slurmctld, job: &Job, part: PartId) -> ShapeId {
        // Who asks matters only where nodes belong to users.
        let alone = alone_in(job.needs.exclusive, Some(ctld.partition(part)));
        let uid = (alone == Some(Exclusive::User) || ctld.live.shy).then(|| job.uid());
        let same = |s: &Shape| {
            s.part == part
                && s.uid == uid
                && (Arc::ptr_eq(&s.needs, &job.needs)
                    || (s.needs.ntasks == job.needs.ntasks
                        && s.needs.min_nodes == job.needs.min_nodes
                        && s.needs == job.needs))
        };
        let at = self.shapes.iter().rposition(same).unwrap_or_else(|| {
            let kind = self.kind_of(job, part, uid);
            self.shapes.push(Shape { needs: Arc::clone(&job.needs), part, uid, kind, queued: Cell::new(0) });
            self.shapes.len() - 1
        });
        ShapeId(u32::try_from(at).unwrap_or(u32::MAX))
    }

    fn kind_of(&mut self, job: &Job, part: PartId, uid: Option<Uid>) -> usize {
        let needs = of_one_node(&job.needs);
        let same = |k: &Kind| k.part == part && k.uid == uid && *k.example.needs == needs;
        self.kinds.iter().position(same).unwrap_or_else(|| {
            let mut example = job.clone();
            example.needs = Arc::new(needs);
            example.partitions = vec![part];
            self.kinds.push(Kind {
                example,
                part,
                uid,
                tasks: Vec::new(),
                open: BitSet::new(),
                nodes: 0,
                total: 0,
                seen: None,
            });
            self.kinds.len() - 1
        })
    }

    /// Whether too many shapes have gathered.
    pub(in super::super) fn crowded(&self) -> bool {
        self.shapes.len() > 20_000 || self.kinds.len() > 500
    }

    /// Brings a shape's kind up to date.
    fn sync(&mut self, ctld: &Slurmctld, kind: usize) {
        let forecast = &ctld.live.forecast;
        let kind = &mut self.kinds[kind];
        let count = forecast.count();
        match kind.seen.and_then(|seen| forecast.since(seen)) {
            Some(changed) => {
                for node in changed {
                    kind.look(ctld, *node);
                }
            }
            None => kind.look_everywhere(ctld),
        }
        kind.seen = Some(count);
    }

    /// Whether enough nodes have enough room for the shape now, as far as counting tells. When this is false, no choice
    /// of nodes is possible.
    pub(in super::super) fn may_fit(&mut self, ctld: &Slurmctld, id: ShapeId) -> bool {
        let kind = self.shapes[id.0 as usize].kind;
        self.sync(ctld, kind);
        self.enough(id, self.kinds[kind].nodes, self.kinds[kind].total)
    }

    /// Whether `nodes` nodes with `tasks` tasks in all could hold the shape.
    pub(in super::super) fn enough(&self, id: ShapeId, nodes: u32, tasks: u64) -> bool {
        let needs = &self.shapes[id.0 as usize].needs;
        nodes >= needs.min_nodes.max(1) && (tasks >= u64::from(needs.ntasks))
    }

    /// Whether any row of the queue has a shape that may fit now.
    pub(in super::super) fn any_may_fit(&mut self, ctld: &Slurmctld) -> bool {
        (0..self.kinds.len()).for_each(|kind| self.sync(ctld, kind));
        self.shapes.iter().zip(0u32..).any(|(shape, id)| {
            let kind = &self.kinds[shape.kind];
            shape.queued.get() > 0 && self.enough(ShapeId(id), kind.nodes, kind.total)
        })
    }

    /// How many tasks each node could take now.
    pub(in super::super) fn tasks_now(&self, id: ShapeId) -> &[u32] {
        &self.kinds[self.shapes[id.0 as usize].kind].tasks
    }

    /// Nodes that could take a task now, and tasks in all.
    pub(in super::super) fn sums_now(&self, id: ShapeId) -> (u32, u64) {
        let kind = &self.kinds[self.shapes[id.0 as usize].kind];
        (kind.nodes, kind.total)
    }

    /// How many tasks a node could take on a board; 0 where the job may not go.
    pub(in super::super) fn tasks_if_candidate(
        &self,
        ctld: &Slurmctld,
        id: ShapeId,
        node: NodeId,
        board: &Board,
    ) -> u32 {
        let kind = &self.kinds[self.shapes[id.0 as usize].kind];
        if kind.open.contains(node.0) { kind.tasks_on(ctld, node, board) } else { 0 }
    }
}

impl Kind {
    fn look_everywhere(&mut self, ctld: &Slurmctld) {
        self.open = candidates(ctld, &self.example, self.part, true);
        let board = Board::now(ctld);
        self.tasks = vec![0; ctld.nodes.len()];
        (self.nodes, self.total) = (0, 0);
        let open: Vec<u32> = self.open.iter().collect();
        for node in open {
            let tasks = self.tasks_on(ctld, NodeId(node), &board);
            self.set(node, tasks);
        }
    }

    fn look(&mut self, ctld: &Slurmctld, node: NodeId) {
        let open = super::candidate(ctld, &self.example, self.part, node.0, true);
        if open {
            self.open.insert(node.0);
        } else {
            self.open.remove(node.0);
        }
        let tasks = if open { self.tasks_on(ctld, node, &Board::now(ctld)) } else { 0 };
        self.set(node.0, tasks);
    }

    fn set(&mut self, node: u32, tasks: u32) {
        let old = std::mem::replace(&mut self.tasks[node as usize], tasks);
        self.nodes = self.nodes + u32::from(tasks > 0) - u32::from(old > 0);
        self.total = self.total + u64::from(tasks) - u64::from(old);
    }

    fn tasks_on(&self, ctld: &Slurmctld, node: NodeId, board: &Board) -> u32 {
        choice::most_tasks(ctld, &self.example, self.part, node, board.free(node.0))
    }
}
