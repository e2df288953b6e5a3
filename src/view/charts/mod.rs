//! Usage over time as charts.

mod axis;

pub use axis::{Marks, marks};

use super::axis::ticks;
use super::chart::{Chart, ChartAxis, ChartSeries, SeriesColour, SeriesShape};
use super::css::tenths;
use super::fill::{csv_line, fill};
use super::number;
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

impl ChartKind {
    /// The colours of its series, in the order of the legend.
    #[must_use]
    pub fn colours(self) -> &'static [SeriesColour] {
        match self {
            Self::Use => &[SeriesColour::First, SeriesColour::Second, SeriesColour::Third],
            Self::Jobs | Self::Turnover => &[SeriesColour::First, SeriesColour::Fourth],
        }
    }
}

/// Pixels for the label of a time.
const TIME: f64 = 72.0;
/// Pixels beside the frame, and pixels at its end in which no label fits.
const MARGINS: f64 = 56.0;
const LAST: f64 = 16.0;

/// The values of a chart, in legend order: one for each interval.
#[must_use]
pub fn values(picture: &ChartsPicture, kind: ChartKind) -> Vec<Vec<f64>> {
    let part = |values: &[f64], total: f64| {
        values.iter().map(|v| if total > 0.0 { v / total } else { 0.0 }).collect::<Vec<f64>>()
    };
    let counts = |values: &[u32]| values.iter().map(|n| f64::from(*n)).collect::<Vec<f64>>();
    let [cpus, memory, gpus] = picture.totals;
    match kind {
        ChartKind::Use => {
            let mut all = vec![part(&picture.cpus, cpus), part(&picture.memory, memory)];
            if gpus > 0.0 {
                all.push(part(&picture.gpus, gpus));
            }
            all
        }
        ChartKind::Jobs => vec![picture.running.clone(), picture.waiting.clone()],
        ChartKind::Turnover => vec![counts(&picture.starts), counts(&picture.ends)],
    }
}

/// Formats a time for an axis with this tick interval in seconds.
pub type TimeLabel<'a> = &'a dyn Fn(Micros, i64) -> String;

/// Texts of a chart in a language.
pub struct ChartLabels<'a> {
    /// Accessible name.
    pub label: &'a str,
    /// Names of the series.
    pub names: &'a [&'a str],
    /// A series in words: `{0}: {1} on average, {2} at most.`
    pub mean: &'a str,
    /// A series of counts in words: `{0}: {1} in total.`
    pub total: &'a str,
    /// Time formatter.
    pub moment: TimeLabel<'a>,
    /// Decimal separator.
    pub decimal: &'a str,
    /// Percent sign with its space.
    pub percent: &'a str,
}

/// The chart of a picture for this width in pixels.
#[must_use]
pub fn chart(picture: &ChartsPicture, kind: ChartKind, width: f64, said: &ChartLabels<'_>) -> Chart {
    let all = values(picture, kind);
    let most = all.iter().flatten().copied().fold(0.0, f64::max);
    let marks = marks(if kind == ChartKind::Use { most.max(1.0) } else { most });
    let spans = all.first().map_or(0, Vec::len).max(1) as f64;
    let value = |v: f64| match kind {
        ChartKind::Use => number::percent((v * 100.0).round() as u64, said.percent),
        ChartKind::Jobs | ChartKind::Turnover => short(v, said.decimal),
    };
    let heights = (0..=marks.steps).map(|i| marks.top * f64::from(i) / f64::from(marks.steps));
    let mut chart = Chart {
        title: said.label.to_owned(),
        x: ChartAxis { ends: (0.0, spans), marks: times(picture, spans, width - MARGINS, said.moment) },
        y: ChartAxis { ends: (0.0, marks.top), marks: heights.map(|v| (v, value(v))).collect() },
        ..Chart::default()
    };
    for (at, ((values, colour), name)) in all.iter().zip(kind.colours()).zip(said.names).enumerate() {
        let name = (*name).to_owned();
        let mean = values.iter().sum::<f64>() / spans;
        let most = values.iter().copied().fold(0.0, f64::max);
        let text = match kind {
            ChartKind::Turnover => fill(said.total, &[&name, &value(mean * spans)]),
            ChartKind::Use | ChartKind::Jobs => fill(said.mean, &[&name, &value(mean), &value(most)]),
        };
        chart.text += if chart.text.is_empty() { "" } else { " " };
        chart.text += &text;
        let mut add = |shape| chart.series.push(ChartSeries { name: name.clone(), colour: *colour, shape });
        if kind == ChartKind::Turnover {
            add(SeriesShape::Bars(beside(values, at, all.len())));
            continue;
        }
        if at == 0 {
            add(SeriesShape::Area(steps(values)));
        }
        add(SeriesShape::Line(steps(values)));
    }
    chart
}

/// A mean holds for a whole interval, so it is drawn as steps.
fn steps(values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().flat_map(|(i, v)| [(i as f64, *v), ((i + 1) as f64, *v)]).collect()
}

/// Bars of a series that share each interval with those of the other series.
fn beside(values: &[f64], at: usize, series: usize) -> Vec<[f64; 3]> {
    let width = 1.0 / series as f64;
    let bar = |(i, v): (usize, &f64)| {
        let from = i as f64 + width * at as f64;
        [from, from + width * 0.95, *v]
    };
    values.iter().enumerate().filter(|(_, v)| **v > 0.0).map(bar).collect()
}

/// Time marks in intervals since the start, with labels where there is room.
fn times(picture: &ChartsPicture, spans: f64, width: f64, moment: TimeLabel<'_>) -> Vec<(f64, String)> {
    let span = (picture.until - picture.from).max(1) as f64;
    let (moments, step) = ticks(picture.from, picture.until, (width / TIME) as u32);
    let mark = |at: Micros| {
        let share = (at - picture.from) as f64 / span;
        let fits = share * width < width - LAST;
        (share * spans, if fits { moment(at, step) } else { String::new() })
    };
    moments.into_iter().map(mark).collect()
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
        let said = ChartLabels {
            label: "use",
            names: &["<CPUs>", "memory", "GPU"],
            mean: "{0}: {1} on average, {2} at most.",
            total: "{0}: {1} in total.",
            moment: &moment,
            decimal: ",",
            percent: "\u{202f}%",
        };
        let drawn = |kind, width| chart(&picture, kind, width, &said).svg(width);
        let text = drawn(ChartKind::Use, 400.0);
        // Half of the CPUs is half of the height; without GPUs there is no GPU curve.
        assert!(
            text.contains("M42.0 68.9") && text.contains("class=\"s2\"") && !text.contains("s3"),
            "{text}"
        );
        assert!(text.contains(">100\u{202f}%<") && text.contains(">50\u{202f}%<"), "{text}");
        assert!(
            text.contains("<desc>&lt;CPUs&gt;: 50\u{202f}% on average, 50\u{202f}% at most. memory: 0"),
            "{text}"
        );
        // Round times, and none that would be cut at the end.
        assert!(text.contains(">00:00 21600<") && text.contains(">18:00 21600<"), "{text}");
        assert_eq!(text.matches(" 21600<").count(), 4, "{text}");
        let turnover = drawn(ChartKind::Turnover, 400.0);
        assert_eq!(turnover.matches("bar-s1").count(), 96);
        assert!(
            turnover.contains("<desc>&lt;CPUs&gt;: 96 in total. memory: 0 in total.</desc>"),
            "{turnover}"
        );
        assert_eq!(csv(&picture).lines().nth(2), Some("1970-01-01T00:15:00,4.0,0.0,0.0,,,1,0"));
        let english = [0.5, 1200.0, 12_500.0, 2e6].map(|v| short(v, "."));
        assert_eq!(english, ["0.5", "1200", "12.5k", "2M"]);
        assert_eq!(short(12_500.0, ","), "12,5k");
    }
}
