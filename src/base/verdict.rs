//! Why a job is pending and which changes would start it, as data.
//!
//! The only declaration of this answer: slurmctld computes it, the protocol carries it, and the page and the command `why`
//! turn it into sentences. It names jobs, users, partitions and nodes as Slurm prints them, so a reader needs no other state.
//! Lists hold at most [`NAMES`] items and the total count.

use crate::ids::JobId;
use crate::time::{Limit, Time};
use serde::{Deserialize, Serialize};

/// Maximum number of items in a list; the rest is only counted.
pub const NAMES: usize = 4;

/// The complete answer to why a job is pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The job record: for a pending array task, the array's.
    pub job: JobId,
    /// Time for which it was computed.
    pub at: Time,
    /// The reason `squeue` shows: `Resources`.
    pub shown: String,
    /// The job's user.
    pub user: String,
    /// Its request.
    pub needs: RequestSummary,
    /// Its eligibility before any scheduling pass.
    pub eligibility: Eligibility,
    /// What blocks it in each of its partitions, in the order in which they are tried.
    pub partitions: Vec<PartitionVerdict>,
    /// The verdict of backfill.
    pub backfill: BackfillVerdict,
}

/// The scheduler loop that would start a job now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartingPass {
    /// The main scheduling loop.
    Main,
    /// Backfill.
    Backfill,
}

impl Verdict {
    /// The pass that would start the job now.
    #[must_use]
    pub fn starts(&self) -> Option<StartingPass> {
        if self.partitions.iter().any(|p| p.blocker == Blocker::Nothing) {
            return Some(StartingPass::Main);
        }
        (self.backfill == BackfillVerdict::Starts).then_some(StartingPass::Backfill)
    }
}

/// The parts of a request that nodes may refuse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct RequestSummary {
    /// The minimum.
    pub nodes: u32,
    pub tasks: u32,
    pub cpus_per_task: u32,
    /// `8G`, `2G/CPU`; empty if unspecified.
    pub memory: String,
    /// GRES request: `gpu:a100:2`.
    pub gres: String,
    /// Requested nodes (`--nodelist`): `gpu[01-02]`.
    pub nodelist: String,
}

/// Another job, as named in a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRef {
    /// Its record.
    pub job: JobId,
    /// Its ID as `squeue` prints it: `12_3`.
    pub id: String,
    /// Its user; empty if the job is no longer known.
    pub user: String,
    /// Its priority.
    pub priority: u32,
}

/// The first few items and the total count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstOf<T> {
    /// The first items, at most [`NAMES`].
    pub first: Vec<T>,
    /// The total.
    pub count: u32,
}

impl<T> FirstOf<T> {
    /// Names the first items of a list and counts all.
    pub fn new<A>(all: Vec<A>, name: impl FnMut(A) -> T) -> Self {
        let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
        Self { first: all.into_iter().take(NAMES).map(name).collect(), count }
    }
}

/// Whether a job takes part in scheduling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Eligibility {
    /// It is no longer pending but in this state: `RUNNING`.
    Past(String),
    /// It is held (priority 0).
    Held {
        /// By an administrator or by slurmctld itself, not by its owner.
        by_admin: bool,
    },
    /// Its begin time is in the future.
    Begins {
        /// The begin time.
        at: Time,
        /// It was requeued and must wait a short time.
        again: bool,
    },
    /// Unsatisfied dependencies: type (`afterok`) and job.
    Depends(FirstOf<(String, JobRef)>),
    /// It is eligible and in the queue.
    Queued {
        /// Queue entries ahead of its first one.
        in_front: u32,
    },
}

/// What blocks a job in one of its partitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartitionVerdict {
    /// The partition's name.
    pub partition: String,
    /// What the main scheduling loop says.
    pub blocker: Blocker,
    /// The partition's nodes grouped by verdict, the largest group first.
    pub nodes: Vec<NodeVerdictGroup>,
    /// Nodes that can run a task now and are not reserved, and the tasks that fit on them in total.
    pub available: (u32, u64),
}

/// What blocks a job in the main scheduling loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum Blocker {
    /// The next pass starts it there.
    Nothing,
    /// A job ahead of it cannot start and blocks the partition.
    Behind(JobRef),
    /// Too few nodes are available; [`PartitionVerdict::nodes`] says why.
    Nodes,
    /// It preempts these jobs and waits for their resources.
    Preempts(Vec<JobRef>),
    /// The partition is not up: `DOWN`.
    State(String),
    /// Its time limit exceeds the partition's.
    TimeLimit {
        asked: Limit,
        most: Limit,
    },
    /// The partition does not allow this number of nodes.
    NodeCount {
        asked: u32,
        least: u32,
        most: u32,
    },
    /// Requested number, and that of the partition.
    TooSmall {
        cpus: (u64, u64),
        nodes: (u32, u32),
    },
    /// The partition does not allow its account.
    Account,
    Group,
    Qos,
    /// No nodes of the partition can ever satisfy the request; [`PartitionVerdict::nodes`] says why.
    Never,
    /// The user does not belong to this account (empty: has no account).
    NoAccount(String),
    /// The association may not use this QOS (empty: it was deleted).
    NoQos(String),
    /// Fair share of the association and the `UsageThreshold` of this QOS, in thousandths.
    Threshold {
        qos: String,
        has: u32,
        least: u32,
    },
    Limit(ReachedLimit),
    Licenses(Vec<LicenseShortage>),
    /// The task throttle of the array (`%2`).
    ArrayTasks {
        running: u32,
        most: u32,
    },
    /// Start of its reservation, if it is not active yet.
    Reservation(Option<Time>),
    /// Any other Slurm reason.
    Other(String),
}

/// A licence with too few free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct LicenseShortage {
    pub name: String,
    /// Requested number.
    pub asked: u32,
    /// Configured number.
    pub total: u32,
    /// Used or reserved.
    pub taken: u32,
}

/// A limit of an association or a QOS.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ReachedLimit {
    /// The reason that `squeue` shows for it: `QOSMaxCpuPerUserLimit`.
    pub reason: String,
    /// The limit and its TRES: `MaxTRESPerUser=gres/gpu`.
    pub name: String,
    pub owner: LimitOwner,
    pub unit: LimitUnit,
    /// The limit, in its unit.
    pub at: u64,
    /// Current usage, in the same unit.
    pub used: u64,
    /// What the job would add.
    pub asked: u64,
    /// Running jobs that count towards it, the largest first.
    pub users: FirstOf<JobRef>,
    /// For limits on accumulated usage.
    pub spent: Option<BudgetUse>,
}

/// Who used up the budget, and when it recovers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetUse {
    /// Users and their minutes, the largest first. A QOS keeps no usage per user: its total is divided in proportion to the
    /// users' job records.
    pub by: FirstOf<(String, u64)>,
    /// When enough is available again.
    pub recovery: BudgetRecovery,
}

/// Whether usage decays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BudgetRecovery {
    /// Enough by then, without new usage.
    At(Time),
    /// The request exceeds the limit even without usage.
    TooMuch,
    /// Usage does not decay (`PriorityDecayHalfLife=0`, `NoDecay`).
    No,
}

/// Where a limit is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum LimitOwner {
    User { user: String, account: String },
    Account(String),
    Qos(String),
    UserInQos { user: String, qos: String },
    AccountInQos { account: String, qos: String },
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum LimitUnit {
    Number,
    Mib,
    /// Amount multiplied by minutes.
    Minutes,
}

/// Nodes with the same verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeVerdictGroup {
    /// The verdict.
    pub cause: NodeVerdict,
    /// Number of nodes.
    pub nodes: u32,
    /// Tasks that fit on them in total.
    pub tasks: u64,
    /// The first node names, at most [`NAMES`]: `gpu[01-04]`.
    pub names: String,
    /// Index of the first node in slurmctld's node table.
    pub first: u32,
}

impl NodeVerdictGroup {
    /// Whether the group has more nodes than it names.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.nodes as usize > NAMES
    }
}

/// A node's verdict on a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeVerdict {
    /// At least one task fits now.
    Available,
    /// A task fits, but the node is reserved for a job ahead.
    Kept(JobRef),
    /// A task fits, but the node is in this reservation (empty: for others).
    Reserved(String),
    /// Too little is free.
    Busy(NodeResource),
    /// It runs a job that shares no node with this one (`--exclusive`, `ExclusiveUser`).
    Exclusive,
    /// It has too little even when idle.
    Small(NodeResource),
    /// The job excludes it (`--exclude`).
    Excluded,
    /// Not in the requested node list (`--nodelist`).
    NotListed,
    /// It lacks the features (`--constraint`).
    Features,
    /// It is down or does not respond.
    Down,
    /// It is drained or draining.
    Drained,
    /// It is failing, powered down or rebooting.
    Away,
}

/// A resource that a node can run out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum NodeResource {
    Cpus,
    Memory,
    Gres,
}

/// Verdict of backfill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BackfillVerdict {
    /// It does not consider the job, or backfill is off.
    None,
    /// It would start the job now.
    Starts,
    /// It plans a start.
    Expects(ExpectedStart),
    /// A limit blocks it before nodes are considered.
    Limited(ReachedLimit),
    /// It is beyond `bf_max_job_test` entries.
    TooFar(u32),
    /// No start before this time (`bf_window`).
    NoStart(Time),
}

/// Expected start and what it assumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ExpectedStart {
    pub at: Time,
    pub nodes: String,
    /// What must end first, latest first.
    pub assumes: FirstOf<Assumption>,
    /// Backfill reservations of jobs ahead of it on nodes that are free now.
    pub in_front: FirstOf<ReservationAhead>,
}

/// Something that must end first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Assumption {
    /// A running job, at its time limit.
    Limit(JobRef, Time),
    /// A backfill reservation of a job ahead of it.
    Plan(JobRef, Time),
    /// A reservation, by name.
    Reservation(String, Time),
}

/// A backfill reservation of a job ahead of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ReservationAhead {
    pub job: JobRef,
    pub start: Time,
    pub end: Time,
    /// Its nodes that could run the job now.
    pub nodes: u32,
}

/// A change of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestChange {
    /// `--time`, minutes.
    Time(u32),
    /// `--mem`, MiB.
    Memory(u64),
    /// `--mem-per-cpu`, MiB.
    MemoryPerCpu(u64),
    /// `--ntasks`.
    Tasks(u32),
    /// `--nodes`.
    Nodes(u32),
    /// This number of GPUs, with the option that the job used (`--gres`, `--gpus` ...).
    Gpus(u64),
    /// `--partition`.
    Partition(String),
    /// `--account`.
    Account(String),
    /// `--qos`.
    Qos(String),
    /// Remove `--nodelist`.
    AnyNode,
    /// Remove `--constraint`.
    AnyFeatures,
    /// Remove `--exclusive`.
    Shared,
    /// Raise the array's task throttle.
    Throttle(u32),
    /// Remove `--licenses`.
    NoLicenses,
    /// Remove `--reservation`.
    NoReservation,
    /// Remove the dependencies.
    NoDependency,
    /// Remove the begin time.
    Now,
    /// Release it.
    Release {
        /// Only an administrator can.
        by_admin: bool,
    },
}
