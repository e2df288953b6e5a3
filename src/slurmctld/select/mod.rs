//! Which nodes, cores and GPUs a job gets (select/cons_tres).
//!
//! Choosing reads [`FreeResources`], what is free now or at some later moment, and changes nothing. Invariant: what one node
//! could give does not depend on the request's totals (`min_nodes`, `max_nodes`, `ntasks`, `min_cpus`, `required`), because
//! [`RequestClasses`] share it.

mod availability;
mod choice;
mod counts;
mod free;
mod gres;
pub(crate) mod mcs;
pub(crate) mod needs;
mod offer;
mod outlook;
mod pick;
mod request_class;
mod share;
mod sockets;
mod tell;
pub(crate) mod unavailable;

use crate::Slurmctld;
use crate::state::job::{Exclusive, Job, Memory, Needs};
use crate::state::node::Node;
pub(crate) use availability::{Availability, AvailabilityChange, FreeResources};
use base::bitset::BitSet;
use base::ids::{NodeId, PartId};
pub(crate) use choice::{Choice, UsableNodes, choose, nodes_for};
use config::{OverSubscribe, PartExclusive};
pub(crate) use counts::{Counts, Sums};
pub(crate) use free::Free;
pub(crate) use request_class::{RequestClassId, RequestClasses, ResourceProfile, Shortfall};
pub(crate) use tell::tasks_on;

/// Whom a job lets onto its nodes, by its own request or its partition's.
pub(crate) fn alone(ctld: &Slurmctld, job: &Job) -> Option<Exclusive> {
    let part = job.partitions.first().map(|p| ctld.partition(*p));
    alone_in(job.needs.exclusive, part)
}

fn alone_in(asked: Option<Exclusive>, part: Option<&config::PartConf>) -> Option<Exclusive> {
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
pub(crate) fn candidates(ctld: &Slurmctld, job: &Job, part: PartId, up_only: bool) -> BitSet {
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
    let constrained = job.needs.constraint.as_ref().is_none_or(|c| c.nodes.contains(node));
    let there = ctld.node(NodeId(node));
    constrained && job.needs.tmp_disk <= there.conf.tmp_disk && (!up_only || there.available())
}

/// What there was too little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectError {
    /// Nodes that would do.
    Nodes,
    /// CPUs, cores or sockets.
    Cpus,
    /// Memory.
    Memory,
    /// GRES.
    Gres,
    /// A job is there who may not be joined.
    Busy,
    /// A node that was named (`-w`).
    Required,
    /// Nodes with the features, as many as asked.
    Features,
    /// Neighbours (`--contiguous`).
    Contiguous,
    /// Nodes below few enough switches (`--switches`).
    Switches,
}

/// Whether the partition is large enough for what a job wants in all; if not, it waits with `PartitionConfig`.
pub(crate) fn too_small(ctld: &Slurmctld, needs: &Needs, part: PartId) -> bool {
    needs.min_cpus > 0 && u64::from(needs.min_cpus) > ctld.size_of(part).cpus
}

/// How large a partition is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    /// CPUs that one job could have in all.
    pub cpus: u64,
    /// CPUs of its largest node.
    pub most: u32,
}

impl Size {
    pub(crate) fn of(ctld: &Slurmctld, part: PartId) -> Self {
        let conf = ctld.partition(part);
        let nodes = conf.nodes.iter().filter_map(|i| ctld.nodes.get(i as usize));
        nodes.map(Node::cpus).fold(Self::default(), |all, cpus| Self {
            cpus: all.cpus + u64::from(cpus.min(conf.cpus_limit())),
            most: all.most.max(cpus),
        })
    }
}

/// Memory that a node must have, MiB, whether memory is dealt out or not.
fn least_memory(needs: &Needs) -> u64 {
    match needs.memory {
        Memory::PerNode(mib) => mib,
        Memory::PerCpu(mib) => mib,
        Memory::PerGpu(_) | Memory::Unset => 0,
    }
}

/// Whether the partition could ever run the job, on an empty machine; with how many nodes.
pub(crate) fn feasible(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    idle: Option<&Counts>,
) -> Result<u32, Infeasible> {
    let mut nodes = candidates(ctld, job, part, false);
    if let Some(own) = crate::reservation::own_nodes(ctld, job) {
        nodes.intersect_with(&own);
    }
    let needs = &job.needs;
    let of_partition = || ctld.partition(part).nodes.iter().map(|i| ctld.node(NodeId(i)));
    if !of_partition().any(|n| n.cpus() >= needs.min_cpus_per_node) {
        return Err(Infeasible::Cpus);
    }
    if !of_partition().any(|n| n.conf.tmp_disk >= needs.tmp_disk) {
        return Err(Infeasible::Disk);
    }
    let per_node = least_memory(needs);
    if !of_partition().any(|n| n.conf.real_memory >= per_node) {
        return Err(Infeasible::Memory);
    }
    // A job that waits for switches gets any in the end.
    let patient = needs.switches.map(|_| anywhere(job));
    nodes_for(
        ctld,
        patient.as_ref().unwrap_or(job),
        part,
        &FreeResources::empty(ctld),
        UsableNodes::counted(&nodes, idle),
    )
    .map(|nodes| nodes.len())
    .map_err(|_| Infeasible::Config)
}

/// The same job without a request for few switches.
fn anywhere(job: &Job) -> Job {
    let needs = Needs { switches: None, ..Needs::clone(&job.needs) };
    Job { needs: std::sync::Arc::new(needs), ..job.clone() }
}

/// Why no node could ever hold a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Infeasible {
    /// "CPU count per node can not be satisfied"
    Cpus,
    /// "Memory specification can not be satisfied"
    Memory,
    /// "Temporary disk specification can not be satisfied"
    Disk,
    /// No further words.
    Config,
}

/// Chooses what is free now out of some nodes.
pub(crate) fn among(
    ctld: &Slurmctld,
    job: &Job,
    (part, class): (PartId, RequestClassId),
    classes: &mut RequestClasses,
    nodes: &BitSet,
) -> Result<Choice, SelectError> {
    let resources = FreeResources::now_for(ctld, job, ctld.caches.moment);
    let counted = classes.counted_now(ctld, class).filter(|_| !ctld.plain && !resources.is_changed());
    choose(ctld, job, part, &resources, UsableNodes::counted(nodes, counted))
}
