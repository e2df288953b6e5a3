//! The report: a summary for terminals and one self-contained HTML file.

mod charts;
mod html;
mod pictures;

pub use html::html;

use crate::cell::CellResult;
use crate::measure::{GroupKind, JobCounts, Metric, SLOWDOWN_BOUND};
use crate::study::Findings;
use crate::words::{amount, headline};
use std::fmt::Write as _;

/// Results for a workload as recorded, in the order of policies.
fn recorded<'a>(findings: &'a Findings<'_>, workload: u32) -> Vec<&'a CellResult> {
    findings.results.iter().filter(|r| r.cell.workload == workload && r.cell.resample == 0).collect()
}

/// The indices of the plan's workloads.
fn workloads(findings: &Findings<'_>) -> std::ops::Range<u32> {
    0..u32::try_from(findings.plan.workloads.len()).unwrap_or(0)
}

/// The indices of the policies that are compared with the baseline.
fn others(findings: &Findings<'_>) -> impl Iterator<Item = u32> {
    let baseline = findings.plan.baseline();
    (0..findings.plan.policies.len()).filter(move |p| *p != baseline).filter_map(|p| u32::try_from(p).ok())
}

/// The sentence about a policy.
fn sentence(findings: &Findings<'_>, workload: u32, policy: u32) -> String {
    let own = findings.differences.iter().filter(|d| d.workload == workload && d.policy == policy);
    headline(&own.collect::<Vec<_>>())
}

/// How the workload was resampled.
fn method(findings: &Findings<'_>, workload: u32) -> String {
    let how = &findings.plan.resample;
    if how.number == 0 {
        return "The workload was replayed as recorded only. Without resamples nothing can be said about chance.".to_owned();
    }
    let background = findings.plan.workloads.get(workload as usize).is_some_and(|w| w.background.is_some());
    let mut ways = Vec::new();
    if background {
        ways.push("background jobs of another seed".to_owned());
    } else {
        ways.extend(how.users.then(|| "users drawn with replacement".to_owned()));
        ways.extend(how.weeks.then(|| "each user's jobs shifted by whole weeks".to_owned()));
        ways.extend((how.jitter > 0).then(|| format!("submissions shaken by up to {} min", how.jitter)));
    }
    let ways = if ways.is_empty() { "nothing changed".to_owned() } else { ways.join(", ") };
    let paired = match how.paired {
        true => "All policies replay the same resamples.",
        false => "Each policy has resamples of its own, so differences include the noise of both.",
    };
    format!(
        "{} resamples, seed {}: {ways}. {paired} Users do not wait for results before they submit.",
        how.number, how.seed
    )
}

/// What the figures do not include.
fn cuts(findings: &Findings<'_>, workload: u32) -> Vec<String> {
    let mut all = Vec::new();
    let left_out = findings.left_out.get(workload as usize).copied().unwrap_or(0);
    if left_out > 0 {
        all.push(format!("{left_out} lines of the trace cannot be replayed and are left out."));
    }
    for result in recorded(findings, workload) {
        let JobCounts { jobs, refused, never_started, timed_out, failed, .. } = result.counts;
        let name = findings.plan.policies.get(result.cell.policy as usize).map_or("", |p| p.name.as_str());
        all.push(format!(
            "{name}: of {jobs} jobs {refused} were refused, {never_started} never started, {timed_out} reached their \
             time limit, {failed} ended otherwise."
        ));
    }
    all.push("Jobs that never start have no wait and are in no mean.".to_owned());
    all.push(format!("Bounded slowdown counts runs of less than {SLOWDOWN_BOUND} s as {SLOWDOWN_BOUND} s."));
    all
}

/// The report for a terminal.
#[must_use]
pub fn summary(findings: &Findings<'_>) -> String {
    let mut out = String::new();
    for workload in workloads(findings) {
        let name = findings.plan.workloads.get(workload as usize).map_or("", |w| w.name.as_str());
        let _ = writeln!(out, "{name}\n{}\n", method(findings, workload));
        let all = recorded(findings, workload);
        let _ = write!(out, "{:<44}", "as recorded");
        for result in &all {
            let policy =
                findings.plan.policies.get(result.cell.policy as usize).map_or("", |p| p.name.as_str());
            let _ = write!(out, " {policy:>16}");
        }
        out.push('\n');
        for metric in Metric::ALL {
            let value = |result: &&CellResult| {
                let own = result.values.iter().find(|v| v.metric == metric && v.group.kind == GroupKind::All);
                own.map_or_else(|| "-".to_owned(), |v| amount(metric, v.value))
            };
            let _ = write!(out, "{:<44}", metric.facts().name);
            all.iter().for_each(|result| {
                let _ = write!(out, " {:>16}", value(result));
            });
            out.push('\n');
        }
        for policy in others(findings) {
            let name = findings.plan.policies.get(policy as usize).map_or("", |p| p.name.as_str());
            let _ = writeln!(out, "\n{name}: {}", sentence(findings, workload, policy));
        }
        out.push('\n');
        cuts(findings, workload).iter().for_each(|line| {
            let _ = writeln!(out, "{line}");
        });
        out.push('\n');
    }
    out
}
