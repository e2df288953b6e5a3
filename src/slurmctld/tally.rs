//! What an update of a waiting job counts anew: nodes, tasks, CPUs, memory and TRES. Mirrors scontrol(1), "update", as
//! recorded: Slurm changes what is counted of the field that changes, and nothing else.

use super::details::Needs;
use super::job::Memory;
use super::request::JobUpdate;
use crate::base::tres::Tres;

/// What Slurm counts by itself, not from the description.
pub(super) fn counts(needs: &mut Needs, change: &JobUpdate) {
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
    needs.min_cpus = change.min_cpus.unwrap_or(needs.min_cpus);
    if let Some(mib) = change.mem_per_node {
        needs.memory = Memory::PerNode(mib);
    }
    if let Some(mib) = change.mem_per_cpu {
        needs.memory = Memory::PerCpu(mib);
    }
}

/// Slurm changes what is counted of the field that changes, and nothing else.
pub(super) fn tres(tres: &mut Tres, needs: &Needs, change: &JobUpdate) {
    if change.min_nodes.is_some() {
        tres.node = needs.min_nodes.into();
    }
    if change.min_nodes.is_some() || change.min_cpus.is_some() || change.ntasks.is_some() {
        tres.cpu = needs.min_cpus.into();
    }
    match needs.memory {
        Memory::PerNode(mib) => tres.mem = mib * tres.node,
        Memory::PerCpu(mib) => tres.mem = mib * tres.cpu,
        Memory::PerGpu(_) | Memory::Unset => {}
    }
    if change.gres.is_some() {
        tres.gres.clear();
        for (list, times) in [(&needs.gres_per_node, needs.min_nodes), (&needs.gres_per_job, 1)] {
            for gres in list {
                super::billing::add_gres(tres, gres, gres.count.saturating_mul(times.into()));
            }
        }
    }
}
