//! What single nodes say to a request, for verdicts: the same question that choosing asks.

use super::offer::SelectContext;
use super::{FreeResources, SelectError, share};
use crate::Slurmctld;
use crate::state::job::Job;
use base::ids::{NodeId, PartId};

/// How many of a job's tasks a node could take with what is free, whatever the job's totals are.
///
/// # Errors
/// What the node has too little of.
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
