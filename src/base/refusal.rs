//! The reasons for which sbatch, srun or salloc refuses a request.

use serde::{Deserialize, Serialize};

/// Why sbatch, srun or salloc refuses a request. The page selects its advice by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum Refusal {
    Partition,
    Account,
    Qos,
    Nodes,
    Cpus,
    Memory,
    Gres,
    Time,
    Limit,
    Dependency,
    Reservation,
    Group,
    Feature,
    NodeName,
    PartitionDown,
    Array,
    Script,
    Option,
    NoFile,
    License,
    Permission,
    /// The user, account or QOS has reached its limit of submitted jobs.
    Submitted,
    /// A usage limit is used up.
    Spent,
    /// slurmctld has reached `MaxJobCount`.
    Full,
    /// The value of an option is invalid.
    Value,
    /// Options that contradict each other.
    Contradiction,
    /// The script has DOS line breaks.
    LineEnds,
    /// The job cannot start now, and the user asked not to wait.
    Busy,
    /// The program does not exist.
    Program,
    /// The job does not exist or has ended.
    Job,
    /// A step requests more than its job has.
    Step,
    /// The cluster does not exist.
    Cluster,
    /// slurmctld does not answer or limits the rate of requests.
    Controller,
    /// A node that was requested by name is not available.
    NodeAway,
}

impl Refusal {
    /// All reasons.
    pub const ALL: &[Self] = &[
        Self::Partition,
        Self::Account,
        Self::Qos,
        Self::Nodes,
        Self::Cpus,
        Self::Memory,
        Self::Gres,
        Self::Time,
        Self::Limit,
        Self::Dependency,
        Self::Reservation,
        Self::Group,
        Self::Feature,
        Self::NodeName,
        Self::PartitionDown,
        Self::Array,
        Self::Script,
        Self::Option,
        Self::NoFile,
        Self::License,
        Self::Permission,
        Self::Submitted,
        Self::Spent,
        Self::Full,
        Self::Value,
        Self::Contradiction,
        Self::LineEnds,
        Self::Busy,
        Self::Program,
        Self::Job,
        Self::Step,
        Self::Cluster,
        Self::Controller,
        Self::NodeAway,
    ];
}
