//! Geometry of the timeline: time across, rows down, and lanes within a row for jobs that share a node.

mod labels;
mod shapes;

pub use shapes::{GanttShape, GanttView, Ink, csv, shapes, svg};

use super::cluster::Rect;
use protocol::{BarKind, GanttBar, GanttPicture, GanttWindow, Micros};

/// Minimum and maximum row height.
const ROWS: (f64, f64) = (26.0, 58.0);
/// Height of the axis above the rows.
pub const AXIS: f64 = 24.0;
/// Maximum number of lanes; further jobs share the last one.
const LANES: usize = 8;
const SECOND: Micros = 1_000_000;
/// Shortest and longest window.
const SPANS: (Micros, Micros) = (60 * SECOND, 200 * 86_400 * SECOND);

/// Fewest rows to ask for: the table shows them, however low the picture is.
pub const LEAST_ROWS: u32 = 40;

/// The window at a first visit.
#[must_use]
pub const fn first_window() -> GanttWindow {
    let span = 2 * 3600 * SECOND;
    GanttWindow { span, until: None, first: 0, count: LEAST_ROWS, columns: 800, jobs: false }
}

/// The computed geometry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GanttLayout {
    /// Time at the left end.
    pub from: Micros,
    /// Time at the right end.
    pub until: Micros,
    /// The present.
    pub now: Micros,
    /// Left edge of the bars; names are left of it.
    pub left: f64,
    width: f64,
    /// Height of a row.
    pub row: f64,
    /// For each bar its rectangle, and the width up to its time limit.
    pub bars: Vec<(Rect, f64)>,
}

impl GanttLayout {
    /// Computes it for a picture, a width and a time. Running jobs and a window that follows the present have moved on
    /// since the picture was made.
    #[must_use]
    pub fn new(picture: &GanttPicture, follows: bool, now: Micros, (width, height): (f64, f64)) -> Self {
        let left = if width < 520.0 { 76.0 } else { 116.0 };
        let moved = if follows { now - picture.now } else { 0 };
        let (from, until) = (picture.from + moved, picture.until + moved);
        let row = row_height(picture.total, height);
        let mut plan =
            Self { from, until, now, left, width, row, bars: Vec::with_capacity(picture.bars.len()) };
        for bars in picture.bars.chunk_by(|a, b| a.row == b.row) {
            plan.row(bars);
        }
        plan
    }

    /// Position of a time.
    #[must_use]
    pub fn x(&self, at: Micros) -> f64 {
        let share = (at - self.from) as f64 / (self.until - self.from).max(1) as f64;
        self.left + share.clamp(-1.0, 2.0) * (self.width - self.left)
    }

    /// The time at a position.
    #[must_use]
    pub fn moment(&self, x: f64) -> Micros {
        let share = ((x - self.left) / (self.width - self.left).max(1.0)).clamp(0.0, 1.0);
        self.from + ((self.until - self.from) as f64 * share) as Micros
    }

    /// End of a bar; running jobs extend to the present.
    #[must_use]
    pub fn end(&self, bar: &GanttBar) -> Micros {
        match bar.kind {
            BarKind::Running | BarKind::Suspended => self.now.max(bar.from),
            BarKind::Completed
            | BarKind::Failed
            | BarKind::Preempted
            | BarKind::Requeued
            | BarKind::Planned
            | BarKind::Many => bar.until,
        }
    }

    fn row(&mut self, bars: &[GanttBar]) {
        let mut ends: Vec<Micros> = Vec::new();
        let mut lanes = Vec::with_capacity(bars.len());
        for bar in bars {
            let end = bar.limit.unwrap_or(bar.until).max(self.end(bar));
            let free = ends.iter().position(|e| *e <= bar.from);
            let lane = match free {
                Some(lane) => lane,
                None if ends.len() < LANES => {
                    ends.push(end);
                    ends.len() - 1
                }
                None => LANES - 1,
            };
            if let Some(last) = ends.get_mut(lane) {
                *last = end.max(*last);
            }
            lanes.push(lane);
        }
        let count = ends.len().max(1) as f64;
        let height = (self.row - 6.0) / count;
        for (bar, lane) in bars.iter().zip(lanes) {
            let (x, right) = (self.x(bar.from).max(self.left), self.x(self.end(bar)).min(self.width));
            let ghost = bar.limit.map_or(0.0, |limit| (self.x(limit).min(self.width) - right).max(0.0));
            let y = AXIS + f64::from(bar.row) * self.row + 3.0 + lane as f64 * height;
            let h = if count > 1.0 { (height - 1.0).max(1.0) } else { height };
            self.bars.push((Rect { x, y, w: (right - x).max(1.0), h }, ghost));
        }
    }

    /// Index of the bar at a position.
    #[must_use]
    pub fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.bars.iter().rposition(|(r, ghost)| {
            x >= r.x - 1.0 && x <= r.x + r.w + ghost + 1.0 && y >= r.y && y <= r.y + r.h + 1.0
        })
    }
}

/// Row height, so that the rows fill the available height.
#[must_use]
pub fn row_height(total: u32, height: f64) -> f64 {
    ((height - AXIS) / f64::from(total.max(1))).clamp(ROWS.0, ROWS.1)
}

/// Height of a picture including its rows.
#[must_use]
pub fn height(picture: &GanttPicture, plan: &GanttLayout) -> f64 {
    AXIS + picture.rows.len() as f64 * plan.row
}

/// The window zoomed by `factor` around a time.
#[must_use]
pub fn zoomed(window: &GanttWindow, seen: (Micros, Micros), around: Micros, factor: f64) -> GanttWindow {
    let wide = seen.1 - seen.0;
    let span = ((wide as f64 * factor) as Micros).clamp(SPANS.0, SPANS.1);
    let share = (around - seen.0) as f64 / wide.max(1) as f64;
    let until = around + (span as f64 * (1.0 - share)) as Micros;
    GanttWindow { span, until: window.until.map(|_| until), ..window.clone() }
}

/// The window between two times.
#[must_use]
pub fn between(window: &GanttWindow, a: Micros, b: Micros) -> GanttWindow {
    let (from, until) = (a.min(b), a.max(b));
    GanttWindow { span: (until - from).clamp(SPANS.0, SPANS.1), until: Some(until), ..window.clone() }
}

#[cfg(test)]
mod tests;
