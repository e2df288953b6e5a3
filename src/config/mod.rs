//! A site's files, read into one validated description of a cluster.
//!
//! Mirrors slurm.conf(5), gres.conf(5), topology.conf(5). Reading never stops: what cannot be used becomes a
//! [`Diagnostic`] with file and line, and a default stands in.

mod background;
mod bare;
mod derived;
mod filesystem;
mod global;
mod gpus;
mod gres;
mod keys;
mod lines;
mod mcs;
mod nodes;
mod note;
pub mod parameters;
mod parse;
mod part_change;
mod partitions;
pub mod policy;
mod power;
pub mod preempt;
mod programs;
mod provider;
mod select;
mod site;
#[cfg(not(target_arch = "wasm32"))]
pub mod sites;
#[cfg(test)]
mod tests;
mod toml;
mod topology;
mod topology_yaml;
mod value;
mod variant;

pub use background::{Work, amount as background_amount};
pub use bare::furnish;
pub use filesystem::{FileSystem, LoginLimits};
pub use gpus::{GpuDefaults, SiteGpus, constrains_devices};
pub use mcs::{Mcs, McsKind, McsSelect};
pub use note::Note;
pub use power::PowerSave;
pub use programs::Programs;
pub use provider::Provider;
pub use select::{Select, SelectUnit};
pub use topology::{Block, Switch, Topology};
pub use value::{limit as parse_limit, seconds as parse_seconds};
pub use variant::MAX_BASES;

use crate::base::bitset::BitSet;
use crate::base::diagnostic::Diagnostic;
use crate::base::time::Limit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A site's files by name (`slurm.conf`, `gres.conf`, `accounts.sh`, `site.toml`, ...), as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteFiles(pub BTreeMap<String, String>);

/// What `site.toml` tells: everything that Slurm does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteInfo {
    /// Short name, `inserm`; the directory's.
    pub name: String,
    /// Name for people, by language code.
    pub title: BTreeMap<String, String>,
    /// Message of the day, by language code.
    pub motd: BTreeMap<String, String>,
    /// The login node's host name.
    pub login: String,
    /// People in the order of their uids from 1001; the first one is who types at first.
    pub users: Vec<SiteUser>,
    /// Files that exist at the start: path (absolute or in each user's home), content, mode.
    pub files: Vec<SiteFile>,
    /// The file that the editor opens first, in the first user's home.
    pub open: Option<String>,
    /// Programs of this site that others do not have.
    pub tools: Vec<String>,
    /// What the hardware does when a node's memory runs out.
    pub out_of_memory: OutOfMemory,
    /// Variables that everybody's shells begin with, as `/etc/profile.d` sets them.
    pub env: Vec<(String, String)>,
    /// What sites write in job_submit plugins and cron.
    pub policy: policy::Policy,
    /// The file systems, in the order in which they are mounted; none: all hosts share one.
    pub filesystems: Vec<FileSystem>,
    /// What a person may do on a login node; none: everything.
    pub login_limits: Option<LoginLimits>,
    /// `$SLURM_TMPDIR`, with `%u` and `%j` for user and job: made on a job's nodes and removed at its end.
    pub job_tmp: Option<String>,
    /// Mode of people's homes.
    pub home_mode: u32,
    /// `/bin/sh` is dash, as Debian has it.
    pub dash: bool,
    /// What the nodes' GPUs are, also those that Slurm does not know.
    pub gpus: Vec<SiteGpus>,
    /// What other people submit.
    pub background: Vec<Work>,
    /// Who takes machines back; none: nobody.
    pub provider: Option<Provider>,
}

/// One of the site's people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct SiteUser {
    pub name: String,
    pub gecos: String,
    /// Variables of their own, after the site's.
    pub env: Vec<(String, String)>,
    /// Groups besides the own one.
    pub groups: Vec<String>,
}

/// A file that the site brings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct SiteFile {
    /// Absolute, or relative to every user's home.
    pub path: String,
    pub content: String,
    pub executable: bool,
}

/// What happens when processes use more memory than there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutOfMemory {
    /// The cgroup's OOM killer ends the step: OUT_OF_MEMORY.
    #[default]
    Cgroup,
    /// Nothing watches (no cgroups): the job goes on.
    Ignore,
    /// The whole node restarts; its jobs are CANCELLED and this text stands in their Comment.
    RebootNode {
        /// Text for Comment.
        comment: String,
        /// Seconds until the node is back.
        seconds: u32,
    },
}

/// A whole cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Global settings.
    pub global: Global,
    /// Nodes in the order of slurm.conf.
    pub nodes: Vec<NodeConf>,
    /// Partitions in the order of slurm.conf.
    pub partitions: Vec<PartConf>,
    /// Every kind of GRES that some node has; [`GresConf::id`] is the place in it.
    pub gres_kinds: Vec<GresKind>,
    /// How the nodes hang together.
    pub topology: Topology,
    /// `ConstrainDevices` of cgroup.conf: a step sees its own GPUs only, as 0, 1 ...
    pub constrain_devices: bool,
    /// Where slurm.conf is; a site's file `conf_dir` names another directory than `/etc/slurm`.
    pub conf_file: String,
    /// What was found wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// The global part of slurm.conf, defaults filled in. Times in seconds unless a type says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Global {
    pub cluster_name: String,
    /// Every `Key=Value` of the global part as written, keys in their canonical case: for `scontrol show config`.
    pub raw: BTreeMap<String, String>,
    pub accounting_enforce: Enforce,
    /// `AccountingStorageTRES` beyond the built-in ones, names without `gres/`: `gpu`, `gpu:a100`.
    pub tracked_gres: Vec<String>,
    pub batch_requeue: bool,
    pub def_mem_per_cpu: Option<u64>,
    pub def_mem_per_node: Option<u64>,
    pub max_mem_per_cpu: Option<u64>,
    pub max_mem_per_node: Option<u64>,
    pub gpu_defaults: GpuDefaults,
    pub enforce_part_limits: EnforcePart,
    pub first_job_id: u32,
    pub gres_types: Vec<String>,
    pub inactive_limit: u32,
    pub kill_wait: u32,
    pub max_array_size: u32,
    pub max_job_count: u32,
    pub min_job_age: u32,
    pub over_time_limit: Limit,
    pub preempt_mode: String,
    pub preempt_type: String,
    /// `KEY=VALUE` (or bare key, empty value) of `SchedulerParameters`.
    pub scheduler_parameters: BTreeMap<String, String>,
    pub scheduler_backfill: bool,
    pub select: Select,
    pub priority: Priority,
    pub return_to_service: u8,
    pub slurmd_timeout: u32,
    pub licenses: BTreeMap<String, u32>,
    pub kill_on_invalid_depend: bool,
    pub prolog_contain: bool,
    pub use_interactive_step: bool,
    pub requeue_exit: Vec<u8>,
    pub requeue_exit_hold: Vec<u8>,
    pub private_data: Vec<String>,
    /// `AccountingStoreFlags`, as written.
    pub accounting_store_flags: Vec<String>,
    pub preempt: preempt::PreemptConf,
    /// Minutes; what runs in a reservation at its end may go on for so long.
    pub resv_over_run: u32,
    pub power: PowerSave,
    /// What runs around jobs.
    pub programs: Programs,
    /// `MaxBatchRequeue`: a job whose launch fails after so many requeues is held.
    pub max_batch_requeue: u32,
    /// `SlurmctldParameters=user_resv_delete`: who may use a reservation may delete it.
    pub user_resv_delete: bool,
    /// `CompleteWait`, seconds: nobody starts while jobs are completing for less than that.
    pub complete_wait: u32,
    /// `TrackWCKey`: each job has a work load key.
    pub track_wckey: bool,
    /// `MCSPlugin`, `MCSParameters`.
    pub mcs: Mcs,
    /// `JobSubmitPlugins` that are simulated, in order.
    pub job_submit: Vec<JobSubmitPlugin>,
}

/// A `JobSubmitPlugins` that Slurm brings and that is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobSubmitPlugin {
    /// `require_timelimit`: jobs without a time limit are refused.
    RequireTimeLimit,
    /// `all_partitions`: jobs without a partition may run in all.
    AllPartitions,
}

/// `AccountingStorageEnforce`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Enforce {
    pub associations: bool,
    pub limits: bool,
    pub qos: bool,
    pub safe: bool,
    pub wckeys: bool,
    /// No jobs, and no steps, are written into the accounts.
    pub no_jobs: bool,
    /// No steps are.
    pub no_steps: bool,
}

/// `EnforcePartLimits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum EnforcePart {
    #[default]
    No,
    Any,
    All,
}

/// `PriorityType` and its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Priority {
    pub multifactor: bool,
    /// Seconds; 0: no decay.
    pub half_life: u32,
    pub calc_period: u32,
    pub max_age: u32,
    pub favor_small: bool,
    pub weight_age: u32,
    pub weight_assoc: u32,
    pub weight_fairshare: u32,
    pub weight_job_size: u32,
    pub weight_partition: u32,
    pub weight_qos: u32,
    pub weight_tres: BTreeMap<String, f64>,
    pub flags: PriorityFlags,
    pub usage_reset: UsageReset,
    /// `FairShareDampeningFactor`, classic fair share only.
    pub dampening: u32,
}

/// `PriorityFlags`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
#[expect(clippy::struct_excessive_bools, reason = "as many as slurm.conf has")]
pub struct PriorityFlags {
    pub accrue_always: bool,
    pub calculate_running: bool,
    pub depth_oblivious: bool,
    pub no_fair_tree: bool,
    pub incr_only: bool,
    pub max_tres: bool,
    pub max_tres_gres: bool,
    pub no_normal_assoc: bool,
    pub no_normal_part: bool,
    pub no_normal_qos: bool,
    pub no_normal_tres: bool,
    pub small_relative_to_time: bool,
}

/// `PriorityUsageResetPeriod`: when usage begins again at nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum UsageReset {
    #[default]
    None,
    /// Once, when slurmctld starts.
    Now,
    Daily,
    Weekly,
    Monthly,
    Quarterly,
    Yearly,
}

/// A `NodeName=` line, one for each node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct NodeConf {
    pub name: String,
    pub sockets: u32,
    pub cores_per_socket: u32,
    pub threads_per_core: u32,
    pub cpus: u32,
    pub boards: u32,
    /// MiB.
    pub real_memory: u64,
    /// MiB.
    pub mem_spec_limit: u64,
    pub core_spec: u32,
    pub tmp_disk: u64,
    pub weight: u32,
    pub features: Vec<String>,
    pub gres: Vec<GresConf>,
    pub state: String,
    pub reason: Option<String>,
    pub port: u32,
}

/// GRES of one kind on one node: slurm.conf's count, with gres.conf's files and cores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GresConf {
    /// `gpu`.
    pub name: String,
    /// `a100`; none where slurm.conf gives no type.
    pub kind: Option<String>,
    /// Its place in [`Cluster::gres_kinds`].
    pub id: u32,
    pub count: u32,
    /// `no_consume`: however much is asked, none of it is used up.
    pub no_consume: bool,
    /// Device files in index order, where gres.conf names them.
    pub files: Vec<String>,
    /// Where its units are, as far as gres.conf says it (`Cores`).
    pub places: Vec<GresPlace>,
}

/// Units of a GRES that are near the same cores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GresPlace {
    /// Which units.
    pub units: BitSet,
    /// Near which cores.
    pub cores: BitSet,
}

/// A kind of GRES, numbered so that nobody needs to compare names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GresKind {
    /// `gpu`.
    pub name: String,
    /// `a100`.
    pub kind: Option<String>,
}

/// A `PartitionName=` line, `PartitionName=DEFAULT` applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PartConf {
    pub name: String,
    /// Indices into [`Cluster::nodes`].
    pub nodes: BitSet,
    /// `Nodes=ALL`: new nodes join it.
    pub all_nodes: bool,
    /// The features of its node sets: nodes that get one join it.
    pub features: Vec<String>,
    /// Those of its nodes that are named, whatever features they have.
    pub named: BitSet,
    pub is_default: bool,
    pub max_time: Limit,
    pub default_time: Option<Limit>,
    pub max_nodes: Option<u32>,
    pub min_nodes: u32,
    pub max_cpus_per_node: Option<u32>,
    pub max_cpus_per_socket: Option<u32>,
    pub def_mem_per_cpu: Option<u64>,
    pub def_mem_per_node: Option<u64>,
    pub max_mem_per_cpu: Option<u64>,
    pub max_mem_per_node: Option<u64>,
    pub state: PartState,
    pub hidden: bool,
    pub root_only: bool,
    pub disable_root_jobs: bool,
    pub req_resv: bool,
    pub lln: bool,
    pub exclusive: PartExclusive,
    pub over_subscribe: OverSubscribe,
    pub over_time_limit: Option<Limit>,
    pub priority_tier: u32,
    pub priority_job_factor: u32,
    pub preempt_mode: Option<String>,
    pub grace_time: u32,
    pub qos: Option<String>,
    pub allow_groups: Option<Vec<String>>,
    pub allow_accounts: Option<Vec<String>>,
    pub deny_accounts: Option<Vec<String>>,
    pub allow_qos: Option<Vec<String>>,
    pub deny_qos: Option<Vec<String>>,
    pub tres_billing_weights: BTreeMap<String, f64>,
    /// Hosts from which jobs may be submitted; none: any.
    pub alloc_nodes: Option<String>,
    /// `SuspendTime`: seconds, or never; none: as the cluster has it.
    pub suspend_time: Option<Option<u32>>,
    pub suspend_timeout: Option<u32>,
    pub resume_timeout: Option<u32>,
    /// `PowerDownOnIdle`: nodes are switched off as soon as nothing runs there.
    pub power_down_on_idle: bool,
    pub job_defaults: Option<String>,
    /// What `job_defaults` says.
    pub gpu_defaults: GpuDefaults,
}

/// `State` of a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum PartState {
    #[default]
    Up,
    Down,
    Drain,
    Inactive,
}

/// `Exclusive=` (26.05), with the older `ExclusiveUser=YES`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum PartExclusive {
    #[default]
    No,
    Node,
    User,
    Topo,
}

/// `OverSubscribe=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum OverSubscribe {
    #[default]
    No,
    Exclusive,
    Yes(u32),
    Force(u32),
}

impl Cluster {
    /// Reads `slurm.conf`, `gres.conf` and what they include from a site's files. Always gives a cluster.
    #[must_use]
    pub fn parse(files: &SiteFiles) -> Self {
        parse::cluster(files)
    }
}

impl SiteInfo {
    /// Reads `site.toml` (and `users`, as the corpus' clusters have it, where there is no `site.toml`).
    #[must_use]
    pub fn parse(name: &str, files: &SiteFiles) -> (Self, Vec<Diagnostic>) {
        site::parse(name, files)
    }
}
