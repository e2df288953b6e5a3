//! What an update of a pending job recounts: nodes, tasks, CPUs, memory and TRES. Mirrors scontrol(1), "update", as
//! recorded: Slurm recounts only what depends on the changed field.

use crate::rpc::request::JobUpdate;
use crate::select::needs::count_gres;
use crate::state::details::Needs;
use crate::state::job::Memory;
use base::tres::Tres;

/// Updates the counts that Slurm keeps apart from the description.
pub(crate) fn counts(needs: &mut Needs, change: &JobUpdate) {
    if let Some(nodes) = change.min_nodes {
        needs.min_nodes = nodes;
        needs.likely_nodes = nodes;
        needs.min_cpus = needs.min_cpus.max(nodes);
        if !needs.ntasks_given {
            needs.ntasks = nodes.saturating_mul(needs.ntasks_per_node.max(1));
        }
        needs.max_nodes = change.max_nodes.unwrap_or(0);
    }
    if let Some(tasks) = change.ntasks {
        needs.ntasks = tasks;
        needs.min_cpus = tasks.saturating_mul(needs.cpus_per_task).max(needs.min_nodes);
    }
    if let Some(cpus) = change.min_cpus {
        (needs.min_cpus, needs.max_cpus) = (cpus, change.max_cpus.unwrap_or(0));
    }
    if let Some(mib) = change.mem_per_node {
        needs.memory = Memory::PerNode(mib);
    }
    if let Some(mib) = change.mem_per_cpu {
        needs.memory = Memory::PerCpu(mib);
    }
}

/// Updates the TRES that depend on the changed field.
pub(crate) fn tres(tres: &mut Tres, needs: &Needs, change: &JobUpdate, node_memory: u64) {
    if change.min_nodes.is_some() {
        tres.node = needs.min_nodes.into();
    }
    if change.min_nodes.is_some() || change.min_cpus.is_some() || change.ntasks.is_some() {
        tres.cpu = needs.min_cpus.into();
    }
    // A change of CPUs alone does not recount the memory.
    let counted = change.min_nodes.is_some()
        || change.ntasks.is_some()
        || change.mem_per_node.is_some()
        || change.mem_per_cpu.is_some();
    match needs.memory {
        _ if !counted => {}
        Memory::PerNode(0) => tres.mem = node_memory * tres.node,
        Memory::PerNode(mib) => tres.mem = mib * tres.node,
        Memory::PerCpu(mib) => tres.mem = mib * tres.cpu,
        Memory::PerGpu(_) | Memory::Unset => {}
    }
    if change.gres.is_some() || change.gpus.is_some() {
        tres.gres.clear();
        count_gres(tres, needs);
    }
}
