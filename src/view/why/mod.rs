//! Why a job is pending, in words. Each language has its own [`Voice`], written separately.

mod en;
mod fr;
#[cfg(test)]
mod tests;

use super::rich::job;
use base::time::Time;
use protocol::why::{
    Assumption, Blocker, BudgetUse, JobRef, LimitUnit, NodeVerdict, NodeVerdictGroup, PartitionVerdict,
    ReachedLimit, Remedy, RequestSummary, ReservationAhead, Verdict,
};

pub use en::EN;
pub use fr::FR;

/// A language's sentences, with the markup of `view::rich`. The last argument is the current time.
pub struct Voice {
    /// The reason and the outlook, for this reader.
    pub sentence: fn(&Verdict, &str) -> (String, String),
    /// A node's verdict.
    pub cause: fn(&NodeVerdict, &RequestSummary) -> String,
    /// What the expected start assumes.
    pub assumption: fn(&Assumption, Time) -> String,
    /// A backfill reservation of a job ahead of it.
    pub in_front: fn(&ReservationAhead, Time) -> String,
    /// What to request instead.
    pub change: fn(&Remedy) -> String,
}

/// What a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LimitScope {
    /// Concurrent use of all running jobs.
    AtOnce,
    /// A single job's request.
    Job,
    /// A single job's use of each node.
    Node,
    /// Minimum of a single job's request.
    Least,
    /// Accumulated usage since the last reset.
    Budget,
    /// Remaining use of running jobs (`TRESRunMins`).
    Ahead,
}

/// The scope of a limit, by sacctmgr's name.
fn scope(name: &str) -> LimitScope {
    match name.split('=').next().unwrap_or(name) {
        "MaxTRES" | "MaxWall" | "MaxTRESMins" => LimitScope::Job,
        "MaxTRESPerNode" => LimitScope::Node,
        "GrpTRESMins" | "GrpWall" => LimitScope::Budget,
        least if least.starts_with("Min") => LimitScope::Least,
        ahead if ahead.contains("RunMins") => LimitScope::Ahead,
        _ => LimitScope::AtOnce,
    }
}

/// Nouns for what is counted.
struct Nouns {
    job: fn(u64) -> &'static str,
    cpu: fn(u64) -> &'static str,
    node: fn(u64) -> &'static str,
    licence: &'static str,
    memory: &'static str,
    minutes: &'static str,
}

/// An amount in a limit's unit: `4 CPUs`, `3 GiB of memory`, `60 CPU minutes`.
fn amount(limit: &ReachedLimit, n: u64, nouns: &Nouns) -> String {
    let tres = limit.name.split_once('=').map(|(_, tres)| tres);
    let what = match tres {
        None if limit.unit == LimitUnit::Minutes => return format!("{n} min"),
        None => (nouns.job)(n).to_owned(),
        Some("cpu") if limit.unit == LimitUnit::Minutes => "CPU".to_owned(),
        Some("cpu") => (nouns.cpu)(n).to_owned(),
        Some("node") if limit.unit == LimitUnit::Minutes => (nouns.node)(1).to_owned(),
        Some("node") => (nouns.node)(n).to_owned(),
        Some("mem") if limit.unit == LimitUnit::Minutes => "MiB".to_owned(),
        Some("mem") => nouns.memory.to_owned(),
        Some(other) => match other.split_once('/') {
            Some(("license", name)) => format!("{} {name}", nouns.licence),
            Some((_, name)) => name.replace("gpu", "GPU"),
            None => other.to_owned(),
        },
    };
    match limit.unit {
        LimitUnit::Number => format!("{n} {what}"),
        LimitUnit::Mib if n >= 1024 && n.is_multiple_of(1024) => format!("{} GiB {what}", n / 1024),
        LimitUnit::Mib => format!("{n} MiB {what}"),
        LimitUnit::Minutes => format!("{n} {}", nouns.minutes.replace("{}", &what)),
    }
}

/// Whether this limit was already given as the reason.
fn said_before(verdict: &Verdict, limit: &ReachedLimit) -> bool {
    let same = |t: &PartitionVerdict| matches!(&t.blocker, Blocker::Limit(l) if l.name == limit.name && l.owner == limit.owner);
    verdict.partitions.iter().any(same)
}

/// `job 39 (carol)`, with the language's word for a job.
fn named(word: &str, other: &JobRef) -> String {
    if other.user.is_empty() {
        format!("{word} {}", job(&other.id))
    } else {
        format!("{word} {} ({})", job(&other.id), other.user)
    }
}

/// ` (bob 23, carol 4 …)`: the users of a budget.
fn spenders(spent: Option<&BudgetUse>) -> String {
    let Some(by) = spent.map(|s| &s.by).filter(|by| by.count > 0) else { return String::new() };
    let all: Vec<String> = by.first.iter().map(|(user, used)| format!("{user} {used}")).collect();
    let more = if by.count as usize > all.len() { " …" } else { "" };
    format!(" ({}{more})", all.join(", "))
}

/// Thousandths as a decimal: `0.25`, with the language's decimal separator.
fn thousandths(n: u32, point: char) -> String {
    let digits = format!("{:03}", n % 1000);
    let rest = digits.trim_end_matches('0');
    if rest.is_empty() { (n / 1000).to_string() } else { format!("{}{point}{rest}", n / 1000) }
}

/// `31, 34 …`
fn ids(first: &[JobRef], count: u32) -> String {
    let all: Vec<String> = first.iter().map(|o| job(&o.id)).collect();
    let more = if count as usize > first.len() { " …" } else { "" };
    format!("{}{more}", all.join(", "))
}

/// A group's node count and that of the whole partition.
#[must_use]
pub fn share(group: &NodeVerdictGroup, all: &[NodeVerdictGroup]) -> (u32, u32) {
    (group.nodes, all.iter().map(|g| g.nodes).sum())
}

/// Whether Slurm holds the job because no nodes of its partition can run it.
fn is_infeasible(verdict: &Verdict) -> bool {
    matches!(verdict.partitions.as_slice(), [only] if only.blocker == Blocker::Never)
}

/// Whether nodes with this verdict can run the job.
#[must_use]
pub const fn helps(cause: &NodeVerdict) -> bool {
    matches!(cause, NodeVerdict::Available)
}
