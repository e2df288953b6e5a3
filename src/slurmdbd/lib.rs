//! The accounting database: accounts, users, associations, QOS, and the history of jobs.
//!
//! Mirrors sacctmgr(1) and sacct(1). Modifications are [`AccountingChange`]s; queries only read.

mod assoc;
mod change;
mod clusters;
mod error;
mod flag;
mod history;
mod job_change;
mod limits;
mod resource;
mod setting;
#[cfg(test)]
mod tests;
mod transaction;
mod usage;
mod wckey;

pub use assoc::ROOT;
pub use clusters::{ClusterChange, ClusterRecord};
pub use error::{ActiveJob, ChangeError, ResourceError};
pub use flag::QosFlag;
pub use job_change::JobRecordChange;
pub use limits::{CountLimit, TresLimit, tres_limits};
pub use resource::{LicenseResource, ResourceChange};
pub use transaction::Transaction;
pub use usage::{DecayedUsage, Fair};

use base::cow::CowMap;
use base::ids::{AssocId, DbIndex, JobId, QosId, ResvId, StepNum, Uid};
use base::state::{ExitCode, JobState};
use base::time::{Limit, Time};
use base::tres::Tres;
use base::vec_map::VecMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole database.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct Slurmdbd {
    pub cluster: String,
    pub accounts: BTreeMap<String, Account>,
    pub users: BTreeMap<String, DbUser>,
    pub assocs: Vec<Assoc>,
    pub qos: Vec<Qos>,
    /// Workload characterisation keys with their users, sorted.
    pub wckeys: Vec<(String, String)>,
    /// One record for each incarnation of a job, in the order of creation.
    pub jobs: CowMap<DbIndex, JobRecord>,
    /// While slurmctld's messages are late: the job records that have arrived.
    #[serde(skip)]
    pub arrived: Option<CowMap<DbIndex, JobRecord>>,
    /// Licences of servers that clusters share (`sacctmgr show resource`).
    pub resources: Vec<LicenseResource>,
    /// All clusters, the simulated one first.
    pub clusters: Vec<ClusterRecord>,
    /// Finished reservations and earlier versions of changed ones, the newest last.
    pub reservations: Vec<ResvRecord>,
    /// The log of changes, the newest last.
    pub transactions: Vec<Transaction>,
}

/// `sacctmgr show account`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct Account {
    pub name: String,
    pub description: String,
    pub organization: String,
    pub coordinators: Vec<String>,
}

/// `sacctmgr show user`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct DbUser {
    pub name: String,
    pub default_account: String,
    /// Wckey of jobs that do not specify one.
    pub default_wckey: String,
    /// `None`, `Operator`, `Administrator`.
    pub admin: AdminLevel,
    /// Associations that are not deleted.
    pub assocs: Vec<AssocId>,
}

/// `AdminLevel`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values of sacctmgr(1)")]
pub enum AdminLevel {
    #[default]
    None,
    Operator,
    Administrator,
}

impl AdminLevel {
    /// Parses a level, which may be abbreviated, in any case.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let lower = word.to_ascii_lowercase();
        let levels = [
            ("none", Self::None),
            ("operator", Self::Operator),
            ("administrator", Self::Administrator),
            ("superuser", Self::Administrator),
        ];
        levels
            .into_iter()
            .find(|(name, _)| !lower.is_empty() && name.starts_with(&lower))
            .map(|(_, level)| level)
    }

    /// Slurm's word for it.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Operator => "Operator",
            Self::Administrator => "Administrator",
        }
    }
}

/// An association: an account within its parent, or a user within an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct Assoc {
    pub id: AssocId,
    pub account: String,
    /// None for the account itself.
    pub user: Option<String>,
    pub partition: Option<String>,
    pub parent: Option<AssocId>,
    /// None means `parent`.
    pub shares: Option<u32>,
    pub priority: u32,
    pub limits: Limits,
    /// Empty means inherited.
    pub qos: Vec<QosId>,
    pub default_qos: Option<QosId>,
    pub usage: DecayedUsage,
    pub fair: Fair,
    pub deleted: bool,
}

/// `Grp*` and `Max*` limits of an association or QOS; TRES by name (`cpu`, `mem`, `node`, `gres/gpu`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct Limits {
    pub grp_tres: BTreeMap<String, u64>,
    /// Amounts times minutes.
    pub grp_tres_mins: BTreeMap<String, u64>,
    pub grp_tres_run_mins: BTreeMap<String, u64>,
    /// Running jobs.
    pub grp_jobs: Option<u32>,
    /// Pending and running jobs.
    pub grp_submit: Option<u32>,
    /// Minutes.
    pub grp_wall: Option<u32>,
    pub max_tres: BTreeMap<String, u64>,
    pub max_tres_per_node: BTreeMap<String, u64>,
    /// Amounts times minutes, per job.
    pub max_tres_mins: BTreeMap<String, u64>,
    pub max_tres_per_user: BTreeMap<String, u64>,
    pub max_tres_per_account: BTreeMap<String, u64>,
    pub max_tres_run_mins_per_user: BTreeMap<String, u64>,
    pub max_tres_run_mins_per_account: BTreeMap<String, u64>,
    pub min_tres: BTreeMap<String, u64>,
    /// Running jobs.
    pub max_jobs: Option<u32>,
    pub max_jobs_per_account: Option<u32>,
    /// Pending and running jobs.
    pub max_submit: Option<u32>,
    pub max_submit_per_account: Option<u32>,
    pub max_wall: Option<Limit>,
    pub grp_jobs_accrue: Option<u32>,
    pub max_jobs_accrue: Option<u32>,
    pub max_jobs_accrue_per_account: Option<u32>,
    pub min_prio_thresh: Option<u32>,
}

/// `sacctmgr show qos`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct Qos {
    pub id: QosId,
    pub name: String,
    pub description: String,
    pub priority: u32,
    /// Seconds from SIGTERM to SIGKILL at a preemption.
    pub grace_time: u32,
    pub preempt: Vec<QosId>,
    pub preempt_mode: String,
    /// Seconds of run time before a job can be preempted; none means the cluster's setting.
    pub preempt_exempt_time: Option<u32>,
    pub flags: Vec<QosFlag>,
    /// Factor on the usage of its jobs.
    pub usage_factor: f64,
    /// Lowest fair-share factor with which its jobs may start.
    pub usage_threshold: Option<f64>,
    /// Factor applied to `GrpTRES` and `MaxTRES` of associations.
    pub limit_factor: Option<f64>,
    pub usage: DecayedUsage,
    pub limits: Limits,
    pub deleted: bool,
}

/// A finished reservation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct ResvRecord {
    pub id: ResvId,
    pub name: String,
    pub start: Time,
    pub end: Time,
    /// Number of reserved CPUs.
    pub cpus: u32,
    /// Host list.
    pub nodes: String,
}

/// Fields of a job record that few jobs need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct More {
    pub container: String,
    pub extra: String,
    pub licenses: String,
    pub qos_asked: String,
    pub segment: u32,
}

/// A job's record (`sacct`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct JobRecord {
    pub index: DbIndex,
    pub job: JobId,
    /// The array's job id and the task id. `tasks` is a text such as `1-6%2` while the record represents several tasks.
    pub array: Option<(JobId, Option<u32>)>,
    pub tasks: String,
    /// The id and offset of its heterogeneous job, set when that starts.
    pub het: Option<(JobId, u32)>,
    pub name: String,
    pub uid: Uid,
    pub user: String,
    pub account: String,
    pub assoc: Option<AssocId>,
    pub partition: String,
    pub qos: String,
    pub state: JobState,
    /// The job was requeued: shown as REQUEUED unless `state` is more specific.
    pub requeued: bool,
    /// The job continued on fewer nodes in another record: shown as RESIZING.
    pub resized: bool,
    /// The reservation that it ran in.
    pub reservation: Option<(ResvId, String)>,
    /// Wckey; `*key` if it is the user's default.
    pub wckey: String,
    pub mcs_label: String,
    pub cancelled_by: Option<Uid>,
    pub submit: Time,
    pub eligible: Time,
    pub start: Option<Time>,
    pub end: Option<Time>,
    /// Seconds of finished suspensions, and the start of the current one.
    pub suspended: u32,
    /// Set while the job is suspended.
    pub suspended_since: Option<Time>,
    pub exit: ExitCode,
    pub derived_exit: ExitCode,
    pub time_limit: Limit,
    pub priority: u32,
    pub nodes: String,
    pub node_count: u32,
    /// Allocated CPUs; 0 before the start.
    pub cpus: u32,
    pub req_cpus: u32,
    /// Total, in MiB.
    pub req_mem: u64,
    pub req_nodes: u32,
    pub req_tres: Tres,
    pub alloc_tres: Tres,
    pub reason: String,
    pub work_dir: String,
    pub submit_line: String,
    pub comment: String,
    pub admin_comment: String,
    pub constraints: String,
    /// Number of requeues before this run.
    pub restarts: u32,
    /// Started by the backfill scheduler.
    pub backfilled: bool,
    pub stdin: String,
    pub stdout: String,
    pub stderr: String,
    /// Fields that few jobs need.
    pub more: Option<Box<More>>,
    /// Its steps.
    pub steps: VecMap<StepNum, StepDbRecord>,
}

/// A step's record (`sacct`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct StepDbRecord {
    pub name: String,
    pub state: JobState,
    pub cancelled_by: Option<Uid>,
    pub start: Time,
    pub end: Option<Time>,
    /// None if it was never reported because its node was lost.
    pub exit: Option<ExitCode>,
    pub tasks: u32,
    pub nodes: String,
    pub node_count: u32,
    pub cpus: u32,
    pub tres: Tres,
    pub usage: base::usage::Usage,
    pub submit_line: String,
    /// Distribution of its tasks, such as `block:cyclic`; empty for a step without tasks.
    pub distribution: String,
}

/// A `sacctmgr` change of one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values of sacctmgr(1)")]
pub enum AccountingChange {
    AddAccount {
        name: String,
        parent: String,
        settings: Vec<(String, String)>,
    },
    AddUser {
        name: String,
        account: String,
        partition: Option<String>,
        settings: Vec<(String, String)>,
    },
    AddQos {
        name: String,
        settings: Vec<(String, String)>,
    },
    ModifyAccount {
        name: String,
        settings: Vec<(String, String)>,
    },
    ModifyUser {
        name: String,
        account: Option<String>,
        partition: Option<String>,
        settings: Vec<(String, String)>,
    },
    ModifyQos {
        name: String,
        settings: Vec<(String, String)>,
    },
    DeleteAccount {
        name: String,
    },
    DeleteUser {
        name: String,
        account: Option<String>,
    },
    DeleteQos {
        name: String,
    },
    AddCoordinator {
        account: String,
        user: String,
    },
    AddWckey {
        name: String,
        user: String,
    },
    DeleteCoordinator {
        account: String,
        user: String,
    },
    Resource(ResourceChange),
    Cluster(ClusterChange),
    Jobs(JobRecordChange),
}
