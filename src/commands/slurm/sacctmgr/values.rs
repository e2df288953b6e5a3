//! What sacctmgr itself finds wrong with values, before it asks slurmdbd; words and exit codes are those of a real 22.05
//! where 26.05 was not recorded.

use super::change::title;
use super::list;
use crate::commands::Cx;
use crate::slurmdbd::QosFlag;

/// What is about to be made or changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A user's or an account's association.
    Assoc,
    /// A QOS.
    Qos,
}

/// Counts, by the beginning of their keys, and how messages call them.
const COUNTS: &[(&str, &str)] = &[
    ("fairshare", "FairShare"),
    ("share", "FairShare"),
    ("grpjobsaccrue", "GrpJobsAccrue"),
    ("grpjobs", "GrpJobs"),
    ("grpsubmit", "GrpSubmitJobs"),
    ("maxjobsaccrue", "MaxJobsAccrue"),
    ("maxjobsperaccount", "MaxJobsPerAccount"),
    ("maxjobspa", "MaxJobsPerAccount"),
    ("maxjobsperuser", "MaxJobsPerUser"),
    ("maxjobspu", "MaxJobsPerUser"),
    ("maxjobs", "MaxJobs"),
    ("maxsubmit", "MaxSubmitJobs"),
    ("priority", "Priority"),
    ("gracetime", "GraceTime"),
];

/// TRES without a name of their own, and those with one.
const TRES: &[&str] =
    &["cpu", "mem", "energy", "node", "billing", "fs", "vmem", "pages", "gres", "license", "bb", "ic"];

/// The first thing that is wrong; `Out` texts go to standard output, as Slurm has them there.
pub(super) enum Wrong {
    Err(String),
    Out(String),
}

/// Checks all settings.
pub(super) fn check(cx: &Cx, kind: Kind, settings: &[(String, String)]) -> Result<(), Wrong> {
    settings.iter().try_for_each(|(key, value)| one(cx, kind, key, value))
}

fn one(cx: &Cx, kind: Kind, key: &str, value: &str) -> Result<(), Wrong> {
    let plain = key.trim_end_matches(['+', '-']);
    let tool = cx.name();
    let complaint = match plain {
        "qos" | "qoslevel" | "preempt" => unknown_qos(cx, value)
            .map(|(bad, valid)| format!("You gave a bad qos '{bad}'. Valid QOS's are {valid}")),
        "defaultqos" if value != "-1" && unknown_qos(cx, value).is_some() => {
            let text = format!("You gave a bad default qos '{value}'.  Use 'list qos' to get complete list.");
            return Err(Wrong::Err(text));
        }
        "flags" if kind == Kind::Qos => return flags(value),
        "preemptmode"
            if !["off", "cluster", "cancel", "requeue", "suspend", "within"]
                .iter()
                .any(|m| value.split(',').any(|v| v.eq_ignore_ascii_case(m))) =>
        {
            return Err(Wrong::Err(format!(" Bad Preempt Mode given: {key}={value}")));
        }
        _ if plain.contains("wall") && !is_wall(value) => {
            return Err(Wrong::Err(format!(" Bad {} time format: {key}={value}", title(plain))));
        }
        _ if plain.contains("tres") => bad_tres(value),
        _ => bad_count(plain, value),
    };
    match (complaint, kind) {
        (None, _) => Ok(()),
        (Some(text), Kind::Qos) => Err(Wrong::Err(format!("{tool}: error: {text}"))),
        (Some(text), Kind::Assoc) => Err(Wrong::Err(format!(
            "{tool}: error: {text}\n Unknown option: {key}={value}\n Use keyword 'where' to modify condition"
        ))),
    }
}

fn is_wall(value: &str) -> bool {
    value == "-1" || crate::commands::slurm::opt::values::time_limit(value).is_some()
}

/// A QOS of the list that there is not, and all that there are.
fn unknown_qos(cx: &Cx, value: &str) -> Option<(String, String)> {
    let qos = &cx.slurm.state().dbd.qos;
    let bad = list(value)
        .into_iter()
        .map(|n| n.trim_start_matches(['+', '-']).to_lowercase())
        .find(|name| !matches!(name.as_str(), "" | "-1" | "1") && !qos.iter().any(|q| q.name == *name))?;
    let valid: Vec<&str> = qos.iter().map(|q| q.name.as_str()).collect();
    Some((bad, valid.join(",")))
}

fn flags(value: &str) -> Result<(), Wrong> {
    let known = |word: &String| word == "-1" || QosFlag::parse(word).is_some();
    if list(value).iter().all(known) {
        return Ok(());
    }
    let all: Vec<&str> = QosFlag::ALL.iter().map(|flag| flag.text()).collect();
    Err(Wrong::Out(format!(
        " Unknown QOS flag used in:\n  '{value}'\n Valid QOS flags are\n  '{}'\n",
        all.join(",")
    )))
}

fn bad_tres(value: &str) -> Option<String> {
    list(value).into_iter().find_map(|part| {
        let name = part.split('=').next().unwrap_or_default().to_owned();
        let known = TRES.contains(&name.split('/').next().unwrap_or_default());
        match (known, part.contains('=')) {
            (true, true) => None,
            (_, false) => Some(format!("slurmdb_format_tres_str: no TRES id found for {part}")),
            (false, true) => Some(format!("slurmdb_format_tres_str: no TRES known by type {name}")),
        }
    })
}

fn bad_count(key: &str, value: &str) -> Option<String> {
    let (_, name) = COUNTS.iter().find(|(start, _)| key.starts_with(start))?;
    let parent = *name == "FairShare" && value.eq_ignore_ascii_case("parent");
    let time = *name == "GraceTime" && crate::commands::slurm::opt::values::duration(value).is_some();
    let fits = parent || time || value.parse::<i64>().is_ok();
    (!fits).then(|| format!("Invalid value for {name} ({value})"))
}
