//! The table of metrics, the groups of jobs, and their values.

use serde::{Deserialize, Serialize};

/// Lower bound of the run time, in seconds, in the bounded slowdown.
pub const SLOWDOWN_BOUND: f64 = 10.0;

/// The attribute by which jobs are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum GroupKind {
    All,
    Partition,
    Account,
    Qos,
    /// Allocated CPUs.
    Size,
}

impl GroupKind {
    /// Its word in tables and files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Partition => "partition",
            Self::Account => "account",
            Self::Qos => "qos",
            Self::Size => "size",
        }
    }
}

/// A group of jobs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobGroup {
    /// The kind of group.
    pub kind: GroupKind,
    /// Its name; empty for all jobs.
    pub name: String,
}

/// Size classes: the maximum number of CPUs, and the name. The numbers in the names define their order.
pub const SIZES: [(u64, &str); 5] = [
    (1, "1 CPU"),
    (8, "2 to 8 CPUs"),
    (64, "9 to 64 CPUs"),
    (512, "65 to 512 CPUs"),
    (u64::MAX, "over 512 CPUs"),
];

/// A quantity that policies are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the table of facts below says it")]
pub enum Metric {
    MeanWait,
    MedianWait,
    P90Wait,
    Slowdown,
    Throughput,
    Utilisation,
    Makespan,
    MissedShare,
    WorstUser,
    PreemptedWork,
    NodeHours,
}

/// The texts about a metric.
pub struct MetricFacts {
    /// The word in files.
    pub key: &'static str,
    /// The name in tables.
    pub name: &'static str,
    /// The unit in files and tables.
    pub unit: &'static str,
    /// Words for a larger value, in a sentence.
    pub more: &'static str,
    /// Words for a smaller value.
    pub less: &'static str,
}

impl Metric {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 11] = [
        Self::MeanWait,
        Self::MedianWait,
        Self::P90Wait,
        Self::Slowdown,
        Self::Throughput,
        Self::Utilisation,
        Self::Makespan,
        Self::MissedShare,
        Self::WorstUser,
        Self::PreemptedWork,
        Self::NodeHours,
    ];

    /// The table.
    #[must_use]
    pub const fn facts(self) -> MetricFacts {
        let (key, name, unit, more, less) = match self {
            Self::MeanWait => ("wait_mean", "mean wait", "s", "wait {} longer", "wait {} less"),
            Self::MedianWait => {
                ("wait_median", "median wait", "s", "median wait {} longer", "median wait {} shorter")
            }
            Self::P90Wait => (
                "wait_p90",
                "90th percentile of waits",
                "s",
                "longest waits {} longer",
                "longest waits {} shorter",
            ),
            Self::Slowdown => {
                ("slowdown", "mean bounded slowdown", "", "slowdown {} higher", "slowdown {} lower")
            }
            Self::Throughput => {
                ("throughput", "throughput", "jobs/day", "throughput {} higher", "throughput {} lower")
            }
            Self::Utilisation => {
                ("utilisation", "utilisation", "%", "utilisation {} higher", "utilisation {} lower")
            }
            Self::Makespan => ("makespan", "makespan", "s", "makespan {} longer", "makespan {} shorter"),
            Self::MissedShare => (
                "missed_share",
                "CPU time that went to others than its owners",
                "%",
                "{} more CPU time goes to others than it is owed to",
                "{} less CPU time goes to others than it is owed to",
            ),
            Self::WorstUser => (
                "worst_user",
                "share in time of the worst-off user",
                "%",
                "the worst-off user gets {} more of the share that is owed",
                "the worst-off user gets {} less of the share that is owed",
            ),
            Self::PreemptedWork => (
                "preempted",
                "preempted work",
                "CPU h",
                "{} more work lost to preemption",
                "{} less work lost to preemption",
            ),
            Self::NodeHours => (
                "node_hours",
                "node-hours powered",
                "h",
                "{} more node-hours powered",
                "{} fewer node-hours powered",
            ),
        };
        MetricFacts { key, name, unit, more, less }
    }
}

/// A value of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredValue {
    /// The group of jobs.
    pub group: JobGroup,
    /// The metric.
    pub metric: Metric,
    /// In the metric's unit.
    pub value: f64,
}

/// Counts of a cell's jobs by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct JobCounts {
    /// Submissions; array tasks that ran count individually.
    pub jobs: u64,
    pub started: u64,
    pub refused: u64,
    pub never_started: u64,
    pub timed_out: u64,
    /// Ended other than by themselves or at the time limit.
    pub failed: u64,
}
