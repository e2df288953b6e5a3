//! The HTML file. It is self-contained, including styles and pictures.

use super::{charts, cuts, method, others, pictures, policy_name, recorded, sentence, workloads};
use crate::affected::{AffectedJob, WaitReason};
use crate::cell::{CellResult, ComparedJob};
use crate::difference::MetricDifference;
use crate::measure::{GroupKind, Metric};
use crate::study::Findings;
use crate::words::ReportWords;
use base::time::hms;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use view::chart::{Chart, ChartSeries};
use view::svg::escape;

const WIDTH: f64 = 960.0;
/// Groups of a kind that are shown.
const SHOWN_GROUPS: usize = 12;
/// Maximum number of named users, of those who gained and of those who lost.
const SHOWN_USERS: usize = 10;
/// The report's own style, and that of charts in the page.
const STYLE: [&str; 2] = [include_str!("style.css"), include_str!("../../../www/charts.css")];

/// The report.
#[must_use]
pub fn html(findings: &Findings<'_>) -> String {
    let ReportWords { code, title, .. } = findings.words;
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{}\n\
         </style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        STYLE.concat()
    );
    policies(findings, &mut out);
    for workload in workloads(findings) {
        section(findings, workload, &mut out);
    }
    if !findings.notes.is_empty() {
        // They are the messages of `sandbatch check`, which are in English.
        let _ = writeln!(out, "<h2>{}</h2>\n<ul lang=\"en\">", findings.words.notes);
        findings.notes.iter().for_each(|note| {
            let _ = writeln!(out, "<li>{}</li>", escape(note));
        });
        out += "</ul>\n";
    }
    out + "</body>\n</html>\n"
}

fn name_of(findings: &Findings<'_>, policy: u32) -> String {
    escape(policy_name(findings, policy))
}

/// `four more nodes: all jobs wait 65% less`. The policy's name is HTML.
fn about(findings: &Findings<'_>, policy: u32, text: &str) -> String {
    findings.words.say(findings.words.about_policy, &[&name_of(findings, policy), text])
}

fn policies(findings: &Findings<'_>, out: &mut String) {
    let words = findings.words;
    let _ = writeln!(out, "<table>\n<tr><th>{}</th><th>{}</th></tr>", words.policy, words.changes);
    for (i, policy) in findings.plan.policies.iter().enumerate() {
        let code = |text: &str| format!("<code>{}</code>", escape(text));
        let mut changes: Vec<String> = policy.slurm_conf.iter().map(|line| code(line)).collect();
        changes.extend(policy.unset.iter().map(|key| words.say(words.without, &[&code(key)])));
        changes.extend(policy.gres_conf.iter().map(|line| code(&format!("gres.conf: {line}"))));
        changes.extend(policy.sacctmgr.iter().map(|line| code(&format!("sacctmgr {line}"))));
        if !policy.remove_nodes.is_empty() {
            changes.push(words.say(words.without_nodes, &[&code(&policy.remove_nodes)]));
        }
        let text = changes.join("<br>");
        let base = if i == findings.plan.baseline() {
            format!(" <span class=\"faint\">({})</span>", words.baseline)
        } else {
            String::new()
        };
        let _ = writeln!(out, "<tr><td>{}{base}</td><td>{text}</td></tr>", escape(&policy.name));
    }
    *out += "</table>\n";
}

fn section(findings: &Findings<'_>, workload: u32, out: &mut String) {
    let words = findings.words;
    let name = findings.plan.workloads.get(workload as usize).map_or("", |w| w.name.as_str());
    let _ = writeln!(out, "<h2>{}</h2>\n<p class=\"faint\">{}</p>", escape(name), method(findings, workload));
    for policy in others(findings) {
        let sentence = escape(&sentence(findings, workload, policy));
        let name = format!("<b>{}</b>", name_of(findings, policy));
        let line = words.say(words.about_policy, &[&name, &sentence]);
        let _ = writeln!(out, "<p class=\"headline\">{line}.</p>");
    }
    let own: Vec<&MetricDifference> =
        findings.differences.iter().filter(|d| d.workload == workload).collect();
    let tested = own.iter().filter(|d| d.relative.or(d.absolute).is_some() && !d.identical()).count();
    if tested > 0 {
        let tested = tested as u64;
        let text = words.count(tested, words.intervals, &[&words.number(tested.div_ceil(20) as f64, 0)]);
        let _ = writeln!(out, "<p class=\"faint\">{text}</p>");
    }
    metrics(findings, &own, out);
    let all = recorded(findings, workload);
    let names: Vec<&str> = findings.plan.policies.iter().map(|p| p.name.as_str()).collect();
    let _ = writeln!(out, "<h3>{}</h3>", words.recorded);
    chart(&charts::waits(&all, &names, words), out);
    chart(&charts::utilisation(&all, &names, words), out);
    let Some(base) = all.iter().find(|r| r.cell.policy as usize == findings.plan.baseline()) else { return };
    for policy in others(findings) {
        let Some(result) = all.iter().find(|r| r.cell.policy == policy) else { continue };
        groups(findings, policy, &own, base, out);
        people(findings, policy, base, result, out);
        jobs(findings, policy, base, result, out);
    }
    let _ = writeln!(out, "<h3>{}</h3>\n<ul>", words.left_out);
    cuts(findings, workload).iter().for_each(|line| {
        let _ = writeln!(out, "<li>{}</li>", escape(line));
    });
    *out += "</ul>\n";
}

fn chart(chart: &Chart, out: &mut String) {
    let key = |s: &ChartSeries| {
        format!("<span><i class=\"key {}\"></i>{}</span>", s.colour.class(), escape(&s.name))
    };
    let legend: String = chart.series.iter().map(key).collect();
    let _ = writeln!(
        out,
        "<figure class=\"figure\"><figcaption>{}</figcaption>{}<div class=\"legend\">{legend}</div></figure>",
        escape(&chart.title),
        chart.svg(WIDTH)
    );
}

/// The table of metrics of all jobs.
fn metrics(findings: &Findings<'_>, own: &[&MetricDifference], out: &mut String) {
    let words = findings.words;
    let _ = write!(out, "<table>\n<tr><th>{}</th><th class=\"n\">{}</th>", words.all_jobs, words.baseline);
    for policy in others(findings) {
        let (name, difference) = (name_of(findings, policy), words.difference);
        let _ = write!(out, "<th class=\"n\">{name}</th><th>{difference}</th>");
    }
    *out += "</tr>\n";
    for metric in Metric::ALL {
        let row: Vec<&&MetricDifference> =
            own.iter().filter(|d| d.metric == metric && d.group.kind == GroupKind::All).collect();
        let Some(first) = row.first() else { continue };
        let value = |d: &MetricDifference, mean: f64, recorded: Option<f64>| {
            words.amount(metric, if d.resamples > 0 { mean } else { recorded.unwrap_or(mean) })
        };
        let base = value(first, first.means.0, first.recorded.0);
        let _ = write!(out, "<tr><td>{}</td><td class=\"n\">{base}</td>", words.metric(metric).name);
        for policy in others(findings) {
            let _ = match row.iter().find(|d| d.policy == policy) {
                Some(d) => {
                    let own = value(d, d.means.1, d.recorded.1);
                    write!(out, "<td class=\"n\">{own}</td><td>{}</td>", escape(&words.verdict(d)))
                }
                None => write!(out, "<td class=\"n\">-</td><td></td>"),
            };
        }
        *out += "</tr>\n";
    }
    *out += "</table>\n";
}

/// The intervals of mean waits by group.
fn groups(
    findings: &Findings<'_>,
    policy: u32,
    own: &[&MetricDifference],
    base: &CellResult,
    out: &mut String,
) {
    let jobs =
        |d: &MetricDifference| base.groups.iter().find(|(group, _)| *group == d.group).map_or(0, |g| g.1);
    let waits = own.iter().filter(|d| d.policy == policy && d.metric == Metric::MeanWait);
    let mut of_kind: BTreeMap<GroupKind, Vec<&MetricDifference>> = BTreeMap::new();
    waits.for_each(|d| of_kind.entry(d.group.kind).or_default().push(d));
    let mut rows = Vec::new();
    let mut more = 0;
    for list in of_kind.values_mut() {
        list.sort_by_key(|d| (std::cmp::Reverse(jobs(d)), d.group.clone()));
        more += list.len().saturating_sub(SHOWN_GROUPS);
        rows.extend(list.iter().take(SHOWN_GROUPS).copied());
    }
    let words = findings.words;
    let (title, picture) = (about(findings, policy, words.by_group), pictures::intervals(&rows, words));
    let _ = write!(out, "<h3>{title}</h3>\n<figure class=\"figure\">{picture}");
    if more > 0 {
        let more = words.count(more as u64, words.more_groups, &[]);
        let _ = write!(out, "<figcaption>{more}</figcaption>");
    }
    *out += "</figure>\n";
}

/// Users whose mean waits changed most, as recorded.
fn people(findings: &Findings<'_>, policy: u32, base: &CellResult, own: &CellResult, out: &mut String) {
    let mut sums: BTreeMap<u32, (f64, f64, u32)> = BTreeMap::new();
    for (base, own) in base.jobs.iter().zip(&own.jobs) {
        let (Some(before), Some(after)) = (base.wait(), own.wait()) else { continue };
        let sum = sums.entry(base.uid).or_default();
        *sum = (sum.0 + before, sum.1 + after, sum.2 + 1);
    }
    let mean = |(uid, (before, after, n)): (u32, (f64, f64, u32))| {
        (uid, before / f64::from(n), after / f64::from(n), n)
    };
    let mut users: Vec<(u32, f64, f64, u32)> = sums.into_iter().map(mean).collect();
    users.retain(|user| (user.2 - user.1).abs() >= 1.0);
    users.sort_by(|a, b| (b.2 - b.1).total_cmp(&(a.2 - a.1)).then(a.0.cmp(&b.0)));
    let lost: Vec<_> = users.iter().filter(|u| u.2 > u.1).copied().collect();
    let gained: Vec<_> = users.iter().rev().filter(|u| u.2 < u.1).copied().collect();
    let words = findings.words;
    for (title, list) in [(words.users_longer, lost), (words.users_less, gained)] {
        let _ = writeln!(out, "<h3>{}</h3>", about(findings, policy, title));
        if list.is_empty() {
            let _ = writeln!(out, "<p>{}</p>", words.nobody);
            continue;
        }
        let _ = writeln!(
            out,
            "<table>\n<tr><th>{}</th><th class=\"n\">{}</th><th class=\"n\">{}</th><th class=\"n\">{}</th></tr>",
            words.user, words.jobs, words.baseline, words.policy
        );
        for (uid, before, after, n) in list.iter().take(SHOWN_USERS) {
            let user = user_name(findings, base.cell.workload, *uid);
            let [before, after] = [before, after].map(|wait| hms(wait.round() as i64));
            let _ = writeln!(
                out,
                "<tr><td>{user}</td><td class=\"n\">{n}</td><td class=\"n\">{before}</td><td class=\"n\">{after}</td></tr>"
            );
        }
        *out += "</table>\n";
        if list.len() > SHOWN_USERS {
            let more = words.count((list.len() - SHOWN_USERS) as u64, words.more, &[]);
            let _ = writeln!(out, "<p class=\"faint\">{more}</p>");
        }
    }
}

fn user_name(findings: &Findings<'_>, workload: u32, uid: u32) -> String {
    let users = findings.users.get(workload as usize);
    let name = users.and_then(|all| all.iter().find(|(other, _)| *other == uid));
    name.map_or_else(|| uid.to_string(), |(_, name)| escape(name))
}

/// The jobs whose waits changed most, and why.
fn jobs(findings: &Findings<'_>, policy: u32, base: &CellResult, own: &CellResult, out: &mut String) {
    let workload = base.cell.workload;
    let of = |job: &&AffectedJob| job.workload == workload && job.policy == policy;
    let all: Vec<&AffectedJob> = findings.affected.iter().filter(of).collect();
    let words = findings.words;
    if all.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", about(findings, policy, words.no_job));
        return;
    }
    let title = about(findings, policy, words.differ_most);
    let picture = pictures::gantt(&all, &base.jobs, &own.jobs, words);
    let _ = writeln!(
        out,
        "<h3>{title}</h3>\n<figure class=\"figure\">{picture}<figcaption>{}</figcaption></figure>",
        words.say(words.colours, &[])
    );
    let _ = writeln!(
        out,
        "<table>\n<tr><th>{}</th><th>{}</th><th class=\"n\">{}</th><th class=\"n\">{}</th><th>{}</th></tr>",
        words.job, words.user, words.baseline, words.policy, words.why_longer
    );
    for job in all {
        let Some(known) = base.jobs.get(job.index) else { continue };
        let ComparedJob { line, job: id, uid, cpus, .. } = known;
        let user = user_name(findings, workload, *uid);
        let [before, after] = [job.waits.0, job.waits.1].map(|wait| hms(wait.round() as i64));
        let under = if job.waits.1 > job.waits.0 { words.under_policy } else { words.under_baseline };
        let why = match &job.why {
            WaitReason::Unknown => words.not_known.to_owned(),
            WaitReason::ArrayLimit(limit) => words.count(*limit, words.array_limit, &[]),
            WaitReason::Explained(verdict) => (findings.explain)(verdict),
        };
        let why = words.say(under, &[&job.sooner.iso(), &why]);
        let cpus = words.count(*cpus, words.cpus, &[]);
        let place = words.say(words.trace_line, &[&line.to_string(), &cpus]);
        let _ = writeln!(
            out,
            "<tr><td>{id} <span class=\"faint\">{place}</span></td><td>{user}</td>\
             <td class=\"n\">{before}</td><td class=\"n\">{after}</td><td>{why}</td></tr>"
        );
    }
    *out += "</table>\n";
}
