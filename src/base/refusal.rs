//! Why sbatch, srun or salloc refuses a request.

use serde::{Deserialize, Serialize};

/// Why sbatch, srun or salloc refuses a request: what its advice depends on.
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
    /// The user, account or QOS has as many jobs as it may submit.
    Submitted,
    /// A usage limit is spent.
    Spent,
    /// slurmctld takes no more jobs.
    Full,
    /// An option does not take this value.
    Value,
    /// Options that contradict each other.
    Contradiction,
    /// The script has DOS line breaks.
    LineEnds,
    /// The job cannot start now, and was not to wait.
    Busy,
    /// There is no such program.
    Program,
    /// There is no such job, or it has ended.
    Job,
    /// A step asks for more than its job has.
    Step,
    /// There is no such cluster.
    Cluster,
    /// slurmctld does not answer, or limits the rate of requests.
    Controller,
    /// A node that was asked for by name is not available.
    NodeAway,
}

impl Refusal {
    /// All of them.
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
