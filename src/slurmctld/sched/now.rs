//! The allocation that a job would get now, on nodes that are not reserved for other jobs.

use crate::Slurmctld;
use crate::select::unavailable::{self, PendingReason};
use crate::select::{self, FreeResources, RequestClassId, RequestClasses};
use crate::state::job::{Allocation, Job};
use base::bitset::BitSet;
use base::ids::PartId;
use base::time::Time;

/// Selects free resources now, on nodes that are neither blocked by jobs ahead nor reserved.
pub(crate) fn now(
    ctld: &Slurmctld,
    job: &Job,
    (part, class): (PartId, RequestClassId),
    classes: &mut RequestClasses,
    blocked: &BitSet,
    now: Time,
) -> Result<Allocation, PendingReason> {
    let nodes = startable(ctld, job, classes.open(class).clone(), blocked, now);
    select::among(ctld, job, (part, class), classes, &nodes)
        .map(|c| c.allocation(ctld, job, part))
        .map_err(|_| unavailable::why(ctld, job, part, blocked, now))
}

/// [`now`] for a job that is not in the queue.
pub(crate) fn now_alone(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    blocked: &BitSet,
    now: Time,
) -> Option<Allocation> {
    let nodes = startable(ctld, job, select::candidates(ctld, job, part, true), blocked, now);
    let choice =
        select::choose(ctld, job, part, &FreeResources::now_for(ctld, job, now), (&nodes).into()).ok()?;
    Some(choice.allocation(ctld, job, part))
}

/// Those of `nodes` on which a job may start now.
fn startable(ctld: &Slurmctld, job: &Job, mut nodes: BitSet, blocked: &BitSet, now: Time) -> BitSet {
    nodes.subtract(blocked);
    nodes.subtract(&ctld.nodes.index().completing);
    if let Some(shut) = unavailable::reserved(ctld, job, now) {
        nodes.subtract(&shut);
    }
    nodes
}
