//! Why a job waits, with the names and numbers that a sentence about it needs. The page puts it into words.

use super::Micros;
use serde::{Deserialize, Serialize};

/// The answer to "why does it wait?".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// The job, as the page asked for it.
    pub id: String,
    /// The moment for which this was worked out.
    pub at: Micros,
    /// What `squeue` shows: `Resources`.
    pub shown: String,
    /// Whose it is.
    pub user: String,
    /// What it asks for.
    pub needs: WhyNeeds,
    /// How it stands before any pass.
    pub standing: Standing,
    /// What stops it in each of its partitions.
    pub tried: Vec<Tried>,
    /// What backfill makes of it.
    pub plan: Plan,
    /// What would let it start now.
    pub changes: Changes,
}

/// What became of trying changes of its request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Changes {
    /// They are still being tried.
    Trying,
    /// With any one of these it would start now, or join the queue at least; there may be none.
    Found(Vec<Change>),
    /// None was tried: with so many jobs each would take too long.
    NotTried {
        /// Jobs that the controller has.
        jobs: u64,
        /// The most with which changes are tried.
        most: u64,
    },
}

/// What a job asks for, as far as nodes are refused for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct WhyNeeds {
    pub nodes: u32,
    pub tasks: u32,
    pub cpus_per_task: u32,
    /// `8G`, `2G/CPU`; empty: nothing.
    pub memory: String,
    /// GPUs and the like, as asked: `gpu:a100:2`.
    pub gres: String,
    pub limit_seconds: i64,
    /// Nodes that it asks for by name (`--nodelist`): `gpu[01-02]`.
    pub nodelist: String,
}

/// Another job, as far as a sentence names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Other {
    pub id: String,
    pub user: String,
    pub priority: u32,
    /// CPUs that it has or asks for.
    pub cpus: u32,
}

/// The first of several, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Few<T> {
    /// The first.
    pub first: Vec<T>,
    /// All.
    pub count: u32,
}

/// How a job stands before any pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// It does not wait any more.
    Past,
    /// Its priority is 0.
    Held {
        /// An administrator holds it, or slurmctld itself does.
        by_admin: bool,
    },
    /// Its begin time has not come.
    Begins {
        /// When it does.
        at: Micros,
        /// Who was put back into the queue waits a little first.
        again: bool,
    },
    /// It waits for others: what (`afterok`) and whom.
    Depends(Few<(String, Other)>),
    /// The next pass starts it.
    Starts {
        /// Backfill does.
        backfill: bool,
    },
    /// Passes look at it.
    Queued {
        /// Rows of the queue in front of it.
        in_front: u32,
    },
}

/// What stops a job in one of its partitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Tried {
    pub partition: String,
    pub stop: Stop,
    /// The partition's nodes by what they say.
    pub nodes: Vec<NodeGroup>,
    /// Nodes with room now that nobody keeps, and tasks that they could take.
    pub room: (u32, u64),
}

/// What the main loop says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Stop {
    Nothing,
    /// A job in front finds no room itself.
    Behind(Other),
    /// Too few nodes have room.
    Nodes,
    /// Others are told to go for it.
    Preempts(Vec<Other>),
    /// The partition is not up: `DOWN`.
    State(String),
    /// Its time limit is beyond the partition's; seconds.
    TimeLimit {
        asked: i64,
        most: i64,
    },
    NodeCount {
        asked: u32,
        least: u32,
        most: u32,
    },
    /// Asked for, and what the partition has.
    TooSmall {
        cpus: (u64, u64),
        nodes: (u32, u32),
    },
    Account,
    Group,
    Qos,
    /// No nodes of the partition could ever hold it.
    Never,
    /// This account (empty: it has none) is not its user's.
    NoAccount(String),
    /// This QOS (empty: it is gone) is not open to its association.
    NoQos(String),
    /// Fair share of its association, and the least that this QOS wants; thousandths.
    Threshold {
        qos: String,
        has: u32,
        least: u32,
    },
    Limit(Limit),
    Licenses(Vec<License>),
    ArrayTasks {
        running: u32,
        most: u32,
    },
    /// Its reservation opens then.
    Reservation(Option<Micros>),
    /// Slurm's word.
    Other(String),
}

/// A licence of which too few are free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct License {
    pub name: String,
    pub asked: u32,
    pub total: u32,
    /// Used or reserved.
    pub taken: u32,
}

/// A limit of an association or a QOS.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Limit {
    /// `MaxTRESPU=gres/gpu`, as sacctmgr calls it.
    pub name: String,
    pub whose: Whose,
    pub unit: Unit,
    pub at: u64,
    pub used: u64,
    pub asked: u64,
    /// Jobs that use it now.
    pub users: Few<Other>,
    /// Of a limit on what was used up.
    pub spent: Option<Spent>,
}

/// Who used it up, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Users, with how much.
    pub by: Few<(String, u64)>,
    /// When it is enough again.
    pub fades: Fades,
}

/// Whether usage loses weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fades {
    /// Enough of it has by then, if nobody adds to it.
    At(Micros),
    /// It never is enough for what the job asks.
    TooMuch,
    /// It does not.
    No,
}

/// Where a limit is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Whose {
    User { user: String, account: String },
    Account(String),
    Qos(String),
    UserInQos { user: String, qos: String },
    AccountInQos { account: String, qos: String },
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Unit {
    Number,
    Mib,
    /// Amount times minutes.
    Minutes,
}

/// Nodes that say the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeGroup {
    /// What they say.
    pub cause: Cause,
    /// How many.
    pub nodes: u32,
    /// Tasks that they could take in all.
    pub tasks: u64,
    /// The first of them: `gpu[01-04]`.
    pub names: String,
    /// Index of the first into `Started::nodes`.
    pub first: u32,
}

/// What a node says to a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Cause {
    Room,
    Kept(Other),
    /// By a reservation, empty: of others.
    Reserved(String),
    Busy(Resource),
    Company,
    Small(Resource),
    Excluded,
    /// It asks for others by name.
    Others,
    Features,
    Down,
    Drained,
    Away,
}

/// What a node can have too little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Resource {
    Cpus,
    Memory,
    Gres,
}

/// What backfill makes of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Plan {
    None,
    Expects(Expected),
    /// A limit stops it before it looks for nodes.
    Limited(Limit),
    /// It looks at so many rows only.
    TooFar(u32),
    /// No place before then.
    NoPlace(Micros),
}

/// When a job is expected to start, and what that rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Expected {
    pub at: Micros,
    pub nodes: String,
    /// What must be over by then, the last to end first.
    pub rests_on: Few<Rest>,
    /// Plans of jobs in front that keep free nodes.
    pub in_front: Few<InFront>,
}

/// What must be over first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Rest {
    /// A running job's time limit.
    Limit(Other, Micros),
    /// A job in front has its place there.
    Plan(Other, Micros),
    /// A reservation, by name.
    Reservation(String, Micros),
}

/// The plan of a job in front.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct InFront {
    pub job: Other,
    pub start: Micros,
    pub end: Micros,
    /// Nodes that have room for the job now and that this plan keeps.
    pub nodes: u32,
}

/// A change with which it would start now, or at least join the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What to ask for instead.
    pub ask: Ask,
    /// As an option: `--time=01:10:00`; empty: an option less.
    pub option: String,
    /// The command that makes the change, where there is one.
    pub command: Option<String>,
    /// Whether it would start now.
    pub starts: bool,
}

/// What to ask for instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Ask {
    /// Seconds.
    Time(i64),
    Memory,
    Gpus(u64),
    Partition(String),
    Account(String),
    Qos(String),
    /// Without `--nodelist`.
    AnyNode,
    /// Without `--constraint`.
    AnyFeatures,
    /// Without `--exclusive`.
    Shared,
    Tasks(u32),
    Nodes(u32),
    /// Tasks of its array at once.
    Throttle(u32),
    NoLicenses,
    NoReservation,
    NoDependency,
    /// Without its begin time.
    Now,
    /// No longer held; by an administrator only, or by its owner.
    Release {
        by_admin: bool,
    },
}
