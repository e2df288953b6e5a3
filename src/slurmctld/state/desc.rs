//! Job descriptions: what clients request when they submit, by option.

use base::ids::Uid;
use base::process::Env;
use base::rare::{ConstDefault, Rare};
use base::signal::Signal;
use base::time::{Limit, Time};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a client requests: the options of `sbatch`, `srun` and `salloc`, checked by the client but not yet by
/// slurmctld. `None` and empty mean "not given".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct JobDesc {
    pub uid: Uid,
    pub name: String,
    /// The whole command line, for `SubmitLine`.
    pub submit_line: String,
    pub account: Option<String>,
    /// Several names separated by commas are tried in that order.
    pub partition: Option<String>,
    pub qos: Option<String>,
    pub reservation: Option<String>,
    pub wckey: Option<String>,
    pub comment: Option<String>,
    pub admin_comment: Option<String>,
    /// Batch jobs only.
    pub script: Option<Arc<Vec<u8>>>,
    /// The script's absolute path. None with `--wrap` and standard input.
    pub command: Option<String>,
    /// The script's arguments.
    pub args: Vec<String>,
    /// The initial environment of the job.
    pub env: Arc<Env>,
    pub work_dir: String,
    pub stdin: Option<String>,
    pub stdout: Option<String>,
    pub stderr: Option<String>,
    pub open_append: Option<bool>,
    /// `--hint`
    pub hint: Option<String>,
    /// `--nodes`: minimum and maximum.
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
    /// `--gres` as requested, with counts per node.
    pub gres: Vec<GresReq>,
    pub gpus: Vec<GresReq>,
    pub gpus_per_node: Vec<GresReq>,
    pub gpus_per_socket: Vec<GresReq>,
    pub gpus_per_task: Vec<GresReq>,
    /// `--gres-flags=enforce-binding` or `disable-binding`. None: not given.
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
    /// `--mcs-label`; after submission, the label in effect.
    pub mcs_label: Option<String>,
    pub switches: Option<(u32, Option<u32>)>,
    /// `--segment` and related options.
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
    /// `srun` and `salloc`: fail if nothing is free within this time (`--immediate`, seconds).
    pub immediate: Option<u32>,
    /// `hostname` of the submitting shell.
    pub submit_host: String,
    /// When a scrontab job runs.
    pub cron: Option<base::cron::Schedule>,
    pub umask: u32,
    pub extras: Rare<Extras>,
    /// GRES lists as typed.
    pub gres_texts: Rare<GresTexts>,
    /// `-N 2,4` and `-N 1-8:2`: the acceptable node counts, ascending. Empty: the whole range.
    pub node_counts: Vec<u32>,
}

impl JobDesc {
    /// `TresPerJob`.
    #[must_use]
    pub fn tres_per_job(&self) -> String {
        self.gres_texts.job.clone().unwrap_or_else(|| gres_text(&self.gpus))
    }

    /// `TresPerNode`.
    #[must_use]
    pub fn tres_per_node(&self) -> String {
        let lists = || self.gres.iter().chain(&self.gpus_per_node).cloned().collect::<Vec<_>>();
        self.gres_texts.node.clone().unwrap_or_else(|| gres_text(&lists()))
    }

    /// `TresPerSocket`.
    #[must_use]
    pub fn tres_per_socket(&self) -> String {
        self.gres_texts.socket.clone().unwrap_or_else(|| gres_text(&self.gpus_per_socket))
    }

    /// `TresPerTask`: `--tres-per-task` as typed, otherwise derived from `-c` and `--gpus-per-task`.
    #[must_use]
    pub fn tres_per_task(&self) -> String {
        self.gres_texts.task.clone().unwrap_or_else(|| {
            let cpus = self.cpus_per_task.map(|n| format!("cpu={n}"));
            let gpus = self.gpus_per_task.iter().map(|g| g.text('='));
            cpus.into_iter().chain(gpus).collect::<Vec<_>>().join(",")
        })
    }

    /// Whether `--tres-per-task` and `--tres-bind` name only TRES that tasks can have: CPUs and GRES.
    pub(crate) fn names_tres(&self) -> bool {
        let known = |part: &str| {
            part.starts_with("gres/") || ["cpu=", "cpu:"].iter().any(|name| part.starts_with(name))
        };
        let task = self.gres_texts.task.as_deref().unwrap_or_default();
        let bind = self.extras.tres_bind.as_deref().unwrap_or_default();
        task.split(',').all(|part| part.is_empty() || known(part))
            && (bind.is_empty() || bind.starts_with("gres/"))
    }

    /// `TresBind` as requested. GPUs per task are bound to the task.
    #[must_use]
    pub fn tres_bind(&self) -> Option<String> {
        let each: u64 = self.gpus_per_task.iter().map(|g| g.count).sum();
        let asked = self.extras.tres_bind.clone();
        asked
            .or_else(|| self.gpu_bind.as_ref().map(|bind| format!("gres/gpu:{bind}")))
            .or_else(|| (each > 0).then(|| format!("gres/gpu:per_task:{each}")))
    }
}

/// GRES lists as typed, which is how listings show them. None: listings show the counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct GresTexts {
    pub job: Option<String>,
    pub node: Option<String>,
    pub socket: Option<String>,
    pub task: Option<String>,
}

/// `--signal=[B:]USR1@120`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct WarnSignal {
    pub signal: Signal,
    /// Seconds before the end.
    pub seconds: u32,
    /// `B:`: the batch shell only.
    pub batch_only: bool,
    /// `R:`: also before a preemption.
    pub on_preempt: bool,
}

/// `--exclusive[=user|mcs|topo]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Exclusive {
    Node,
    User,
    Mcs,
    Topo,
}

/// `gpu:a100:2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct GresReq {
    pub name: String,
    pub kind: Option<String>,
    pub count: u64,
}

impl GresReq {
    /// `gres/gpu:a100:2`; `sign` precedes the count.
    #[must_use]
    pub fn text(&self, sign: char) -> String {
        let kind = self.kind.as_ref().map(|k| format!(":{k}")).unwrap_or_default();
        format!("gres/{}{kind}{sign}{}", self.name, self.count)
    }
}

/// `gres/gpu:a100:2,gres/gpu:1`.
#[must_use]
pub fn gres_text(list: &[GresReq]) -> String {
    list.iter().map(|g| g.text(':')).collect::<Vec<_>>().join(",")
}

/// Options that are stored and shown but have no effect here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Extras {
    pub batch_features: Option<String>,
    pub burst_buffer: Option<String>,
    pub cluster_features: Option<String>,
    pub container: Option<String>,
    pub container_id: Option<String>,
    pub container_type: Option<String>,
    /// As displayed: `CPU_max_freq=High`.
    pub cpu_freq: Option<String>,
    /// Seconds.
    pub delay_boot: u32,
    pub extra: Option<String>,
    pub network: Option<String>,
    /// `--oom-kill-step`. None: as slurm.conf says.
    pub oom_kill_step: Option<bool>,
    pub profile: Option<String>,
    pub step_manager: bool,
    pub thread_spec: Option<u32>,
    pub tres_bind: Option<String>,
    pub tres_freq: Option<String>,
}

impl ConstDefault for GresTexts {
    const DEFAULT: &'static Self = &Self { job: None, node: None, socket: None, task: None };
}

impl ConstDefault for Extras {
    const DEFAULT: &'static Self = &Self {
        batch_features: None,
        burst_buffer: None,
        cluster_features: None,
        container: None,
        container_id: None,
        container_type: None,
        cpu_freq: None,
        delay_boot: 0,
        extra: None,
        network: None,
        oom_kill_step: None,
        profile: None,
        step_manager: false,
        thread_spec: None,
        tres_bind: None,
        tres_freq: None,
    };
}

impl Extras {
    /// Whether `--batch` requires nothing that `--constraint` does not require of all nodes.
    #[must_use]
    pub fn batch_features_fit(&self, constraint: Option<&str>) -> bool {
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| "&|,*[]()".contains(c)).map(str::to_owned).collect()
        };
        let all = words(constraint.unwrap_or_default());
        self.batch_features.as_deref().is_none_or(|wanted| words(wanted).iter().all(|w| all.contains(w)))
    }
}
