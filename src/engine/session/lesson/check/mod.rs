//! Checks: the conditions for completing a step of a lesson. They depend on the present and past state of jobs,
//! arrays, nodes and files, never on what was typed.
//!
//! ```text
//! a job: user = alice, state = COMPLETED, cpus = 4, elapsed < limit
//! at least 3 jobs: name = sim-*, start >= end(prepare)
//! an array: user = alice, tasks = 200, completed = tasks, at_once <= 10
//! no file ~/core.*
//! ```
//!
//! Each line is a claim, and all claims of a check must hold. The fields are in [`table`] and described in
//! `docs/lessons.md`.

mod look;
mod parse;
mod score;
mod table;
#[cfg(test)]
mod tests;

pub use look::{effort, holds};
pub use parse::{duration, moment, parse};
pub use score::{Award, parse as parse_score, points};
pub use table::CheckField;
use table::fields;

/// A line of a check.
#[derive(Clone, Debug)]
pub struct Claim {
    pub count: RequiredCount,
    pub subject: Subject,
    /// An object counts if it satisfies all of these.
    pub terms: Vec<Term>,
}

/// The required number of objects that satisfy all terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredCount {
    /// `a`, `at least 3`
    AtLeast(u32),
    /// `at most 3`, `no`
    AtMost(u32),
    /// `3`
    Exactly(u32),
    /// `every`: all objects; there must be at least one
    Every,
}

/// What a claim is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Jobs and array tasks, both queued and finished. A requeued job counts once.
    Job,
    /// Arrays as a whole.
    Array,
    /// Nodes.
    Node,
    /// Files whose absolute path matches this pattern.
    File(String),
}

/// `field op value|value`
#[derive(Clone, Debug)]
pub struct Term {
    pub field: &'static CheckField,
    pub op: Comparison,
    /// One of them must match (with `!=`: none of them).
    pub values: Vec<Operand>,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    /// Contains this text.
    Contains,
}

/// The right side of a comparison.
#[derive(Clone, Debug)]
pub enum Operand {
    /// `none`: the field has no value, or none yet.
    Absent,
    Word(String),
    Number(i64),
    /// Another field of the same object.
    Field(&'static CheckField),
    /// `end(NAME)`: a field of the same user's newest job with this name.
    Of(&'static CheckField, String),
}

/// A field's value. Units are seconds, KiB or percent; other numbers are plain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldValue {
    Word(String),
    Number(i64),
}

/// How a field's values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValueKind {
    /// Text; `*` matches anything.
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

/// For each kind of subject: its word in claims, and its fields with how their values are written.
#[must_use]
pub fn fields_of_checks() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let subjects = [
        ("job", Subject::Job),
        ("array", Subject::Array),
        ("node", Subject::Node),
        ("file", Subject::File(String::new())),
    ];
    let row = |field: &CheckField| (field.name, field.kind.label());
    subjects.iter().map(|(word, subject)| (*word, fields(subject).iter().map(row).collect())).collect()
}

impl FieldValueKind {
    /// How its values are written.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Word => "text; `*` matches anything",
            Self::Flag => "`yes` or `no`",
            Self::Count => "a number",
            Self::Percent => "a percentage: `80%`",
            Self::Duration => "a duration: `90s`, `20m`, `1:00:00`",
            Self::Moment => "a time: `18:00` of the first day, `2026-03-02T18:00:00`",
            Self::Memory => "memory: `500M`, `4G`",
        }
    }
}

/// Replaces a check that cannot be parsed.
#[must_use]
pub fn never() -> Vec<Claim> {
    vec![Claim { count: RequiredCount::AtLeast(u32::MAX), subject: Subject::Job, terms: Vec::new() }]
}
