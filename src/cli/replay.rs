//! `sandbatch replay`: a whole workload on a site, with a progress bar, a report, and start times as CSV.
#![allow(clippy::disallowed_methods)] // It tells how long it took.

use super::args::ReplayArgs;
use super::{out, site};
use sandbatch::base::time::Time;
use sandbatch::config::SiteFiles;
use sandbatch::session::replay::{Replay, Workload, events, site::controller, swf};
use std::fmt::Write as _;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::time::Instant;

/// Largest trace, bytes unpacked.
const MAX_TRACE: u64 = 1 << 30;
/// Events between two looks at the progress bar.
const SLICE: u64 = 20_000;

/// Runs it. The report goes to standard output, everything else to standard error.
///
/// # Errors
/// A file that cannot be read or written.
pub fn run(args: &ReplayArgs, start: Time) -> Result<u8, String> {
    let name = args.trace.to_string_lossy().into_owned();
    let text = read(&args.trace)?;
    let is_events = name.trim_end_matches(".gz").ends_with(".events");
    let given = match &args.site {
        Some(site) => Some(site::load(site)?),
        None => None,
    };
    let (workload, mut files, site_name);
    if is_events {
        let (named, found) = given.ok_or("a trace of sbatch lines needs --site")?;
        let (ctld, _) = controller(&named, &found, start);
        workload = events::parse(&name, &text, &ctld.people);
        (files, site_name) = (found, named);
    } else {
        let (jobs, machine) = swf::parse(&name, &text);
        workload = jobs;
        (site_name, files) =
            given.unwrap_or_else(|| ("trace".to_owned(), swf::site(machine, &args.parameters)));
    }
    if !args.parameters.is_empty() && args.site.is_some() {
        override_parameters(&mut files, &args.parameters);
    }
    let (ctld, diagnostics) = controller(&site_name, &files, start);
    diagnostics
        .iter()
        .filter(|d| d.severity > sandbatch::base::diagnostic::Severity::Note)
        .chain(&workload.diagnostics)
        .for_each(|d| out::tell(&format!("{d}\n")));
    let Workload { jobs, left_out, .. } = workload;
    let began = Instant::now();
    let mut replay = Replay::new(ctld, jobs, start);
    if args.plain {
        replay.without_shortcuts();
    }
    while replay.run(SLICE) {
        progress(&replay);
    }
    let seconds = began.elapsed().as_secs_f64();
    if std::io::stderr().is_terminal() {
        out::tell("\r\x1b[K");
    }
    replay.never_started(&name).iter().for_each(|d| out::tell(&format!("{d}\n")));
    let report = replay.report_of();
    out::print(&report.to_string())?;
    if left_out > 0 {
        out::print(&format!("left out     {left_out} lines of the trace\n"))?;
    }
    let days = report.makespan.secs() as f64 / 86_400.0;
    out::tell(&format!("{days:.1} days in {seconds:.2} s, {} events\n", replay.events()));
    if let Some(path) = &args.csv {
        std::fs::write(path, csv(&replay)).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    // The process ends: nobody needs months of jobs taken apart one by one.
    std::mem::forget(replay);
    Ok(0)
}

/// Sets `SchedulerParameters` of a site anew.
fn override_parameters(files: &mut SiteFiles, parameters: &str) {
    if let Some(conf) = files.0.get_mut("slurm.conf") {
        let kept: Vec<&str> =
            conf.lines().filter(|l| !l.to_ascii_lowercase().starts_with("schedulerparameters")).collect();
        *conf = format!("{}\nSchedulerParameters={parameters}\n", kept.join("\n"));
    }
}

fn read(path: &Path) -> Result<String, String> {
    let problem = |e: std::io::Error| format!("{}: {e}", path.display());
    let file = std::fs::File::open(path).map_err(problem)?;
    let mut bytes = Vec::new();
    if path.extension().is_some_and(|e| e == "gz") {
        let mut unpacked = flate2::read::MultiGzDecoder::new(file).take(MAX_TRACE);
        // A file that ends too early gives what it has.
        if let Err(error) = unpacked.read_to_end(&mut bytes) {
            out::tell(&format!("{}: {error}; what was read of it is replayed\n", path.display()));
            let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            bytes.truncate(whole);
        }
    } else {
        file.take(MAX_TRACE).read_to_end(&mut bytes).map_err(problem)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn progress(replay: &Replay) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let (done, all) = replay.progress();
    let filled = done * 40 / all.max(1);
    let bar = format!("{}{}", "#".repeat(filled), "-".repeat(40 - filled));
    out::tell(&format!("\r[{bar}] {done}/{all} submitted, {}", replay.now().iso()));
}

/// One line a job, in the order of submission.
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
