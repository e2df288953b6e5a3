//! Paired differences between a policy and the baseline.

use super::cell::CellResult;
use super::measure::{JobGroup, Metric};
use super::statistics::{BootstrapDraws, Estimate, mean};
use std::collections::BTreeMap;

/// The difference in one metric of one group.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricDifference {
    /// Index of the workload in the plan.
    pub workload: u32,
    /// Index of the policy in the plan.
    pub policy: u32,
    /// The group of jobs.
    pub group: JobGroup,
    /// The metric.
    pub metric: Metric,
    /// Means over the resamples, of the baseline and of the policy.
    pub means: (f64, f64),
    /// Values for the workload as recorded, of the baseline and of the policy.
    pub recorded: (Option<f64>, Option<f64>),
    /// Number of resamples in which both were measured.
    pub resamples: usize,
    /// The difference in the metric's unit.
    pub absolute: Option<Estimate>,
    /// The difference as a fraction of the baseline's mean.
    pub relative: Option<Estimate>,
}

impl MetricDifference {
    /// Whether the resamples show a difference.
    #[must_use]
    pub fn shown(&self) -> bool {
        self.relative.or(self.absolute).is_some_and(|estimate| estimate.differs())
    }

    /// Whether nothing differed in any resample.
    #[must_use]
    pub fn identical(&self) -> bool {
        self.absolute.is_some_and(|e| e.value == 0.0 && e.low == 0.0 && e.high == 0.0)
    }
}

/// All differences from the baseline, by workload, policy, group and metric. `results` are in the order of their cells.
#[must_use]
pub fn differences(results: &[CellResult], baseline: u32, seed: u64) -> Vec<MetricDifference> {
    type Key<'a> = (u32, &'a JobGroup, Metric);
    // For each policy, the values by resample.
    let mut all: BTreeMap<Key<'_>, BTreeMap<u32, BTreeMap<u32, f64>>> = BTreeMap::new();
    for result in results {
        for value in &result.values {
            let policies = all.entry((result.cell.workload, &value.group, value.metric)).or_default();
            policies.entry(result.cell.policy).or_default().insert(result.cell.resample, value.value);
        }
    }
    let mut draws: BTreeMap<usize, BootstrapDraws> = BTreeMap::new();
    let mut found = Vec::new();
    for ((workload, group, metric), policies) in all {
        let Some(base) = policies.get(&baseline) else { continue };
        for (policy, own) in policies.iter().filter(|(policy, _)| **policy != baseline) {
            let pairs: Vec<(f64, f64)> = base
                .iter()
                .filter(|(resample, _)| **resample > 0)
                .filter_map(|(resample, value)| Some((*value, *own.get(resample)?)))
                .collect();
            let of: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
            let changes: Vec<f64> = pairs.iter().map(|pair| pair.1 - pair.0).collect();
            let draws = draws.entry(pairs.len()).or_insert_with(|| BootstrapDraws::new(pairs.len(), seed));
            found.push(MetricDifference {
                workload,
                policy: *policy,
                group: group.clone(),
                metric,
                means: (mean(&of), mean(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>())),
                recorded: (base.get(&0).copied(), own.get(&0).copied()),
                resamples: pairs.len(),
                absolute: draws.ratio(&changes, &vec![1.0; pairs.len()]),
                relative: draws.ratio(&changes, &of),
            });
        }
    }
    found.sort_by(|a, b| {
        (a.workload, a.policy, &a.group, a.metric).cmp(&(b.workload, b.policy, &b.group, b.metric))
    });
    found
}
