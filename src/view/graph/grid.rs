//! A job array as a grid: one cell per task, with its state as colour and letters.

use crate::cluster::Rect;
use crate::states::job_tone;
use crate::svg::Svg;
use protocol::GraphPicture;

const CELL: f64 = 30.0;
const HIGH: f64 = 26.0;
/// With more tasks the cells are small and have no letters.
const SMALL_FROM: usize = 300;
const SMALL: f64 = 12.0;

/// Draws the grid.
#[must_use]
pub fn grid(picture: &GraphPicture, width: f64, label: &str) -> String {
    let small = picture.tasks.len() > SMALL_FROM;
    let (w, h) = if small { (SMALL, SMALL) } else { (CELL, HIGH) };
    let columns = ((width / w) as usize).max(1);
    let array = picture.open.unwrap_or(0);
    let mut svg = Svg::default();
    for (i, (task, state)) in picture.tasks.iter().enumerate() {
        let (x, y) = ((i % columns) as f64 * w, (i / columns) as f64 * h);
        let id = format!("{array}_{task}");
        svg.group(&format!("task {}", job_tone(state).class()), &id, &format!("{id} {state}"));
        svg.rect("ground", Rect { x, y, w: w - 2.0, h: h - 2.0 }, "");
        if !small {
            svg.text("letters", x + (w - 2.0) / 2.0, y + 11.0, &task.to_string());
            svg.text("letters state", x + (w - 2.0) / 2.0, y + 21.0, state);
        }
        svg.end();
    }
    let rows = picture.tasks.len().div_ceil(columns);
    svg.finish(width.min(columns as f64 * w), rows as f64 * h, label)
}
