//! The environment of a batch script: what was submitted, and `SLURM_*` as 26.05 sets them (recorded).
//! Mirrors "OUTPUT ENVIRONMENT VARIABLES" of sbatch(1).

use crate::base::bitset::BitSet;
use crate::host::Env;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::{Allocation, Exclusive, Job};

/// The environment of a job's batch script on its first node.
#[must_use]
pub fn batch(job: &Job, ctld: &Slurmctld, pid: u32) -> Env {
    let mut env = (*job.desc.env).clone();
    crate::slurmctld::jobenv::allocation(&mut env, job, ctld);
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
    set("SLURM_CPUS_ON_NODE", first.usable.to_string());
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
    components(&mut env, job, ctld);
    env
}

/// Variables that the script of a heterogeneous job has for each of its components.
const COMPONENT: &[&str] = &[
    "SLURM_CPUS_PER_TASK",
    "SLURM_JOB_ACCOUNT",
    "SLURM_JOB_CPUS_PER_NODE",
    "SLURM_JOB_ID",
    "SLURM_JOB_NAME",
    "SLURM_JOB_NODELIST",
    "SLURM_JOB_NUM_NODES",
    "SLURM_JOB_PARTITION",
    "SLURM_JOB_QOS",
    "SLURM_MEM_PER_CPU",
    "SLURM_MEM_PER_GPU",
    "SLURM_MEM_PER_NODE",
    "SLURM_NPROCS",
    "SLURM_NTASKS",
    "SLURM_NTASKS_PER_NODE",
    "SLURM_TASKS_PER_NODE",
];

/// `SLURM_NTASKS_HET_GROUP_1` and the like, also by their old names.
fn components(env: &mut Env, job: &Job, ctld: &Slurmctld) {
    for (i, component) in ctld.het_components(job.id).enumerate() {
        let mut own = Env::new();
        crate::slurmctld::jobenv::allocation(&mut own, component, ctld);
        for name in COMPONENT {
            let Some(value) = own.get(*name) else { continue };
            env.insert(format!("{name}_HET_GROUP_{i}"), value.clone());
            env.insert(format!("{name}_PACK_GROUP_{i}"), value.clone());
        }
    }
    if let Some(het) = job.het {
        env.insert("SLURM_HET_SIZE".to_owned(), het.size.to_string());
        env.insert("SLURM_PACK_SIZE".to_owned(), het.size.to_string());
    }
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
