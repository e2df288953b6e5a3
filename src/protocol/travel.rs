//! The time line: what was, what is planned, and the futures that were left.

use super::Micros;
use serde::{Deserialize, Serialize};

/// Where to in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Travel {
    /// Show this moment of the past. The present waits meanwhile.
    To(Micros),
    /// Back to the present.
    Now,
    /// Show the moment when so many steps of the lesson were done; those after them count as not done from then on.
    Step(Micros, u32),
    /// Live in another future, by its number.
    Future(u32),
}

/// From the session's start to what is planned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TimeLine {
    pub start: Micros,
    /// The earliest moment that can be shown.
    pub reach: Micros,
    /// The present, whatever is shown.
    pub present: Micros,
    /// How far plans go that are worth a look; `present` when there are none.
    pub ahead: Micros,
    /// The moment that is being looked for.
    pub goal: Option<Micros>,
    /// What happened to a person's jobs, and what is planned; ascending, at most a few hundred.
    pub marks: Vec<Mark>,
    /// All futures, in the order in which they began.
    pub futures: Vec<FutureInfo>,
}

/// Something on the time line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Mark {
    pub at: Micros,
    pub kind: MarkKind,
    /// The job's id as text.
    pub job: String,
}

/// What a mark is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum MarkKind {
    Submitted,
    Started,
    Ended,
    Failed,
    /// It is expected to start.
    Planned,
    /// Its time limit ends it.
    Limit,
}

/// A future.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct FutureInfo {
    pub id: u32,
    /// The moment from which on it is another than the one that was left for it.
    pub from: Micros,
    pub until: Micros,
    /// What was typed first in it.
    pub done: String,
    /// It is the one that is lived in.
    pub lived: bool,
}
