//! Why a job waits, in words: a [`Voice`] for each language, written separately.

mod en;
mod fr;
#[cfg(test)]
mod tests;

use super::rich::job;
use crate::protocol::Micros;
use crate::protocol::why::{Cause, Change, InFront, Limit, NodeGroup, Other, Rest, Unit, Why, WhyNeeds};

pub use en::EN;
pub use fr::FR;

/// A language's sentences; marked as `view::rich` has it. Moments are told as seen from the last argument.
pub struct Voice {
    /// Why, and what is expected.
    pub sentence: fn(&Why, Micros) -> (String, String),
    /// What nodes say.
    pub cause: fn(&Cause, &WhyNeeds) -> String,
    /// What must be over first.
    pub rest: fn(&Rest, Micros) -> String,
    /// A plan in front.
    pub in_front: fn(&InFront, Micros) -> String,
    /// What to ask for instead.
    pub change: fn(&Change) -> String,
}

/// A number of a limit with its unit.
fn amount(limit: &Limit, n: u64) -> String {
    match limit.unit {
        Unit::Number => n.to_string(),
        Unit::Mib if n >= 1024 => format!("{} GiB", n / 1024),
        Unit::Mib => format!("{n} MiB"),
        Unit::Minutes => format!("{n} min"),
    }
}

/// `job 39 (carol)`, with the word for a job.
fn named(word: &str, other: &Other) -> String {
    if other.user.is_empty() {
        format!("{word} {}", job(&other.id))
    } else {
        format!("{word} {} ({})", job(&other.id), other.user)
    }
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

/// Whether nodes of this kind help the job.
#[must_use]
pub const fn helps(cause: &Cause) -> bool {
    matches!(cause, Cause::Room)
}
