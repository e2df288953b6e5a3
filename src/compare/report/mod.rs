//! The report: a summary for terminals and one self-contained HTML file, in English or French.

mod charts;
mod html;
mod pictures;

pub use html::html;

use crate::cell::CellResult;
use crate::measure::{GroupKind, JobCounts, Metric, SLOWDOWN_BOUND};
use crate::study::Findings;
use base::pad;
use protocol::compare::ReportLanguage;
use protocol::why::Verdict;
use std::fmt::Write as _;
use view::compare::explanation;
use view::why::{EN, FR};

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

/// How a report is written.
#[derive(Clone, Copy)]
pub struct ReportStyle<'a> {
    /// Its language.
    pub language: ReportLanguage,
    /// Writes why a job waited, as HTML. It is a parameter because the page has these sentences in another program.
    pub explain: &'a dyn Fn(&Verdict) -> String,
}

impl ReportStyle<'_> {
    /// The style of whole files.
    #[must_use]
    pub const fn new(language: ReportLanguage) -> Self {
        let explain: &dyn Fn(&Verdict) -> String = match language {
            ReportLanguage::En => &|verdict| explanation(verdict, &EN),
            ReportLanguage::Fr => &|verdict| explanation(verdict, &FR),
        };
        Self { language, explain }
    }
}

/// The name of a policy.
fn policy_name<'a>(findings: &'a Findings<'_>, policy: u32) -> &'a str {
    findings.plan.policies.get(policy as usize).map_or("", |p| p.name.as_str())
}

/// The sentence about a policy.
fn sentence(findings: &Findings<'_>, workload: u32, policy: u32) -> String {
    let own = findings.differences.iter().filter(|d| d.workload == workload && d.policy == policy);
    findings.words.headline(&own.collect::<Vec<_>>())
}

/// How the workload was resampled.
fn method(findings: &Findings<'_>, workload: u32) -> String {
    let (how, words) = (&findings.plan.resample, findings.words);
    if how.number == 0 {
        return words.only_recorded.to_owned();
    }
    let background = findings.plan.workloads.get(workload as usize).is_some_and(|w| w.background.is_some());
    let mut ways = Vec::new();
    if background {
        ways.push(words.other_seed.to_owned());
    } else {
        ways.extend(how.users.then(|| words.drawn_users.to_owned()));
        ways.extend(how.weeks.then(|| words.shifted_weeks.to_owned()));
        ways.extend((how.jitter > 0).then(|| words.say(words.jitter, &[&how.jitter.to_string()])));
    }
    let ways = if ways.is_empty() { words.nothing_changed.to_owned() } else { ways.join(", ") };
    let feedback = match findings.following.get(workload as usize).copied().flatten() {
        Some(jobs) => words.count(jobs as u64, words.feedback, &[]),
        None => words.no_feedback.to_owned(),
    };
    let resamples = words.count(u64::from(how.number), words.resamples, &[]);
    let paired = if how.paired { words.paired } else { words.unpaired };
    words.say(words.method, &[&resamples, &how.seed.to_string(), &ways, paired, &feedback])
}

/// What the figures do not include.
fn cuts(findings: &Findings<'_>, workload: u32) -> Vec<String> {
    let words = findings.words;
    let mut all = Vec::new();
    let left_out = findings.left_out.get(workload as usize).copied().unwrap_or(0);
    if left_out > 0 {
        all.push(words.count(left_out, words.lines_left_out, &[]));
    }
    for result in recorded(findings, workload) {
        let JobCounts { jobs, refused, never_started, timed_out, failed, .. } = result.counts;
        let counted = words.count(jobs, words.counted_jobs, &[]);
        let [refused, never_started, timed_out, failed] =
            [refused, never_started, timed_out, failed].map(|n| words.number(n as f64, 0));
        let name = policy_name(findings, result.cell.policy);
        all.push(words.say(words.counts, &[name, &counted, &refused, &never_started, &timed_out, &failed]));
    }
    all.push(words.no_wait.to_owned());
    all.push(words.say(words.slowdown_bound, &[&SLOWDOWN_BOUND.to_string()]));
    all
}

/// The report for a terminal.
#[must_use]
pub fn summary(findings: &Findings<'_>) -> String {
    let words = findings.words;
    let names = words.metrics.iter().map(|metric| metric.name).chain([words.recorded_column]);
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for workload in workloads(findings) {
        let name = findings.plan.workloads.get(workload as usize).map_or("", |w| w.name.as_str());
        let _ = writeln!(out, "{name}\n{}\n", method(findings, workload));
        let all = recorded(findings, workload);
        out += &pad::left(words.recorded_column, width);
        for result in &all {
            let _ = write!(out, " {:>16}", policy_name(findings, result.cell.policy));
        }
        out.push('\n');
        for metric in Metric::ALL {
            let value = |result: &&CellResult| {
                let own = result.values.iter().find(|v| v.metric == metric && v.group.kind == GroupKind::All);
                own.map_or_else(|| "-".to_owned(), |v| words.amount(metric, v.value))
            };
            out += &pad::left(words.metric(metric).name, width);
            all.iter().for_each(|result| {
                let _ = write!(out, " {:>16}", value(result));
            });
            out.push('\n');
        }
        for policy in others(findings) {
            let sentence = sentence(findings, workload, policy);
            let line = words.say(words.about_policy, &[policy_name(findings, policy), &sentence]);
            let _ = writeln!(out, "\n{line}");
        }
        out.push('\n');
        cuts(findings, workload).iter().for_each(|line| {
            let _ = writeln!(out, "{line}");
        });
        out.push('\n');
    }
    out
}
