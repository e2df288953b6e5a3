//! What single nodes say to a request, for verdicts: the same question that choosing asks.

use super::room::Room;
use super::{FreeResources, Refusal, share};
use crate::Slurmctld;
use crate::state::job::Job;
use base::ids::{NodeId, PartId};

/// How many of a job's tasks a node could take with what is free on the board, whatever the job's totals are.
///
/// # Errors
/// What the node has too little of.
pub(crate) fn tasks_on(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    board: &FreeResources,
    node: NodeId,
) -> Result<u32, Refusal> {
    let mut room = Room::new(ctld, job, part);
    room.layer = share::layers(ctld, part, job.needs.share) - 1;
    let offer = room.offer(ctld.node(node), board.free(node.0))?;
    Ok((offer.cpus / room.cpus_per_task()).max(1))
}
