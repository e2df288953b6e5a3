//! Parses Slurm's configuration files, and a site's own, into one validated [`Cluster`].
//!
//! Mirrors slurm.conf(5), gres.conf(5) and topology.conf(5) of Slurm 26.05. Parsing never fails: an invalid value
//! becomes a diagnostic with file and line, and its default applies.
//!
//! ```
//! use config::{Cluster, SiteFiles};
//!
//! let text = "NodeName=cn[1-4] CPUs=8 RealMemory=16000\nPartitionName=main Nodes=ALL Default=YES\n";
//! let cluster = Cluster::parse(&SiteFiles([("slurm.conf".into(), text.into())].into()));
//! assert_eq!((cluster.nodes.len(), cluster.nodes[0].cpus), (4, 8));
//! assert_eq!(cluster.partitions[0].name, "main");
//! ```

mod background;
mod bare;
mod derived;
mod filesystem;
mod global;
mod gpus;
mod gres;
mod invalid;
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
mod priority;
mod programs;
mod provider;
mod select;
mod site;
mod site_toml;
pub mod sites;
#[cfg(test)]
mod tests;
mod topology;
mod topology_yaml;
mod value;
mod variant;

pub use background::{BackgroundStream, amount as background_amount};
pub use bare::furnish;
pub use filesystem::{FileSystem, LoginLimits};
pub use gpus::{GpuDefaults, SiteGpus, constrains_devices};
pub use keys::{KNOWN_KEYS, KeyUse, KnownKeys};
pub use mcs::{Mcs, McsKind, McsSelect};
pub use note::GuideNote;
pub use power::PowerSave;
pub use priority::{Priority, PriorityFlags, UsageReset};
pub use programs::JobPrograms;
pub use provider::Provider;
pub use select::{Select, SelectUnit};
pub use topology::{Block, NetworkSwitch, Topology};
pub use value::{limit as parse_limit, seconds as parse_seconds};
pub use variant::MAX_BASES;

use base::bitset::BitSet;
use base::diagnostic::Diagnostic;
use base::time::Limit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The files of a site by name (`slurm.conf`, `gres.conf`, `accounts.sh`, `site.toml`, ...), as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteFiles(pub BTreeMap<String, String>);

/// The contents of `site.toml`: what Slurm does not know about a site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteInfo {
    /// Short name: the name of the site's directory.
    pub name: String,
    /// Display name by language code.
    pub title: BTreeMap<String, String>,
    /// Message of the day by language code.
    pub motd: BTreeMap<String, String>,
    /// Host name of the login node.
    pub login: String,
    /// Users in the order of their user IDs, from 1001. The first one is the default user.
    pub users: Vec<SiteUser>,
    /// Files that exist at the start.
    pub files: Vec<SiteFile>,
    /// The file that the editor opens first, in the first user's home directory.
    pub open: Option<String>,
    /// Site-specific programs.
    pub tools: Vec<String>,
    /// What happens when a node runs out of memory.
    pub out_of_memory: OutOfMemory,
    /// Environment variables for all users, as `/etc/profile.d` sets them.
    pub env: Vec<(String, String)>,
    /// Policy rules: what sites implement in job_submit plugins and cron scripts.
    pub policy: policy::Policy,
    /// File systems in mount order; `None`: all hosts share one.
    pub filesystems: Vec<FileSystem>,
    /// Limits on login nodes; `None`: no limits.
    pub login_limits: Option<LoginLimits>,
    /// `$SLURM_TMPDIR`, with `%u` and `%j` for user and job: created on a job's nodes and removed at its end.
    pub job_tmp: Option<String>,
    /// Mode of home directories.
    pub home_mode: u32,
    /// Whether `/bin/sh` is dash, as on Debian.
    pub dash: bool,
    /// The nodes' GPUs, including those that Slurm does not manage.
    pub gpus: Vec<SiteGpus>,
    /// Background jobs of other users.
    pub background: Vec<BackgroundStream>,
    /// The cloud provider that reclaims instances; `None`: no instances are reclaimed.
    pub provider: Option<Provider>,
}

/// A user of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct SiteUser {
    pub name: String,
    pub gecos: String,
    /// Additional environment variables of the user.
    pub env: Vec<(String, String)>,
    /// Supplementary groups.
    pub groups: Vec<String>,
}

/// A file that exists at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct SiteFile {
    /// Absolute, or relative to every user's home directory.
    pub path: String,
    pub content: String,
    /// Whether its mode has the x bits.
    pub executable: bool,
}

/// What happens when processes exceed the memory of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutOfMemory {
    /// The cgroup's OOM killer ends the step: OUT_OF_MEMORY.
    #[default]
    Cgroup,
    /// No enforcement (no cgroups): the job continues.
    Ignore,
    /// The node reboots; its jobs are CANCELLED with a comment.
    RebootNode {
        /// The jobs' Comment.
        comment: String,
        /// Seconds until the node is up again.
        seconds: u32,
    },
}

/// The configuration of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Global settings.
    pub global: Global,
    /// Nodes in the order of slurm.conf.
    pub nodes: Vec<NodeConf>,
    /// Partitions in the order of slurm.conf.
    pub partitions: Vec<PartConf>,
    /// All GRES types of the nodes; [`GresConf::id`] is an index into it.
    pub gres_kinds: Vec<GresKind>,
    /// The network topology.
    pub topology: Topology,
    /// `ConstrainDevices` of cgroup.conf: a step sees only its own GPUs, numbered from 0.
    pub constrain_devices: bool,
    /// The path of slurm.conf; the site's file `conf_dir` can name a directory other than `/etc/slurm`.
    pub conf_file: String,
    /// Errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// The global settings of slurm.conf with defaults filled in. Times in seconds unless the type says
/// otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct Global {
    pub cluster_name: String,
    /// All global `Key=Value` pairs as written, with canonical keys: for `scontrol show config`.
    pub raw: BTreeMap<String, String>,
    pub accounting_enforce: Enforce,
    /// The GRES in `AccountingStorageTRES`, without `gres/`: `gpu`, `gpu:a100`.
    pub tracked_gres: Vec<String>,
    pub batch_requeue: bool,
    /// MiB.
    pub def_mem_per_cpu: Option<u64>,
    /// MiB.
    pub def_mem_per_node: Option<u64>,
    /// MiB.
    pub max_mem_per_cpu: Option<u64>,
    /// MiB.
    pub max_mem_per_node: Option<u64>,
    pub gpu_defaults: GpuDefaults,
    pub enforce_part_limits: EnforcePart,
    pub first_job_id: u32,
    pub gres_types: Vec<String>,
    /// Seconds; 0 means none.
    pub inactive_limit: u32,
    /// Seconds from SIGTERM to SIGKILL.
    pub kill_wait: u32,
    pub max_array_size: u32,
    pub max_job_count: u32,
    /// Seconds that slurmctld keeps a finished job in memory.
    pub min_job_age: u32,
    /// Minutes that a job may exceed its time limit.
    pub over_time_limit: Limit,
    pub preempt_mode: String,
    pub preempt_type: String,
    /// `SchedulerParameters` as `KEY=VALUE`; a key without a value maps to the empty string.
    pub scheduler_parameters: BTreeMap<String, String>,
    pub scheduler_backfill: bool,
    pub select: Select,
    pub priority: Priority,
    pub return_to_service: u8,
    /// Seconds without a response after which a node is set down.
    pub slurmd_timeout: u32,
    /// Number of licences by name.
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
    /// `ResvOverRun`: minutes that jobs may run past the end of their reservation.
    pub resv_over_run: u32,
    pub power: PowerSave,
    /// Prologs and epilogs.
    pub programs: JobPrograms,
    /// `MaxBatchRequeue`: a job is held after this many launch failures.
    pub max_batch_requeue: u32,
    /// `SlurmctldParameters=user_resv_delete`: users may delete reservations that they may use.
    pub user_resv_delete: bool,
    /// `CompleteWait`: seconds that scheduling waits for completing jobs.
    pub complete_wait: u32,
    /// `TrackWCKey`: jobs have a workload characterization key.
    pub track_wckey: bool,
    /// `MCSPlugin`, `MCSParameters`.
    pub mcs: Mcs,
    /// The simulated `JobSubmitPlugins`, in order.
    pub job_submit: Vec<JobSubmitPlugin>,
}

/// A job_submit plugin of Slurm that is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobSubmitPlugin {
    /// `require_timelimit`: reject jobs without a time limit.
    RequireTimeLimit,
    /// `all_partitions`: jobs without a partition may run in any.
    AllPartitions,
}

/// `AccountingStorageEnforce`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct Enforce {
    pub associations: bool,
    pub limits: bool,
    pub qos: bool,
    pub safe: bool,
    pub wckeys: bool,
    /// Jobs and steps are not recorded in accounting.
    pub no_jobs: bool,
    /// Steps are not recorded in accounting.
    pub no_steps: bool,
}

/// `EnforcePartLimits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values in the configuration")]
pub enum EnforcePart {
    #[default]
    No,
    Any,
    All,
}

/// A node, from a `NodeName=` line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct NodeConf {
    pub name: String,
    pub sockets: u32,
    pub cores_per_socket: u32,
    pub threads_per_core: u32,
    /// CPUs as Slurm counts them: cores, or hardware threads if `CPUs` says so.
    pub cpus: u32,
    pub boards: u32,
    /// MiB.
    pub real_memory: u64,
    /// MiB.
    pub mem_spec_limit: u64,
    /// Number of cores reserved for the system.
    pub core_spec: u32,
    /// MiB.
    pub tmp_disk: u64,
    pub weight: u32,
    pub features: Vec<String>,
    pub gres: Vec<GresConf>,
    pub state: String,
    pub reason: Option<String>,
    pub port: u32,
}

/// A GRES of a node: the count of slurm.conf with the files and cores of gres.conf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct GresConf {
    /// `gpu`.
    pub name: String,
    /// The type, such as `a100`; `None` if slurm.conf gives no type.
    pub kind: Option<String>,
    /// Index into [`Cluster::gres_kinds`].
    pub id: u32,
    pub count: u32,
    /// `no_consume`: requests do not reduce the available amount.
    pub no_consume: bool,
    /// Device files in index order, if gres.conf lists them.
    pub files: Vec<String>,
    /// The affinity of its units, if gres.conf gives `Cores`.
    pub affinity: Vec<GresAffinity>,
}

/// Units of a GRES that are close to the same cores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GresAffinity {
    /// The units.
    pub units: BitSet,
    /// The cores close to them.
    pub cores: BitSet,
}

/// A GRES type, numbered to avoid comparing names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GresKind {
    /// `gpu`.
    pub name: String,
    /// `a100`.
    pub kind: Option<String>,
}

/// A partition, from a `PartitionName=` line with `PartitionName=DEFAULT` applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct PartConf {
    pub name: String,
    /// Indices into [`Cluster::nodes`].
    pub nodes: BitSet,
    /// `Nodes=ALL`: includes nodes that are added later.
    pub all_nodes: bool,
    /// The features of its node sets: a node joins the partition when it gets one of them.
    pub features: Vec<String>,
    /// The nodes listed by name, whatever their features.
    pub named: BitSet,
    pub is_default: bool,
    pub max_time: Limit,
    pub default_time: Option<Limit>,
    /// None means no limit.
    pub max_nodes: Option<u32>,
    pub min_nodes: u32,
    pub max_cpus_per_node: Option<u32>,
    pub max_cpus_per_socket: Option<u32>,
    /// MiB.
    pub def_mem_per_cpu: Option<u64>,
    /// MiB.
    pub def_mem_per_node: Option<u64>,
    /// MiB.
    pub max_mem_per_cpu: Option<u64>,
    /// MiB.
    pub max_mem_per_node: Option<u64>,
    pub state: PartState,
    pub hidden: bool,
    pub root_only: bool,
    pub disable_root_jobs: bool,
    pub req_resv: bool,
    pub lln: bool,
    pub exclusive: PartExclusive,
    pub over_subscribe: OverSubscribe,
    /// Minutes; none means the cluster's.
    pub over_time_limit: Option<Limit>,
    pub priority_tier: u32,
    pub priority_job_factor: u32,
    pub preempt_mode: Option<String>,
    /// Seconds from SIGTERM to SIGKILL at a preemption.
    pub grace_time: u32,
    pub qos: Option<String>,
    pub allow_groups: Option<Vec<String>>,
    pub allow_accounts: Option<Vec<String>>,
    pub deny_accounts: Option<Vec<String>>,
    pub allow_qos: Option<Vec<String>>,
    pub deny_qos: Option<Vec<String>>,
    pub tres_billing_weights: BTreeMap<String, f64>,
    /// `TRESBillingWeights` as written.
    pub tres_billing_text: Option<String>,
    /// `Alternate` and `CpuBind`, which have no effect here.
    pub alternate: Option<String>,
    pub cpu_bind: Option<String>,
    /// `AllocNodes`: hosts that may submit jobs; `None`: any.
    pub alloc_nodes: Option<String>,
    /// `SuspendTime`: seconds, or never (`Some(None)`); `None`: the cluster's value.
    pub suspend_time: Option<Option<u32>>,
    /// Seconds; none means the cluster's.
    pub suspend_timeout: Option<u32>,
    /// Seconds; none means the cluster's.
    pub resume_timeout: Option<u32>,
    /// `PowerDownOnIdle`: nodes power down as soon as they are idle.
    pub power_down_on_idle: bool,
    pub job_defaults: Option<String>,
    /// Parsed from `job_defaults`.
    pub gpu_defaults: GpuDefaults,
}

/// `State` of a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values in the configuration")]
pub enum PartState {
    #[default]
    Up,
    Down,
    Drain,
    Inactive,
}

/// `Exclusive=` (26.05), with the older `ExclusiveUser=YES`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values in the configuration")]
pub enum PartExclusive {
    #[default]
    No,
    Node,
    User,
    Topo,
}

/// `OverSubscribe=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values in the configuration")]
pub enum OverSubscribe {
    #[default]
    No,
    Exclusive,
    Yes(u32),
    Force(u32),
}

impl Cluster {
    /// Parses `slurm.conf`, `gres.conf` and their includes. Never fails: errors become diagnostics and
    /// defaults.
    #[must_use]
    pub fn parse(files: &SiteFiles) -> Self {
        parse::cluster(files)
    }
}

/// The key of `scontrol show config` for several slurmds on one machine.
pub const MULTIPLE_SLURMD: &str = "MULTIPLE_SLURMD";

impl Global {
    /// Whether all slurmds run on one machine.
    #[must_use]
    pub fn shares_a_machine(&self) -> bool {
        self.raw.contains_key(MULTIPLE_SLURMD)
    }
}

impl SiteInfo {
    /// Parses `site.toml`, or `users` (as in recorded clusters) if there is no `site.toml`.
    #[must_use]
    pub fn parse(name: &str, files: &SiteFiles) -> (Self, Vec<Diagnostic>) {
        site::parse(name, files)
    }

    /// The sentence about the site in `site.toml`, by language code. A world does not need it.
    #[must_use]
    pub fn summary(files: &SiteFiles) -> BTreeMap<String, String> {
        site::summary(files)
    }
}
