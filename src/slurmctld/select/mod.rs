//! Which nodes, cores and GPUs a job gets (select/cons_tres).
//!
//! The choice reads [`FreeResources`], the free resources now or at a later moment, and changes nothing. Invariant: the offer of
//! one node does not depend on the totals of the request (`min_nodes`, `max_nodes`, `ntasks`, `min_cpus`, `required`), because
//! [`RequestClasses`] share it.

mod availability;
mod choice;
mod counts;
mod free;
mod gres;
pub(crate) mod mcs;
pub(crate) mod needs;
mod node_capacity;
mod node_profile;
mod offer;
mod pick;
mod request_class;
mod share;
mod sockets;
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
pub(crate) use node_capacity::tasks_on;
pub(crate) use request_class::{RequestClassId, RequestClasses, ResourceProfile, Shortfall};

/// Whether a job shares its nodes and with whom, by its own request or that of its partition.
pub(crate) fn exclusive(ctld: &Slurmctld, job: &Job) -> Option<Exclusive> {
    let part = job.partitions.first().map(|p| ctld.partition(*p));
    exclusive_in(job.needs.exclusive, part)
}

fn exclusive_in(asked: Option<Exclusive>, part: Option<&config::PartConf>) -> Option<Exclusive> {
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

/// Nodes of a partition whose state and features allow the job, and which it does not exclude.
pub(crate) fn candidates(ctld: &Slurmctld, job: &Job, part: PartId, up_only: bool) -> BitSet {
    let mut nodes = ctld.partition(part).nodes.clone();
    nodes.subtract(&job.needs.excluded);
    nodes.iter().filter(|i| fit_for(ctld, job, *i, up_only)).collect()
}

/// Whether a node is one of the [`candidates`].
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

/// Which resource was not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectError {
    /// Suitable nodes.
    Nodes,
    /// CPUs, cores or sockets.
    Cpus,
    /// Memory.
    Memory,
    /// GRES.
    Gres,
    /// A job on the node does not share it with this one.
    Busy,
    /// A required node (`-w`).
    Required,
    /// The requested number of nodes with the features.
    Features,
    /// Contiguous nodes (`--contiguous`).
    Contiguous,
    /// Nodes below few enough switches (`--switches`).
    Switches,
}

/// Whether the partition has fewer CPUs than the job needs in total. Such a job waits with `PartitionConfig`.
pub(crate) fn too_small(ctld: &Slurmctld, needs: &Needs, part: PartId) -> bool {
    needs.min_cpus > 0 && u64::from(needs.min_cpus) > ctld.size_of(part).cpus
}

/// The size of a partition.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    /// CPUs that one job could have in total.
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

/// Memory that a node must have, in MiB, even if memory is not a consumable resource.
fn least_memory(needs: &Needs) -> u64 {
    match needs.memory {
        Memory::PerNode(mib) => mib,
        Memory::PerCpu(mib) => mib,
        Memory::PerGpu(_) | Memory::Unset => 0,
    }
}

/// Whether the partition could run the job if it were idle, and on how many nodes.
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
    // A job that waits for few switches gets any switches in the end.
    let without_switches = needs.switches.map(|_| anywhere(job));
    nodes_for(
        ctld,
        without_switches.as_ref().unwrap_or(job),
        part,
        &FreeResources::empty(ctld),
        UsableNodes::counted(&nodes, idle),
    )
    .map(|nodes| nodes.len())
    .map_err(|_| Infeasible::Config)
}

/// The job without its request for few switches.
fn anywhere(job: &Job) -> Job {
    let needs = Needs { switches: None, ..Needs::clone(&job.needs) };
    Job { needs: std::sync::Arc::new(needs), ..job.clone() }
}

/// Why no nodes could ever run a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Infeasible {
    /// "CPU count per node can not be satisfied"
    Cpus,
    /// "Memory specification can not be satisfied"
    Memory,
    /// "Temporary disk specification can not be satisfied"
    Disk,
    /// "Requested node configuration is not available"
    Config,
}

/// Chooses resources that are free now on some of these nodes.
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
