//! What clients ask for when they submit: a job's description, as their options name it.

use crate::base::ids::Uid;
use crate::base::time::{Limit, Time};
use crate::host::{Env, Signal};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a client asks for: the options of `sbatch`, `srun` and `salloc`, checked by the client, not yet by
/// slurmctld. `None` and empty mean "not given".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct JobDesc {
    pub uid: Uid,
    pub name: String,
    /// The whole command line, for `SubmitLine`.
    pub submit_line: String,
    pub account: Option<String>,
    /// Several names separated by commas are tried in turn.
    pub partition: Option<String>,
    pub qos: Option<String>,
    pub reservation: Option<String>,
    pub wckey: Option<String>,
    pub comment: Option<String>,
    pub admin_comment: Option<String>,
    /// Batch jobs only.
    pub script: Option<Arc<Vec<u8>>>,
    /// The script's absolute path, none with `--wrap` and standard input.
    pub command: Option<String>,
    /// The script's arguments.
    pub args: Vec<String>,
    /// The environment that the job starts with.
    pub env: Arc<Env>,
    pub work_dir: String,
    pub stdin: Option<String>,
    pub stdout: Option<String>,
    pub stderr: Option<String>,
    pub open_append: Option<bool>,
    /// `--hint`
    pub hint: Option<String>,
    /// `--nodes`: at least, at most.
    pub min_nodes: Option<u32>,
    pub max_nodes: Option<u32>,
    pub ntasks: Option<u32>,
    pub cpus_per_task: Option<u32>,
    pub ntasks_per_node: Option<u32>,
    pub ntasks_per_core: Option<u32>,
    pub ntasks_per_socket: Option<u32>,
    pub ntasks_per_gpu: Option<u32>,
    pub min_cpus_per_node: Option<u32>,
    pub sockets_per_node: Option<u32>,
    pub cores_per_socket: Option<u32>,
    pub threads_per_core: Option<u32>,
    /// MiB.
    pub mem_per_node: Option<u64>,
    pub mem_per_cpu: Option<u64>,
    pub mem_per_gpu: Option<u64>,
    pub tmp_disk: Option<u64>,
    /// `--gres`: as asked, each with its count for one node.
    pub gres: Vec<GresReq>,
    pub gpus: Vec<GresReq>,
    pub gpus_per_node: Vec<GresReq>,
    pub gpus_per_socket: Vec<GresReq>,
    pub gpus_per_task: Vec<GresReq>,
    /// `--gres-flags=enforce-binding` or `disable-binding`; none: nothing was said.
    pub gres_binding: Option<bool>,
    /// `--gpu-bind` as given.
    pub gpu_bind: Option<String>,
    pub cpus_per_gpu: Option<u32>,
    pub constraint: Option<String>,
    pub prefer: Option<String>,
    pub nodelist: Option<String>,
    pub exclude: Option<String>,
    pub exclusive: Option<Exclusive>,
    pub oversubscribe: bool,
    pub contiguous: bool,
    pub overcommit: bool,
    pub core_spec: Option<u32>,
    pub licenses: Option<String>,
    /// `--mcs-label`; from the submission on the label that it bears.
    pub mcs_label: Option<String>,
    pub switches: Option<(u32, Option<u32>)>,
    /// `--segment` and its kin.
    pub segment: Option<u32>,
    pub consolidate_segments: bool,
    pub spread_segments: bool,
    pub spread_job: bool,
    pub use_min_nodes: bool,
    pub distribution: Option<String>,
    pub time_limit: Option<Limit>,
    pub time_min: Option<Limit>,
    pub begin: Option<Time>,
    pub deadline: Option<Time>,
    pub hold: bool,
    /// `--nice`: subtracted from the priority.
    pub nice: i64,
    pub priority: Option<u32>,
    pub array: Option<String>,
    pub dependency: Option<String>,
    pub kill_on_invalid_dep: Option<bool>,
    pub requeue: Option<bool>,
    pub signal: Option<WarnSignal>,
    pub mail_type: Option<String>,
    pub mail_user: Option<String>,
    pub no_kill: bool,
    pub reboot: bool,
    /// `srun` and `salloc`: fail at once if nothing is free (`--immediate`, seconds).
    pub immediate: Option<u32>,
    /// `hostname` of the submitting shell.
    pub submit_host: String,
    /// When a job of a scrontab runs.
    pub cron: Option<crate::base::cron::Schedule>,
    pub umask: u32,
    pub extras: Extras,
}

/// `--signal=[B:]USR1@120`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct WarnSignal {
    pub signal: Signal,
    /// Seconds before the end.
    pub seconds: u32,
    /// `B:`: the batch shell only.
    pub batch_only: bool,
}

/// `--exclusive[=user|mcs|topo]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Exclusive {
    Node,
    User,
    Mcs,
    Topo,
}

/// `gpu:a100:2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GresReq {
    pub name: String,
    pub kind: Option<String>,
    pub count: u64,
}

/// Options that are kept and shown, and change nothing on these machines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Extras {
    pub batch_features: Option<String>,
    pub burst_buffer: Option<String>,
    pub cluster_features: Option<String>,
    pub container: Option<String>,
    pub container_id: Option<String>,
    pub container_type: Option<String>,
    /// As it is shown: `CPU_max_freq=High`.
    pub cpu_freq: Option<String>,
    /// Seconds.
    pub delay_boot: u32,
    pub extra: Option<String>,
    pub network: Option<String>,
    /// `--oom-kill-step`; none: as slurm.conf says.
    pub oom_kill_step: Option<bool>,
    pub profile: Option<String>,
    pub step_manager: bool,
    pub thread_spec: Option<u32>,
    pub tres_bind: Option<String>,
    pub tres_freq: Option<String>,
}

impl Extras {
    /// Whether the node of the script is asked for nothing but what all nodes are asked for.
    #[must_use]
    pub fn batch_features_fit(&self, constraint: Option<&str>) -> bool {
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| "&|,*[]()".contains(c)).map(str::to_owned).collect()
        };
        let all = words(constraint.unwrap_or_default());
        self.batch_features.as_deref().is_none_or(|wanted| words(wanted).iter().all(|w| all.contains(w)))
    }
}
