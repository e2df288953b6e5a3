//! Charts of a workload as recorded: the distribution of waits, and utilisation over time.

use crate::cell::CellResult;
use crate::words::ReportWords;
use base::time::SECOND;
use view::chart::{Chart, ChartAxis, ChartSeries, SeriesColour, SeriesShape};
use view::number::percent;
use view::times;

/// Maximum number of points of a line.
const POINTS: usize = 200;
/// The colours of policies, in the order of the plan.
const COLOURS: [SeriesColour; 4] =
    [SeriesColour::First, SeriesColour::Second, SeriesColour::Third, SeriesColour::Fourth];
/// Marked waits, in seconds.
const WAITS: [i64; 8] = [0, 60, 600, 3600, 21_600, 86_400, 604_800, 6_048_000];

/// The colour of a policy.
pub(super) fn colour(policy: usize) -> SeriesColour {
    COLOURS[policy % COLOURS.len()]
}

fn percent_axis(words: &ReportWords) -> ChartAxis {
    let marks = (0..=4_u32).map(|i| (f64::from(i) / 4.0, percent(u64::from(i * 25), words.percent)));
    ChartAxis { ends: (0.0, 1.0), marks: marks.collect() }
}

/// A wait on the logarithmic axis.
fn log_wait(seconds: f64) -> f64 {
    base::math::log2(1.0 + seconds.max(0.0) / 10.0)
}

/// The fraction of jobs that waited at most this long, a line for each policy.
pub(super) fn waits(results: &[&CellResult], names: &[&str], words: &ReportWords) -> Chart {
    let mut longest = 60.0_f64;
    let mut series = Vec::new();
    let mut text = Vec::new();
    for result in results {
        let mut waits: Vec<f64> = result.jobs.iter().filter_map(crate::cell::ComparedJob::wait).collect();
        waits.sort_by(f64::total_cmp);
        longest = longest.max(waits.last().copied().unwrap_or(0.0));
        let step = (waits.len() / POINTS).max(1);
        let at = |i: usize| (log_wait(waits[i]), (i + 1) as f64 / waits.len() as f64);
        let mut points: Vec<(f64, f64)> = (0..waits.len()).step_by(step).map(at).collect();
        if let Some(last) = waits.len().checked_sub(1) {
            points.push(at(last));
        }
        let name = names[result.cell.policy as usize];
        let at_once = waits.iter().filter(|w| **w < 60.0).count() * 100 / waits.len().max(1);
        text.push(words.say(words.waits_text, &[name, &percent(at_once as u64, words.percent)]));
        let colour = colour(result.cell.policy as usize);
        series.push(ChartSeries { name: name.to_owned(), colour, shape: SeriesShape::Line(points) });
    }
    let label = |wait: i64| if wait == 0 { "0".to_owned() } else { times::span(wait, words.day) };
    let marks = WAITS.iter().filter(|wait| **wait as f64 <= longest);
    let marks = marks.map(|wait| (log_wait(*wait as f64), label(*wait))).collect();
    let x = ChartAxis { ends: (0.0, log_wait(longest)), marks };
    Chart { title: words.waits_chart.to_owned(), text: text.join(" "), x, y: percent_axis(words), series }
}

/// The fraction of CPUs in use over time, a line for each policy.
pub(super) fn utilisation(results: &[&CellResult], names: &[&str], words: &ReportWords) -> Chart {
    let ends = results.iter().flat_map(|r| &r.jobs).filter_map(|job| job.end);
    let end = ends.max().unwrap_or(1).max(1);
    let width = (end / POINTS as i64 + 1).max(1);
    let day = 86_400 * SECOND;
    let series = results.iter().map(|result| {
        let mut used = vec![0.0; POINTS];
        for job in &result.jobs {
            let (Some(from), Some(to)) = (job.start, job.end) else { continue };
            let mut at = from;
            while at < to {
                let bucket = (at / width).min(POINTS as i64 - 1);
                let until = ((bucket + 1) * width).min(to);
                if let Some(sum) = usize::try_from(bucket).ok().and_then(|b| used.get_mut(b)) {
                    *sum += (until - at) as f64 * job.cpus as f64;
                }
                at = until.max(at + 1);
            }
        }
        let whole = width as f64 * result.cpus.max(1) as f64;
        let point =
            |(i, sum): (usize, &f64)| ((i as f64 + 0.5) * width as f64 / day as f64, (sum / whole).min(1.0));
        let points = used.iter().enumerate().map(point).collect();
        let policy = result.cell.policy as usize;
        let shape = SeriesShape::Line(points);
        ChartSeries { name: names[policy].to_owned(), colour: colour(policy), shape }
    });
    let days = end as f64 / day as f64;
    let step = [0.25, 1.0, 2.0, 7.0, 14.0, 28.0, 56.0, 112.0, 365.0].into_iter().find(|s| days / s <= 8.0);
    let step = step.unwrap_or(3650.0);
    let marks = (0..=8).map(|i| f64::from(i) * step).filter(|at| *at <= days);
    let day = |at: f64| words.number(at, if at.fract() == 0.0 { 0 } else { 2 });
    let marks = marks.map(|at| (at, words.say(words.day_mark, &[&day(at)]))).collect();
    Chart {
        title: words.use_chart.to_owned(),
        text: words.use_text.to_owned(),
        x: ChartAxis { ends: (0.0, days), marks },
        y: percent_axis(words),
        series: series.collect(),
    }
}
