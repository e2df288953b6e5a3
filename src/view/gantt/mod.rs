//! The timeline's geometry: moments across, rows down, and lanes within a row for jobs that share a node.

mod shapes;

pub use shapes::{Ink, Look, Shape, csv, shapes, svg};

use super::cluster::Rect;
use crate::protocol::{BarKind, GanttBar, GanttPicture, GanttWindow, Micros};

/// Least and most height of a row.
const ROWS: (f64, f64) = (26.0, 58.0);
/// Height of the axis above the rows.
pub const AXIS: f64 = 24.0;
/// Most lanes of a row: what is more lies upon the last one.
const LANES: usize = 8;
const SECOND: Micros = 1_000_000;
/// Narrowest and widest window.
const SPANS: (Micros, Micros) = (60 * SECOND, 200 * 86_400 * SECOND);

/// Where everything is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The moment at the left end ...
    pub from: Micros,
    /// ... and at the right one.
    pub until: Micros,
    /// The present.
    pub now: Micros,
    /// Where the bars begin: names stand left of it.
    pub left: f64,
    width: f64,
    /// Height of a row.
    pub row: f64,
    /// For each bar of the picture: from its beginning to its end, and what its limit may add to that.
    pub bars: Vec<(Rect, f64)>,
}

impl Plan {
    /// Of a picture that is so wide, at a moment: what runs has gone on since the picture was made, and a window that
    /// goes along with the present has moved.
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

    /// Where a moment is.
    #[must_use]
    pub fn x(&self, at: Micros) -> f64 {
        let share = (at - self.from) as f64 / (self.until - self.from).max(1) as f64;
        self.left + share.clamp(-1.0, 2.0) * (self.width - self.left)
    }

    /// Which moment is there.
    #[must_use]
    pub fn moment(&self, x: f64) -> Micros {
        let share = ((x - self.left) / (self.width - self.left).max(1.0)).clamp(0.0, 1.0);
        self.from + ((self.until - self.from) as f64 * share) as Micros
    }

    /// When a bar ends, as far as anybody knows: what runs has got to now.
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

    /// The bar at a place, by its index.
    #[must_use]
    pub fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.bars.iter().rposition(|(r, ghost)| {
            x >= r.x - 1.0 && x <= r.x + r.w + ghost + 1.0 && y >= r.y && y <= r.y + r.h + 1.0
        })
    }
}

/// The height of so many rows: what room there is is theirs.
#[must_use]
pub fn row_height(total: u32, height: f64) -> f64 {
    ((height - AXIS) / f64::from(total.max(1))).clamp(ROWS.0, ROWS.1)
}

/// The height of a picture with its rows.
#[must_use]
pub fn height(picture: &GanttPicture, plan: &Plan) -> f64 {
    AXIS + picture.rows.len() as f64 * plan.row
}

/// The window that is `factor` times as wide, with the moment `around` where it is.
#[must_use]
pub fn zoomed(window: &GanttWindow, seen: (Micros, Micros), around: Micros, factor: f64) -> GanttWindow {
    let wide = seen.1 - seen.0;
    let span = ((wide as f64 * factor) as Micros).clamp(SPANS.0, SPANS.1);
    let share = (around - seen.0) as f64 / wide.max(1) as f64;
    let until = around + (span as f64 * (1.0 - share)) as Micros;
    GanttWindow { span, until: window.until.map(|_| until), ..window.clone() }
}

/// The window between two moments.
#[must_use]
pub fn between(window: &GanttWindow, a: Micros, b: Micros) -> GanttWindow {
    let (from, until) = (a.min(b), a.max(b));
    GanttWindow { span: (until - from).clamp(SPANS.0, SPANS.1), until: Some(until), ..window.clone() }
}

#[cfg(test)]
mod tests;
