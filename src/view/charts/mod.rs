//! Usage over time as curves and bars with axes.
//!
//! Drawn directly instead of with the plotters crate: its SVG backend with one line and one area measured 125 kB of
//! compressed WebAssembly, more than half of the page's budget.

mod axis;

pub use axis::{Marks, marks};

use super::axis::ticks;
use super::cluster::Rect;
use super::css::tenths;
use super::fill::csv_line;
use super::number;
use super::svg::{Svg, path_of};
use super::times::civil;
use protocol::{ChartsPicture, Micros};

/// Type of chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// Used share of the cluster's CPUs, memory and GPUs.
    Use,
    /// Running and pending jobs.
    Jobs,
    /// Job starts and ends.
    Turnover,
}

/// A series: its style class and values.
type ChartSeries = (&'static str, Vec<f64>);

const LEFT: f64 = 42.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 10.0;
const FOOT: f64 = 22.0;
/// Height of a chart in pixels.
pub const HEIGHT: f64 = 150.0;

/// The series of a chart, in legend order.
#[must_use]
pub fn series(picture: &ChartsPicture, chart: ChartKind) -> Vec<ChartSeries> {
    let part = |values: &[f64], total: f64| {
        values.iter().map(|v| if total > 0.0 { v / total } else { 0.0 }).collect::<Vec<f64>>()
    };
    let counts = |values: &[u32]| values.iter().map(|n| f64::from(*n)).collect::<Vec<f64>>();
    let [cpus, memory, gpus] = picture.totals;
    match chart {
        ChartKind::Use => {
            let mut all = vec![("s1", part(&picture.cpus, cpus)), ("s2", part(&picture.memory, memory))];
            if gpus > 0.0 {
                all.push(("s3", part(&picture.gpus, gpus)));
            }
            all
        }
        ChartKind::Jobs => vec![("s1", picture.running.clone()), ("s4", picture.waiting.clone())],
        ChartKind::Turnover => vec![("s1", counts(&picture.starts)), ("s4", counts(&picture.ends))],
    }
}

/// Formats a time for an axis with this tick interval in seconds.
pub type TimeLabel<'a> = &'a dyn Fn(Micros, i64) -> String;

/// Texts of a chart in a language.
pub struct ChartLabels<'a> {
    /// Accessible name.
    pub label: &'a str,
    /// Time formatter.
    pub moment: TimeLabel<'a>,
    /// Decimal separator.
    pub decimal: &'a str,
    /// Percent sign with its space.
    pub percent: &'a str,
}

/// Draws a chart.
#[must_use]
pub fn chart(picture: &ChartsPicture, chart: ChartKind, width: f64, said: &ChartLabels<'_>) -> String {
    let all = series(picture, chart);
    let most = all.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max);
    let marks = if chart == ChartKind::Use { marks(most.max(1.0)) } else { marks(most) };
    let frame = Rect { x: LEFT, y: TOP, w: width - LEFT - RIGHT, h: HEIGHT - TOP - FOOT };
    let mut svg = Svg::default();
    grid(&mut svg, &marks, frame, said, chart == ChartKind::Use);
    times(&mut svg, picture, frame, said.moment);
    let spans = all.first().map_or(0, |(_, v)| v.len()).max(1);
    let x = |i: usize| frame.x + frame.w * i as f64 / spans as f64;
    let y = |v: f64| frame.y + frame.h * (1.0 - (v / marks.top).clamp(0.0, 1.0));
    for (at, (class, values)) in all.iter().enumerate() {
        if chart == ChartKind::Turnover {
            // Starts and ends are side by side.
            let w = frame.w / spans as f64 / 2.0;
            for (i, v) in values.iter().enumerate().filter(|(_, v)| **v > 0.0) {
                let left = x(i) + w * at as f64;
                let bar = Rect { x: left, y: y(*v), w: (w - 0.5).max(0.8), h: frame.y + frame.h - y(*v) };
                svg.rect(&format!("bar-{class}"), bar, "");
            }
            continue;
        }
        // A mean holds for a whole interval, so it is drawn as steps.
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

fn grid(svg: &mut Svg, marks: &Marks, frame: Rect, said: &ChartLabels<'_>, shares: bool) {
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

/// Time ticks, where there is room for their labels.
fn times(svg: &mut Svg, picture: &ChartsPicture, frame: Rect, moment: TimeLabel<'_>) {
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

/// A count for an axis: `1.2k` for `1200`.
fn short(value: f64, decimal: &str) -> String {
    let number = |v: f64| tenths(v).trim_end_matches('0').trim_end_matches('.').replace('.', decimal);
    match value {
        v if v >= 1e6 => format!("{}M", number(v / 1e6)),
        v if v >= 1e4 => format!("{}k", number(v / 1e3)),
        v => number(v),
    }
}

/// All series as CSV, one line per interval.
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
        let said = ChartLabels { label: "use", moment: &moment, decimal: ",", percent: "\u{202f}%" };
        let text = chart(&picture, ChartKind::Use, 400.0, &said);
        // Half of the CPUs is half of the height; without GPUs there is no GPU curve.
        assert!(text.contains("M42.0 69.0") && !text.contains("s3"), "{text}");
        assert!(text.contains(">100\u{202f}%<") && text.contains(">50\u{202f}%<"), "{text}");
        // Round times, and none that would be cut at the end.
        assert!(text.contains(">00:00 21600<") && text.contains(">18:00 21600<"), "{text}");
        assert_eq!(text.matches(" 21600<").count(), 4, "{text}");
        assert_eq!(chart(&picture, ChartKind::Turnover, 400.0, &said).matches("bar-s1").count(), 96);
        assert_eq!(csv(&picture).lines().nth(2), Some("1970-01-01T00:15:00,4.0,0.0,0.0,,,1,0"));
        let english = [0.5, 1200.0, 12_500.0, 2e6].map(|v| short(v, "."));
        assert_eq!(english, ["0.5", "1200", "12.5k", "2M"]);
        assert_eq!(short(12_500.0, ","), "12,5k");
    }
}
