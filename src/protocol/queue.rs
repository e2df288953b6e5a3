//! Queue panel: the requested rows and their contents.

use super::Micros;
use serde::{Deserialize, Serialize};

/// The visible queue entries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueWindow {
    /// First row.
    pub first: u32,
    /// Number of rows (at most 200 are sent).
    pub count: u32,
    /// Filter and order.
    pub list: QueueList,
}

/// Filter and order of the queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueList {
    /// Only this user's.
    pub user: Option<String>,
    /// Only of this partition.
    pub partition: Option<String>,
    /// Only in this state.
    pub state: Option<StateClass>,
    /// Only jobs with this text in their ID, name, user or reason.
    pub text: String,
    /// Include jobs that ended within the last minutes of virtual time.
    pub ended: bool,
    /// One row per array.
    pub group: bool,
    /// Sort order; `None` is squeue's own.
    pub sort: Option<(SortBy, Direction)>,
}

/// Groups of job states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum StateClass {
    Waiting,
    Running,
    Over,
}

/// Sort column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum SortBy {
    Id,
    State,
    Name,
    User,
    Partition,
    Time,
    Size,
    NodeList,
    Priority,
    Start,
}

/// Sort direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum Direction {
    Up,
    Down,
}

/// Queue entries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct QueueRows {
    /// Number of entries that match the filter.
    pub total: u32,
    /// Index of the first entry in `rows`.
    pub first: u32,
    pub rows: Vec<QueueRow>,
}

/// One row, formatted as squeue prints it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct QueueRow {
    /// `12`, `12_3`, `12_[4-9%2]`.
    pub id: String,
    /// The record's job ID, for its colour.
    pub job: u32,
    pub partition: String,
    pub name: String,
    pub user: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// `PD`, `R`, ...
    pub state: String,
    pub state_long: String,
    /// Run time in seconds.
    pub seconds: i64,
    /// Time limit in seconds; -1: none.
    pub limit: i64,
    pub nodes: u32,
    pub cpus: u32,
    pub gpus: u32,
    /// Node list, or the reason in parentheses.
    pub nodelist: String,
    pub priority: u32,
    /// Expected start.
    pub start: Option<Micros>,
    /// For a grouped array: numbers of pending and running tasks.
    pub tasks: Option<(u32, u32)>,
}
