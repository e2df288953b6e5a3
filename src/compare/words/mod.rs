//! Differences in words, in the language of the report.

mod table;
#[cfg(test)]
mod tests;

use super::difference::MetricDifference;
use super::measure::{GroupKind, JobGroup, Metric, size_class};
use super::statistics::LEAST;
use base::pad;
use base::time::hms;
use protocol::compare::ReportLanguage;
pub use table::{EN, FR, MetricWords, ReportWords};
#[cfg(test)]
pub use table::{METRICS_EN, METRICS_FR, PAIRS};
use view::fill::fill;
use view::number::grouped;
use view::rich::unbroken;

/// The largest bound that is told as a part. Above it, the baseline is nearly zero in some resamples.
const LARGEST: f64 = 10.0;

/// The words of a language.
#[must_use]
pub const fn words(language: ReportLanguage) -> &'static ReportWords {
    match language {
        ReportLanguage::En => &EN,
        ReportLanguage::Fr => &FR,
    }
}

impl ReportWords {
    /// A sentence with its parts. French has a space before some signs, which must not begin a line.
    #[must_use]
    pub fn say(&self, sentence: &str, parts: &[&str]) -> String {
        if self.code == FR.code { fill(&unbroken(sentence), parts) } else { fill(sentence, parts) }
    }

    /// A sentence whose singular and plural are separated by `|`. The number is the first part.
    #[must_use]
    pub fn count(&self, n: u64, sentence: &str, parts: &[&str]) -> String {
        let (one, many) = sentence.split_once('|').unwrap_or((sentence, sentence));
        // In French, zero is singular.
        let singular = n == 1 || (n == 0 && self.code == FR.code);
        let number = grouped(n, self.thousands);
        let all: Vec<&str> = std::iter::once(number.as_str()).chain(parts.iter().copied()).collect();
        self.say(if singular { one } else { many }, &all)
    }

    /// A number with this many decimals.
    #[must_use]
    pub fn number(&self, value: f64, decimals: usize) -> String {
        let text = pad::fixed(value.abs(), decimals);
        let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
        let sign = if value < 0.0 && text.contains(|digit| ('1'..='9').contains(&digit)) { "-" } else { "" };
        let whole = whole.parse().map_or_else(|_| whole.to_owned(), |n| grouped(n, self.thousands));
        let point = if rest.is_empty() { "" } else { self.decimal };
        format!("{sign}{whole}{point}{rest}")
    }

    /// A part as the number of a percentage: `18`, `2.4`.
    fn hundredths(&self, part: f64) -> String {
        let percent = part.abs() * 100.0;
        self.number(percent, usize::from(percent < 10.0 && percent != 0.0))
    }

    /// A part as a percentage: `18%`, `2.4%`.
    fn percentage(&self, part: f64) -> String {
        self.hundredths(part) + self.percent
    }

    /// The words about a metric.
    #[must_use]
    pub const fn metric(&self, metric: Metric) -> &MetricWords {
        &self.metrics[metric as usize]
    }

    /// `gpu jobs`, `jobs of account bio`.
    #[must_use]
    pub fn jobs_of(&self, group: &JobGroup) -> String {
        let name = group.name.as_str();
        match group.kind {
            GroupKind::All => self.all_jobs.to_owned(),
            GroupKind::Partition => self.say(self.jobs_of_partition, &[name]),
            GroupKind::Account => self.say(self.jobs_of_account, &[name]),
            GroupKind::Qos => self.say(self.jobs_of_qos, &[name]),
            GroupKind::Size => self.say(self.jobs_of_size, &[&self.size(name)]),
        }
    }

    /// The name of a size class.
    fn size(&self, name: &str) -> String {
        match size_class(name) {
            Some((least, None)) => self.say(self.cpus_over, &[&(least - 1).to_string()]),
            Some((least, Some(most))) if least == most => self.count(most, self.cpus, &[]),
            Some((least, Some(most))) => {
                self.say(self.cpus_between, &[&least.to_string(), &most.to_string()])
            }
            None => name.to_owned(),
        }
    }

    /// A value in its metric's unit.
    #[must_use]
    pub fn amount(&self, metric: Metric, value: f64) -> String {
        match metric.facts().unit {
            "s" => {
                let sign = if value < -0.5 { "-" } else { "" };
                format!("{sign}{}", hms(value.abs().round() as i64))
            }
            "%" => self.number(value, 1) + self.percent,
            "" => self.number(value, 2),
            _ => format!("{} {}", self.number(value, 1), self.metric(metric).unit),
        }
    }

    /// A difference in words, after a subject: `wait 18% less (12 to 24%)`.
    #[must_use]
    pub fn verdict(&self, difference: &MetricDifference) -> String {
        let metric = difference.metric;
        let tested = self.count(difference.resamples as u64, self.resamples, &[]);
        if difference.resamples < LEAST {
            return self.say(self.not_tested, &[&tested, &LEAST.to_string()]);
        }
        if difference.identical() {
            return self.the_same.to_owned();
        }
        let changed = |value: f64, size: &str| {
            let facts = self.metric(metric);
            self.say(if value > 0.0 { facts.more } else { facts.less }, &[size])
        };
        if let Some(part) = difference.relative {
            if !part.differs() {
                let most = part.low.abs().max(part.high.abs());
                // Rounded up, so that the bound is never smaller than the interval.
                let relative = || self.percentage((most * 1000.0).ceil() / 1000.0);
                let absolute = difference.absolute.filter(|_| most > LARGEST);
                let absolute = absolute.map(|by| self.amount(metric, by.low.abs().max(by.high.abs())));
                let bound = absolute.unwrap_or_else(relative);
                return self.say(self.no_difference_within, &[&tested, &bound]);
            }
            let (near, far) = (part.low.abs().min(part.high.abs()), part.low.abs().max(part.high.abs()));
            let what = changed(part.value, &self.percentage(part.value));
            return self.say(self.range, &[&what, &self.hundredths(near), &self.percentage(far)]);
        }
        match difference.absolute {
            Some(by) if by.differs() => {
                let size = |value: f64| self.amount(metric, value.abs());
                let (near, far) = (by.low.abs().min(by.high.abs()), by.low.abs().max(by.high.abs()));
                let what = changed(by.value, &size(by.value));
                self.say(self.range, &[&what, &size(near), &size(far)])
            }
            _ => self.say(self.no_difference, &[&tested]),
        }
    }

    /// The sentence about the waits of a policy: all jobs first, then partition by partition.
    #[must_use]
    pub fn headline(&self, all: &[&MetricDifference]) -> String {
        let waits = all.iter().filter(|d| d.metric == Metric::MeanWait);
        let listed = waits.filter(|d| matches!(d.group.kind, GroupKind::All | GroupKind::Partition));
        let listed: Vec<&&MetricDifference> = listed.collect();
        // With one partition, its jobs are all the jobs.
        let single = listed.len() == 2;
        let about = |difference: &&MetricDifference| {
            let (jobs, verdict) = (self.jobs_of(&difference.group), self.verdict(difference));
            self.say(if difference.shown() { self.of_jobs } else { self.for_jobs }, &[&jobs, &verdict])
        };
        let shown = listed.iter().filter(|d| !single || d.group.kind == GroupKind::All);
        let mut parts: Vec<String> = shown.map(|d| about(d)).collect();
        let others = all.iter().filter(|d| d.group.kind == GroupKind::All && d.shown());
        let others =
            others.filter(|d| !matches!(d.metric, Metric::MeanWait | Metric::MedianWait | Metric::P90Wait));
        parts.extend(others.map(|d| self.verdict(d)));
        parts.join(&self.say(self.join, &[]))
    }
}
