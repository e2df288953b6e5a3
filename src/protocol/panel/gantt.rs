//! Timeline panel: past runs, running jobs with their time limits, and planned starts.

use crate::Micros;
use serde::{Deserialize, Serialize};

/// The visible part of the timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct GanttWindow {
    /// Width of the window in time.
    pub span: Micros,
    /// Right edge; `None` follows the present, which is then in the middle.
    pub until: Option<Micros>,
    /// First row, and number of rows (at most 200 are sent).
    pub first: u32,
    pub count: u32,
    /// Width in pixels; jobs narrower than one pixel are merged.
    pub columns: u32,
    /// Rows are jobs instead of nodes.
    pub jobs: bool,
}

/// Contents of the window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct GanttPicture {
    pub from: Micros,
    pub until: Micros,
    pub now: Micros,
    /// Total number of rows.
    pub total: u32,
    pub first: u32,
    pub rows: Vec<String>,
    /// Bars of these rows, ordered by row and start.
    pub bars: Vec<GanttBar>,
    pub frames: Vec<GanttFrame>,
    /// Whether some records in the window were not sent or not read.
    pub cut: bool,
}

/// A job's bar on a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct GanttBar {
    /// Index into `rows`.
    pub row: u32,
    pub from: Micros,
    /// End; the present for a running job.
    pub until: Micros,
    /// End by its time limit, for a running job.
    pub limit: Option<Micros>,
    pub kind: BarKind,
    /// `12_3`; empty for several merged jobs.
    pub id: String,
    pub job: u32,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    pub user: String,
    pub name: String,
    pub nodes: String,
    /// The job that preempted or suspended this run: `12_3`.
    pub by: String,
}

/// What a bar shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum BarKind {
    Completed,
    Failed,
    Preempted,
    Requeued,
    #[default]
    Running,
    Suspended,
    Planned,
    /// Several jobs too narrow to tell apart.
    Many,
}

/// A reservation over adjacent rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct GanttFrame {
    /// The first row that it covers.
    pub row: u32,
    /// Number of rows.
    pub rows: u32,
    pub from: Micros,
    pub until: Micros,
    pub name: String,
    pub maintenance: bool,
}
