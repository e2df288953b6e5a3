//! A calibration in words and tables.

use super::figures::{CalibrationRow, UtilisationStep};
use super::{Calibration, CalibrationLeftOut};
use base::time::{Time, hms};
use std::fmt;

/// Partitions with a larger error are not trustworthy.
const TRUSTED: f64 = 0.2;
/// Fewer jobs are not significant.
const FEW: u64 = 20;
/// Partitions and users that are named.
const NAMED: usize = 10;
/// A difference of the mean below this is not noticeable, in seconds.
const SLIGHT: f64 = 5.0;

/// The verdict.
pub fn sentence(all: &CalibrationRow, partitions: &[CalibrationRow]) -> String {
    let listed: Vec<&CalibrationRow> = partitions.iter().filter(|row| row.jobs >= FEW).collect();
    if listed.is_empty() {
        let jobs = if all.jobs == 1 { "job" } else { "jobs" };
        return format!(
            "Too little to judge by partition ({} {jobs} in all): the mean wait of all is reproduced {}.",
            all.jobs,
            within(all)
        );
    }
    let mut rows = listed.clone();
    rows.sort_by_key(|row| std::cmp::Reverse(row.jobs));
    let listed: Vec<String> =
        rows.iter().take(NAMED).map(|row| format!("of {} {}", row.name, within(row))).collect();
    let more = rows.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" (and {more} more partitions)") } else { String::new() };
    let bad: Vec<&str> = rows.iter().filter(|row| !trusted(row)).map(|row| row.name.as_str()).collect();
    let few: Vec<&str> =
        partitions.iter().filter(|row| row.jobs < FEW).map(|row| row.name.as_str()).take(NAMED).collect();
    let mut text = format!("The simulation reproduces the mean wait {}{more}", listed.join(", "));
    if !bad.is_empty() {
        text += &format!(": don't trust it for {}", bad.join(", "));
    }
    if !few.is_empty() {
        text += &format!("; {} had too few jobs to tell", few.join(", "));
    }
    text + "."
}

fn trusted(row: &CalibrationRow) -> bool {
    row.error() <= TRUSTED || slight(row)
}

fn slight(row: &CalibrationRow) -> bool {
    (row.simulated.mean - row.recorded.mean).abs() < SLIGHT
}

fn within(row: &CalibrationRow) -> String {
    let difference = (row.simulated.mean - row.recorded.mean).abs();
    if row.error() > TRUSTED && slight(row) {
        return format!("within {:.0} s", difference.ceil().max(1.0));
    }
    format!("within {:.0}%", (row.error() * 100.0).ceil())
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.sentence)?;
        left_out(f, self.left_out)?;
        for (title, rows) in [
            ("partition", &self.partitions),
            ("CPUs", &self.sizes),
            ("user", &self.users),
            ("submitted at", &self.hours),
        ] {
            writeln!(f)?;
            heading(f, title)?;
            if title == "partition" {
                line(f, &self.all)?;
            }
            let most = if title == "user" { NAMED } else { usize::MAX };
            for row in rows.iter().take(most) {
                line(f, row)?;
            }
            if rows.len() > most {
                writeln!(f, "and {} more", rows.len() - most)?;
            }
        }
        writeln!(f)?;
        if let Some(order) = self.order {
            writeln!(f, "{:.1}% of the pairs of jobs start in the same order", order * 100.0)?;
        }
        utilisation(f, &self.utilisation)?;
        if self.unexplained.is_empty() {
            return writeln!(f, "every wait is reproduced within a minute or 25%");
        }
        writeln!(f, "\njobs whose wait differs by more than a minute and 25%, by likely cause")?;
        for group in &self.unexplained {
            let ids: Vec<String> = group.first.iter().map(u32::to_string).collect();
            let more = if group.jobs as usize > ids.len() { ", ..." } else { "" };
            let message = group.message.as_ref().map(|m| format!(" ({m})")).unwrap_or_default();
            let (jobs, cause) = (group.jobs, group.cause.text());
            writeln!(f, "{jobs:>8}  {cause}{message}: {}{more}", ids.join(", "))?;
        }
        Ok(())
    }
}

fn left_out(f: &mut fmt::Formatter<'_>, out: CalibrationLeftOut) -> fmt::Result {
    for (count, what) in [
        (out.warm_up, "submitted before the window: they only hold their nodes"),
        (out.cancelled, "cancelled before they started: cancelled in the simulation, too, not compared"),
        (out.undated, "held, dependent or deferred until an unknown time: they start as recorded"),
        (out.pending, "still pending at the export: submitted, not compared"),
        (out.unreadable, "lines of the workload that cannot be read"),
        (out.refused, "refused by the simulated controller"),
        (out.never, "never started in the simulation"),
    ] {
        if count > 0 {
            writeln!(f, "{count:>8}  {what}")?;
        }
    }
    Ok(())
}

fn heading(f: &mut fmt::Formatter<'_>, title: &str) -> fmt::Result {
    writeln!(f, "{title:<16} {:>8} {:>23} {:>6} {:>23} {:>23}", "jobs", "mean wait", "error", "median", "90%")
}

fn line(f: &mut fmt::Formatter<'_>, row: &CalibrationRow) -> fmt::Result {
    let pair = |recorded: i64, simulated: i64| format!("{} {}", hms(recorded), hms(simulated));
    let (r, s) = (&row.recorded, &row.simulated);
    writeln!(
        f,
        "{:<16} {:>8} {:>23} {:>5.0}% {:>23} {:>23}",
        row.name,
        row.jobs,
        pair(r.mean.round() as i64, s.mean.round() as i64),
        (row.error() * 100.0).min(9999.0),
        pair(r.quantiles[1], s.quantiles[1]),
        pair(r.quantiles[3], s.quantiles[3]),
    )
}

fn utilisation(f: &mut fmt::Formatter<'_>, steps: &[UtilisationStep]) -> fmt::Result {
    if steps.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{:<20} {:>9} {:>9}", "utilisation from", "recorded", "simulated")?;
    for step in steps {
        let from = Time::from_secs(step.from).iso();
        writeln!(f, "{from:<20} {:>8.1}% {:>8.1}%", step.recorded * 100.0, step.simulated * 100.0)?;
    }
    Ok(())
}
