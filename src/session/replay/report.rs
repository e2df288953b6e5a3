//! What came of a workload: makespan, utilisation, waits and bounded slowdowns, by partition and user.

use super::Work;
use crate::base::ids::{JobId, Uid};
use crate::base::order::Order as _;
use crate::base::time::{Span, Time, hms};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::job::JobState;
use std::fmt;

/// Shorter jobs count as ten seconds long in the bounded slowdown.
const BOUND: f64 = 10.0;

/// One job's fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its line in the trace.
    pub line: usize,
    /// Whose it is.
    pub uid: Uid,
    /// Where it was submitted to, if it named a partition.
    pub partition: Option<String>,
    /// How long its script runs if nobody ends it.
    pub runtime: Span,
    /// Its id; none if it was refused.
    pub job: Option<JobId>,
    /// Why it was refused.
    pub refused: Option<SlurmError>,
    /// When it came.
    pub submit: Time,
    /// Its last start.
    pub start: Option<Time>,
    /// Its last end.
    pub end: Option<Time>,
    /// How it ended.
    pub state: Option<JobState>,
    /// What it had.
    pub cpus: u64,
    /// What it had.
    pub nodes: u64,
}

impl Outcome {
    pub(super) fn new(work: &Work, start: Time) -> Self {
        Self {
            line: work.line,
            uid: work.desc.uid,
            partition: work.desc.partition.clone(),
            runtime: work.runtime,
            job: None,
            refused: None,
            submit: start + work.submit,
            start: None,
            end: None,
            state: None,
            cpus: 0,
            nodes: 0,
        }
    }

    /// From the submission to the start.
    #[must_use]
    pub fn wait(&self) -> Option<Span> {
        self.start.map(|start| start - self.submit)
    }
}

/// Sums over some jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Of what: a partition, a user.
    pub name: String,
    /// Jobs that started.
    pub started: u64,
    /// Sum of waits, seconds.
    waits: f64,
    /// The longest wait, seconds.
    pub longest: i64,
    /// Sum of bounded slowdowns.
    slowdowns: f64,
    /// CPU seconds.
    pub cpu_seconds: u64,
}

impl Row {
    fn add(&mut self, outcome: &Outcome) {
        let (Some(wait), Some(start), Some(end)) = (outcome.wait(), outcome.start, outcome.end) else {
            return;
        };
        let run = (end - start).secs();
        self.started += 1;
        self.waits += wait.secs() as f64;
        self.longest = self.longest.max(wait.secs());
        self.slowdowns += ((wait.secs() + run) as f64 / (run as f64).max(BOUND)).max(1.0);
        self.cpu_seconds += u64::try_from(run).unwrap_or(0) * outcome.cpus;
    }

    /// Mean wait, seconds.
    #[must_use]
    pub fn wait(&self) -> f64 {
        self.waits / (self.started.max(1) as f64)
    }

    /// Mean bounded slowdown.
    #[must_use]
    pub fn slowdown(&self) -> f64 {
        self.slowdowns / (self.started.max(1) as f64)
    }
}

/// A workload's report; `Display` prints it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Jobs of the trace.
    pub jobs: u64,
    /// Refusals by reason.
    pub refused: Vec<(SlurmError, u64)>,
    /// Jobs that never started.
    pub waiting: u64,
    /// From the first submission to the last end.
    pub makespan: Span,
    /// Used CPU time by that of the whole machine over the makespan.
    pub utilisation: f64,
    /// All jobs.
    pub all: Row,
    /// By partition.
    pub partitions: Vec<Row>,
    /// By user, those who used most first.
    pub users: Vec<Row>,
}

/// Users that are printed.
const SHOWN_USERS: usize = 10;

impl Report {
    pub(super) fn new(ctld: &Slurmctld, outcomes: &[Outcome], start: Time) -> Self {
        let mut report = Self {
            jobs: outcomes.len() as u64,
            refused: Vec::new(),
            waiting: 0,
            makespan: Span(0),
            utilisation: 0.0,
            all: Row::default(),
            partitions: Vec::new(),
            users: Vec::new(),
        };
        let default = ctld.partitions.iter().find(|p| p.is_default).map_or("", |p| p.name.as_str());
        let mut users: Vec<(u32, Row)> = Vec::new();
        for outcome in outcomes {
            if let Some(error) = outcome.refused {
                match report.refused.iter_mut().find(|r| r.0 == error) {
                    Some(row) => row.1 += 1,
                    None => report.refused.push((error, 1)),
                }
                continue;
            }
            if outcome.start.is_none() {
                report.waiting += 1;
            }
            report.makespan = report.makespan.max(outcome.end.map_or(Span(0), |end| end - start));
            report.all.add(outcome);
            let partition = outcome.partition.as_deref().unwrap_or(default);
            by_name(&mut report.partitions, partition).add(outcome);
            let uid = outcome.uid.0;
            let at = match users.binary_search_by_key(&uid, |u| u.0) {
                Ok(at) => at,
                Err(at) => {
                    users.insert(at, (uid, Row { name: ctld.user_name(outcome.uid), ..Row::default() }));
                    at
                }
            };
            users[at].1.add(outcome);
        }
        let cpus: u64 = ctld.nodes.iter().map(|n| u64::from(n.cpus())).sum();
        let whole = cpus as f64 * report.makespan.secs() as f64;
        report.utilisation = if whole > 0.0 { report.all.cpu_seconds as f64 / whole } else { 0.0 };
        report.users = users.into_iter().map(|u| u.1).collect();
        report.users.order_by_key(|u| std::cmp::Reverse(u.cpu_seconds));
        report
    }
}

fn by_name<'a>(rows: &'a mut Vec<Row>, name: &str) -> &'a mut Row {
    let at = rows.iter().position(|r| r.name == name).unwrap_or_else(|| {
        rows.push(Row { name: name.to_owned(), ..Row::default() });
        rows.len() - 1
    });
    &mut rows[at]
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "jobs         {} ({} started, {} never)", self.jobs, self.all.started, self.waiting)?;
        for (error, count) in &self.refused {
            writeln!(f, "refused      {count}: {error}")?;
        }
        writeln!(f, "makespan     {}", hms(self.makespan.secs()))?;
        writeln!(f, "utilisation  {:.1}%", self.utilisation * 100.0)?;
        writeln!(f)?;
        writeln!(
            f,
            "{:<20} {:>8} {:>12} {:>12} {:>10} {:>12}",
            "", "jobs", "mean wait", "longest", "slowdown", "CPU hours"
        )?;
        row(f, "all", &self.all)?;
        for partition in &self.partitions {
            row(f, &partition.name, partition)?;
        }
        for user in self.users.iter().take(SHOWN_USERS) {
            row(f, &user.name, user)?;
        }
        Ok(())
    }
}

fn row(f: &mut fmt::Formatter<'_>, name: &str, row: &Row) -> fmt::Result {
    let hours = row.cpu_seconds / 3600;
    let (wait, longest) = (hms(row.wait() as i64), hms(row.longest));
    writeln!(f, "{name:<20} {:>8} {wait:>12} {longest:>12} {:>10.2} {hours:>12}", row.started, row.slowdown())
}
