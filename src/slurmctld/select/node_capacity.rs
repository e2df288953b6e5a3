//! The capacity of single nodes for a request, for verdicts. It is computed as in the choice of nodes.

use super::offer::SelectContext;
use super::{FreeResources, SelectError, share};
use crate::Slurmctld;
use crate::state::job::Job;
use base::ids::{NodeId, PartId};

/// How many tasks of a job a node could take with its free resources, without regard to the job's totals.
///
/// # Errors
/// Which resource of the node is not enough.
pub(crate) fn tasks_on(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    resources: &FreeResources,
    node: NodeId,
) -> Result<u32, SelectError> {
    let mut context = SelectContext::new(ctld, job, part);
    context.layer = share::layers(ctld, part, job.needs.share) - 1;
    let offer = context.offer(ctld.node(node), resources.free(node.0))?;
    Ok((offer.cpus / context.cpus_per_task()).max(1))
}
