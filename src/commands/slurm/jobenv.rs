//! The environment that `salloc`'s and `srun`'s commands see. Mirrors "OUTPUT ENVIRONMENT VARIABLES" of their pages.

use crate::base::hostlist;
use crate::host::Env;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::Job;
pub use crate::slurmctld::jobenv::{allocation, folded};
use crate::slurmctld::request::StepLayout;

/// Variables of one task of a step: `node` and `place` are its node's place in the layout and its place there.
#[must_use]
pub fn task(base: &Env, job: &Job, state: &Slurmctld, layout: &StepLayout, node: usize, place: usize) -> Env {
    let mut env = base.clone();
    allocation(&mut env, job, state);
    let Some(here) = layout.nodes.get(node) else { return env };
    let step = layout.step.step.to_string();
    let count = |n: &crate::slurmctld::request::StepNode| u32::try_from(n.ranks.len()).unwrap_or(u32::MAX);
    let tasks: u32 = layout.nodes.iter().map(count).sum();
    let list = hostlist::compress(&layout.nodes.iter().map(|n| n.name.as_str()).collect::<Vec<_>>());
    let per_node = folded(layout.nodes.iter().map(count));
    let ranks = here.ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let mut set = |name: &str, value: String| env.insert(name.to_owned(), value);
    set("SLURMD_NODENAME", here.name.clone());
    set("HOSTNAME", here.name.clone());
    set("SLURM_CPUS_ON_NODE", here.cpus.to_string());
    set("SLURM_DISTRIBUTION", if layout.nodes.len() > 1 { "cyclic" } else { "block" }.to_owned());
    set("SLURM_GTIDS", ranks);
    set("SLURM_LOCALID", place.to_string());
    set("SLURM_NODEID", node.to_string());
    set("SLURM_NPROCS", tasks.to_string());
    set("SLURM_NTASKS", tasks.to_string());
    set("SLURM_PROCID", here.ranks.get(place).copied().unwrap_or(0).to_string());
    set("SLURM_STEPID", step.clone());
    set("SLURM_STEP_ID", step);
    set("SLURM_STEP_NODELIST", list);
    set("SLURM_STEP_NUM_NODES", layout.nodes.len().to_string());
    set("SLURM_STEP_NUM_TASKS", tasks.to_string());
    set("SLURM_STEP_TASKS_PER_NODE", per_node);
    if let Some(gpus) = gpus(job, state, here.node) {
        for name in ["CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"]
        {
            set(name, gpus.clone());
        }
        set("SLURM_GPUS_ON_NODE", gpus.split(',').count().to_string());
        set("SLURM_STEP_GPUS", gpus.clone());
        set("SLURM_JOB_GPUS", gpus);
    }
    env
}

/// Numbers of the GPUs that the job has on a node.
fn gpus(job: &Job, state: &Slurmctld, node: crate::base::ids::NodeId) -> Option<String> {
    let part = job.allocation.as_ref()?.nodes.iter().find(|n| n.node == node)?;
    let conf = &state.nodes.get(node.0 as usize)?.conf;
    let (mut before, mut found) = (0, Vec::new());
    for (i, gres) in (0u32..).zip(&conf.gres).filter(|(_, g)| g.name == "gpu") {
        for (_, set) in part.gres.iter().filter(|(place, _)| *place == i) {
            found.extend(set.iter().map(|index| (before + index).to_string()));
        }
        before += gres.count;
    }
    if found.is_empty() { None } else { Some(found.join(",")) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn folding() {
        assert_eq!(super::folded([16, 16, 4].into_iter()), "16(x2),4");
        assert_eq!(super::folded([1].into_iter()), "1");
    }
}
