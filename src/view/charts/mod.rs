//! The cluster over time as curves and bars, and their axes.
//!
//! Drawn by these lines and not by the crate plotters: its SVG backend with one line and one area was measured at 125 kB
//! of compressed WebAssembly, more than half of what the whole page may have.

mod axis;

pub use axis::{Marks, marks};

use super::axis::ticks;
use super::cluster::Rect;
use super::css::tenths;
use super::fill::csv_line;
use super::number;
use super::svg::{Svg, path_of};
use super::times::civil;
use crate::protocol::{ChartsPicture, Micros};

/// One of the charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// Part of the cluster's CPUs, memory and GPUs that is used.
    Use,
    /// Jobs that run and that wait.
    Jobs,
    /// Jobs that start and end.
    Turnover,
}

/// What belongs to a series: its class in the style sheet and its values.
type Series = (&'static str, Vec<f64>);

const LEFT: f64 = 42.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 10.0;
const FOOT: f64 = 22.0;
/// A chart's height, pixels.
pub const HEIGHT: f64 = 150.0;

/// The series of a chart, in the order of its legend.
#[must_use]
pub fn series(picture: &ChartsPicture, chart: Chart) -> Vec<Series> {
    let part = |values: &[f64], total: f64| {
        values.iter().map(|v| if total > 0.0 { v / total } else { 0.0 }).collect::<Vec<f64>>()
    };
    let counts = |values: &[u32]| values.iter().map(|n| f64::from(*n)).collect::<Vec<f64>>();
    let [cpus, memory, gpus] = picture.totals;
    match chart {
        Chart::Use => {
            let mut all = vec![("s1", part(&picture.cpus, cpus)), ("s2", part(&picture.memory, memory))];
            if gpus > 0.0 {
                all.push(("s3", part(&picture.gpus, gpus)));
            }
            all
        }
        Chart::Jobs => vec![("s1", picture.running.clone()), ("s4", picture.waiting.clone())],
        Chart::Turnover => vec![("s1", counts(&picture.starts)), ("s4", counts(&picture.ends))],
    }
}

/// How a moment is written under a picture whose labels are so many seconds apart.
pub type Moment<'a> = &'a dyn Fn(Micros, i64) -> String;

/// What a language calls things in a chart.
pub struct Said<'a> {
    /// The chart, for a screen reader.
    pub label: &'a str,
    /// A moment.
    pub moment: Moment<'a>,
    /// Between a number's whole part and its tenths.
    pub decimal: &'a str,
    /// A percent sign, and what stands before it.
    pub percent: &'a str,
}

/// A chart.
#[must_use]
pub fn chart(picture: &ChartsPicture, chart: Chart, width: f64, said: &Said<'_>) -> String {
    let all = series(picture, chart);
    let most = all.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max);
    let marks = if chart == Chart::Use { marks(most.max(1.0)) } else { marks(most) };
    let frame = Rect { x: LEFT, y: TOP, w: width - LEFT - RIGHT, h: HEIGHT - TOP - FOOT };
    let mut svg = Svg::default();
    grid(&mut svg, &marks, frame, said, chart == Chart::Use);
    times(&mut svg, picture, frame, said.moment);
    let spans = all.first().map_or(0, |(_, v)| v.len()).max(1);
    let x = |i: usize| frame.x + frame.w * i as f64 / spans as f64;
    let y = |v: f64| frame.y + frame.h * (1.0 - (v / marks.top).clamp(0.0, 1.0));
    for (at, (class, values)) in all.iter().enumerate() {
        if chart == Chart::Turnover {
            // Starts and ends side by side.
            let w = frame.w / spans as f64 / 2.0;
            for (i, v) in values.iter().enumerate().filter(|(_, v)| **v > 0.0) {
                let left = x(i) + w * at as f64;
                let bar = Rect { x: left, y: y(*v), w: (w - 0.5).max(0.8), h: frame.y + frame.h - y(*v) };
                svg.rect(&format!("bar-{class}"), bar, "");
            }
            continue;
        }
        // A mean holds over the whole span: steps, not slopes.
        let steps = values.iter().enumerate().flat_map(|(i, v)| [(x(i), y(*v)), (x(i + 1), y(*v))]);
        let points: Vec<(f64, f64)> = steps.collect();
        if at == 0 {
            let ground = [(x(spans), frame.y + frame.h), (x(0), frame.y + frame.h)];
            svg.path("under", &path_of(points.iter().copied().chain(ground)), "");
        }
        svg.path(class, &path_of(points), "");
    }
    svg.finish(width, HEIGHT, said.label)
}

fn grid(svg: &mut Svg, marks: &Marks, frame: Rect, said: &Said<'_>, shares: bool) {
    for i in 0..=marks.steps {
        let value = marks.top * f64::from(i) / f64::from(marks.steps);
        let y = frame.y + frame.h * (1.0 - value / marks.top);
        svg.line(if i == 0 { "axis" } else { "grid" }, (frame.x, y), (frame.x + frame.w, y));
        let text = if shares {
            number::percent((value * 100.0).round() as u64, said.percent)
        } else {
            short(value, said.decimal)
        };
        svg.text("tick end", frame.x - 6.0, y + 4.0, &text);
    }
}

/// Round moments under the picture, where there is room for their words.
fn times(svg: &mut Svg, picture: &ChartsPicture, frame: Rect, moment: Moment<'_>) {
    let span = (picture.until - picture.from).max(1);
    let (moments, step) = ticks(picture.from, picture.until, (frame.w / 72.0) as u32);
    for at in moments {
        let x = frame.x + frame.w * (at - picture.from) as f64 / span as f64;
        svg.line("axis", (x, frame.y + frame.h), (x, frame.y + frame.h + 4.0));
        if x < frame.x + frame.w - 16.0 {
            svg.text("tick middle", x, HEIGHT - 4.0, &moment(at, step));
        }
    }
}

/// A count for an axis: `1200` is `1.2k`.
fn short(value: f64, decimal: &str) -> String {
    let number = |v: f64| tenths(v).trim_end_matches('0').trim_end_matches('.').replace('.', decimal);
    match value {
        v if v >= 1e6 => format!("{}M", number(v / 1e6)),
        v if v >= 1e4 => format!("{}k", number(v / 1e3)),
        v => number(v),
    }
}

/// All series as CSV, one line for each span.
#[must_use]
pub fn csv(picture: &ChartsPicture) -> String {
    let heads = ["time", "cpus", "memory_mib", "gpus", "running", "waiting", "starts", "ends"];
    let mut out = csv_line(heads);
    let mean = |values: &[f64], i: usize| values.get(i).map_or_else(String::new, |v| tenths(*v));
    let count = |values: &[u32], i: usize| values.get(i).map_or_else(String::new, u32::to_string);
    for i in 0..picture.cpus.len() {
        let at = civil(picture.from + picture.step * i as i64);
        let cells = [
            format!("{}T{}", at.date(), at.hms()),
            mean(&picture.cpus, i),
            mean(&picture.memory, i),
            mean(&picture.gpus, i),
            mean(&picture.running, i),
            mean(&picture.waiting, i),
            count(&picture.starts, i),
            count(&picture.ends, i),
        ];
        out += &csv_line(cells.iter().map(String::as_str));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_stay_in_their_frame() {
        let picture = ChartsPicture {
            from: 0,
            step: 900_000_000,
            until: 96 * 900_000_000,
            cpus: vec![4.0; 96],
            memory: vec![0.0; 96],
            gpus: vec![0.0; 96],
            totals: [8.0, 100.0, 0.0],
            starts: vec![1; 96],
            ends: vec![0; 96],
            ..ChartsPicture::default()
        };
        let moment = |at: Micros, step: i64| format!("{} {step}", civil(at).hm());
        let said = Said { label: "use", moment: &moment, decimal: ",", percent: "\u{202f}%" };
        let text = chart(&picture, Chart::Use, 400.0, &said);
        // Half of the CPUs is half of the height; without GPUs there is no curve of theirs.
        assert!(text.contains("M42.0 69.0") && !text.contains("s3"), "{text}");
        assert!(text.contains(">100\u{202f}%<") && text.contains(">50\u{202f}%<"), "{text}");
        // Round moments, and none that would be cut at the end.
        assert!(text.contains(">00:00 21600<") && text.contains(">18:00 21600<"), "{text}");
        assert_eq!(text.matches(" 21600<").count(), 4, "{text}");
        assert_eq!(chart(&picture, Chart::Turnover, 400.0, &said).matches("bar-s1").count(), 96);
        assert_eq!(csv(&picture).lines().nth(2), Some("1970-01-01T00:15:00,4.0,0.0,0.0,,,1,0"));
        let english = [0.5, 1200.0, 12_500.0, 2e6].map(|v| short(v, "."));
        assert_eq!(english, ["0.5", "1200", "12.5k", "2M"]);
        assert_eq!(short(12_500.0, ","), "12,5k");
    }
}
