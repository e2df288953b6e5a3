//! `SLURM_*` variables of an allocation, for batch scripts and for the commands of `salloc` and `srun`, as 26.05 sets
//! them (recorded). Mirrors "OUTPUT ENVIRONMENT VARIABLES" of their manual pages.

use super::Slurmctld;
use super::job::{Job, Memory};
use crate::host::Env;

/// `16(x2),4`: equal neighbours folded.
#[must_use]
pub fn folded(counts: impl Iterator<Item = u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for count in counts {
        match runs.last_mut() {
            Some((value, times)) if *value == count => *times += 1,
            _ => runs.push((count, 1)),
        }
    }
    let texts: Vec<String> =
        runs.into_iter().map(|(v, n)| if n > 1 { format!("{v}(x{n})") } else { v.to_string() }).collect();
    texts.join(",")
}

/// Variables of an allocation, for batch scripts and for `salloc`'s and `srun`'s commands.
pub fn allocation(env: &mut Env, job: &Job, ctld: &Slurmctld) {
    let Some(alloc) = &job.allocation else { return };
    let nodes = job.nodes_text.clone();
    let count = alloc.nodes.len().to_string();
    let cpus = folded(alloc.nodes.iter().map(|n| n.usable));
    let tasks = folded(alloc.nodes.iter().map(|n| n.tasks));
    let part = job.partitions.first().map(|p| ctld.partition(*p).name.clone()).unwrap_or_default();
    let qos = ctld.dbd.qos.iter().find(|q| q.id == job.qos).map(|q| q.name.clone()).unwrap_or_default();
    let mut set = |name: &str, value: String| {
        env.insert(name.to_owned(), value);
    };
    set("SLURM_CLUSTER_NAME", ctld.cluster.global.cluster_name.clone());
    set("SLURM_CONF", "/etc/slurm/slurm.conf".to_owned());
    set("SLURM_JOBID", job.id.to_string());
    set("SLURM_JOB_ID", job.id.to_string());
    set("SLURM_JOB_ACCOUNT", job.account.clone());
    set("SLURM_JOB_CPUS_PER_NODE", cpus);
    set("SLURM_JOB_NAME", job.name.clone());
    set("SLURM_JOB_NODELIST", nodes.clone());
    set("SLURM_NODELIST", nodes);
    set("SLURM_JOB_NUM_NODES", count.clone());
    set("SLURM_NNODES", count);
    set("SLURM_JOB_PARTITION", part);
    set("SLURM_JOB_QOS", qos);
    set("SLURM_SUBMIT_DIR", job.desc.env.get("PWD").cloned().unwrap_or_else(|| job.desc.work_dir.clone()));
    set("SLURM_SUBMIT_HOST", job.desc.submit_host.clone());
    set("SLURM_TASKS_PER_NODE", tasks);
    if job.needs.ntasks_given {
        set("SLURM_NPROCS", job.needs.ntasks.to_string());
        set("SLURM_NTASKS", job.needs.ntasks.to_string());
    }
    if job.needs.ntasks_per_node > 0 {
        set("SLURM_NTASKS_PER_NODE", job.needs.ntasks_per_node.to_string());
    }
    if let Some(cpus) = job.desc.cpus_per_task {
        set("SLURM_CPUS_PER_TASK", cpus.to_string());
        set("SLURM_TRES_PER_TASK", format!("cpu={cpus}"));
    }
    match job.needs.memory {
        Memory::PerCpu(mib) => set("SLURM_MEM_PER_CPU", mib.to_string()),
        Memory::PerNode(mib) => set("SLURM_MEM_PER_NODE", mib.to_string()),
        Memory::PerGpu(mib) => set("SLURM_MEM_PER_GPU", mib.to_string()),
        Memory::Unset => {}
    }
}
