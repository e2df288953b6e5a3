//! Priority panel: job priorities and their factors, as sprio prints them.

use serde::{Deserialize, Serialize};

/// Pending jobs in scheduling order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PriorityPicture {
    /// The first queue entries.
    pub rows: Vec<PriorityRow>,
    /// Total number of entries.
    pub total: u32,
    /// Whether priorities come from `priority/multifactor` or from submission order.
    pub multifactor: bool,
    /// Weights from slurm.conf, in sprio's order.
    pub weights: Vec<Weight>,
    /// Entries tried by a pass after an event (`default_queue_depth`).
    pub main_depth: u32,
    /// Entries considered by backfill (`bf_max_job_test`).
    pub backfill_depth: u32,
    /// The first held jobs; no pass tries them.
    pub held: Vec<HeldJob>,
    /// Total number of held jobs.
    pub held_total: u32,
}

/// A weight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weight {
    /// `PriorityWeightAge`.
    pub key: String,
    /// Its value in slurm.conf.
    pub value: String,
}

/// A held job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldJob {
    /// As squeue prints it.
    pub id: String,
    /// Held by an administrator, so its owner cannot release it.
    pub by_admin: bool,
}

/// A queue entry: a pending job in one of its partitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct PriorityRow {
    /// `12`, `12_[4-9%2]`.
    pub id: String,
    pub job: u32,
    pub user: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    pub partition: String,
    pub priority: u32,
    /// `PriorityTier` of the partition: higher tiers are tried first, regardless of priority.
    pub tier: u32,
    /// Set by an administrator, so it has no factors.
    pub fixed: bool,
    /// Weighted factors in sprio's order, without zeros.
    pub parts: Vec<(PriorityFactor, f64)>,
    /// Unweighted factors, in the order of [`PriorityPicture::weights`]; TRES have none.
    pub factors: [f64; 6],
}

/// A component of a priority.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PriorityFactor {
    /// Time in the queue.
    Age,
    /// The association's priority.
    Association,
    /// The fair share.
    FairShare,
    /// The size of the request.
    JobSize,
    /// The partition's factor.
    Partition,
    /// The QOS' priority.
    Qos,
    /// A TRES of `PriorityWeightTRES`.
    Tres(String),
    /// The site's factor.
    Site,
    /// `nice`: negative lowers the priority.
    Nice,
}
