//! What a job would get at this moment: of the nodes that nobody keeps from it.

use super::super::Slurmctld;
use super::super::job::{Allocation, Job};
use super::super::select::{self, Board, ShapeId, Shapes};
use super::super::unavailable::{self, Why};
use crate::base::bitset::BitSet;
use crate::base::ids::PartId;
use crate::base::time::Time;

/// Chooses what is free now, out of nodes that are neither kept for jobs in front nor reserved.
pub(in super::super) fn now(
    ctld: &Slurmctld,
    job: &Job,
    (part, shape): (PartId, ShapeId),
    shapes: &mut Shapes,
    kept: &BitSet,
    now: Time,
) -> Result<Allocation, Why> {
    let nodes = left_over(ctld, job, shapes.open(shape).clone(), kept, now);
    select::among(ctld, job, (part, shape), shapes, &nodes)
        .map(|c| c.allocation(ctld, job, part))
        .map_err(|_| unavailable::why(ctld, job, part, kept, now))
}

/// The same for a job that is in no queue.
pub(in super::super) fn now_alone(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    kept: &BitSet,
    now: Time,
) -> Option<Allocation> {
    let nodes = left_over(ctld, job, select::candidates(ctld, job, part, true), kept, now);
    let choice = select::choose(ctld, job, part, &Board::now_for(ctld, job, now), (&nodes).into()).ok()?;
    Some(choice.allocation(ctld, job, part))
}

/// Of some nodes those that a job may start on now.
fn left_over(ctld: &Slurmctld, job: &Job, mut nodes: BitSet, kept: &BitSet, now: Time) -> BitSet {
    nodes.subtract(kept);
    nodes.subtract(&ctld.index.completing);
    if let Some(shut) = unavailable::reserved(ctld, job, now) {
        nodes.subtract(&shut);
    }
    nodes
}
