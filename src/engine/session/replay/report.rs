//! The report of a workload: makespan, utilisation, waiting times and bounded slowdowns, by partition and user.

use super::{MAX_DIAGNOSTICS, Replay, TraceJob, Workload};
use base::diagnostic::Diagnostic;
use base::ids::{JobId, PartId, QosId, Uid};
use base::order::StableSort as _;
use base::time::{Span, Time, hms};
use slurmctld::Slurmctld;
use slurmctld::error::SlurmError;
use slurmctld::job::JobState;
use std::fmt;
use std::sync::Arc;

/// Lower bound of the run time, in seconds, in the bounded slowdown.
const BOUND: f64 = 10.0;

/// The outcome of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its line number in the trace.
    pub line: usize,
    /// Its index in the trace.
    pub trace: u32,
    /// Its user.
    pub uid: Uid,
    /// The requested partition, if any.
    pub partition: Option<String>,
    /// Run time of its script unless the job ends earlier.
    pub runtime: Span,
    /// Its job id; none if it was refused.
    pub job: Option<JobId>,
    /// The error if it was refused.
    pub refused: Option<SlurmError>,
    /// Submission time.
    pub submit: Time,
    /// When it becomes eligible: at its submission, or at a later begin time or release of the trace.
    pub eligible: Time,
    /// First start; another one follows if the job was requeued.
    pub first_start: Option<Time>,
    /// Last start.
    pub start: Option<Time>,
    /// Last end.
    pub end: Option<Time>,
    /// Final state.
    pub state: Option<JobState>,
    /// Allocated CPUs.
    pub cpus: u64,
    /// Allocated nodes.
    pub nodes: u64,
    /// Partition, QOS and account of the last run.
    pub placed: Option<PartId>,
    /// The QOS.
    pub qos: Option<QosId>,
    /// The account.
    pub account: Option<Arc<str>>,
    /// The current run was preempted.
    pub(super) preempted: bool,
    /// CPU seconds of runs that were preempted.
    pub lost: u64,
    /// CPU seconds of runs that ended with a requeue, by a user or because of a node.
    pub repeated: u64,
    /// How many recorded requeues have been repeated.
    pub(super) requeues: usize,
}

impl Outcome {
    pub(super) fn new(work: &TraceJob, trace: u32, submit: Time) -> Self {
        Self {
            line: work.line,
            trace,
            uid: work.desc.uid,
            partition: work.desc.partition.clone(),
            runtime: work.runtime,
            job: None,
            refused: None,
            submit,
            eligible: submit,
            first_start: None,
            start: None,
            end: None,
            state: None,
            cpus: 0,
            nodes: 0,
            placed: None,
            qos: None,
            account: None,
            preempted: false,
            lost: 0,
            repeated: 0,
            requeues: 0,
        }
    }

    /// The time to the first start from its submission, or from the begin time or release that the trace has.
    #[must_use]
    pub fn wait(&self) -> Option<Span> {
        self.first_start.map(|start| start - self.eligible.min(start))
    }

    /// CPU seconds of the last run.
    #[must_use]
    pub fn cpu_seconds(&self) -> u64 {
        let ran = self.start.zip(self.end).map_or(0, |(start, end)| (end - start).secs());
        u64::try_from(ran).unwrap_or(0) * self.cpus
    }
}

impl Replay {
    /// The report.
    #[must_use]
    pub fn report_of(&self) -> WorkloadReport {
        WorkloadReport::new(&self.ctld, &self.outcomes, self.start)
    }

    /// Jobs that never started, with the reason, up to the limit of diagnostics. Usually they request more than
    /// the cluster has.
    #[must_use]
    pub fn never_started(&self, file: &str) -> Vec<Diagnostic> {
        let mut found = Workload::default();
        for outcome in
            self.outcomes.iter().filter(|o| o.start.is_none() && o.state.is_none()).take(MAX_DIAGNOSTICS)
        {
            let waits = outcome.job.and_then(|id| self.ctld.job(id)).map(|job| job.reason.text().to_owned());
            let why = outcome.refused.map(|error| error.to_string()).or(waits).unwrap_or_default();
            found.note(file, outcome.line, format!("the job never started: {why}"));
        }
        found.diagnostics
    }
}

/// Totals of a group of jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportRow {
    /// The partition or user.
    pub name: String,
    /// Number of jobs that started.
    pub started: u64,
    /// Sum of waiting times, in seconds.
    waits: f64,
    /// Longest waiting time, in seconds.
    pub longest: i64,
    /// Sum of bounded slowdowns.
    slowdowns: f64,
    /// CPU seconds.
    pub cpu_seconds: u64,
}

impl ReportRow {
    fn add(&mut self, outcome: &Outcome) {
        let (Some(wait), Some(start), Some(end)) = (outcome.wait(), outcome.start, outcome.end) else {
            return;
        };
        let run = (end - start).secs();
        self.started += 1;
        self.waits += wait.secs() as f64;
        self.longest = self.longest.max(wait.secs());
        self.slowdowns += ((wait.secs() + run) as f64 / (run as f64).max(BOUND)).max(1.0);
        self.cpu_seconds += outcome.cpu_seconds() + outcome.repeated;
    }

    /// Mean waiting time, in seconds.
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
pub struct WorkloadReport {
    /// Number of jobs in the trace.
    pub jobs: u64,
    /// Refused jobs by error.
    pub refused: Vec<(SlurmError, u64)>,
    /// Number of jobs that never started.
    pub waiting: u64,
    /// Number of jobs that were cancelled before they started, as recorded.
    pub cancelled: u64,
    /// From the first submission to the last end.
    pub makespan: Span,
    /// Used CPU time as a fraction of the machine's CPU time over the makespan.
    pub utilisation: f64,
    /// All jobs.
    pub all: ReportRow,
    /// By partition.
    pub partitions: Vec<ReportRow>,
    /// By user, highest usage first.
    pub users: Vec<ReportRow>,
}

/// Maximum number of printed users.
const SHOWN_USERS: usize = 10;

impl WorkloadReport {
    pub(super) fn new(ctld: &Slurmctld, outcomes: &[Outcome], start: Time) -> Self {
        let mut report = Self {
            jobs: outcomes.len() as u64,
            refused: Vec::new(),
            waiting: 0,
            cancelled: 0,
            makespan: Span(0),
            utilisation: 0.0,
            all: ReportRow::default(),
            partitions: Vec::new(),
            users: Vec::new(),
        };
        let default = ctld.partitions.iter().find(|p| p.is_default).map_or("", |p| p.name.as_str());
        let mut users: Vec<(u32, ReportRow)> = Vec::new();
        for outcome in outcomes {
            if let Some(error) = outcome.refused {
                match report.refused.iter_mut().find(|r| r.0 == error) {
                    Some(row) => row.1 += 1,
                    None => report.refused.push((error, 1)),
                }
                continue;
            }
            match (outcome.start, outcome.state) {
                (None, Some(JobState::Cancelled)) => report.cancelled += 1,
                (None, _) => report.waiting += 1,
                (Some(_), _) => {}
            }
            report.makespan = report.makespan.max(outcome.end.map_or(Span(0), |end| end - start));
            report.all.add(outcome);
            let partition = outcome.partition.as_deref().unwrap_or(default);
            by_name(&mut report.partitions, partition).add(outcome);
            let uid = outcome.uid.0;
            let at = match users.binary_search_by_key(&uid, |u| u.0) {
                Ok(at) => at,
                Err(at) => {
                    users.insert(
                        at,
                        (uid, ReportRow { name: ctld.user_name(outcome.uid), ..ReportRow::default() }),
                    );
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

fn by_name<'a>(rows: &'a mut Vec<ReportRow>, name: &str) -> &'a mut ReportRow {
    let at = rows.iter().position(|r| r.name == name).unwrap_or_else(|| {
        rows.push(ReportRow { name: name.to_owned(), ..ReportRow::default() });
        rows.len() - 1
    });
    &mut rows[at]
}

impl fmt::Display for WorkloadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "jobs         {} ({} started, {} never)", self.jobs, self.all.started, self.waiting)?;
        for (error, count) in &self.refused {
            writeln!(f, "refused      {count}: {error}")?;
        }
        if self.cancelled > 0 {
            writeln!(f, "cancelled    {}: before they started, as recorded", self.cancelled)?;
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

fn row(f: &mut fmt::Formatter<'_>, name: &str, row: &ReportRow) -> fmt::Result {
    let hours = row.cpu_seconds / 3600;
    let (wait, longest) = (hms(row.wait() as i64), hms(row.longest));
    writeln!(f, "{name:<20} {:>8} {wait:>12} {longest:>12} {:>10.2} {hours:>12}", row.started, row.slowdown())
}
