//! Time travel: the time line, planned starts, and branches.

use super::{ClusterLoad, Micros};
use serde::{Deserialize, Serialize};

/// A destination in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Travel {
    /// Show this time in the past. The present is suspended meanwhile.
    To(Micros),
    /// Back to the present.
    Now,
    /// Go back to the time when this many lesson steps were done; later steps become undone.
    Step(Micros, u32),
    /// Switch to another branch, by its number.
    Branch(u32),
}

/// The time line from the session's start to the last planned start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeLine {
    /// The session's start.
    pub start: Micros,
    /// Earliest time that can be shown.
    pub reach: Micros,
    /// The present, regardless of the time shown.
    pub present: Micros,
    /// End of the planned range; equals `present` if nothing is planned.
    pub ahead: Micros,
    /// The time that is being restored.
    pub goal: Option<Micros>,
    /// Events of the user's jobs, past and planned; ascending, at most a few hundred.
    pub marks: Vec<TimeMark>,
    /// The cluster's load from the start to the present; without values until it is known.
    pub load: ClusterLoad,
    /// All branches, in order of creation.
    pub branches: Vec<BranchInfo>,
}

/// An event on the time line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct TimeMark {
    pub at: Micros,
    pub kind: TimeMarkKind,
    /// Job ID as text.
    pub job: String,
}

/// Type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum TimeMarkKind {
    Submitted,
    Started,
    Ended,
    Failed,
    /// Expected start.
    Planned,
    /// End by its time limit.
    Limit,
    Preempted,
}

/// A branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchInfo {
    /// Numbered from 1 in the order of creation.
    pub id: u32,
    /// Time at which it leaves its parent branch.
    pub from: Micros,
    /// The time that it has reached.
    pub until: Micros,
    /// The first input after that.
    pub done: String,
    /// Whether it is the current branch.
    pub current: bool,
}
