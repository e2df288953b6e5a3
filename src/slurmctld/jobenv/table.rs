//! The table of variables, sorted by name.

use super::Scope;
use super::values as v;
use super::who::{ALLOC as A, BATCH as B, HET as H, HET_ALLOC as L, OWN as R, TASK as T};

/// One variable.
pub struct EnvVariable {
    /// Its name.
    pub name: &'static str,
    /// The processes that get it: a sum of [`super::who`].
    pub who: u8,
    /// Its value. None: it is not set.
    pub get: fn(&Scope) -> Option<String>,
}

const fn r(name: &'static str, who: u8, get: fn(&Scope) -> Option<String>) -> EnvVariable {
    EnvVariable { name, who, get }
}

/// All processes of an allocation.
const ARB: u8 = A | R | B;

#[rustfmt::skip]
pub const TABLE: &[EnvVariable] = &[
    r("CUDA_VISIBLE_DEVICES", B | T, v::visible_gpus),
    r("ENVIRONMENT", B, |_| text("BATCH")),
    r("GPU_DEVICE_ORDINAL", B | T, v::visible_gpus),
    r("HOSTNAME", B | T, v::node_name),
    r("HYDRA_BOOTSTRAP", B, |_| text("slurm")),
    r("HYDRA_LAUNCHER_EXTRA_ARGS", B, |_| text("--external-launcher")),
    r("I_MPI_HYDRA_BOOTSTRAP", B, |_| text("slurm")),
    r("I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", B, |_| text("--external-launcher")),
    r("OMPI_MCA_plm_slurm_args", B, |_| text("--external-launcher")),
    r("PRTE_MCA_plm_slurm_args", B, |_| text("--external-launcher")),
    r("ROCR_VISIBLE_DEVICES", B | T, v::visible_gpus),
    r("SLURMD_DEBUG", T, |_| text("2")),
    r("SLURMD_NODENAME", B | T, v::node_name),
    r("SLURM_ARRAY_JOB_ID", B, |s| Some(s.job.array.as_ref()?.job.to_string())),
    r("SLURM_ARRAY_TASK_COUNT", B, |s| Some(s.job.array.as_ref()?.count.to_string())),
    r("SLURM_ARRAY_TASK_ID", B, |s| Some(s.job.array.as_ref()?.task.unwrap_or(0).to_string())),
    r("SLURM_ARRAY_TASK_MAX", B, |s| Some(s.job.array.as_ref()?.max.to_string())),
    r("SLURM_ARRAY_TASK_MIN", B, |s| Some(s.job.array.as_ref()?.min.to_string())),
    r("SLURM_ARRAY_TASK_STEP", B, |s| Some(s.job.array.as_ref()?.step.to_string())),
    r("SLURM_CLUSTER_NAME", ARB | T, |s| Some(s.ctld.cluster.global.cluster_name.clone())),
    r("SLURM_CONF", ARB | T, |s| Some(s.ctld.cluster.conf_file.clone())),
    r("SLURM_CPUS_ON_NODE", B | T, v::cpus_on_node),
    r("SLURM_CPUS_PER_GPU", ARB, |s| number(s.job.desc.cpus_per_gpu)),
    r("SLURM_CPUS_PER_TASK", ARB | T | H, |s| number(s.task.map_or(s.job.desc.cpus_per_task, |t| t.asked.cpus_per_task))),
    r("SLURM_CPU_BIND", T, |s| v::cpu_bind(s, |(quiet, kind, list)| format!("{quiet},{kind}{list}"))),
    r("SLURM_CPU_BIND_LIST", T, |s| v::cpu_bind(s, |(_, _, list)| list.clone())),
    r("SLURM_CPU_BIND_TYPE", T, |s| v::cpu_bind(s, |(_, kind, _)| kind.clone())),
    r("SLURM_CPU_BIND_VERBOSE", T, |s| v::cpu_bind(s, |(quiet, _, _)| quiet.clone())),
    r("SLURM_DISTRIBUTION", ARB | T, v::distribution),
    r("SLURM_DIST_PLANESIZE", ARB | T, v::plane_size),
    r("SLURM_GPUS", ARB, |s| v::gres_counts(&s.job.desc.gpus)),
    r("SLURM_GPUS_ON_NODE", B | T, v::gpus_on_node),
    r("SLURM_GPUS_PER_NODE", ARB, |s| v::gres_counts(&s.job.desc.gpus_per_node)),
    r("SLURM_GPUS_PER_SOCKET", ARB, |s| v::gres_counts(&s.job.desc.gpus_per_socket)),
    r("SLURM_GPU_BIND", ARB, |s| s.job.desc.gpu_bind.clone()),
    r("SLURM_GTIDS", B | T, v::global_ranks),
    r("SLURM_HINT", ARB, |s| s.job.desc.hint.clone()),
    r("SLURM_JOBID", ARB | T | L, v::job_id),
    r("SLURM_JOB_ACCOUNT", ARB | H, |s| Some(s.job.account.clone())),
    r("SLURM_JOB_CPUS_PER_NODE", ARB | H, v::cpus_per_node),
    r("SLURM_JOB_DEPENDENCY", B, |s| s.job.desc.dependency.clone()),
    r("SLURM_JOB_END_TIME", B | T, |s| Some(s.job.end?.secs().to_string())),
    r("SLURM_JOB_EXCLUSIVE", B, v::exclusive),
    r("SLURM_JOB_GID", B | T, |s| Some(s.job.uid().to_string())),
    r("SLURM_JOB_GPUS", B | R, v::job_gpus),
    r("SLURM_JOB_GROUP", T, |s| Some(s.ctld.user_name(s.job.uid()))),
    r("SLURM_JOB_ID", ARB | T | H, v::job_id),
    r("SLURM_JOB_LICENSES", ARB, |s| s.job.desc.licenses.clone()),
    r("SLURM_JOB_NAME", ARB | H, |s| Some(s.job.name.clone())),
    r("SLURM_JOB_NODELIST", ARB | H, v::job_nodes),
    r("SLURM_JOB_NUM_NODES", ARB | H, v::job_node_count),
    r("SLURM_JOB_OVERSUBSCRIBE", B, |s| text(if s.job.desc.oversubscribe { "YES" } else { "NO" })),
    r("SLURM_JOB_PARTITION", ARB | H, v::partition),
    r("SLURM_JOB_QOS", ARB | H, v::qos),
    r("SLURM_JOB_RESERVATION", ARB, |s| s.job.desc.reservation.clone()),
    r("SLURM_JOB_SLUID", B | T, |s| Some(super::sluid(s.job))),
    r("SLURM_JOB_START_TIME", B | T, |s| Some(s.job.start?.secs().to_string())),
    r("SLURM_JOB_UID", B | T, |s| Some(s.job.uid().to_string())),
    r("SLURM_JOB_USER", B | T, |s| Some(s.ctld.user_name(s.job.uid()))),
    r("SLURM_LABELIO", T, |s| s.task?.asked.label.then(|| "1".to_owned())),
    r("SLURM_LAUNCH_NODE_IPADDR", T, |_| text(v::ADDRESS)),
    r("SLURM_LOCALID", B | T, |s| Some(s.task.map_or(0, |t| t.local_id).to_string())),
    r("SLURM_MEM_PER_CPU", ARB | H, v::mem_per_cpu),
    r("SLURM_MEM_PER_GPU", ARB | H, v::mem_per_gpu),
    r("SLURM_MEM_PER_NODE", ARB | H, v::mem_per_node),
    r("SLURM_NNODES", ARB | T | L, v::step_node_count),
    r("SLURM_NODEID", B | T, |s| Some(v::node_index(s).to_string())),
    r("SLURM_NODELIST", ARB | L, v::job_nodes),
    r("SLURM_NPROCS", ARB | T | H, v::tasks),
    r("SLURM_NTASKS", ARB | T | H, v::tasks),
    r("SLURM_NTASKS_PER_CORE", ARB, |s| number(s.job.desc.ntasks_per_core)),
    r("SLURM_NTASKS_PER_GPU", ARB, |s| number(s.job.desc.ntasks_per_gpu)),
    r("SLURM_NTASKS_PER_NODE", ARB | T | H, |s| number(s.task.map_or(Some(s.job.needs.ntasks_per_node), |t| t.asked.ntasks_per_node).filter(|n| *n > 0))),
    r("SLURM_NTASKS_PER_SOCKET", ARB, |s| number(s.job.desc.ntasks_per_socket)),
    r("SLURM_OOM_KILL_STEP", B | T, |s| text(if s.ctld.kills_whole_steps(s.job) { "1" } else { "0" })),
    r("SLURM_OPEN_MODE", B, |s| s.job.desc.open_append.and_then(|a| text(if a { "a" } else { "t" }))),
    r("SLURM_OVERCOMMIT", ARB, |s| s.job.desc.overcommit.then(|| "1".to_owned())),
    r("SLURM_PRIO_PROCESS", B | T, |_| text("0")),
    r("SLURM_PROCID", B | T, |s| Some(v::rank(s).to_string())),
    r("SLURM_RESTART_COUNT", B, |s| number(Some(s.job.restarts).filter(|n| *n > 0))),
    r("SLURM_SRUN_COMM_HOST", T, |_| text(v::ADDRESS)),
    r("SLURM_SRUN_COMM_PORT", T, |s| Some(s.task?.asked.port.to_string())),
    r("SLURM_STEPID", B | T, v::step_number),
    r("SLURM_STEP_GPUS", T, v::step_gpus),
    r("SLURM_STEP_ID", B | T, v::step_number),
    r("SLURM_STEP_LAUNCHER_PORT", T, |s| Some(s.task?.asked.port.to_string())),
    r("SLURM_STEP_NODELIST", T, v::step_node_list),
    r("SLURM_STEP_NUM_NODES", T, v::step_node_count),
    r("SLURM_STEP_NUM_TASKS", T, v::tasks),
    r("SLURM_STEP_TASKS_PER_NODE", T, v::tasks_per_node),
    r("SLURM_SUBMIT_DIR", ARB, v::submit_dir),
    r("SLURM_SUBMIT_HOST", ARB, |s| Some(s.job.desc.submit_host.clone())),
    r("SLURM_TASKS_PER_NODE", ARB | T | H, v::tasks_per_node),
    r("SLURM_THREADS_PER_CORE", ARB, |s| number(s.job.desc.threads_per_core)),
    r("SLURM_TOPOLOGY_ADDR", B | T, |s| Some(v::topology(s)?.0)),
    r("SLURM_TOPOLOGY_ADDR_PATTERN", B | T, |s| Some(v::topology(s)?.1)),
    r("SLURM_TRES_BIND", ARB, v::tres_bind),
    r("SLURM_TRES_PER_TASK", ARB, v::tres_per_task),
    r("SLURM_UMASK", T, |s| Some(format!("{:04o}", s.task?.asked.umask))),
    r("TMPDIR", B, |s| Some(s.job.desc.env.get("TMPDIR").map_or("/tmp", String::as_str).to_owned())),
    r("ZE_AFFINITY_MASK", B | T, v::visible_gpus),
    r("_", B, |_| text("/usr/sbin/slurmstepd")),
];

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn number(n: Option<u32>) -> Option<String> {
    n.map(|n| n.to_string())
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn names_are_sorted_and_unique() {
        assert!(TABLE.windows(2).all(|w| w[0].name < w[1].name));
    }
}
