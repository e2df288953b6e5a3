//! Differences in words.

use super::difference::MetricDifference;
use super::measure::{GroupKind, JobGroup, Metric};
use super::statistics::LEAST;
use base::time::hms;
use std::fmt::Write as _;

/// The largest bound that is told as a part. Above it, the baseline is nearly zero in some resamples.
const LARGEST: f64 = 10.0;

/// `gpu jobs`, `jobs of account bio`.
#[must_use]
pub fn jobs_of(group: &JobGroup) -> String {
    let name = &group.name;
    match group.kind {
        GroupKind::All => "all jobs".to_owned(),
        GroupKind::Partition => format!("{name} jobs"),
        GroupKind::Account => format!("jobs of account {name}"),
        GroupKind::Qos => format!("jobs of QOS {name}"),
        GroupKind::Size => format!("jobs with {name}"),
    }
}

/// A part as a percentage: `18%`, `2.4%`.
fn percent(part: f64) -> String {
    let percent = part.abs() * 100.0;
    if percent >= 10.0 || percent == 0.0 { format!("{percent:.0}%") } else { format!("{percent:.1}%") }
}

/// A value in its metric's unit.
#[must_use]
pub fn amount(metric: Metric, value: f64) -> String {
    match metric.facts().unit {
        "s" => {
            let sign = if value < -0.5 { "-" } else { "" };
            format!("{sign}{}", hms(value.abs().round() as i64))
        }
        "%" => format!("{value:.1}%"),
        "" => format!("{value:.2}"),
        unit => format!("{value:.1} {unit}"),
    }
}

/// A difference in words, after a subject: `wait 18% less (12 to 24%)`.
#[must_use]
pub fn verdict(difference: &MetricDifference) -> String {
    let facts = difference.metric.facts();
    let n = difference.resamples;
    if n < LEAST {
        return format!("not tested: {n} resamples are fewer than {LEAST}");
    }
    if difference.identical() {
        return "the same in every resample".to_owned();
    }
    let words =
        |value: f64, size: &str| (if value > 0.0 { facts.more } else { facts.less }).replace("{}", size);
    if let Some(part) = difference.relative {
        if !part.differs() {
            let most = part.low.abs().max(part.high.abs());
            // Rounded up, so that the bound is never smaller than the interval.
            let relative = || percent((most * 1000.0).ceil() / 1000.0);
            let absolute = difference.absolute.filter(|_| most > LARGEST);
            let absolute = absolute.map(|by| amount(difference.metric, by.low.abs().max(by.high.abs())));
            let bound = absolute.unwrap_or_else(relative);
            return format!("no difference that {n} resamples could show (less than {bound})");
        }
        let (near, far) = (part.low.abs().min(part.high.abs()), part.low.abs().max(part.high.abs()));
        let range = format!("{} to {}", percent(near).trim_end_matches('%'), percent(far));
        return format!("{} ({range})", words(part.value, &percent(part.value)));
    }
    match difference.absolute {
        Some(by) if by.differs() => {
            let size = |value: f64| amount(difference.metric, value.abs());
            let (near, far) = (by.low.abs().min(by.high.abs()), by.low.abs().max(by.high.abs()));
            format!("{} ({} to {})", words(by.value, &size(by.value)), size(near), size(far))
        }
        _ => format!("no difference that {n} resamples could show"),
    }
}

/// The sentence about the waits of a policy: all jobs first, then partition by partition.
#[must_use]
pub fn headline(all: &[&MetricDifference]) -> String {
    let waits = all.iter().filter(|d| d.metric == Metric::MeanWait);
    let listed = waits.filter(|d| matches!(d.group.kind, GroupKind::All | GroupKind::Partition));
    let listed: Vec<&&MetricDifference> = listed.collect();
    // With one partition, its jobs are all the jobs.
    let single = listed.len() == 2;
    let mut text = String::new();
    for difference in listed.iter().filter(|d| !single || d.group.kind == GroupKind::All) {
        let join = if text.is_empty() { "" } else { "; " };
        let (jobs, verdict) = (jobs_of(&difference.group), verdict(difference));
        let _ = match difference.shown() {
            true => write!(text, "{join}{jobs} {verdict}"),
            false => write!(text, "{join}for {jobs} {verdict}"),
        };
    }
    for difference in all.iter().filter(|d| d.group.kind == GroupKind::All && d.shown()) {
        if !matches!(difference.metric, Metric::MeanWait | Metric::MedianWait | Metric::P90Wait) {
            let _ = write!(text, "; {}", verdict(difference));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::statistics::Estimate;
    use super::*;

    fn difference(
        kind: GroupKind,
        name: &str,
        metric: Metric,
        relative: (f64, f64, f64),
    ) -> MetricDifference {
        let (value, low, high) = relative;
        let estimate = Some(Estimate { value, low, high });
        MetricDifference {
            workload: 0,
            policy: 1,
            group: JobGroup { kind, name: name.to_owned() },
            metric,
            means: (1.0, 1.0),
            recorded: (None, None),
            resamples: 20,
            absolute: estimate,
            relative: estimate,
        }
    }

    #[test]
    fn sentences() {
        let all = [
            difference(GroupKind::All, "", Metric::MeanWait, (-0.12, -0.2, -0.034)),
            difference(GroupKind::Partition, "cpu", Metric::MeanWait, (0.01, -0.02, 0.03)),
            difference(GroupKind::Partition, "gpu", Metric::MeanWait, (-0.18, -0.24, -0.12)),
            difference(GroupKind::All, "", Metric::Utilisation, (0.05, 0.04, 0.06)),
        ];
        let all: Vec<&MetricDifference> = all.iter().collect();
        assert_eq!(
            headline(&all),
            "all jobs wait 12% less (3.4 to 20%); for cpu jobs no difference that 20 resamples could show (less than \
             3.0%); gpu jobs wait 18% less (12 to 24%); utilisation 5.0% higher (4.0 to 6.0%)"
        );
        let same = difference(GroupKind::All, "", Metric::MeanWait, (0.0, 0.0, 0.0));
        assert_eq!(verdict(&same), "the same in every resample");
        let none = MetricDifference { resamples: 3, ..same };
        assert!(verdict(&none).contains("fewer than 5"));
        // A median that is nearly zero in some of the resamples.
        let wide = difference(GroupKind::All, "", Metric::MedianWait, (-0.8, -0.9, 136.24));
        let absolute = Some(Estimate { value: -900.0, low: -1_700.0, high: 60.0 });
        let wide = verdict(&MetricDifference { absolute, ..wide });
        assert_eq!(wide, "no difference that 20 resamples could show (less than 00:28:20)");
    }

    #[test]
    fn values_have_units() {
        assert_eq!(amount(Metric::MeanWait, 3661.0), hms(3661));
        assert_eq!(amount(Metric::Utilisation, 81.25), "81.2%");
        assert_eq!(amount(Metric::NodeHours, 3.0), "3.0 h");
    }
}
