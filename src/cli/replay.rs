//! `sandbatch replay`: runs a whole workload on a site, with a progress bar, a report, and start times as CSV.
#![allow(clippy::disallowed_methods)] // It also prints the elapsed time.

use super::args::ReplayArgs;
use super::{findings, out, site};
use base::time::Time;
use config::SiteFiles;
use engine::session::replay::report::{ReportRow, WorkloadReport};
use engine::session::replay::{Replay, Workload, events, site::controller, swf};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::path::Path;
use std::time::Instant;

/// Largest trace, in bytes after decompression.
const MAX_TRACE: u64 = 1 << 30;
/// Events between two updates of the progress bar.
const SLICE: u64 = 20_000;

/// Runs the replay. The report goes to standard output, everything else to standard error.
///
/// # Errors
/// A file cannot be read or written, or holds no workload.
pub fn run(args: &ReplayArgs, start: Time) -> Result<u8, String> {
    let name = args.trace.to_string_lossy().into_owned();
    // Fail before hours of work if the file cannot be written.
    let csv_file =
        args.csv.as_ref().map(|path| File::create(path).map_err(|e| format!("{}: {e}", path.display())));
    let csv_file = csv_file.transpose()?;
    let text = read(&args.trace)?;
    let is_events = name.trim_end_matches(".gz").ends_with(".events");
    let given = match &args.site {
        Some(site) => Some(site::load(site)?),
        None => None,
    };
    let (workload, mut files, site_name);
    if is_events {
        let (named, mut found) = given.ok_or("a trace of sbatch lines requires --site")?;
        let (ctld, _) = controller(&named, &found, start);
        workload = events::parse_for_site(&name, &text, &ctld, &mut found);
        (files, site_name) = (found, named);
    } else if let Some((named, mut found)) = given {
        workload = swf::parse_for_site(&name, &text, &mut found);
        (files, site_name) = (found, named);
    } else {
        let (jobs, machine) = swf::parse(&name, &text);
        workload = jobs;
        if machine.processors == 0 && machine.nodes == 0 && !workload.jobs.is_empty() {
            return Err(format!("{name}: its header names no machine (MaxNodes, MaxProcs); give --site"));
        }
        (site_name, files) = ("trace".to_owned(), swf::site(machine, &args.parameters));
    }
    if !args.parameters.is_empty() && args.site.is_some() {
        override_parameters(&mut files, &args.parameters);
    }
    let (ctld, diagnostics) = controller(&site_name, &files, start);
    let of_site = diagnostics.iter().filter(|d| d.severity > base::diagnostic::Severity::Note);
    findings::tell(of_site, findings::of_site(&files));
    findings::tell(&workload.diagnostics, findings::of_file(&name, &text));
    let Workload { jobs, node_changes, left_out, .. } = workload;
    if jobs.is_empty() {
        return Err(format!(
            "{name}: no jobs; a workload is Standard Workload Format (.swf) or sbatch lines (.events)"
        ));
    }
    let bar = progress_bar(jobs.len(), args.quiet);
    let began = Instant::now();
    let mut replay = Replay::new(ctld, jobs, start);
    replay.follow_trace(node_changes);
    if args.plain {
        replay.without_shortcuts();
    }
    while replay.run(SLICE) {
        bar.set_position(replay.progress().0 as u64);
        bar.set_message(replay.now().iso());
    }
    bar.finish_and_clear();
    let seconds = began.elapsed().as_secs_f64();
    findings::tell(&replay.never_started(&name), findings::of_file(&name, &text));
    let report = replay.report_of();
    if args.json {
        out::print(&format!("{:#}\n", json(&report, left_out)))?;
    } else {
        out::print(&findings::plain(&report.to_string()))?;
        if left_out > 0 {
            out::print(&format!("skipped      {left_out} lines of the trace\n"))?;
        }
    }
    let days = report.makespan.secs() as f64 / 86_400.0;
    if !args.quiet {
        out::tell(&format!("{days:.1} days in {seconds:.2} s, {} events\n", replay.events()));
    }
    if let (Some(mut file), Some(path)) = (csv_file, &args.csv) {
        file.write_all(csv(&replay).as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    // The process is about to exit, so freeing months of jobs one by one would be wasted time.
    std::mem::forget(replay);
    Ok(0)
}

/// The report as JSON. Times are in seconds.
fn json(report: &WorkloadReport, left_out: u64) -> serde_json::Value {
    let row = |row: &ReportRow| {
        serde_json::json!({
            "name": row.name,
            "started": row.started,
            "mean_wait": row.wait(),
            "longest_wait": row.longest,
            "mean_bounded_slowdown": row.slowdown(),
            "cpu_seconds": row.cpu_seconds,
        })
    };
    let rows = |rows: &[ReportRow]| rows.iter().map(row).collect::<Vec<_>>();
    let refused = report
        .refused
        .iter()
        .map(|(error, jobs)| serde_json::json!({ "error": error.to_string(), "jobs": jobs }));
    serde_json::json!({
        "jobs": report.jobs,
        "started": report.all.started,
        "never_started": report.waiting,
        "cancelled": report.cancelled,
        "refused": refused.collect::<Vec<_>>(),
        "skipped_lines": left_out,
        "makespan": report.makespan.secs(),
        "utilisation": report.utilisation,
        "all": row(&report.all),
        "partitions": rows(&report.partitions),
        "users": rows(&report.users),
    })
}

/// Replaces a site's `SchedulerParameters`.
fn override_parameters(files: &mut SiteFiles, parameters: &str) {
    if let Some(conf) = files.0.get_mut("slurm.conf") {
        let kept: Vec<&str> =
            conf.lines().filter(|l| !l.to_ascii_lowercase().starts_with("schedulerparameters")).collect();
        *conf = format!("{}\nSchedulerParameters={parameters}\n", kept.join("\n"));
    }
}

/// The text of a trace: a file or `-` for standard input, also compressed with gzip.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let problem = |e: io::Error| format!("{}: {e}", path.display());
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(problem)?)
    };
    let mut input = BufReader::new(input);
    let gzip = input.fill_buf().map_err(problem)?.starts_with(&[0x1f, 0x8b]);
    let mut bytes = Vec::new();
    let read = if gzip {
        flate2::bufread::MultiGzDecoder::new(input).take(MAX_TRACE + 1).read_to_end(&mut bytes)
    } else {
        input.take(MAX_TRACE + 1).read_to_end(&mut bytes)
    };
    read.map_err(problem)?;
    if bytes.len() as u64 > MAX_TRACE {
        return Err(format!("{}: larger than {} MiB", path.display(), MAX_TRACE >> 20));
    }
    if bytes.contains(&0) {
        return Err(format!("{}: a binary file", path.display()));
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

/// Submitted jobs and the virtual time, on a terminal.
pub fn progress_bar(jobs: usize, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(jobs as u64);
    match ProgressStyle::with_template("[{wide_bar}] {pos}/{len} submitted, {msg}") {
        Ok(style) => bar.with_style(style.progress_chars("#>-")),
        Err(_) => bar,
    }
}

/// One line per job, in the order of submission.
fn csv(replay: &Replay) -> String {
    let mut out = "job,submit,start,end,nodes,cpus,state\n".to_owned();
    for outcome in replay.outcomes() {
        let time = |t: Option<Time>| t.map_or_else(String::new, |t| t.secs().to_string());
        let id = outcome.job.map_or_else(String::new, |j| j.to_string());
        let state = match (outcome.refused, outcome.state) {
            (Some(_), _) => "REFUSED",
            (None, Some(state)) => state.long(),
            (None, None) => "PENDING",
        };
        let (submit, start, end) = (outcome.submit.secs(), time(outcome.start), time(outcome.end));
        let _ = writeln!(out, "{id},{submit},{start},{end},{},{},{state}", outcome.nodes, outcome.cpus);
    }
    out
}
