//! The CSV files. They are the same in every language. Numbers are written so that they round-trip.

use super::cell::CellResult;
use super::difference::MetricDifference;
use super::measure::JobGroup;
use super::plan::ComparePlan;
use super::words::EN;
use std::fmt::Write as _;

/// A field, quoted if necessary.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The names of a workload and a policy.
pub(super) fn names(plan: &ComparePlan, workload: u32, policy: u32) -> (&str, &str) {
    let workload = plan.workloads.get(workload as usize).map_or("", |w| w.name.as_str());
    let policy = plan.policies.get(policy as usize).map_or("", |p| p.name.as_str());
    (workload, policy)
}

fn fields((first, second): (&str, &str)) -> (String, String) {
    (field(first), field(second))
}

fn group(group: &JobGroup) -> (&'static str, String) {
    (group.kind.word(), field(&group.name))
}

/// One line for each measured value.
#[must_use]
pub fn metrics(plan: &ComparePlan, results: &[CellResult]) -> String {
    let mut out = "workload,policy,resample,group_kind,group,metric,unit,value\n".to_owned();
    for result in results {
        let (workload, policy) = fields(names(plan, result.cell.workload, result.cell.policy));
        for value in &result.values {
            let ((kind, name), facts) = (group(&value.group), value.metric.facts());
            let (resample, key, unit, value) = (result.cell.resample, facts.key, facts.unit, value.value);
            let _ = writeln!(out, "{workload},{policy},{resample},{kind},{name},{key},{unit},{value}");
        }
    }
    out
}

/// One line for each difference from the baseline.
#[must_use]
pub fn differences(plan: &ComparePlan, all: &[MetricDifference]) -> String {
    let mut out =
        "workload,policy,baseline,group_kind,group,metric,unit,resamples,baseline_mean,policy_mean,\
                   difference,low,high,relative,relative_low,relative_high,verdict\n"
            .to_owned();
    let baseline = u32::try_from(plan.baseline()).unwrap_or(0);
    for d in all {
        let (workload, policy) = fields(names(plan, d.workload, d.policy));
        let base = field(names(plan, d.workload, baseline).1);
        let ((kind, name), facts) = (group(&d.group), d.metric.facts());
        let (key, unit, n) = (facts.key, facts.unit, d.resamples);
        let _ = write!(
            out,
            "{workload},{policy},{base},{kind},{name},{key},{unit},{n},{},{}",
            d.means.0, d.means.1
        );
        for estimate in [d.absolute, d.relative] {
            let _ = match estimate {
                Some(e) => write!(out, ",{},{},{}", e.value, e.low, e.high),
                None => write!(out, ",,,"),
            };
        }
        let _ = writeln!(out, ",{}", field(&EN.verdict(d)));
    }
    out
}
