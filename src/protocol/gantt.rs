//! Jobs against time: what ran, what runs until when at most, and what is planned.

use super::Micros;
use serde::{Deserialize, Serialize};

/// What of it is seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GanttWindow {
    /// Its width in time.
    pub span: Micros,
    /// Its right end; none: it goes along with the present, which is its middle.
    pub until: Option<Micros>,
    /// First row, and how many (at most 200 are sent).
    pub first: u32,
    pub count: u32,
    /// Pixels across: what is narrower than one is drawn together.
    pub columns: u32,
    /// Rows are jobs instead of nodes.
    pub jobs: bool,
}

/// What is in the window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GanttPicture {
    pub from: Micros,
    pub until: Micros,
    pub now: Micros,
    /// Rows in all.
    pub total: u32,
    pub first: u32,
    pub rows: Vec<String>,
    /// Bars of these rows, row by row, ascending by their beginning.
    pub bars: Vec<GanttBar>,
    pub frames: Vec<GanttFrame>,
    /// There was more in the window than is sent or looked at.
    pub cut: bool,
}

/// A job on a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GanttBar {
    /// Index into `rows`.
    pub row: u32,
    pub from: Micros,
    /// Its end; the present while it runs.
    pub until: Micros,
    /// When its time limit ends it, while it runs.
    pub limit: Option<Micros>,
    pub kind: BarKind,
    /// `12_3`; empty for many that are drawn together.
    pub id: String,
    pub job: u32,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    pub user: String,
    pub name: String,
    pub nodes: String,
    /// Who pushed it out of this run, or paused it: `12_3`.
    pub by: String,
}

/// What a bar is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BarKind {
    Completed,
    Failed,
    Preempted,
    Requeued,
    #[default]
    Running,
    Suspended,
    Planned,
    /// Several that are too narrow to tell apart.
    Many,
}

/// A reservation on neighbouring rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct GanttFrame {
    pub row: u32,
    pub rows: u32,
    pub from: Micros,
    pub until: Micros,
    pub name: String,
    pub maintenance: bool,
}
