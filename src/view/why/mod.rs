//! Why a job waits, in words: a [`Voice`] for each language, written separately.

mod en;
mod fr;
#[cfg(test)]
mod tests;

use super::rich::job;
use crate::protocol::Micros;
use crate::protocol::why::{
    Cause, Change, InFront, Limit, NodeGroup, Other, Rest, Spent, Stop, Tried, Unit, Why, WhyNeeds,
};

pub use en::EN;
pub use fr::FR;

/// A language's sentences; marked as `view::rich` has it. Moments are told as seen from the last argument.
pub struct Voice {
    /// Why, and what is expected, for this user who reads it.
    pub sentence: fn(&Why, &str) -> (String, String),
    /// What nodes say.
    pub cause: fn(&Cause, &WhyNeeds) -> String,
    /// What must be over first.
    pub rest: fn(&Rest, Micros) -> String,
    /// A plan in front.
    pub in_front: fn(&InFront, Micros) -> String,
    /// What to ask for instead.
    pub change: fn(&Change) -> String,
}

/// What a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// What all that runs has at once.
    AtOnce,
    /// What one job asks for.
    Job,
    /// What one job has on each node.
    Node,
    /// What one job asks for at least.
    Least,
    /// What was used up since usage was last forgotten.
    Budget,
    /// What those that run may still use up.
    Ahead,
}

/// The scope of a limit, by the name that sacctmgr has for it.
fn scope(name: &str) -> Scope {
    match name.split('=').next().unwrap_or(name) {
        "MaxTRES" | "MaxWall" | "MaxTRESMins" => Scope::Job,
        "MaxTRESPerNode" => Scope::Node,
        "GrpTRESMins" | "GrpWall" => Scope::Budget,
        least if least.starts_with("Min") => Scope::Least,
        ahead if ahead.contains("RunMins") => Scope::Ahead,
        _ => Scope::AtOnce,
    }
}

/// Words for what is counted.
struct Nouns {
    job: fn(u64) -> &'static str,
    cpu: fn(u64) -> &'static str,
    node: fn(u64) -> &'static str,
    licence: &'static str,
    memory: &'static str,
    minutes: &'static str,
}

/// A number of what a limit counts: `4 CPUs`, `3 GiB of memory`, `60 CPU minutes`.
fn amount(limit: &Limit, n: u64, nouns: &Nouns) -> String {
    let tres = limit.name.split_once('=').map(|(_, tres)| tres);
    let what = match tres {
        None if limit.unit == Unit::Minutes => return format!("{n} min"),
        None => (nouns.job)(n).to_owned(),
        Some("cpu") if limit.unit == Unit::Minutes => "CPU".to_owned(),
        Some("cpu") => (nouns.cpu)(n).to_owned(),
        Some("node") if limit.unit == Unit::Minutes => (nouns.node)(1).to_owned(),
        Some("node") => (nouns.node)(n).to_owned(),
        Some("mem") if limit.unit == Unit::Minutes => "MiB".to_owned(),
        Some("mem") => nouns.memory.to_owned(),
        Some(other) => match other.split_once('/') {
            Some(("license", name)) => format!("{} {name}", nouns.licence),
            Some((_, name)) => name.replace("gpu", "GPU"),
            None => other.to_owned(),
        },
    };
    match limit.unit {
        Unit::Number => format!("{n} {what}"),
        Unit::Mib if n >= 1024 && n.is_multiple_of(1024) => format!("{} GiB {what}", n / 1024),
        Unit::Mib => format!("{n} MiB {what}"),
        Unit::Minutes => format!("{n} {}", nouns.minutes.replace("{}", &what)),
    }
}

/// Whether backfill is stopped by nothing but what is said already.
fn said_before(why: &Why, limit: &Limit) -> bool {
    let same =
        |t: &Tried| matches!(&t.stop, Stop::Limit(l) if l.name == limit.name && l.whose == limit.whose);
    why.tried.iter().any(same)
}

/// `job 39 (carol)`, with the word for a job.
fn named(word: &str, other: &Other) -> String {
    if other.user.is_empty() {
        format!("{word} {}", job(&other.id))
    } else {
        format!("{word} {} ({})", job(&other.id), other.user)
    }
}

/// ` (bob 23, carol 4 …)`: who used a limit up.
fn spenders(spent: Option<&Spent>) -> String {
    let Some(by) = spent.map(|s| &s.by).filter(|by| by.count > 0) else { return String::new() };
    let all: Vec<String> = by.first.iter().map(|(user, used)| format!("{user} {used}")).collect();
    let more = if by.count as usize > all.len() { " …" } else { "" };
    format!(" ({}{more})", all.join(", "))
}

/// Thousandths as a number: `0.25`, with the language's point.
fn thousandths(n: u32, point: char) -> String {
    let digits = format!("{:03}", n % 1000);
    let rest = digits.trim_end_matches('0');
    if rest.is_empty() { (n / 1000).to_string() } else { format!("{}{point}{rest}", n / 1000) }
}

/// `31, 34 …`
fn ids(first: &[Other], count: u32) -> String {
    let all: Vec<String> = first.iter().map(|o| job(&o.id)).collect();
    let more = if count as usize > first.len() { " …" } else { "" };
    format!("{}{more}", all.join(", "))
}

/// How large each row of the table of nodes is: nodes, and nodes of the whole partition.
#[must_use]
pub fn share(group: &NodeGroup, all: &[NodeGroup]) -> (u32, u32) {
    (group.nodes, all.iter().map(|g| g.nodes).sum())
}

/// Slurm gave it up: no nodes of its partition can hold it, so it is in no queue.
fn given_up(why: &Why) -> bool {
    matches!(why.tried.as_slice(), [only] if only.stop == Stop::Never)
}

/// Whether nodes of this kind help the job.
#[must_use]
pub const fn helps(cause: &Cause) -> bool {
    matches!(cause, Cause::Room)
}
