//! Checks: what a step of a lesson wants of the world. They look at jobs, arrays, nodes and files as they are and were,
//! never at what was typed.
//!
//! ```text
//! a job: user = alice, state = COMPLETED, cpus = 4, elapsed < limit
//! at least 3 jobs: name = sim-*, start >= end(prepare)
//! an array: user = alice, tasks = 200, completed = tasks, at_once <= 10
//! no file ~/core.*
//! ```
//!
//! A line is a claim; all claims of a check must hold. The words are in [`table`]; `docs/lessons.md` tells of them.

mod look;
mod parse;
mod score;
mod table;
#[cfg(test)]
mod tests;

pub use look::{effort, holds};
pub use parse::{duration, moment, parse};
pub use score::{Award, parse as parse_score, points};
pub use table::Field;
#[cfg(test)]
use table::fields;

/// A line of a check.
#[derive(Clone, Debug)]
pub struct Claim {
    pub count: Count,
    pub subject: Subject,
    /// All must hold of a thing for it to count.
    pub terms: Vec<Term>,
}

/// How many things of which all terms hold there must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// `a`, `at least 3`
    AtLeast(u32),
    /// `at most 3`, `no`
    AtMost(u32),
    /// `3`
    Exactly(u32),
    /// `every`: all that there are, of which there must be one.
    Every,
}

/// What a claim is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Jobs and tasks of arrays, those in the queue and those that are over; a requeued one counts once.
    Job,
    /// Arrays as a whole.
    Array,
    /// Nodes.
    Node,
    /// Files whose absolute path is this pattern.
    File(String),
}

/// `field op value|value`
#[derive(Clone, Debug)]
pub struct Term {
    pub field: &'static Field,
    pub op: Op,
    /// One of them is enough (with `!=`: none of them may be it).
    pub values: Vec<Operand>,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    /// Has this text somewhere.
    Contains,
}

/// What a field is compared with.
#[derive(Clone, Debug)]
pub enum Operand {
    /// `none`: the field has no value, or not yet.
    Absent,
    Word(String),
    Number(i64),
    /// Another field of the same thing.
    Field(&'static Field),
    /// `end(NAME)`: of the newest job of this name that belongs to the same user.
    Of(&'static Field, String),
}

/// A field's value: seconds, KiB, per cent, or as they are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Word(String),
    Number(i64),
}

/// How a field's values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text; `*` stands for anything.
    Word,
    /// `yes`, `no`.
    Flag,
    /// `4`
    Count,
    /// `80%`
    Percent,
    /// `90s`, `20m`, `1:00:00`
    Duration,
    /// `18:00` of the lesson's first day, `2026-03-02T18:00:00`
    Moment,
    /// `500M`, `4G`
    Memory,
}

/// A check that stands for one that cannot be read.
#[must_use]
pub fn never() -> Vec<Claim> {
    vec![Claim { count: Count::AtLeast(u32::MAX), subject: Subject::Job, terms: Vec::new() }]
}
