//! Priorities and their parts, as sprio knows them.

use serde::{Deserialize, Serialize};

/// The pending jobs in the order in which the scheduler tries them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PriorityPicture {
    /// The first rows of the queue.
    pub rows: Vec<PriorityRow>,
    /// How many there are in all.
    pub total: u32,
    /// Whether priorities are weighed (`priority/multifactor`), or just the order of submission.
    pub multifactor: bool,
    /// The weights of slurm.conf, in sprio's order.
    pub weights: Vec<Weight>,
    /// Rows that a pass on an event tries (`default_queue_depth`) ...
    pub main_depth: u32,
    /// ... and that backfill looks at (`bf_max_job_test`).
    pub backfill_depth: u32,
    /// Pending jobs that are held: no pass tries them. The first ones ...
    pub held: Vec<HeldJob>,
    /// ... of so many.
    pub held_total: u32,
}

/// A weight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weight {
    /// `PriorityWeightAge`.
    pub key: String,
    /// As slurm.conf has it.
    pub value: String,
}

/// A job that is held.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldJob {
    /// As squeue calls it.
    pub id: String,
    /// By an administrator, so that its owner cannot release it.
    pub by_admin: bool,
}

/// A pending job in one of its partitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PriorityRow {
    /// `12`, `12_[4-9%2]`.
    pub id: String,
    pub job: u32,
    pub user: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    pub partition: String,
    pub priority: u32,
    /// `PriorityTier` of the partition: a higher one is tried first, whatever the priority.
    pub tier: u32,
    /// Given by an administrator: it has no parts.
    pub fixed: bool,
    /// What adds to it, in sprio's order; none that is zero.
    pub parts: Vec<(Part, f64)>,
    /// The factors before they are weighed, in the order of [`PriorityPicture::weights`]; TRES have none.
    pub factors: [f64; 6],
}

/// What a priority is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// Time in the queue.
    Age,
    /// The association's own priority.
    Association,
    /// The fair share.
    FairShare,
    /// How much is asked for.
    JobSize,
    /// The partition's factor.
    Partition,
    /// The QOS' priority.
    Qos,
    /// A TRES of `PriorityWeightTRES`.
    Tres(String),
    /// The site's factor.
    Site,
    /// `nice`, as what it takes away (negative) or gives.
    Nice,
}
