//! The environment of a batch script: what was submitted, and `SLURM_*` as 26.05 sets them (recorded).
//! Mirrors "OUTPUT ENVIRONMENT VARIABLES" of sbatch(1).

use crate::base::bitset::BitSet;
use crate::host::Env;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::{Allocation, Exclusive, Job, Memory};

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
    let cpus = folded(alloc.nodes.iter().map(|n| n.cpus));
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

/// The environment of a job's batch script on its first node.
#[must_use]
pub fn batch(job: &Job, ctld: &Slurmctld, pid: u32) -> Env {
    let mut env = (*job.desc.env).clone();
    allocation(&mut env, job, ctld);
    let Some(alloc) = &job.allocation else { return env };
    let Some(first) = alloc.nodes.first() else { return env };
    let node = ctld.node(first.node).conf.name.clone();
    let uid = job.uid();
    let user = ctld.user_name(uid);
    let exclusive = match crate::slurmctld::exclusive_of(ctld, job) {
        None => "NO",
        Some(Exclusive::Node) => "NODE",
        Some(Exclusive::User) => "USER",
        Some(Exclusive::Mcs) => "MCS",
        Some(Exclusive::Topo) => "TOPO",
    };
    let mut set = |name: &str, value: String| {
        env.insert(name.to_owned(), value);
    };
    for (name, value) in [
        ("SLURM_GTIDS", "0"),
        ("SLURM_LOCALID", "0"),
        ("SLURM_NODEID", "0"),
        ("SLURM_OOM_KILL_STEP", "0"),
        ("SLURM_PRIO_PROCESS", "0"),
        ("SLURM_PROCID", "0"),
        ("SLURM_STEPID", "-5"),
        ("SLURM_STEP_ID", "-5"),
        ("SLURM_JOB_OVERSUBSCRIBE", "NO"),
        ("SLURM_TOPOLOGY_ADDR_PATTERN", "node"),
        ("ENVIRONMENT", "BATCH"),
    ] {
        set(name, value.to_owned());
    }
    set("SLURMD_NODENAME", node.clone());
    set("SLURM_TOPOLOGY_ADDR", node.clone());
    set("HOSTNAME", node);
    set("SLURM_CPUS_ON_NODE", first.cpus.to_string());
    set("SLURM_JOB_EXCLUSIVE", exclusive.to_owned());
    set("SLURM_JOB_UID", uid.to_string());
    set("SLURM_JOB_GID", uid.to_string());
    set("SLURM_JOB_USER", user);
    set("SLURM_TASK_PID", pid.to_string());
    if let (Some(start), Some(end)) = (job.start, job.end) {
        set("SLURM_JOB_START_TIME", start.secs().to_string());
        set("SLURM_JOB_END_TIME", end.secs().to_string());
    }
    if job.restarts > 0 {
        set("SLURM_RESTART_COUNT", job.restarts.to_string());
    }
    if let Some(array) = &job.array {
        set("SLURM_ARRAY_JOB_ID", array.job.to_string());
        set("SLURM_ARRAY_TASK_ID", array.task.unwrap_or(0).to_string());
        set("SLURM_ARRAY_TASK_COUNT", array.count.to_string());
        set("SLURM_ARRAY_TASK_MIN", array.min.to_string());
        set("SLURM_ARRAY_TASK_MAX", array.max.to_string());
        set("SLURM_ARRAY_TASK_STEP", array.step.to_string());
    }
    if let Some(text) = job.dependency_text() {
        set("SLURM_JOB_DEPENDENCY", text);
    }
    gpus(&mut env, alloc, ctld);
    env
}

/// Which GPUs the first node gave: real indices, as without ConstrainDevices.
fn gpus(env: &mut Env, alloc: &Allocation, ctld: &Slurmctld) {
    let Some(first) = alloc.nodes.first() else { return };
    let indices = gpu_indices(ctld, first);
    if indices.is_empty() {
        return;
    }
    let list: Vec<String> = indices.iter().map(|i| i.to_string()).collect();
    for name in [
        "CUDA_VISIBLE_DEVICES",
        "GPU_DEVICE_ORDINAL",
        "ROCR_VISIBLE_DEVICES",
        "ZE_AFFINITY_MASK",
        "SLURM_JOB_GPUS",
    ] {
        env.insert(name.to_owned(), list.join(","));
    }
    env.insert("SLURM_GPUS_ON_NODE".to_owned(), indices.len().to_string());
}

/// Numbers of the GPUs of an allocation on a node, counted over all its kinds of GPU.
#[must_use]
pub fn gpu_indices(ctld: &Slurmctld, part: &crate::slurmctld::job::NodeAlloc) -> BitSet {
    let conf = &ctld.node(part.node).conf;
    let mut before = 0;
    let mut found = BitSet::new();
    for (i, gres) in (0u32..).zip(&conf.gres) {
        if gres.name != "gpu" {
            continue;
        }
        for (place, set) in &part.gres {
            if *place == i {
                set.iter().for_each(|index| found.insert(before + index));
            }
        }
        before += gres.count;
    }
    found
}
