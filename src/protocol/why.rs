//! Why a job is pending, as data. The page turns it into sentences.

use super::Micros;
use serde::{Deserialize, Serialize};

/// The answer to "why is it waiting?".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// Job ID as the page requested it.
    pub id: String,
    /// Time for which it was computed.
    pub at: Micros,
    /// The reason `squeue` shows: `Resources`.
    pub shown: String,
    /// The job's user.
    pub user: String,
    /// Its request.
    pub needs: WhyNeeds,
    /// Its eligibility before any scheduling pass.
    pub standing: Eligibility,
    /// The verdict in each of its partitions.
    pub tried: Vec<PartitionVerdict>,
    /// The verdict of backfill.
    pub plan: BackfillVerdict,
    /// Changes that would let it start now.
    pub changes: Remedies,
}

/// Result of trying changes to the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Remedies {
    /// Still being computed.
    Trying,
    /// Any one of these would start it now, or at least make it eligible. May be empty.
    Found(Vec<Remedy>),
    /// Not tried: each attempt would take too long with this many jobs.
    NotTried {
        /// Jobs in slurmctld.
        jobs: u64,
        /// Maximum number of jobs for which changes are tried.
        most: u64,
    },
}

/// The parts of a request that nodes may refuse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct WhyNeeds {
    pub nodes: u32,
    pub tasks: u32,
    pub cpus_per_task: u32,
    /// `8G`, `2G/CPU`; empty if unspecified.
    pub memory: String,
    /// GRES request: `gpu:a100:2`.
    pub gres: String,
    /// Time limit in seconds; -1 means none.
    pub limit_seconds: i64,
    /// Requested nodes (`--nodelist`): `gpu[01-02]`.
    pub nodelist: String,
}

/// Another job, as named in a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct JobRef {
    pub id: String,
    pub user: String,
    pub priority: u32,
    /// CPUs allocated or requested.
    pub cpus: u32,
}

/// The first few items and the total count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstOf<T> {
    /// The first items.
    pub first: Vec<T>,
    /// The total.
    pub count: u32,
}

/// Whether a job takes part in scheduling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Eligibility {
    /// It is no longer pending.
    Past,
    /// It is held (priority 0).
    Held {
        /// By an administrator or by slurmctld itself, not by its owner.
        by_admin: bool,
    },
    /// Its begin time is in the future.
    Begins {
        /// The begin time.
        at: Micros,
        /// It was requeued and must wait a short time.
        again: bool,
    },
    /// Unsatisfied dependencies: type (`afterok`) and job.
    Depends(FirstOf<(String, JobRef)>),
    /// The next pass starts it.
    Starts {
        /// A backfill pass rather than a main pass.
        backfill: bool,
    },
    /// It is eligible and waits in the queue.
    Queued {
        /// Queue entries ahead of it.
        in_front: u32,
    },
}

/// What blocks a job in one of its partitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct PartitionVerdict {
    pub partition: String,
    pub stop: WhyBlocker,
    /// The partition's nodes grouped by verdict.
    pub nodes: Vec<NodeVerdictGroup>,
    /// Nodes with unreserved room now, and tasks that fit there.
    pub room: (u32, u64),
}

/// What blocks a job in the main scheduling loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum WhyBlocker {
    Nothing,
    /// A job ahead of it cannot start and blocks the partition.
    Behind(JobRef),
    /// Too few nodes have room.
    Nodes,
    /// It preempts these jobs and waits for their resources.
    Preempts(Vec<JobRef>),
    /// The partition is not up: `DOWN`.
    State(String),
    /// Its time limit exceeds the partition's; seconds.
    TimeLimit {
        asked: i64,
        most: i64,
    },
    NodeCount {
        asked: u32,
        least: u32,
        most: u32,
    },
    /// Requested and available.
    TooSmall {
        cpus: (u64, u64),
        nodes: (u32, u32),
    },
    Account,
    Group,
    Qos,
    /// No nodes of the partition can ever satisfy the request.
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
    ArrayTasks {
        running: u32,
        most: u32,
    },
    /// Start of its reservation, if it is not active yet.
    Reservation(Option<Micros>),
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
    /// sacctmgr's name: `MaxTRESPU=gres/gpu`.
    pub name: String,
    pub whose: LimitOwner,
    pub unit: LimitUnit,
    /// The limit, in its unit.
    pub at: u64,
    /// Current usage, in the same unit.
    pub used: u64,
    /// What the job would add.
    pub asked: u64,
    /// Jobs that count towards it now.
    pub users: FirstOf<JobRef>,
    /// For limits on accumulated usage.
    pub spent: Option<BudgetUse>,
}

/// Who used up the budget, and when it recovers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetUse {
    /// Users and their usage.
    pub by: FirstOf<(String, u64)>,
    /// When enough is available again.
    pub fades: BudgetRecovery,
}

/// Whether usage decays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BudgetRecovery {
    /// Enough by then, without new usage.
    At(Micros),
    /// The request exceeds the limit even without usage.
    TooMuch,
    /// Usage does not decay.
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
    /// The first node names: `gpu[01-04]`.
    pub names: String,
    /// Index of the first into `Started::nodes`.
    pub first: u32,
}

/// A node's verdict on a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum NodeVerdict {
    Room,
    Kept(JobRef),
    /// Reserved by this reservation (empty: for others).
    Reserved(String),
    Busy(NodeResource),
    Company,
    Small(NodeResource),
    Excluded,
    /// Not in the requested node list.
    Others,
    Features,
    Down,
    Drained,
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
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum BackfillVerdict {
    None,
    Expects(ExpectedStart),
    /// A limit blocks it before nodes are considered.
    Limited(ReachedLimit),
    /// It is beyond `bf_max_job_test` entries.
    TooFar(u32),
    /// No start before this time.
    NoPlace(Micros),
}

/// Expected start and what it assumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ExpectedStart {
    /// The expected start.
    pub at: Micros,
    pub nodes: String,
    /// What must end first, latest first.
    pub rests_on: FirstOf<Assumption>,
    /// Backfill reservations of jobs ahead of it on nodes that are free now.
    pub in_front: FirstOf<ReservationAhead>,
}

/// Something that must end first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Assumption {
    /// A running job, at its time limit.
    Limit(JobRef, Micros),
    /// A backfill reservation of a job ahead of it.
    Plan(JobRef, Micros),
    /// A reservation, by name.
    Reservation(String, Micros),
}

/// A backfill reservation of a job ahead of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ReservationAhead {
    pub job: JobRef,
    pub start: Micros,
    pub end: Micros,
    /// Its nodes that have room for the job now.
    pub nodes: u32,
}

/// A change that would let the job start now, or at least make it eligible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remedy {
    /// What to request instead.
    pub ask: RemedyKind,
    /// As an option: `--time=01:10:00`; empty if an option is to be removed.
    pub option: String,
    /// The command that makes the change, if there is one.
    pub command: Option<String>,
    /// Whether the job would start now.
    pub starts: bool,
}

/// What to request instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum RemedyKind {
    /// Seconds.
    Time(i64),
    Memory,
    Gpus(u64),
    Partition(String),
    Account(String),
    Qos(String),
    /// Remove `--nodelist`.
    AnyNode,
    /// Remove `--constraint`.
    AnyFeatures,
    /// Remove `--exclusive`.
    Shared,
    Tasks(u32),
    Nodes(u32),
    /// Raise the array's task throttle.
    Throttle(u32),
    NoLicenses,
    NoReservation,
    NoDependency,
    /// Remove the begin time.
    Now,
    /// Release it, by an administrator or by its owner.
    Release {
        by_admin: bool,
    },
}
