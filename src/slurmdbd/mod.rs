//! The accounting database: accounts, users, associations, QOS, and the history of jobs.
//!
//! Mirrors sacctmgr(1) and sacct(1). Changes come as [`Change`]s; queries read.

mod assoc;
mod change;
mod clusters;
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
pub use flag::QosFlag;
pub use job_change::JobChange;
pub use limits::{CountLimit, TresLimit};
pub use resource::{Resource, ResourceChange};
pub use transaction::Transaction;
pub use usage::{Fair, Usage};

use crate::base::cow::CowMap;
use crate::base::few::Few;
use crate::base::ids::{AssocId, DbIndex, JobId, QosId, ResvId, StepNum, Uid};
use crate::base::state::{ExitCode, JobState};
use crate::base::time::{Limit, Time};
use crate::base::tres::Tres;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that is accounted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Slurmdbd {
    pub cluster: String,
    pub accounts: BTreeMap<String, Account>,
    pub users: BTreeMap<String, DbUser>,
    pub assocs: Vec<Assoc>,
    pub qos: Vec<Qos>,
    /// Work load keys with who uses them, sorted.
    pub wckeys: Vec<(String, String)>,
    /// One record for each incarnation of a job, in the order in which they were made.
    pub jobs: CowMap<DbIndex, JobRecord>,
    /// Licences of servers that clusters share.
    pub resources: Vec<Resource>,
    /// The clusters that there are, the simulated one first.
    pub clusters: Vec<ClusterRecord>,
    /// Reservations that are over, or were moved on, the newest last.
    pub reservations: Vec<ResvRecord>,
    /// What was changed, the newest last.
    pub transactions: Vec<Transaction>,
}

impl From<DbIndex> for usize {
    fn from(i: DbIndex) -> Self {
        Self::try_from(i.0).unwrap_or(Self::MAX)
    }
}

/// `sacctmgr show account`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Account {
    pub name: String,
    pub description: String,
    pub organization: String,
    pub coordinators: Vec<String>,
}

/// `sacctmgr show user`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct DbUser {
    pub name: String,
    pub default_account: String,
    /// Work load key of jobs that name none.
    pub default_wckey: String,
    /// `None`, `Operator`, `Administrator`.
    pub admin: AdminLevel,
    /// Associations, deleted ones left out.
    pub assocs: Vec<AssocId>,
}

/// `AdminLevel`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum AdminLevel {
    #[default]
    None,
    Operator,
    Administrator,
}

/// An association: an account within its parent, or a user within an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Assoc {
    pub id: AssocId,
    pub account: String,
    /// None: the account itself.
    pub user: Option<String>,
    pub partition: Option<String>,
    pub parent: Option<AssocId>,
    /// None: `parent`.
    pub shares: Option<u32>,
    pub priority: u32,
    pub limits: Limits,
    /// Empty: inherited.
    pub qos: Vec<QosId>,
    pub default_qos: Option<QosId>,
    pub usage: Usage,
    pub fair: Fair,
    pub deleted: bool,
}

/// `Grp*` and `Max*` limits of an association or QOS; TRES by name (`cpu`, `mem`, `node`, `gres/gpu`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Limits {
    pub grp_tres: BTreeMap<String, u64>,
    pub grp_tres_mins: BTreeMap<String, u64>,
    pub grp_tres_run_mins: BTreeMap<String, u64>,
    pub grp_jobs: Option<u32>,
    pub grp_submit: Option<u32>,
    pub grp_wall: Option<u32>,
    pub max_tres: BTreeMap<String, u64>,
    pub max_tres_per_node: BTreeMap<String, u64>,
    pub max_tres_mins: BTreeMap<String, u64>,
    pub max_tres_per_user: BTreeMap<String, u64>,
    pub max_tres_per_account: BTreeMap<String, u64>,
    pub max_tres_run_mins_per_user: BTreeMap<String, u64>,
    pub max_tres_run_mins_per_account: BTreeMap<String, u64>,
    pub min_tres: BTreeMap<String, u64>,
    pub max_jobs: Option<u32>,
    pub max_jobs_per_account: Option<u32>,
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
#[allow(missing_docs)]
pub struct Qos {
    pub id: QosId,
    pub name: String,
    pub description: String,
    pub priority: u32,
    pub grace_time: u32,
    pub preempt: Vec<QosId>,
    pub preempt_mode: String,
    /// Seconds of run time before it may be preempted; none: the cluster's.
    pub preempt_exempt_time: Option<u32>,
    pub flags: Vec<QosFlag>,
    pub usage_factor: f64,
    pub usage_threshold: Option<f64>,
    /// What `GrpTRES` and `MaxTRES` of associations are multiplied with.
    pub limit_factor: Option<f64>,
    pub usage: Usage,
    pub limits: Limits,
    pub deleted: bool,
}

/// A reservation that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ResvRecord {
    pub id: ResvId,
    pub name: String,
    pub start: Time,
    pub end: Time,
    pub cpus: u32,
    /// Host list.
    pub nodes: String,
}

/// What a record keeps of a job that asked for something unusual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct More {
    pub container: String,
    pub extra: String,
    pub licenses: String,
    pub qos_asked: String,
    pub segment: u32,
}

/// `sacct`: a job's record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct JobRecord {
    pub index: DbIndex,
    pub job: JobId,
    /// The array's id, and the task; `tasks` is the text `1-6%2` while the record stands for many.
    pub array: Option<(JobId, Option<u32>)>,
    pub tasks: String,
    /// Its place in a heterogeneous job, once that has started.
    pub het: Option<(JobId, u32)>,
    pub name: String,
    pub uid: Uid,
    pub user: String,
    pub account: String,
    pub assoc: Option<AssocId>,
    pub partition: String,
    pub qos: String,
    pub state: JobState,
    /// Went back to the queue: shown as REQUEUED unless `state` says more.
    pub requeued: bool,
    /// Went on with fewer nodes, in another record: shown as RESIZING.
    pub resized: bool,
    /// The reservation that it was in.
    pub reservation: Option<(ResvId, String)>,
    /// Work load key; `*key` where it is the user's default.
    pub wckey: String,
    pub mcs_label: String,
    pub cancelled_by: Option<Uid>,
    pub submit: Time,
    pub eligible: Time,
    pub start: Option<Time>,
    pub end: Option<Time>,
    /// Seconds of the suspensions that are over, and since when it is suspended now.
    pub suspended: u32,
    pub suspended_since: Option<Time>,
    pub exit: ExitCode,
    pub derived_exit: ExitCode,
    pub time_limit: Limit,
    pub priority: u32,
    pub nodes: String,
    pub node_count: u32,
    pub cpus: u32,
    pub req_cpus: u32,
    /// MiB in all.
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
    pub restarts: u32,
    /// Backfill started it.
    pub backfilled: bool,
    pub stdin: String,
    pub stdout: String,
    pub stderr: String,
    /// What few jobs have.
    pub more: Option<Box<More>>,
    /// Its steps.
    pub steps: Few<StepNum, StepDbRecord>,
}

/// `sacct`: a step's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct StepDbRecord {
    pub name: String,
    pub state: JobState,
    pub cancelled_by: Option<Uid>,
    pub start: Time,
    pub end: Option<Time>,
    /// None: nobody reported it, its node was lost.
    pub exit: Option<ExitCode>,
    pub tasks: u32,
    pub nodes: String,
    pub node_count: u32,
    pub cpus: u32,
    pub tres: Tres,
    pub usage: crate::base::usage::Usage,
    pub submit_line: String,
    /// How its tasks were dealt: `block:cyclic`; empty: it has no tasks.
    pub distribution: String,
}

/// `sacctmgr` changes, one object each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Change {
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
    Jobs(JobChange),
}
