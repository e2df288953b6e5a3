//! The dependency graph as a picture, in layers from left to right, and a job array as a grid of its tasks.

mod grid;
mod layers;

pub use grid::grid;
pub use layers::{GraphLayout, GraphSlot, layers};

use super::cluster::Rect;
use super::css::tenths;
use super::fill::csv_line;
use super::palette::job_colour;
use super::states::job_tone;
use super::svg::{Svg, filled, fit, path_of};
use protocol::{EdgeState, GraphEdge, GraphJob, GraphPicture};

const W: f64 = 128.0;
const H: f64 = 42.0;
/// Distance between two layers, with room for the dependency type.
const ACROSS: f64 = 108.0;
const DOWN: f64 = 20.0;
const EDGE: f64 = 6.0;

/// Style class of an edge.
const fn class(state: EdgeState) -> &'static str {
    match state {
        EdgeState::Satisfied => "edge satisfied",
        EdgeState::Waiting => "edge waits",
        EdgeState::Never => "edge never",
    }
}

/// Symbol of an edge, so that colour is not the only cue.
const fn mark(state: EdgeState) -> &'static str {
    match state {
        EdgeState::Satisfied => "✓",
        EdgeState::Waiting => "…",
        EdgeState::Never => "✕",
    }
}

/// Box of a position.
fn boxed(slot: GraphSlot) -> Rect {
    let (x, y) = (EDGE + (W + ACROSS) * slot.layer as f64, EDGE + (H + DOWN) / 2.0 * slot.slot as f64);
    Rect { x, y, w: W, h: H }
}

/// Draws the graph; `chosen` is the selected job's ID.
#[must_use]
pub fn graph(picture: &GraphPicture, chosen: &str, dark: bool, label: &str) -> String {
    let pairs: Vec<(usize, usize)> = picture.edges.iter().map(|e| (e.from as usize, e.to as usize)).collect();
    let layout = layers(picture.jobs.len(), &pairs);
    let boxes: Vec<Rect> = layout.slots.iter().map(|p| boxed(*p)).collect();
    let mut svg = Svg::default();
    for (edge, way) in picture.edges.iter().zip(&layout.ways) {
        let (from, to) = (boxes.get(edge.from as usize), boxes.get(edge.to as usize));
        if let (Some(from), Some(to)) = (from, to) {
            let between = way.iter().map(|p| boxed(*p));
            arrow(&mut svg, edge, &[*from].into_iter().chain(between).chain([*to]).collect::<Vec<_>>());
        }
    }
    for (job, area) in picture.jobs.iter().zip(&boxes) {
        node(&mut svg, job, *area, job.id == chosen, dark);
    }
    let right = boxes.iter().map(|r| r.x + r.w).fold(0.0, f64::max);
    // Includes edges that pass below the lowest job.
    let ways = layout.ways.iter().flatten().map(|p| boxed(*p));
    let bottom = boxes.iter().copied().chain(ways).map(|r| r.y + r.h).fold(0.0, f64::max);
    svg.finish(right + EDGE, bottom + EDGE, label)
}

/// An edge from the first box to the last, through the dummy positions.
fn arrow(svg: &mut Svg, edge: &GraphEdge, boxes: &[Rect]) {
    let n = |v: f64| tenths(v.max(0.0));
    let middle = |r: &Rect| r.y + r.h / 2.0;
    let (Some(first), Some(to)) = (boxes.first(), boxes.last()) else { return };
    svg.group(class(edge.state), "", &edge.kind);
    let mut curve = format!("M{} {}", n(first.x + W), n(middle(first)));
    let mut last = (first.x + W, middle(first));
    for (i, next) in boxes.iter().enumerate().skip(1) {
        let end = i + 1 == boxes.len();
        let (x, y) = (if end { next.x - 8.0 } else { next.x }, middle(next));
        let bend = ACROSS / 2.0;
        curve += &format!("C{} {} {} {} {} {}", n(last.0 + bend), n(last.1), n(x - bend), n(y), n(x), n(y));
        last = (x, y);
        if !end {
            curve += &format!("L{} {}", n(x + W), n(y));
            last = (x + W, y);
        }
    }
    svg.path("way", &curve, "");
    let (x, y) = (to.x - 2.0, middle(to));
    svg.path("head", &format!("{}Z", path_of([(x - 7.0, y - 4.0), (x, y), (x - 7.0, y + 4.0)])), "");
    // Close to the dependent job, because edges from one job are apart there.
    let before = boxes.len().checked_sub(2).and_then(|i| boxes.get(i)).map_or(y, middle);
    let any = if edge.any { "?" } else { "" };
    let text = format!("{}{any} {}", edge.kind, mark(edge.state));
    svg.text("kind", x - ACROSS * 0.42, before + (y - before) * 0.62 - 5.0, &text);
    svg.end();
}

fn node(svg: &mut Svg, job: &GraphJob, area: Rect, chosen: bool, dark: bool) {
    let tone = job_tone(&job.state).class();
    let class = if chosen { format!("job {tone} chosen") } else { format!("job {tone}") };
    let title = format!("{} {} {} {} {}", job.id, job.name, job.user, job.state, job.reason);
    svg.group(&class, &job.id, title.trim());
    svg.rect("ground", area, "");
    let stripe = Rect { w: 5.0, ..area };
    svg.rect("stripe", stripe, &filled(&job_colour(job.user_index, job.job, dark)));
    svg.rect("frame", area, "");
    svg.text("name", area.x + 12.0, area.y + 18.0, &fit(&job.id, W - 50.0));
    svg.text("faint", area.x + 12.0, area.y + 34.0, &fit(&job.name, W - 20.0));
    svg.text("state", area.x + W - 8.0, area.y + 18.0, &job.state);
    svg.end();
}

/// The edges as CSV.
#[must_use]
pub fn csv(picture: &GraphPicture) -> String {
    let mut out = csv_line(["job", "state", "depends on", "dependency", "status"]);
    let job = |i: u32| picture.jobs.get(i as usize);
    for edge in &picture.edges {
        let (Some(from), Some(to)) = (job(edge.from), job(edge.to)) else { continue };
        let state = match edge.state {
            EdgeState::Satisfied => "fulfilled",
            EdgeState::Waiting => "unfulfilled",
            EdgeState::Never => "failed",
        };
        out += &csv_line([to.id.as_str(), &to.state, &from.id, &edge.kind, state]);
    }
    for (task, state) in &picture.tasks {
        let id = format!("{}_{task}", picture.open.unwrap_or(0));
        out += &csv_line([id.as_str(), state, "", "", ""]);
    }
    out
}
