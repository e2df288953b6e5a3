//! Selects nodes for a reservation that requests a number of them, and cores for one that needs no whole nodes.

use super::{Reservation, ResvFlags, window};
use crate::Slurmctld;
use crate::state::error::SlurmError;
use crate::state::features;
use crate::state::job::Job;
use base::bitset::BitSet;
use base::ids::NodeId;
use base::time::Time;

/// The requested amounts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// Minimum number of nodes.
    pub nodes: u32,
    /// Cores in total, or for each node. Empty: whole nodes.
    pub cores: &'a [u32],
    /// No nodes are asked for: `NodeCnt=0`.
    pub none: bool,
}

/// Nodes, and the cores of each if not all are used.
type Picked = (BitSet, Vec<(NodeId, BitSet)>);

/// Selects nodes from `pool`: idle ones first, then those whose jobs end before the start.
pub(super) fn pick(
    ctld: &Slurmctld,
    resv: &Reservation,
    pool: &BitSet,
    wanted: Wanted<'_>,
    now: Time,
) -> Result<Picked, SlurmError> {
    let constraint = features::constraint(ctld, resv.features.as_deref().unwrap_or_default())?;
    let fits = |node: &NodeId| {
        let (there, one) = (ctld.node(*node), BitSet::from_iter([node.0]));
        (there.available() || resv.flags.has(ResvFlags::IGNORE_JOBS) && there.up())
            && constraint.as_ref().is_none_or(|c| c.nodes.contains(node.0))
            && (!wanted.cores.is_empty() || !taken(ctld, resv, &one, now) && !busy(ctld, resv, *node, now))
    };
    let free: Vec<NodeId> = pool.iter().map(NodeId).filter(fits).collect();
    let idle = free.iter().filter(|n| ctld.node(**n).jobs.is_empty());
    let nodes = idle.chain(free.iter().filter(|n| !ctld.node(**n).jobs.is_empty())).copied();
    if !wanted.cores.is_empty() {
        return some_cores(ctld, resv, nodes, wanted, now);
    }
    let taken: BitSet = nodes.take(wanted.nodes as usize).map(|n| n.0).collect();
    if taken.len() < wanted.nodes { Err(SlurmError::NodesBusy) } else { Ok((taken, Vec::new())) }
}

/// Selects cores, node by node: the number given for the node, or an equal share of what is left.
fn some_cores(
    ctld: &Slurmctld,
    resv: &Reservation,
    nodes: impl Iterator<Item = NodeId>,
    wanted: Wanted<'_>,
    now: Time,
) -> Result<Picked, SlurmError> {
    let each = wanted.cores.len() > 1;
    let least = if each { u32::try_from(wanted.cores.len()).unwrap_or(u32::MAX) } else { wanted.nodes };
    let mut left: u32 = wanted.cores.iter().fold(0, |sum, n| sum.saturating_add(*n));
    let mut parts: Vec<(NodeId, BitSet)> = Vec::new();
    for node in nodes {
        let has = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        if left == 0 || (least > 0 && has >= least) {
            break;
        }
        let free = free_cores(ctld, resv, node, now);
        let share = match wanted.cores.get(parts.len()).filter(|_| each) {
            Some(own) if free.len() < *own => continue,
            Some(own) => *own,
            None if least > 0 => left.div_ceil(least - has),
            None => left.min(free.len()),
        };
        if share > free.len() {
            continue;
        }
        if share > 0 {
            parts.push((node, free.iter().take(share as usize).collect()));
            left = left.saturating_sub(share);
        }
    }
    if left > 0 || (parts.len() as u64) < u64::from(least) {
        return Err(SlurmError::NodesBusy);
    }
    Ok((parts.iter().map(|p| p.0.0).collect(), parts))
}

/// The first free cores of the reservation's nodes, with a number for each node.
pub(super) fn cores(
    ctld: &Slurmctld,
    resv: &Reservation,
    counts: &[u32],
    now: Time,
) -> Result<Vec<(NodeId, BitSet)>, SlurmError> {
    if counts.len() as u64 != u64::from(resv.nodes.len()) {
        return Err(SlurmError::InvalidCoreCnt);
    }
    let of = |(node, count): (NodeId, &u32)| {
        let free = free_cores(ctld, resv, node, now);
        let taken: BitSet = free.iter().take(*count as usize).collect();
        if taken.len() < *count { Err(SlurmError::NodesBusy) } else { Ok((node, taken)) }
    };
    resv.nodes.iter().map(NodeId).zip(counts).map(of).collect()
}

/// The cores of a node that no concurrent reservation has and no job may still use when this one begins.
fn free_cores(ctld: &Slurmctld, resv: &Reservation, node: NodeId, now: Time) -> BitSet {
    let there = ctld.node(node);
    let mut free = there.conf.job_cores();
    if !shares(resv) {
        for other in others(ctld, resv, now).filter(|other| other.nodes.contains(node.0)) {
            match other.cores_of.iter().find(|c| c.0 == node) {
                Some((_, cores)) => free.subtract(cores),
                None => free = BitSet::new(),
            }
        }
    }
    for job in late_jobs(ctld, resv, node, now) {
        if let Some(part) = job.allocation.as_ref().and_then(|a| a.on(node)) {
            free.subtract(&part.cores);
        }
    }
    free
}

/// Whether a reservation may share nodes with others.
fn shares(resv: &Reservation) -> bool {
    resv.flags.has(ResvFlags::MAINT.with(ResvFlags::OVERLAP))
}

/// The other reservations at the same time.
fn others<'c>(ctld: &'c Slurmctld, resv: &Reservation, now: Time) -> impl Iterator<Item = &'c Reservation> {
    let ((start, end), id) = (resv.window(now), resv.id);
    ctld.reservations.iter().filter(move |other| other.id != id && window::meets(other, start, end))
}

/// Whether another reservation has one of the nodes at the same time.
fn taken(ctld: &Slurmctld, resv: &Reservation, nodes: &BitSet, now: Time) -> bool {
    !shares(resv) && others(ctld, resv, now).any(|other| other.nodes.intersects(nodes))
}

/// Whether named nodes conflict with another reservation. As on a real 22.05, they do not if that reservation's flags
/// admit others.
pub(super) fn overlaps(ctld: &Slurmctld, resv: &Reservation, nodes: &BitSet, now: Time) -> bool {
    let against = |other: &Reservation| !shares(other) && other.nodes.intersects(nodes);
    !shares(resv) && others(ctld, resv, now).any(against)
}

/// Jobs on a node that may still run when the reservation begins, unless it ignores jobs.
fn late_jobs<'c>(
    ctld: &'c Slurmctld,
    resv: &Reservation,
    node: NodeId,
    now: Time,
) -> impl Iterator<Item = &'c Job> {
    let (start, id, ignored) = (resv.window(now).0, resv.id, resv.flags.has(ResvFlags::IGNORE_JOBS));
    let jobs = ctld.node(node).jobs.keys().filter_map(|job| ctld.jobs.get(*job));
    jobs.filter(move |job| {
        !ignored
            && !job.reservations.contains(&id)
            && !job.state.ended()
            && job.end.is_none_or(|end| end > start)
    })
}

/// Whether a job on the node may still run when the reservation begins.
pub(super) fn busy(ctld: &Slurmctld, resv: &Reservation, node: NodeId, now: Time) -> bool {
    late_jobs(ctld, resv, node, now).next().is_some()
}
