//! The queue: which of its rows the page wants, and the rows.

use super::Micros;
use serde::{Deserialize, Serialize};

/// Which rows of the queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueWindow {
    /// First row.
    pub first: u32,
    /// How many (at most 200 are sent).
    pub count: u32,
    /// Which jobs, and in which order.
    pub list: QueueList,
}

/// Which jobs of the queue, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueList {
    /// Only this user's.
    pub user: Option<String>,
    /// Only of this partition.
    pub partition: Option<String>,
    /// Only in this state.
    pub state: Option<StateClass>,
    /// Only with this in their id, name, user or reason.
    pub text: String,
    /// Jobs that ended within the last minutes of virtual time too.
    pub ended: bool,
    /// One row for each array.
    pub group: bool,
    /// Other than squeue's own order.
    pub sort: Option<(SortBy, Direction)>,
}

/// States by what they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum StateClass {
    Waiting,
    Running,
    Over,
}

/// What rows are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum SortBy {
    Id,
    State,
    Name,
    User,
    Partition,
    Time,
    Size,
    Place,
    Priority,
    Start,
}

/// Which end comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Direction {
    Up,
    Down,
}

/// Rows of the queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct QueueRows {
    pub total: u32,
    pub first: u32,
    pub rows: Vec<QueueRow>,
}

/// One row, texts as squeue gives them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct QueueRow {
    /// `12`, `12_3`, `12_[4-9%2]`.
    pub id: String,
    /// The record's own id, for colours.
    pub job: u32,
    pub partition: String,
    pub name: String,
    pub user: String,
    pub user_index: u32,
    /// `PD`, `R`, ...
    pub state: String,
    pub state_long: String,
    /// Seconds it has run.
    pub seconds: i64,
    /// Seconds of its limit; -1: none.
    pub limit: i64,
    pub nodes: u32,
    pub cpus: u32,
    pub gpus: u32,
    /// Node list, or the reason in parentheses.
    pub place: String,
    pub priority: u32,
    /// Expected start.
    pub start: Option<Micros>,
    /// Of a whole array in one row: its tasks that wait and that run.
    pub tasks: Option<(u32, u32)>,
}
