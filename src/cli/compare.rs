//! `sandbatch compare`: replays a plan on all cores and writes the report.
#![allow(clippy::disallowed_methods)] // It also prints the elapsed time.

use super::args::{CompareArgs, OutputLanguage};
use super::site::{self, Site};
use super::{findings, input, out, replay};
use ::compare::plan::{ComparePlan, PlannedWorkload};
use ::compare::report::ReportStyle;
use ::compare::study::{ComparisonReport, ComparisonStudy, TraceText, WorkloadInput};
use base::time::Time;
use indicatif::{ProgressBar, ProgressStyle};
use protocol::compare::ReportLanguage;
use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

/// Largest plan in bytes.
const MAX_PLAN: u64 = 1 << 20;

/// Compares the policies of a plan.
///
/// # Errors
/// The plan or its files cannot be read or used, or the report cannot be written.
pub fn run(args: &CompareArgs, start: Time) -> Result<u8, String> {
    if let Some(dir) = &args.out {
        out::ready(dir)?;
    }
    let study = load(&args.plan, start)?;
    study.notes.iter().for_each(|note| out::tell(&format!("{}\n", findings::plain(note))));
    let threads = threads(args.jobs);
    let began = Instant::now();
    let bar = progress(study.cells(), args.quiet);
    let results = study.run(threads, &|done| bar.set_position(done as u64));
    bar.finish_and_clear();
    let report = study.report(&results, threads, style(args.language));
    out::print(&findings::plain(&report.summary))?;
    if let Some(dir) = &args.out {
        write(dir, &report)?;
    }
    if !args.quiet {
        let seconds = began.elapsed().as_secs_f64();
        out::tell(&format!("{} replays in {seconds:.1} s\n", study.cells()));
    }
    Ok(0)
}

/// How a report in this language is written.
pub(super) const fn style(language: OutputLanguage) -> ReportStyle<'static> {
    ReportStyle::new(match language {
        OutputLanguage::En => ReportLanguage::En,
        OutputLanguage::Fr => ReportLanguage::Fr,
    })
}

/// Number of replays at a time.
pub(super) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get), usize::from)
}

/// Reads a plan, its sites and its traces.
pub(super) fn load(path: &Path, start: Time) -> Result<ComparisonStudy, String> {
    let name = path.display().to_string();
    let text = input::text(path, MAX_PLAN).map_err(|why| format!("{name}: {why}"))?;
    let plan = ComparePlan::parse(&name, &text)
        .map_err(|found| findings::text([&found], findings::of_file(&name, &text)).trim_end().to_owned())?;
    let dir = path.parent().unwrap_or(Path::new("."));
    let inputs: Result<Vec<_>, String> =
        plan.workloads.iter().map(|w| workload_input(&plan, w, dir)).collect();
    ComparisonStudy::new(plan, &text, inputs?, start, env!("CARGO_PKG_VERSION"))
        .map_err(|why| format!("{name}: {why}"))
}

/// Reads the files of a workload. Paths are relative to the plan.
fn workload_input(
    plan: &ComparePlan,
    workload: &PlannedWorkload,
    dir: &Path,
) -> Result<WorkloadInput, String> {
    let trace = match &workload.file {
        None => None,
        Some(file) => {
            let text = replay::read(&dir.join(file))?;
            let is_events = file.trim_end_matches(".gz").ends_with(".events");
            Some(if is_events { TraceText::Events(text) } else { TraceText::Swf(text) })
        }
    };
    let site = match workload.site.as_ref().or(plan.site.as_ref()) {
        None => None,
        Some(name) => {
            let beside = dir.join(name);
            let site = if beside.is_dir() { Site::Dir(beside) } else { Site::named(name) };
            Some(site::load(&site)?)
        }
    };
    Ok(WorkloadInput { site, trace })
}

/// Writes the files of a report.
pub(super) fn write(dir: &Path, report: &ComparisonReport) -> Result<(), String> {
    let files = [
        ("report.html", &report.html),
        ("metrics.csv", &report.metrics),
        ("differences.csv", &report.differences),
    ];
    for (name, text) in files {
        let path = dir.join(name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    #[cfg(feature = "parquet")]
    {
        let tables = report.parquet.as_ref().map_err(String::clone)?;
        for (name, bytes) in
            [("metrics.parquet", &tables.metrics), ("differences.parquet", &tables.differences)]
        {
            let path = dir.join(name);
            fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    Ok(())
}

fn progress(cells: usize, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(cells as u64);
    match ProgressStyle::with_template("[{wide_bar}] {pos}/{len} replays, {eta} left") {
        Ok(style) => bar.with_style(style.progress_chars("#>-")),
        Err(_) => bar,
    }
}
