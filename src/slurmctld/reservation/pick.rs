//! Nodes for a reservation that asks for a number of them (or of cores) instead of naming them.

use super::super::Slurmctld;
use super::super::error::SlurmError;
use super::super::select;
use super::{Reservation, ResvFlags, window};
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, NodeId};
use crate::base::time::Time;

/// How much is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    /// At least so many nodes.
    pub nodes: u32,
    /// Cores in all; 0: whole nodes.
    pub cores: u32,
}

/// Chooses nodes out of `pool`: idle ones first, then those whose jobs end before the start.
pub(super) fn pick(
    ctld: &Slurmctld,
    resv: &Reservation,
    pool: &BitSet,
    wanted: Wanted,
    now: Time,
) -> Result<(BitSet, Vec<(NodeId, u32)>), SlurmError> {
    let constraint = select::constraint(ctld, resv.features.as_deref().unwrap_or_default())?;
    let fits = |i: &u32| {
        let node = ctld.node(NodeId(*i));
        (node.available() || resv.flags.has(ResvFlags::IGNORE_JOBS) && node.up())
            && constraint.as_ref().is_none_or(|c| c.nodes.contains(*i))
    };
    let free: Vec<NodeId> = pool
        .iter()
        .filter(fits)
        .map(NodeId)
        .filter(|n| !overlaps(ctld, resv, &BitSet::from_iter([n.0]), now) && !busy(ctld, resv, *n, now))
        .collect();
    let idle = free.iter().filter(|n| ctld.node(**n).jobs.is_empty());
    let later = free.iter().filter(|n| !ctld.node(**n).jobs.is_empty());
    let mut taken = BitSet::new();
    let mut parts = Vec::new();
    let mut cores = 0;
    for node in idle.chain(later) {
        if taken.len() >= wanted.nodes && cores >= wanted.cores {
            break;
        }
        let share = if wanted.cores == 0 {
            ctld.node(*node).cores()
        } else {
            let nodes_left = wanted.nodes.saturating_sub(taken.len()).max(1);
            (wanted.cores - cores).div_ceil(nodes_left).min(ctld.node(*node).cores())
        };
        taken.insert(node.0);
        parts.push((*node, share));
        cores += share;
    }
    if taken.len() < wanted.nodes || cores < wanted.cores {
        return Err(SlurmError::NodesBusy);
    }
    Ok((taken, if wanted.cores == 0 { Vec::new() } else { parts }))
}

/// Whether another reservation has one of the nodes at the same time.
pub(super) fn overlaps(ctld: &Slurmctld, resv: &Reservation, nodes: &BitSet, now: Time) -> bool {
    if resv.flags.has(ResvFlags::MAINT.with(ResvFlags::OVERLAP)) {
        return false;
    }
    let (start, end) = resv.window(now);
    ctld.reservations
        .iter()
        .any(|other| other.id != resv.id && other.nodes.intersects(nodes) && window::meets(other, start, end))
}

/// Whether a job on the node may still run when the reservation begins.
pub(super) fn busy(ctld: &Slurmctld, resv: &Reservation, node: NodeId, now: Time) -> bool {
    let start = resv.window(now).0;
    let late = |id: &JobId| {
        ctld.jobs.get(*id).is_some_and(|job| {
            !job.reservations.contains(&resv.id)
                && !job.state.ended()
                && job.end.is_none_or(|end| end > start)
        })
    };
    !resv.flags.has(ResvFlags::IGNORE_JOBS) && ctld.node(node).jobs.keys().any(late)
}
