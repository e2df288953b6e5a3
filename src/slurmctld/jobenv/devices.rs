//! The GPUs that a process sees.

use super::Scope;
use crate::Slurmctld;
use base::bitset::BitSet;
use base::ids::NodeId;

/// Indices of the GPUs among a node's GRES, counted across all types of GPU.
#[must_use]
pub fn gpu_indices(ctld: &Slurmctld, node: NodeId, gres: &[(u32, BitSet)]) -> Vec<u32> {
    let conf = &ctld.node(node).conf;
    let (mut before, mut found) = (0, Vec::new());
    for (index, kind) in (0u32..).zip(&conf.gres).filter(|(_, g)| g.name == "gpu") {
        for (_, set) in gres.iter().filter(|(at, _)| *at == index) {
            found.extend(set.iter().map(|index| before + index));
        }
        before += kind.count;
    }
    found
}

/// Those of the step's GPUs on the node that the task sees.
#[must_use]
pub fn task_gpus(s: &Scope, all: &[u32]) -> Vec<u32> {
    match s.task.and_then(|t| t.asked.gpus.as_ref()) {
        Some(indices) => indices.iter().filter_map(|p| all.get(*p as usize).copied()).collect(),
        None => all.to_vec(),
    }
}
