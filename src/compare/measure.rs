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

/// The least and the greatest number of CPUs of a size class, by its name. The largest class has no greatest number.
#[must_use]
pub fn size_class(name: &str) -> Option<(u64, Option<u64>)> {
    let at = SIZES.iter().position(|(_, class)| *class == name)?;
    let least = at.checked_sub(1).map_or(1, |before| SIZES[before].0 + 1);
    let most = SIZES[at].0;
    Some((least, (most != u64::MAX).then_some(most)))
}

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

/// A metric in files.
pub struct MetricFacts {
    /// Its word.
    pub key: &'static str,
    /// Its unit.
    pub unit: &'static str,
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
        let (key, unit) = match self {
            Self::MeanWait => ("wait_mean", "s"),
            Self::MedianWait => ("wait_median", "s"),
            Self::P90Wait => ("wait_p90", "s"),
            Self::Slowdown => ("slowdown", ""),
            Self::Throughput => ("throughput", "jobs/day"),
            Self::Utilisation => ("utilisation", "%"),
            Self::Makespan => ("makespan", "s"),
            Self::MissedShare => ("missed_share", "%"),
            Self::WorstUser => ("worst_user", "%"),
            Self::PreemptedWork => ("preempted", "CPU h"),
            Self::NodeHours => ("node_hours", "h"),
        };
        MetricFacts { key, unit }
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
