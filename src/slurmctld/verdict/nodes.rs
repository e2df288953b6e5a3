//! What each node of a partition says to a job, counted by cause.

use super::NAMES;
use crate::Slurmctld;
use crate::sched::main::Blocker;
use crate::select::unavailable;
use crate::select::{FreeResources, Refusal, tasks_on};
use crate::state::job::Job;
use crate::state::node::{Node, NodeBase};
use base::bitset::BitSet;
use base::ids::{JobId, NodeId, PartId, ResvId};
use base::order::StableSort as _;
use base::time::Time;
use serde::{Deserialize, Serialize};

/// Nodes that say the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeGroup {
    /// What they say.
    pub cause: NodeCause,
    /// How many.
    pub nodes: u32,
    /// Tasks that they could take in all; 0 but for [`NodeCause::Room`] and who is kept from the job.
    pub tasks: u64,
    /// The first of them, at most [`NAMES`].
    pub names: Vec<NodeId>,
}

/// What a node says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeCause {
    /// There is room for a task at least.
    Room,
    /// There would be, but it is kept for a job in front.
    Kept(JobId),
    /// A reservation keeps it.
    Reserved(Option<ResvId>),
    /// Too little of it is free.
    Busy(Resource),
    /// A job is there that may not be joined (`--exclusive`, `Exclusive=USER`).
    Company,
    /// It has too little of it even when it is idle.
    Small(Resource),
    /// The job does not want it (`-x`).
    Excluded,
    /// The job wants others, and no more than those (`-w`).
    Others,
    /// It has not the features (`-C`).
    Features,
    /// It is down, or does not answer.
    Down,
    /// It is drained, or draining.
    Drained,
    /// It is failing, switched off or rebooting.
    Away,
}

/// What a node can have too little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Resource {
    Cpus,
    Memory,
    Gres,
}

/// Groups of the partition's nodes, the largest first; nodes with room that nobody keeps, and their tasks.
pub(super) fn tally(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    keepers: &[Blocker],
    now: Time,
) -> (Vec<NodeGroup>, (u32, u64)) {
    let reserved = unavailable::reserved(ctld, job, now).unwrap_or_default();
    let kept: Vec<(JobId, BitSet)> = keepers.iter().map(|k| (k.job, k.nodes(ctld))).collect();
    let mut groups: Vec<NodeGroup> = Vec::new();
    for node in super::node_ids(&ctld.partition(part).nodes) {
        let (cause, tasks) = said(ctld, (job, part), node, &kept, &reserved);
        let at = groups.iter().position(|g| g.cause == cause).unwrap_or_else(|| {
            groups.push(NodeGroup { cause, nodes: 0, tasks: 0, names: Vec::new() });
            groups.len() - 1
        });
        let group = &mut groups[at];
        group.nodes += 1;
        group.tasks += u64::from(tasks);
        if group.names.len() < NAMES {
            group.names.push(node);
        }
    }
    groups.order_by_key(|g| std::cmp::Reverse(g.nodes));
    let room = groups.iter().find(|g| g.cause == NodeCause::Room).map_or((0, 0), |g| (g.nodes, g.tasks));
    (groups, room)
}

fn said(
    ctld: &Slurmctld,
    (job, part): (&Job, PartId),
    id: NodeId,
    kept: &[(JobId, BitSet)],
    reserved: &BitSet,
) -> (NodeCause, u32) {
    if job.needs.excluded.contains(id.0) {
        return (NodeCause::Excluded, 0);
    }
    if let Some(cause) = away(ctld.node(id)) {
        return (cause, 0);
    }
    let required = &job.needs.required;
    if !required.contains(id.0) && required.len() >= job.needs.min_nodes.max(1) {
        return (NodeCause::Others, 0);
    }
    if job.needs.constraint.as_ref().is_some_and(|c| !c.nodes.contains(id.0)) {
        return (NodeCause::Features, 0);
    }
    let keeper = kept.iter().find(|(_, nodes)| nodes.contains(id.0)).map(|(job, _)| *job);
    match tasks_on(ctld, job, part, &FreeResources::now(ctld), id) {
        Ok(tasks) if reserved.contains(id.0) => (NodeCause::Reserved(keeper_of(ctld, job, id)), tasks),
        Ok(tasks) => (keeper.map_or(NodeCause::Room, NodeCause::Kept), tasks),
        Err(refusal) => {
            let ever = tasks_on(ctld, job, part, &FreeResources::empty(ctld), id).is_ok();
            (cause(refusal, ever), 0)
        }
    }
}

/// The reservation of others that has the node.
fn keeper_of(ctld: &Slurmctld, job: &Job, node: NodeId) -> Option<ResvId> {
    let others = ctld.reservations.iter().filter(|r| !job.reservations.contains(&r.id));
    others.filter(|r| r.nodes.contains(node.0)).map(|r| r.id).next()
}

fn away(node: &Node) -> Option<NodeCause> {
    if node.available() {
        return None;
    }
    Some(match node.base {
        NodeBase::Down | NodeBase::Future | NodeBase::Unknown => NodeCause::Down,
        NodeBase::Idle if !node.responding => NodeCause::Down,
        NodeBase::Idle if node.flags.drain => NodeCause::Drained,
        NodeBase::Idle => NodeCause::Away,
    })
}

fn cause(refusal: Refusal, ever: bool) -> NodeCause {
    let of = |resource| if ever { NodeCause::Busy(resource) } else { NodeCause::Small(resource) };
    match refusal {
        Refusal::Cpus => of(Resource::Cpus),
        Refusal::Memory => of(Resource::Memory),
        Refusal::Gres => of(Resource::Gres),
        Refusal::Busy => NodeCause::Company,
        Refusal::Features => NodeCause::Features,
        // Sets of nodes are refused for these, never a single one.
        Refusal::Nodes | Refusal::Required | Refusal::Contiguous | Refusal::Switches => of(Resource::Cpus),
    }
}
