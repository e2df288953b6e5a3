//! Pictures of differences: intervals of groups, and the jobs whose waits changed most.

use crate::affected::AffectedJob;
use crate::cell::ComparedJob;
use crate::difference::MetricDifference;
use crate::words::ReportWords;
use view::cluster::Rect;
use view::svg::{Svg, fit};

const WIDTH: f64 = 960.0;
const ROW: f64 = 20.0;
const LABEL: f64 = 220.0;
/// Room for a verdict, in either language.
const RIGHT: f64 = 410.0;

/// Relative differences with their intervals, a row for each.
pub(super) fn intervals(rows: &[&MetricDifference], words: &ReportWords) -> String {
    let mut svg = Svg::default();
    svg.describe(&words.say(words.by_group_text, &[]));
    let known = rows.iter().filter_map(|d| d.relative);
    let reach = known.map(|e| e.low.abs().max(e.high.abs())).fold(0.01, f64::max).min(2.0);
    let (middle, half) = (LABEL + (WIDTH - LABEL - RIGHT) / 2.0, (WIDTH - LABEL - RIGHT) / 2.0 - 8.0);
    let x = |part: f64| middle + half * (part / reach).clamp(-1.0, 1.0);
    let height = ROW * (rows.len() as f64 + 1.0);
    svg.line("zero", (middle, 0.0), (middle, height - ROW));
    for (i, row) in rows.iter().enumerate() {
        let y = ROW * (i as f64 + 0.5);
        svg.text("name", 0.0, y + 4.0, &fit(&words.jobs_of(&row.group), LABEL));
        if let Some(part) = row.relative {
            let class = if part.differs() { "shown" } else { "unsure" };
            svg.line(class, (x(part.low), y), (x(part.high), y));
            svg.circle(if part.differs() { "dot" } else { "dot unsure" }, (x(part.value), y), 3.5);
        }
        svg.text("tick", WIDTH - RIGHT + 12.0, y + 4.0, &words.verdict(row));
    }
    for part in [-reach, 0.0, reach] {
        let sign = if part > 0.0 { "+" } else { "" };
        let label = format!("{sign}{}{}", words.number(part * 100.0, 0), words.percent);
        svg.text("tick middle", x(part), height - 4.0, &label);
    }
    svg.finish(WIDTH, height, words.by_group)
}

/// The most affected jobs: their waits as lines and their runs as bars, the baseline above the policy.
pub(super) fn gantt(
    jobs: &[&AffectedJob],
    base: &[ComparedJob],
    own: &[ComparedJob],
    words: &ReportWords,
) -> String {
    let mut svg = Svg::default();
    svg.describe(&words.say(words.differ_most_text, &[]));
    let of = |job: &AffectedJob| [base.get(job.index), own.get(job.index)];
    let shown: Vec<&&AffectedJob> = jobs.iter().filter(|job| of(job).iter().all(Option::is_some)).collect();
    let all = shown.iter().flat_map(|job| of(job)).flatten();
    let from = all.clone().map(|job| job.submit).min().unwrap_or(0);
    let to = all.filter_map(|job| job.end).max().unwrap_or(1).max(from + 1);
    let x = |at: i64| LABEL + (WIDTH - LABEL) * (at - from) as f64 / (to - from) as f64;
    for (i, job) in shown.iter().enumerate() {
        let top = 24.0 * i as f64;
        if let Some(first) = base.get(job.index) {
            let cpus = words.count(first.cpus, words.cpus, &[]);
            let name = words.say(words.job_row, &[&first.job.to_string(), &cpus]);
            svg.text("name", 0.0, top + 14.0, &name);
        }
        for ((job, class), y) in of(job).into_iter().zip(["base", "own"]).zip([top + 2.0, top + 11.0]) {
            let Some(job) = job else { continue };
            let (Some(start), Some(end)) = (job.start, job.end) else { continue };
            svg.line("waiting", (x(job.submit), y + 4.0), (x(start), y + 4.0));
            svg.rect(class, Rect { x: x(start), y, w: (x(end) - x(start)).max(1.0), h: 8.0 }, "");
        }
    }
    svg.finish(WIDTH, 24.0 * shown.len() as f64 + 4.0, words.differ_most)
}
