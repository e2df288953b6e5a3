//! Which nodes, cores and GPUs a job gets (select/cons_tres). A [`Board`] is a picture of what is free, now or at
//! some later moment; choosing works on boards only and changes nothing. What one node could give must not depend on
//! the request's totals (`min_nodes`, `max_nodes`, `ntasks`, `min_cpus`, `required`): [`Shapes`] count with that.

mod board;
mod features;
mod place;
mod shape;

use super::Slurmctld;
use super::job::{Allocation, Exclusive, Job, Memory};
use super::reason::Reason;
use crate::base::bitset::BitSet;
use crate::base::ids::{NodeId, PartId};
use crate::config::{OverSubscribe, PartExclusive};
pub(super) use board::{Board, Forecast, Free};
pub(super) use features::known as features_known;
pub(super) use place::{Choice, choose};
pub(super) use shape::{ShapeId, Shapes};

/// Whom a job lets onto its nodes, by its own wish or its partition's.
pub(super) fn alone(ctld: &Slurmctld, job: &Job) -> Option<Exclusive> {
    let part = job.partitions.first().map(|p| ctld.partition(*p));
    alone_in(job.needs.exclusive, part)
}

fn alone_in(asked: Option<Exclusive>, part: Option<&crate::config::PartConf>) -> Option<Exclusive> {
    let by_part = part.and_then(|p| match (p.exclusive, p.over_subscribe) {
        (PartExclusive::Node | PartExclusive::Topo, _) | (_, OverSubscribe::Exclusive) => {
            Some(Exclusive::Node)
        }
        (PartExclusive::User, _) => Some(Exclusive::User),
        (PartExclusive::No, _) => None,
    });
    match (asked, by_part) {
        (Some(Exclusive::Node | Exclusive::Topo), _) | (_, Some(Exclusive::Node)) => Some(Exclusive::Node),
        (Some(Exclusive::User), _) | (_, Some(Exclusive::User)) => Some(Exclusive::User),
        (asked, _) => asked,
    }
}

/// Nodes of a partition that a job could use as far as their state, features and lists of names go.
pub(super) fn candidates(ctld: &Slurmctld, job: &Job, part: PartId, up_only: bool) -> BitSet {
    let mut nodes = ctld.partition(part).nodes.clone();
    nodes.subtract(&job.needs.excluded);
    nodes.iter().filter(|i| fit_for(ctld, job, *i, up_only)).collect()
}

/// Whether one node is among them.
fn candidate(ctld: &Slurmctld, job: &Job, part: PartId, node: u32, up_only: bool) -> bool {
    ctld.partition(part).nodes.contains(node)
        && !job.needs.excluded.contains(node)
        && fit_for(ctld, job, node, up_only)
}

fn fit_for(ctld: &Slurmctld, job: &Job, node: u32, up_only: bool) -> bool {
    let node = ctld.node(NodeId(node));
    (!up_only || node.available()) && features::satisfies(node, job.needs.features.as_deref())
}

/// Whether the partition could ever run the job, on an empty machine.
pub(super) fn feasible(ctld: &Slurmctld, job: &Job, part: PartId) -> Result<(), Infeasible> {
    let nodes = candidates(ctld, job, part, false);
    let needs = &job.needs;
    let of_partition = || ctld.partition(part).nodes.iter().map(|i| ctld.node(NodeId(i)));
    if !of_partition().any(|n| n.cpus() >= needs.min_cpus_per_node) {
        return Err(Infeasible::Cpus);
    }
    let per_node = match needs.memory {
        Memory::PerNode(mib) => mib,
        Memory::PerCpu(mib) => mib,
        Memory::PerGpu(_) | Memory::Unset => 0,
    };
    if ctld.cluster.global.select.memory && !of_partition().any(|n| n.conf.real_memory >= per_node) {
        return Err(Infeasible::Memory);
    }
    choose(ctld, job, part, &Board::empty(ctld), &nodes).map(|_| ()).map_err(|_| Infeasible::Config)
}

/// Why no node could ever hold a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infeasible {
    /// "CPU count per node can not be satisfied"
    Cpus,
    /// "Memory specification can not be satisfied"
    Memory,
    /// No further words.
    Config,
}

/// The reason of a job that cannot start because nodes that it must have are out of service.
pub(super) fn out_of_service(ctld: &Slurmctld, job: &Job, part: PartId) -> Option<Reason> {
    let required = &job.needs.required;
    if required.is_empty() || required.is_subset(&candidates(ctld, job, part, true)) {
        return None;
    }
    let down = required.iter().any(|i| !ctld.node(NodeId(i)).available());
    Some(if down { Reason::NodeNotAvail } else { Reason::Resources })
}

/// Chooses on a board; the reason tells whether nodes are missing because they are out of service.
pub(super) fn now(ctld: &Slurmctld, job: &Job, part: PartId, board: &Board) -> Result<Allocation, Reason> {
    if let Some(reason) = out_of_service(ctld, job, part) {
        return Err(reason);
    }
    let nodes = candidates(ctld, job, part, true);
    choose(ctld, job, part, board, &nodes)
        .map(|c| c.allocation(ctld, job, part))
        .map_err(|()| Reason::Resources)
}
