//! A plan with its sites and traces: numbers the cells, runs them on all cores, and reports the results.

use super::affected::{self, AffectedJob};
use super::cell::{self, CellId, CellResult};
use super::difference::{MetricDifference, differences};
use super::feedback::{self, ThinkTimes};
use super::plan::ComparePlan;
use super::report::{self, ReportStyle};
use super::words::{self, ReportWords};
use super::{csv, policy, resample};
use base::diagnostic::{Diagnostic, Severity};
use base::hash;
use base::time::{Span, Time};
use config::{SiteFiles, background_amount};
use engine::session::replay::recorded::RecordedNodeChange;
use engine::session::replay::{Arrival, Replay, TraceJob, Workload, events, site::controller, swf};
use engine::world::World;
use protocol::why::Verdict;
use slurmctld::Slurmctld;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A workload's site and trace, as read from files.
#[derive(Clone, Debug)]
pub struct WorkloadInput {
    /// The site's name and files. None: the machine in the header of a trace in the Standard Workload Format.
    pub site: Option<(String, SiteFiles)>,
    /// The trace. None: background jobs.
    pub trace: Option<TraceText>,
}

/// A trace as text.
#[derive(Clone, Debug)]
pub enum TraceText {
    /// Standard Workload Format.
    Swf(String),
    /// sbatch lines.
    Events(String),
}

/// A workload that is ready to run.
struct PreparedWorkload {
    site: String,
    files: SiteFiles,
    /// The trace. None: background jobs, which follow from the seed.
    trace: Option<Arc<[TraceJob]>>,
    /// Recorded changes of nodes.
    node_changes: Vec<RecordedNodeChange>,
    /// The job whose end each job follows, if users wait for results.
    thinking: Option<ThinkTimes>,
    left_out: u64,
    /// A controller for each policy, just started.
    controllers: Vec<Mutex<Slurmctld>>,
}

/// A plan with its prepared workloads and policies.
pub struct ComparisonStudy {
    plan: ComparePlan,
    start: Time,
    workloads: Vec<PreparedWorkload>,
    fingerprint: u64,
    /// Notes about the input for users.
    pub notes: Vec<String>,
}

/// The report of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as the files")]
pub struct ComparisonReport {
    /// For a terminal.
    pub summary: String,
    pub html: String,
    pub metrics: String,
    pub differences: String,
    #[cfg(feature = "parquet")]
    pub parquet: Result<super::parquet_tables::ParquetTables, String>,
}

/// The input of the report writers.
pub struct Findings<'a> {
    /// The plan.
    pub plan: &'a ComparePlan,
    /// Results in the order of cells.
    pub results: &'a [CellResult],
    /// Differences from the baseline.
    pub differences: Vec<MetricDifference>,
    /// The most affected jobs.
    pub affected: Vec<AffectedJob>,
    /// Names of users by uid, for each workload.
    pub users: Vec<Vec<(u32, String)>>,
    /// Lines of each trace that were skipped.
    pub left_out: Vec<u64>,
    /// Jobs of each trace that follow the end of another, if users wait for results.
    pub following: Vec<Option<usize>>,
    /// Further notes.
    pub notes: &'a [String],
    /// The words of the report's language.
    pub words: &'static ReportWords,
    /// See [`ReportStyle`].
    pub explain: &'a dyn Fn(&Verdict) -> String,
}

impl ComparisonStudy {
    /// Prepares the workloads and policies of a plan. `inputs` are in the order of its workloads; `build` names the
    /// program.
    ///
    /// # Errors
    /// A trace has no jobs, or a policy cannot be applied.
    pub fn new(
        plan: ComparePlan,
        text: &str,
        inputs: Vec<WorkloadInput>,
        start: Time,
        build: &str,
    ) -> Result<Self, String> {
        let mut fingerprint = hash::more(hash::fnv1a(build.as_bytes()), text.as_bytes());
        let (mut workloads, mut notes) = (Vec::new(), Vec::new());
        for (planned, input) in plan.workloads.iter().zip(inputs) {
            if let Some(TraceText::Swf(text) | TraceText::Events(text)) = &input.trace {
                fingerprint = hash::more(fingerprint, text.as_bytes());
            }
            let prepared = prepare(&plan, &planned.name, input, start, &mut notes)?;
            for (name, text) in &prepared.files.0 {
                fingerprint = hash::more(hash::more(fingerprint, name.as_bytes()), text.as_bytes());
            }
            workloads.push(prepared);
        }
        Ok(Self { plan, start, workloads, fingerprint, notes })
    }

    /// The hash of plan, sites, traces, seed and build.
    #[must_use]
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> &ComparePlan {
        &self.plan
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.workloads.len() * (self.plan.resample.number as usize + 1) * self.plan.policies.len()
    }

    /// A cell by its number.
    #[must_use]
    pub fn cell(&self, number: usize) -> CellId {
        let (policies, resamples) = (self.plan.policies.len(), self.plan.resample.number as usize + 1);
        let id = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        CellId {
            workload: id(number / policies / resamples),
            resample: id(number / policies % resamples),
            policy: id(number % policies),
        }
    }

    /// Runs a cell.
    ///
    /// # Panics
    /// There is no such cell.
    #[must_use]
    pub fn run_cell(&self, number: usize) -> CellResult {
        let cell = self.cell(number);
        let (replay, arrivals) = self.replay(cell);
        cell::run(cell, replay, arrivals, self.start)
    }

    /// Runs all cells on this number of threads. `progress` gets the number of finished cells.
    #[must_use]
    pub fn run(&self, threads: usize, progress: &(dyn Fn(usize) + Sync)) -> Vec<CellResult> {
        in_parallel(self.cells(), threads, progress, &|number| self.run_cell(number))
    }

    /// The report of all results, which are in the order of cells.
    #[must_use]
    pub fn report(&self, results: &[CellResult], threads: usize, style: ReportStyle<'_>) -> ComparisonReport {
        self.report_on(&self.plan, results, affected::find(self, results, threads), style)
    }

    /// A report before all cells have run. `results` are the first ones in the order of cells, of all policies. Nothing is
    /// explained, because that takes more replays.
    #[must_use]
    pub fn report_so_far(&self, results: &[CellResult], style: ReportStyle<'_>) -> ComparisonReport {
        let mut plan = self.plan.clone();
        plan.resample.number = results.iter().map(|result| result.cell.resample).max().unwrap_or(0);
        self.report_on(&plan, results, Vec::new(), style)
    }

    fn report_on(
        &self,
        plan: &ComparePlan,
        results: &[CellResult],
        affected: Vec<AffectedJob>,
        style: ReportStyle<'_>,
    ) -> ComparisonReport {
        let baseline = u32::try_from(self.plan.baseline()).unwrap_or(0);
        let names = |workload: &PreparedWorkload| {
            let ctld = lock(&workload.controllers[0]);
            ctld.people.iter().map(|(uid, name)| (uid.0, name.clone())).collect()
        };
        let findings = Findings {
            plan,
            results,
            differences: differences(results, baseline, plan.resample.seed),
            affected,
            users: self.workloads.iter().map(names).collect(),
            left_out: self.workloads.iter().map(|w| w.left_out).collect(),
            following: self.workloads.iter().map(following).collect(),
            notes: &self.notes,
            words: words::words(style.language),
            explain: style.explain,
        };
        ComparisonReport {
            summary: report::summary(&findings),
            html: report::html(&findings),
            metrics: csv::metrics(plan, results),
            differences: csv::differences(plan, &findings.differences),
            #[cfg(feature = "parquet")]
            parquet: super::parquet_tables::ParquetTables::new(plan, results, &findings.differences),
        }
    }

    /// The replay of a workload as recorded under a policy.
    pub(super) fn recorded_replay(&self, workload: u32, policy: u32) -> Replay {
        self.replay(CellId { workload, resample: 0, policy }).0
    }

    /// A cell's replay, and its number of submissions.
    fn replay(&self, cell: CellId) -> (Replay, usize) {
        let (trace, arrivals) = self.resampled(cell);
        let mut replay = Replay::with_arrivals(self.controller(cell), trace, &arrivals, self.start);
        replay.follow_trace(self.workloads[cell.workload as usize].node_changes.clone());
        (replay, arrivals.len())
    }

    /// The time at which replays begin.
    pub(super) const fn start(&self) -> Time {
        self.start
    }

    fn controller(&self, cell: CellId) -> Slurmctld {
        lock(&self.workloads[cell.workload as usize].controllers[cell.policy as usize]).clone()
    }

    fn resampled(&self, cell: CellId) -> (Arc<[TraceJob]>, Vec<Arrival>) {
        let workload = &self.workloads[cell.workload as usize];
        let how = &self.plan.resample;
        let own = !how.paired && cell.resample > 0;
        let stream = if own { format!("policy {}", cell.policy) } else { String::new() };
        if let Some(trace) = &workload.trace {
            let thinking = workload.thinking.as_ref();
            return (Arc::clone(trace), resample::arrivals(trace, thinking, how, cell.resample, &stream));
        }
        let seed = hash::scatter(&format!("{} {} {stream}", how.seed, cell.resample));
        let planned = &self.plan.workloads[cell.workload as usize];
        let amount = planned.background.as_deref().and_then(background_amount).unwrap_or(0);
        let (mut world, _) = World::new(&workload.site, &workload.files, seed, self.start);
        let until = self.start + Span::from_secs(i64::from(planned.days.unwrap_or(1)) * 86_400);
        let text = world.background_trace(amount, self.start, until);
        let trace: Arc<[TraceJob]> = events::parse(&planned.name, &text, &world.ctld.people).jobs.into();
        let arrivals = resample::arrivals(&trace, None, how, 0, "");
        (trace, arrivals)
    }
}

/// Jobs that follow the end of another, if users wait for results.
fn following(workload: &PreparedWorkload) -> Option<usize> {
    workload.thinking.as_ref().map(|times| times.iter().flatten().count())
}

/// Reads a workload's trace and starts a controller for each policy.
fn prepare(
    plan: &ComparePlan,
    name: &str,
    input: WorkloadInput,
    start: Time,
    notes: &mut Vec<String>,
) -> Result<PreparedWorkload, String> {
    let (mut site, mut parsed) = (input.site, None);
    match (&input.trace, &mut site) {
        (Some(TraceText::Swf(text)), Some((_, files))) => {
            parsed = Some(swf::parse_for_site(name, text, files));
        }
        (Some(TraceText::Swf(text)), None) => {
            let (workload, machine) = swf::parse(name, text);
            if machine.processors == 0 && machine.nodes == 0 {
                return Err(format!("{name}: its header names no machine (MaxNodes, MaxProcs); give a site"));
            }
            site = Some(("trace".to_owned(), swf::site(machine, "")));
            parsed = Some(workload);
        }
        (Some(TraceText::Events(text)), Some((site, files))) => {
            let (ctld, _) = controller(site, files, start);
            parsed = Some(events::parse_for_site(name, text, &ctld, files));
        }
        (Some(TraceText::Events(_)), None) | (None, _) => {}
    }
    let (site, files) = site.ok_or_else(|| format!("{name}: a trace of sbatch lines needs a site"))?;
    let (_, known) = controller(&site, &files, start);
    let Workload { jobs, node_changes, diagnostics, left_out, .. } = parsed.unwrap_or_default();
    notes.extend(diagnostics.iter().map(ToString::to_string));
    if input.trace.is_some() && jobs.is_empty() {
        return Err(format!("{name}: no jobs"));
    }
    let mut controllers = Vec::new();
    for diff in &plan.policies {
        let changed = policy::apply(&files, diff).map_err(|why| format!("workload {name}: {why}"))?;
        let (ctld, found) = controller(&site, &changed, start);
        let text = |d: &Diagnostic| d.message.clone();
        for new in found.iter().filter(|d| !known.iter().any(|old| text(old) == text(d))) {
            match new.severity {
                Severity::Error => return Err(format!("workload {name}: policy {}: {new}", diff.name)),
                Severity::Warning => notes.push(format!("policy {}: {new}", diff.name)),
                Severity::Note => {}
            }
        }
        controllers.push(Mutex::new(ctld));
    }
    let swf = if let Some(TraceText::Swf(text)) = &input.trace { Some(text.as_str()) } else { None };
    let ends = if plan.resample.feedback { feedback::recorded_ends(&jobs, swf) } else { Vec::new() };
    let thinking = plan.resample.feedback.then(|| feedback::think_times(&jobs, &ends));
    if plan.resample.feedback && !ends.iter().any(Option::is_some) {
        return Err(format!("{name}: feedback needs a trace that says when jobs ended"));
    }
    let trace = input.trace.is_some().then(|| jobs.into());
    Ok(PreparedWorkload { site, files, trace, node_changes, thinking, left_out, controllers })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls a function for each number on several threads; results are in the order of the numbers. With one thread it runs on
/// the caller's, because a browser's worker cannot start any.
pub(super) fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
    work: &(dyn Fn(usize) -> T + Sync),
) -> Vec<T> {
    if threads <= 1 {
        let run = |number| {
            let result = work(number);
            progress(number + 1);
            result
        };
        return (0..count).map(run).collect();
    }
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let result = work(number);
                    lock(&results).push((number, result));
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|result| result.0);
    results.into_iter().map(|result| result.1).collect()
}
