//! Which nodes, cores and GPUs a job gets (select/cons_tres). A [`Board`] is a picture of what is free, now or at
//! some later moment; choosing works on boards only and changes nothing.

mod features;
mod place;

use super::Slurmctld;
use super::job::{Allocation, Exclusive, Job, Memory, NodeAlloc};
use super::reason::Reason;
use crate::base::bitset::BitSet;
use crate::base::ids::{NodeId, PartId, Uid};
use crate::config::{OverSubscribe, PartExclusive};
pub(super) use features::known as features_known;
pub(super) use place::choose;

/// What is free on each node.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub nodes: Vec<Free>,
}

/// What is free on one node, and who is there.
#[derive(Clone, Debug)]
pub(super) struct Free {
    pub cores: BitSet,
    pub mem: u64,
    /// In the order of the node's gres list.
    pub gres: Vec<BitSet>,
    /// Jobs there, with their owner and whether they share with no other user.
    pub guests: Vec<(crate::base::ids::JobId, Uid, bool)>,
}

impl Board {
    /// The board of an empty machine: what could ever be had.
    pub(super) fn empty(ctld: &Slurmctld) -> Self {
        let free = |node: &super::node::Node| Free {
            cores: BitSet::full(node.cores()),
            mem: node.conf.real_memory.saturating_sub(node.conf.mem_spec_limit),
            gres: node.conf.gres.iter().map(|g| BitSet::full(g.count)).collect(),
            guests: Vec::new(),
        };
        Self { nodes: ctld.nodes.iter().map(free).collect() }
    }

    /// The board of this moment: what active jobs hold is gone, completing ones included.
    pub(super) fn now(ctld: &Slurmctld) -> Self {
        let mut board = Self::empty(ctld);
        for job in ctld.active_jobs() {
            board.occupy(ctld, job);
        }
        board
    }

    fn occupy(&mut self, ctld: &Slurmctld, job: &Job) {
        let Some(allocation) = &job.allocation else { return };
        let alone = alone(ctld, job) == Some(Exclusive::User);
        for part in &allocation.nodes {
            self.take(part, job, alone);
        }
    }

    /// Takes one node's part of an allocation away.
    pub(super) fn take(&mut self, part: &NodeAlloc, job: &Job, alone: bool) {
        let free = &mut self.nodes[part.node.0 as usize];
        free.cores.subtract(&part.cores);
        free.mem = free.mem.saturating_sub(part.memory);
        for (i, used) in &part.gres {
            free.gres[*i as usize].subtract(used);
        }
        free.guests.push((job.id, job.uid(), alone));
    }

    /// Gives a job's allocation back.
    pub(super) fn release(&mut self, job: &Job) {
        for part in job.allocation.iter().flat_map(|a| &a.nodes) {
            let free = &mut self.nodes[part.node.0 as usize];
            free.cores.union_with(&part.cores);
            free.mem += part.memory;
            for (i, used) in &part.gres {
                free.gres[*i as usize].union_with(used);
            }
            free.guests.retain(|g| g.0 != job.id);
        }
    }
}

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
    let conf = ctld.partition(part);
    let mut nodes = conf.nodes.clone();
    nodes.subtract(&job.needs.excluded);
    let fits = |i: &u32| {
        let node = ctld.node(NodeId(*i));
        (!up_only || node.available()) && features::satisfies(node, job.needs.features.as_deref())
    };
    nodes.iter().filter(fits).collect()
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

/// Chooses on the present board; the reason tells whether nodes are missing because they are out of service.
pub(super) fn now(ctld: &Slurmctld, job: &Job, part: PartId, board: &Board) -> Result<Allocation, Reason> {
    let nodes = candidates(ctld, job, part, true);
    if !job.needs.required.is_subset(&nodes) {
        let down = job.needs.required.iter().any(|i| !ctld.node(NodeId(i)).available());
        return Err(if down { Reason::NodeNotAvail } else { Reason::Resources });
    }
    choose(ctld, job, part, board, &nodes)
        .map(|c| c.allocation(ctld, job, part))
        .map_err(|()| Reason::Resources)
}
