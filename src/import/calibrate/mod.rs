//! Replays an imported history and compares recorded and simulated waits.
//!
//! Users and machines behave as recorded (arrivals, run times, eligible times); the simulated controller decides when
//! jobs start. The comparison uses the time from eligibility to the first start. It omits jobs submitted before the
//! recorded window, and jobs that never started.

mod causes;
mod figures;
mod json;
mod text;

pub use causes::{CauseGroup, WaitCause};
pub use figures::{CalibrationRow, UtilisationStep, WaitFigures};

use base::diagnostic::Diagnostic;
use base::state::JobState;
use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::replay::recorded::{RecordedJob, RecordedNodeChange};
use engine::session::replay::user_events::UserEvents;
use engine::session::replay::{Replay, TraceJob, Workload, site::controller_on_whole_seconds};
use std::fmt::Write as _;

/// Events between two progress reports.
const SLICE: u64 = 20_000;
/// Recorded times are truncated to seconds. On average a job was submitted, became eligible and ended half a second later.
const TRUNCATED: Span = Span::from_millis(500);

/// One job of the comparison. Times in seconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalibratedJob {
    /// Its line in the workload.
    pub line: usize,
    /// Its number in the history.
    pub job: u32,
    /// Its user.
    pub user: String,
    /// Its partition.
    pub partition: String,
    /// Allocated CPUs.
    pub cpus: u64,
    /// Submission.
    pub submit: i64,
    /// When it became eligible.
    pub eligible: i64,
    /// Recorded first start.
    pub recorded: i64,
    /// Simulated first start; none: it never started or was refused.
    pub simulated: Option<i64>,
    /// Why it never started.
    pub refused: Option<String>,
    /// What it waited for besides resources.
    pub waited_for: String,
}

impl CalibratedJob {
    /// Recorded wait, in seconds.
    #[must_use]
    pub fn recorded_wait(&self) -> i64 {
        (self.recorded - self.eligible).max(0)
    }

    /// Simulated wait, in seconds.
    #[must_use]
    pub fn simulated_wait(&self) -> Option<i64> {
        self.simulated.map(|start| (start - self.eligible).max(0))
    }
}

/// Jobs that are not compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CalibrationLeftOut {
    /// Submitted before the recorded window.
    pub warm_up: u64,
    /// Cancelled before they started. They are cancelled at the same time in the simulation.
    pub cancelled: u64,
    /// Held, dependent or deferred until an unrecorded time. They start at their recorded time.
    pub undated: u64,
    /// Still pending at the export.
    pub pending: u64,
    /// Lines that could not be read.
    pub unreadable: u64,
    /// Refused by the simulated controller.
    pub refused: u64,
    /// Never started in the simulation.
    pub never: u64,
}

/// The comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// The verdict in a sentence.
    pub sentence: String,
    /// The compared jobs, in the order of submission.
    pub jobs: Vec<CalibratedJob>,
    /// What is not compared.
    pub left_out: CalibrationLeftOut,
    /// All jobs.
    pub all: CalibrationRow,
    /// By partition.
    pub partitions: Vec<CalibrationRow>,
    /// By CPUs.
    pub sizes: Vec<CalibrationRow>,
    /// By user, the busiest first.
    pub users: Vec<CalibrationRow>,
    /// By hour of submission.
    pub hours: Vec<CalibrationRow>,
    /// Share of pairs of jobs that start in the same order in both; none without pairs.
    pub order: Option<f64>,
    /// Utilisation over time.
    pub utilisation: Vec<UtilisationStep>,
    /// Jobs whose wait the simulation does not explain.
    pub unexplained: Vec<CauseGroup>,
    /// Problems of the site and the workload.
    pub diagnostics: Vec<Diagnostic>,
}

/// Replays a workload on its site. `progress` gets the numbers of submitted jobs and of all.
///
/// # Errors
/// The workload has no recorded jobs.
pub fn calibrate(
    name: &str,
    files: &SiteFiles,
    file: &str,
    text: &str,
    mut progress: impl FnMut(usize, usize),
) -> Result<Calibration, String> {
    let began = began(text).ok_or_else(|| format!("{file}: it does not say when it began (`-e begin`)"))?;
    let (ctld, mut diagnostics) = controller_on_whole_seconds(name, files, began);
    let workload = engine::session::replay::events::parse(file, text, &ctld.people);
    diagnostics.retain(|d| d.severity > base::diagnostic::Severity::Note);
    diagnostics.extend(workload.diagnostics.iter().cloned());
    let Workload { jobs, node_changes, left_out, .. } = workload;
    let mut out = CalibrationLeftOut { unreadable: left_out, ..CalibrationLeftOut::default() };
    let (submitted, kept) = prepared(jobs, began, &mut out);
    if kept.iter().all(Option::is_none) {
        return Err(format!("{file}: no recorded jobs to compare with"));
    }
    let capacity: u64 = ctld.nodes.iter().map(|n| u64::from(n.cpus())).sum();
    let mut replay = Replay::new(ctld, submitted, began);
    replay.follow(UserEvents::new(kept.iter().map(Option::as_deref), node_changes.clone()));
    while replay.run(SLICE) {
        let (done, all) = replay.progress();
        progress(done, all);
    }
    let default = replay.ctld().partitions.iter().find(|p| p.is_default).map_or("", |p| p.name.as_str());
    let mut steps = figures::Utilisation::default();
    let mut compared = Vec::new();
    for (outcome, recorded) in replay.outcomes().iter().zip(&kept) {
        if let (Some(start), Some(end)) = (outcome.start, outcome.end) {
            steps.simulated.push((start.secs(), end.secs(), outcome.cpus));
        }
        let Some(recorded) = recorded else { continue };
        let at = |span: Span| (began + span).secs();
        for run in &recorded.runs {
            let end = run.end.map_or(i64::MAX, at);
            steps.recorded.push((at(run.start), end, u64::from(recorded.cpus)));
        }
        let Some(first) = recorded.runs.first().filter(|_| !recorded.warm_up) else { continue };
        if undated(recorded) {
            out.undated += 1;
            continue;
        }
        let never = outcome.job.and_then(|id| replay.ctld().job(id)).map(|job| job.reason.text().to_owned());
        let simulated = outcome.first_start.map(Time::secs);
        let refused =
            outcome.refused.map(|e| e.to_string()).or_else(|| never.filter(|_| simulated.is_none()));
        out.refused += u64::from(outcome.refused.is_some());
        out.never += u64::from(outcome.refused.is_none() && simulated.is_none());
        let submit = outcome.submit.secs();
        compared.push(CalibratedJob {
            line: outcome.line,
            job: recorded.job,
            user: replay.ctld().user_name(outcome.uid),
            partition: outcome.partition.clone().unwrap_or_else(|| default.to_owned()),
            cpus: u64::from(recorded.cpus).max(outcome.cpus),
            submit,
            eligible: recorded.eligible.map_or(submit, at).max(submit),
            recorded: at(first.start),
            simulated,
            refused,
            waited_for: recorded.waited_for.clone(),
        });
    }
    Ok(summarise(compared, out, &steps, capacity, &node_changes, began, diagnostics))
}

/// The jobs to submit, and their recorded facts, in the order of submission.
fn prepared(
    jobs: Vec<TraceJob>,
    began: Time,
    out: &mut CalibrationLeftOut,
) -> (Vec<TraceJob>, Vec<Option<Box<RecordedJob>>>) {
    let mut kept = Vec::with_capacity(jobs.len());
    for mut job in jobs {
        let Some(mut recorded) = job.recorded.clone() else { continue };
        if recorded.eligible.is_some() || recorded.warm_up {
            job.desc.dependency = None;
        } else if job.desc.dependency.is_some() {
            // The replay waits for the same jobs, so nothing else has to explain the wait.
            let words =
                recorded.waited_for.split(',').filter(|word| !word.eq_ignore_ascii_case("dependency"));
            recorded.waited_for = words.collect::<Vec<_>>().join(",");
        }
        match recorded.runs.first() {
            None => {
                job.desc.hold = recorded.stayed_held();
                let count =
                    if recorded.state == JobState::Pending { &mut out.pending } else { &mut out.cancelled };
                *count += 1;
            }
            // Its wait before the window is unknown, so it occupies its nodes from its recorded start on.
            Some(run) if recorded.warm_up => {
                out.warm_up += 1;
                job.submit = job.submit.max(run.start);
            }
            Some(run) if undated(&recorded) => job.desc.begin = Some(began + run.start),
            Some(_) => {}
        }
        if let Some(eligible) =
            recorded.eligible.filter(|at| at.secs() > job.submit.secs() && !recorded.warm_up)
        {
            job.desc.begin = Some(began + eligible + TRUNCATED);
        }
        // The recorded times of the calibration take precedence over those of the command line.
        job.begin = job.begin.filter(|_| job.desc.begin.is_none());
        // The recorded time already contains the wait for the limit of its array.
        job.throttled = job.throttled.filter(|_| job.desc.begin.is_none() && !recorded.warm_up);
        (job.submit, job.runtime) = (job.submit + TRUNCATED, job.runtime + TRUNCATED);
        kept.push((job, recorded));
    }
    kept.sort_by_key(|(job, _)| job.submit);
    let recorded = |(job, recorded): (TraceJob, Box<RecordedJob>)| (job, Some(recorded));
    kept.into_iter().map(recorded).unzip()
}

/// Whether it waited for something whose end is not recorded.
fn undated(recorded: &RecordedJob) -> bool {
    let words = ["dependency", "hold", "begin"];
    recorded.eligible.is_none() && recorded.waited_for.split(',').any(|word| words.contains(&word))
}

fn summarise(
    jobs: Vec<CalibratedJob>,
    left_out: CalibrationLeftOut,
    steps: &figures::Utilisation,
    capacity: u64,
    changes: &[RecordedNodeChange],
    began: Time,
    diagnostics: Vec<Diagnostic>,
) -> Calibration {
    let partitions = figures::rows(&jobs, |job| job.partition.clone());
    let mut sizes = figures::rows(&jobs, |job| figures::size_class(job.cpus));
    sizes.sort_by_key(|row| row.name.split(['-', '+']).next().and_then(|n| n.parse::<u64>().ok()));
    let mut users = figures::rows(&jobs, |job| job.user.clone());
    users.sort_by_key(|row| std::cmp::Reverse(row.jobs));
    let mut hours = figures::rows(&jobs, |job| format!("{:02}h", job.submit.div_euclid(3600).rem_euclid(24)));
    hours.sort_by(|a, b| a.name.cmp(&b.name));
    let all = figures::row("all".to_owned(), jobs.iter());
    Calibration {
        sentence: text::sentence(&all, &partitions),
        order: figures::same_order(&jobs),
        utilisation: steps.over_time(capacity),
        unexplained: causes::groups(&jobs, changes, began),
        jobs,
        left_out,
        all,
        partitions,
        sizes,
        users,
        hours,
        diagnostics,
    }
}

/// The time at which a workload began.
fn began(text: &str) -> Option<Time> {
    let line = text.lines().find(|line| line.contains(" -e begin "))?;
    line.split_once('|')?.1.trim().parse().ok().and_then(Time::from_civil)
}

impl Calibration {
    /// One line for each compared job.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = "job,user,partition,cpus,submit,eligible,recorded_start,simulated_start,recorded_wait,\
                       simulated_wait,waited_for\n"
            .to_owned();
        for job in &self.jobs {
            let shown = |n: Option<i64>| n.map_or_else(String::new, |n| n.to_string());
            let CalibratedJob { job: id, user, partition, cpus, submit, eligible, recorded, .. } = job;
            let _ = writeln!(
                out,
                "{id},{user},\"{partition}\",{cpus},{submit},{eligible},{recorded},{},{},{},\"{}\"",
                shown(job.simulated),
                job.recorded_wait(),
                shown(job.simulated_wait()),
                job.waited_for,
            );
        }
        out
    }
}
