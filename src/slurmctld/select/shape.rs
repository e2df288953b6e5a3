//! Requests that are alike. A [`Kind`] is what single nodes can tell of a request; a [`Shape`] is a kind with what is
//! asked in all. With them "does it fit anywhere now, if nobody else planned anything?" costs two comparisons.

use super::super::Slurmctld;
use super::super::job::{Exclusive, Job, Needs};
use super::counts::{Counts, Sums};
use super::kind::{Kind, least, of_one_node};
use super::later::Ahead;
use super::short::Short;
use super::{Infeasible, alone_in, feasible};
use crate::base::bitset::BitSet;
use crate::base::ids::{PartId, QosId, Uid};
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
    /// The last one that was asked for.
    last: usize,
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
        if !job.reservations.is_empty() {
            return feasible(ctld, job, part, None);
        }
        let id = self.find(ctld, job, part);
        self.feasible_row(ctld, job, part, id)
    }

    /// The same of a row of the queue, whose shape is known.
    pub(in super::super) fn feasible_row(
        &mut self,
        ctld: &Slurmctld,
        job: &Job,
        part: PartId,
        id: ShapeId,
    ) -> Result<u32, Infeasible> {
        if ctld.plain {
            return feasible(ctld, job, part, None);
        }
        let shape = &mut self.shapes[id.0 as usize];
        if let Some((_, answer)) = shape.feasible.iter().find(|k| k.0 == job.qos) {
            return *answer;
        }
        let kind = &mut self.kinds[shape.kind];
        kind.sync(ctld);
        let answer = feasible(ctld, job, part, kind.idle());
        shape.feasible.push((job.qos, answer));
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
        let again = Some(self.last).filter(|last| self.shapes.get(*last).is_some_and(same));
        let known = again.or_else(|| self.shapes.iter().rposition(same));
        let at = known.unwrap_or_else(|| {
            let kind = self.kind_of(ctld, job, part, uid);
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
        self.last = at;
        ShapeId(u32::try_from(at).unwrap_or(u32::MAX))
    }

    fn kind_of(&mut self, ctld: &Slurmctld, job: &Job, part: PartId, uid: Option<Uid>) -> usize {
        let (needs, least) = (of_one_node(&job.needs), least(&job.needs));
        self.kinds.iter().position(|k| k.is_of(part, uid, &needs, least)).unwrap_or_else(|| {
            self.kinds.push(Kind::new(ctld, job, part, uid));
            self.kinds.len() - 1
        })
    }

    /// Whether too many shapes have gathered.
    pub(in super::super) fn crowded(&self) -> bool {
        self.shapes.len() > 20_000 || self.kinds.len() > 500
    }

    /// Whether enough nodes have enough room for the shape now, as far as counting tells. When this is false, no choice
    /// of nodes is possible.
    pub(in super::super) fn may_fit(&mut self, ctld: &Slurmctld, id: ShapeId) -> bool {
        let kind = self.kind(id);
        self.kinds[kind].sync(ctld);
        self.enough(id, self.kinds[kind].sums())
    }

    /// How much is missing for the shape where there is so much.
    pub(in super::super) fn short(&self, id: ShapeId, there: Sums) -> Short {
        let needs = &self.shapes[id.0 as usize].needs;
        Short {
            nodes: needs.min_nodes.max(1).saturating_sub(there.nodes),
            tasks: u64::from(needs.ntasks).saturating_sub(there.tasks),
        }
    }

    /// Whether one shape asks single nodes for the same as another, and for no less of them in all.
    pub(in super::super) fn asks_no_less(&self, id: ShapeId, than: ShapeId) -> bool {
        let (this, that) = (&self.shapes[id.0 as usize], &self.shapes[than.0 as usize]);
        this.kind == that.kind
            && this.needs.min_nodes >= that.needs.min_nodes
            && this.needs.ntasks >= that.needs.ntasks
    }

    /// Which kind a shape is of.
    pub(in super::super) fn kind(&self, id: ShapeId) -> usize {
        self.shapes[id.0 as usize].kind
    }

    /// Nodes where a job of the shape may go, as was last seen.
    pub(in super::super) fn open(&self, id: ShapeId) -> &BitSet {
        self.kinds[self.kind(id)].open()
    }

    /// The most that nodes of a set could hold of the shape's tasks.
    pub(in super::super) fn most_on(&mut self, ctld: &Slurmctld, id: ShapeId, nodes: &BitSet) -> Sums {
        let kind = self.kind(id);
        self.kinds[kind].sync(ctld);
        self.kinds[kind].most_on(nodes)
    }

    /// Whether so much could hold the shape.
    pub(in super::super) fn enough(&self, id: ShapeId, there: Sums) -> bool {
        !self.short(id, there).survives(0, 0)
    }

    /// Whether any row of the queue has a shape that may fit now.
    pub(in super::super) fn any_may_fit(&mut self, ctld: &Slurmctld) -> bool {
        self.kinds.iter_mut().for_each(|kind| kind.sync(ctld));
        self.shapes.iter().zip(0u32..).any(|(shape, id)| {
            shape.queued.get() > 0 && self.enough(ShapeId(id), self.kinds[shape.kind].sums())
        })
    }

    /// Brings up to date what there is for the shape now and later.
    pub(in super::super) fn look_ahead(&mut self, ctld: &Slurmctld, id: ShapeId) {
        let kind = self.kind(id);
        self.kinds[kind].sync(ctld);
        self.kinds[kind].look_ahead(ctld);
    }

    /// How many of the shape's tasks each node could take now; none: where weights matter.
    pub(in super::super) fn counted_now(&mut self, ctld: &Slurmctld, id: ShapeId) -> Option<&Counts> {
        let kind = self.kind(id);
        self.kinds[kind].sync(ctld);
        let ahead = self.ahead(id);
        Some(ahead.tasks).filter(|_| ahead.level)
    }

    /// What there is for the shape now and later, as was last seen.
    pub(in super::super) fn ahead(&self, id: ShapeId) -> Ahead<'_> {
        self.kinds[self.kind(id)].ahead()
    }
}
