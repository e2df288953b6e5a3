//! Requests that are alike. A [`Kind`] is what one node can tell of a request: how many of its tasks it could take now,
//! kept for all nodes and brought up to date where nodes changed. A [`Shape`] is a kind with what is asked in all. With
//! them "does it fit anywhere now, if nobody else planned anything?" costs two comparisons.

use super::super::Slurmctld;
use super::super::job::{Exclusive, Job, Needs};
use super::super::sched::plan::Short;
use super::choice::Capacity;
use super::{Infeasible, alone_in, candidates, feasible};
use crate::base::bitset::BitSet;
use crate::base::ids::{NodeId, PartId, QosId, Uid};
use crate::base::order::Order as _;
use crate::base::time::Time;
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
    /// Whether the partition could ever run it, by QOS: that may lift limits of the partition.
    feasible: Vec<(QosId, Result<u32, Infeasible>)>,
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
    /// Tasks that each node could take if it were idle.
    idle: Vec<u32>,
    /// What comes free later, and for which state of the forecast.
    releases: Vec<Release>,
    released: Option<u64>,
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

    /// What [`feasible`] says of a job, asked once for all that are alike.
    pub(in super::super) fn feasible(
        &mut self,
        ctld: &Slurmctld,
        job: &Job,
        part: PartId,
    ) -> Result<u32, Infeasible> {
        if !job.reservations.is_empty() || ctld.plain {
            return feasible(ctld, job, part);
        }
        let id = self.find(ctld, job, part);
        let known = &mut self.shapes[id.0 as usize].feasible;
        if let Some((_, answer)) = known.iter().find(|k| k.0 == job.qos) {
            return *answer;
        }
        let answer = feasible(ctld, job, part);
        known.push((job.qos, answer));
        answer
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
            self.shapes.push(Shape {
                needs: Arc::clone(&job.needs),
                part,
                uid,
                kind,
                queued: Cell::new(0),
                feasible: Vec::new(),
            });
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
                releases: Vec::new(),
                released: None,
                idle: Vec::new(),
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
                for (node, _) in changed {
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

    /// How much is missing for the shape where `nodes` nodes have `tasks` tasks in all.
    pub(in super::super) fn short(&self, id: ShapeId, nodes: u32, tasks: u64) -> Short {
        let needs = &self.shapes[id.0 as usize].needs;
        Short {
            nodes: needs.min_nodes.max(1).saturating_sub(nodes),
            tasks: u64::from(needs.ntasks).saturating_sub(tasks),
        }
    }

    /// Which kind a shape is of.
    pub(in super::super) fn kind(&self, id: ShapeId) -> usize {
        self.shapes[id.0 as usize].kind
    }

    /// Whether a job of the shape may go to a node, as was last seen.
    pub(in super::super) fn may_use(&self, id: ShapeId, node: NodeId) -> bool {
        self.kinds[self.shapes[id.0 as usize].kind].open.contains(node.0)
    }

    /// The most that nodes of a set could hold of the shape's tasks: how many of them could take one, and tasks in all.
    pub(in super::super) fn most_on(&mut self, ctld: &Slurmctld, id: ShapeId, nodes: &BitSet) -> (u32, u64) {
        let kind = self.shapes[id.0 as usize].kind;
        self.sync(ctld, kind);
        let idle = &self.kinds[kind].idle;
        let tasks = nodes.iter().filter_map(|n| idle.get(n as usize)).filter(|t| **t > 0);
        tasks.fold((0, 0), |(nodes, sum), tasks| (nodes + 1, sum + u64::from(*tasks)))
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

    /// Brings [`Shapes::releases`] up to date.
    pub(in super::super) fn look_ahead(&mut self, ctld: &Slurmctld, id: ShapeId) {
        let kind = self.shapes[id.0 as usize].kind;
        self.sync(ctld, kind);
        let kind = &mut self.kinds[kind];
        if kind.released != kind.seen {
            kind.look_ahead(ctld);
        }
    }

    /// What jobs that reach their limits give back, as the shape's tasks, in the order of time.
    pub(in super::super) fn releases(&self, id: ShapeId) -> &[Release] {
        &self.kinds[self.shapes[id.0 as usize].kind].releases
    }
}

/// From a moment on a node can take so many tasks, if nobody keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Release {
    pub at: Time,
    pub node: u32,
    pub tasks: u32,
}

impl Kind {
    fn look_everywhere(&mut self, ctld: &Slurmctld) {
        self.open = candidates(ctld, &self.example, self.part, true);
        let forecast = &ctld.live.forecast;
        let capacity = Capacity::new(ctld, &self.example, self.part);
        self.tasks = vec![0; ctld.nodes.len()];
        let everywhere = &ctld.partition(self.part).nodes;
        self.idle = vec![0; ctld.nodes.len()];
        for node in everywhere.iter() {
            self.idle[node as usize] = capacity.tasks(NodeId(node), forecast.idle(node));
        }
        (self.nodes, self.total) = (0, 0);
        for node in self.open.iter() {
            let tasks = capacity.tasks(NodeId(node), forecast.now(node));
            self.tasks[node as usize] = tasks;
            self.nodes += u32::from(tasks > 0);
            self.total += u64::from(tasks);
        }
    }

    fn look_ahead(&mut self, ctld: &Slurmctld) {
        let capacity = Capacity::new(ctld, &self.example, self.part);
        self.releases.clear();
        for node in self.open.iter() {
            for (at, free) in ctld.live.forecast.later(node) {
                self.releases.push(Release { at: *at, node, tasks: capacity.tasks(NodeId(node), free) });
            }
        }
        self.releases.order_by_key(|r| (r.at, r.node));
        self.released = self.seen;
    }

    fn look(&mut self, ctld: &Slurmctld, node: NodeId) {
        let open = super::candidate(ctld, &self.example, self.part, node.0, true);
        if open {
            self.open.insert(node.0);
        } else {
            self.open.remove(node.0);
        }
        let capacity = || Capacity::new(ctld, &self.example, self.part);
        let tasks = if open { capacity().tasks(node, ctld.live.forecast.now(node.0)) } else { 0 };
        self.set(node.0, tasks);
    }

    fn set(&mut self, node: u32, tasks: u32) {
        let old = std::mem::replace(&mut self.tasks[node as usize], tasks);
        self.nodes = self.nodes + u32::from(tasks > 0) - u32::from(old > 0);
        self.total = self.total + u64::from(tasks) - u64::from(old);
    }
}
