//! Labels of bars: inside those that are wide enough, beside the others where nothing else is drawn.

use super::shapes::{GanttShape, GanttView, Ink};
use super::{AXIS, GanttLayout};
use crate::cluster::Rect;
use crate::svg::fit;
use protocol::{BarKind, GanttBar, GanttPicture};

/// About the width of a letter inside a bar.
const LETTER: f64 = 7.0;
/// The width of a wide letter: a label beside a bar must not reach the next one.
const WIDE: f64 = 7.8;
/// Narrower and lower bars have no label inside, and lower ones none beside them.
const INSIDE: (f64, f64) = (34.0, 10.0);
/// The space between a label and what is beside it.
const GAP: f64 = 4.0;
/// Most letters of a label beside a bar.
const LONGEST: usize = 24;

/// The label inside a bar, if there is room.
pub(super) fn inside(bar: &GanttBar, Rect { x, y, w, h }: Rect) -> Option<GanttShape> {
    if w <= INSIDE.0 || h <= INSIDE.1 {
        return None;
    }
    let ink = if bar.kind == BarKind::Planned { Ink::Strong } else { Ink::OnJob };
    // The name follows if some of it is readable.
    let named = !bar.name.is_empty() && w > 14.0 + LETTER * (bar.id.chars().count() as f64 + 5.0);
    let text = if named { format!("{} {}", bar.id, bar.name) } else { bar.id.clone() };
    let text = fit(&text, w - 14.0);
    Some(GanttShape::Text { x: x + 5.0, y: y + h / 2.0 + 0.5, middle: false, text, ink })
}

/// Adds the labels beside the bars that have none, of the jobs that `wanted` chooses. `all` is everything else.
///
/// Invariant: a label covers no bar, no line but the grid's, and no other text. Costs a comparison of the bars in a row with
/// each other.
pub(super) fn beside(
    all: &mut Vec<GanttShape>,
    picture: &GanttPicture,
    plan: &GanttLayout,
    look: &GanttView,
    wanted: &dyn Fn(&GanttBar) -> bool,
) {
    let mut taken: Vec<Rect> = all.iter().flat_map(covered).collect();
    let (mut rest, mut labels) = (plan.bars.as_slice(), Vec::new());
    for bars in picture.bars.chunk_by(|a, b| a.row == b.row) {
        let (row, after) = rest.split_at(bars.len().min(rest.len()));
        rest = after;
        for (bar, (rect, ghost)) in bars.iter().zip(row) {
            let narrow = rect.w <= INSIDE.0 && rect.h > INSIDE.1 && !bar.id.is_empty();
            if !narrow || !wanted(bar) || rect.x + rect.w <= plan.left || rect.x >= look.size.0 {
                continue;
            }
            let free = |at: &Rect| !taken.iter().any(|other| meet(other, at));
            if let Some((at, text)) =
                place(bar, *rect, *ghost, row, (plan.left, look.size.0)).into_iter().find(|(at, _)| free(at))
            {
                let y = at.y + at.h / 2.0 + 0.5;
                taken.push(at);
                labels.push(GanttShape::Text { x: at.x, y, middle: false, text, ink: Ink::Strong });
            }
        }
    }
    all.append(&mut labels);
}

/// The places for a label between the bars of a row, with its text, best first: on the right with the job's name and without
/// it, then on the left.
fn place(bar: &GanttBar, r: Rect, ghost: f64, row: &[(Rect, f64)], ends: (f64, f64)) -> Vec<(Rect, String)> {
    let beside = |(other, _): &&(Rect, f64)| other.y < r.y + r.h && r.y < other.y + other.h;
    let right = row.iter().filter(beside).map(|(other, _)| other.x).filter(|x| *x >= r.x + r.w - 0.5);
    let right = right.fold(ends.1, f64::min) - GAP;
    let left = row.iter().filter(beside).map(|(other, ghost)| other.x + other.w + ghost);
    let left = left.filter(|x| *x <= r.x + 0.5).fold(ends.0, f64::max) + GAP;
    let from = r.x + r.w + sign(bar.kind);
    let wide = |text: &str| text.chars().count() as f64 * WIDE;
    let at = |x: f64, w: f64| Rect { x, y: r.y, w, h: r.h };
    let mut found = Vec::new();
    if !bar.name.is_empty() {
        let text = format!("{} {}", bar.id, bar.name);
        if text.chars().count() <= LONGEST && from + wide(&text) <= right {
            found.push((at(from, wide(&text)), text));
        }
    }
    let width = wide(&bar.id);
    if from + width <= right {
        found.push((at(from, width), bar.id.clone()));
    }
    // A label over the time up to the limit belongs to its job; one on the left could belong to another one.
    let start = r.x - GAP - width;
    if ghost == 0.0 && start >= left {
        found.push((at(start, width), bar.id.clone()));
    }
    found
}

/// The space for the sign of how a run ended.
const fn sign(kind: BarKind) -> f64 {
    match kind {
        BarKind::Failed => 9.0,
        BarKind::Preempted | BarKind::Requeued => 15.0,
        BarKind::Completed | BarKind::Running | BarKind::Suspended | BarKind::Planned | BarKind::Many => GAP,
    }
}

/// What a label must not cover: texts, and all lines but the grid's.
fn covered(shape: &GanttShape) -> Vec<Rect> {
    match shape {
        GanttShape::Text { x, y, middle, text, .. } => {
            let w = text.chars().count() as f64 * WIDE;
            vec![Rect { x: if *middle { x - w / 2.0 } else { *x }, y: y - 7.0, w, h: 14.0 }]
        }
        GanttShape::Lines(lines, ink, _) if *ink != Ink::Line => {
            let of = |(a, b, c, d): &(f64, f64, f64, f64)| Rect {
                x: a.min(*c) - 1.0,
                y: b.min(*d) - 1.0,
                w: (a - c).abs() + 2.0,
                h: (b - d).abs() + 2.0,
            };
            lines.iter().map(of).filter(|r| r.y + r.h > AXIS).collect()
        }
        GanttShape::Lines(..) | GanttShape::Fill(..) | GanttShape::Frame(..) => Vec::new(),
    }
}

fn meet(a: &Rect, b: &Rect) -> bool {
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}
