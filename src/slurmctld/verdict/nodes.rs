//! Counts a partition's nodes by their verdict on a job.

use super::names;
use crate::Slurmctld;
use crate::sched::main::BlockingJob;
use crate::select::unavailable;
use crate::select::{FreeResources, SelectError, tasks_on};
use crate::state::job::Job;
use crate::state::node::{Node, NodeBase};
use base::bitset::BitSet;
use base::ids::{NodeId, PartId, ResvId};
use base::order::StableSort as _;
use base::time::Time;
use base::verdict::{JobRef, NAMES, NodeResource, NodeVerdict, NodeVerdictGroup};

/// Groups of the partition's nodes, the largest first; the available nodes, and the tasks that fit on them.
pub(super) fn tally(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    keepers: &[BlockingJob],
    now: Time,
) -> (Vec<NodeVerdictGroup>, (u32, u64)) {
    let reserved = unavailable::reserved(ctld, job, now).unwrap_or_default();
    let kept: Vec<(JobRef, BitSet)> =
        keepers.iter().map(|k| (names::job(ctld, k.job), k.nodes(ctld))).collect();
    let mut groups: Vec<(NodeVerdictGroup, BitSet)> = Vec::new();
    for node in super::node_ids(&ctld.partition(part).nodes) {
        let (cause, tasks) = verdict(ctld, (job, part), node, &kept, &reserved);
        let at = groups.iter().position(|(g, _)| g.cause == cause).unwrap_or_else(|| {
            let names = String::new();
            let group = NodeVerdictGroup { cause, nodes: 0, tasks: 0, names, first: node.0 };
            groups.push((group, BitSet::new()));
            groups.len() - 1
        });
        let (group, first) = &mut groups[at];
        group.nodes += 1;
        group.tasks += u64::from(tasks);
        if group.nodes as usize <= NAMES {
            first.insert(node.0);
        }
    }
    let name = |(group, first)| NodeVerdictGroup { names: names::hosts(ctld, &first), ..group };
    let mut groups: Vec<NodeVerdictGroup> = groups.into_iter().map(name).collect();
    groups.order_by_key(|g| std::cmp::Reverse(g.nodes));
    let free = groups.iter().find(|g| g.cause == NodeVerdict::Available);
    let available = free.map_or((0, 0), |g| (g.nodes, g.tasks));
    (groups, available)
}

/// One node's verdict, and the tasks that fit on it.
fn verdict(
    ctld: &Slurmctld,
    (job, part): (&Job, PartId),
    id: NodeId,
    kept: &[(JobRef, BitSet)],
    reserved: &BitSet,
) -> (NodeVerdict, u32) {
    if job.needs.excluded.contains(id.0) {
        return (NodeVerdict::Excluded, 0);
    }
    if let Some(cause) = away(ctld.node(id)) {
        return (cause, 0);
    }
    let required = &job.needs.required;
    if !required.contains(id.0) && required.len() >= job.needs.min_nodes.max(1) {
        return (NodeVerdict::NotListed, 0);
    }
    if job.needs.constraint.as_ref().is_some_and(|c| !c.nodes.contains(id.0)) {
        return (NodeVerdict::Features, 0);
    }
    let keeper = || kept.iter().find(|(_, nodes)| nodes.contains(id.0)).map(|(job, _)| job.clone());
    match tasks_on(ctld, job, part, &FreeResources::now(ctld), id) {
        Ok(tasks) if reserved.contains(id.0) => {
            (NodeVerdict::Reserved(names::reservation(ctld, reserved_by(ctld, job, id))), tasks)
        }
        Ok(tasks) => (keeper().map_or(NodeVerdict::Available, NodeVerdict::Kept), tasks),
        Err(refusal) => {
            let ever = tasks_on(ctld, job, part, &FreeResources::empty(ctld), id).is_ok();
            (cause(refusal, ever), 0)
        }
    }
}

/// Another reservation that includes the node.
fn reserved_by(ctld: &Slurmctld, job: &Job, node: NodeId) -> Option<ResvId> {
    let others = ctld.reservations.iter().filter(|r| !job.reservations.contains(&r.id));
    others.filter(|r| r.nodes.contains(node.0)).map(|r| r.id).next()
}

fn away(node: &Node) -> Option<NodeVerdict> {
    if node.available() {
        return None;
    }
    Some(match node.base {
        NodeBase::Down | NodeBase::Future | NodeBase::Unknown => NodeVerdict::Down,
        NodeBase::Idle if !node.responding => NodeVerdict::Down,
        NodeBase::Idle if node.flags.drain => NodeVerdict::Drained,
        NodeBase::Idle => NodeVerdict::Away,
    })
}

fn cause(refusal: SelectError, ever: bool) -> NodeVerdict {
    let of = |resource| if ever { NodeVerdict::Busy(resource) } else { NodeVerdict::Small(resource) };
    match refusal {
        SelectError::Cpus => of(NodeResource::Cpus),
        SelectError::Memory => of(NodeResource::Memory),
        SelectError::Gres => of(NodeResource::Gres),
        SelectError::Busy => NodeVerdict::Exclusive,
        SelectError::Features => NodeVerdict::Features,
        // These errors refer to sets of nodes, never to a single one.
        SelectError::Nodes | SelectError::Required | SelectError::Contiguous | SelectError::Switches => {
            of(NodeResource::Cpus)
        }
    }
}
