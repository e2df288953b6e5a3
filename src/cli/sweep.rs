//! `sandbatch sweep`: the cells of a plan one by one, for job arrays of a real cluster, and the report of their results.

use super::args::{SweepArgs, SweepPrint};
use super::{compare, findings, input, out};
use ::compare::study::ComparisonStudy;
use ::compare::sweep::{self, SweepScript};
use base::time::Time;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest file of a result in bytes.
const MAX_RESULT: u64 = 1 << 30;

/// Runs what the options ask for.
///
/// # Errors
/// The plan or a result cannot be read, or a file cannot be written.
pub fn run(args: &SweepArgs, start: Time) -> Result<u8, String> {
    let study = compare::load(&args.plan, start)?;
    if !args.quiet {
        study.notes.iter().for_each(|note| out::tell(&format!("{}\n", findings::plain(note))));
    }
    if let Some(number) = args.task {
        out::ready(&args.results)?;
        return task(&study, &args.results, number).map(|()| 0);
    }
    if args.gather {
        return gather(&study, args);
    }
    let wanted: Vec<usize> = if args.missing {
        (1..=study.cells()).filter(|n| !path(&study, &args.results, *n).exists()).collect()
    } else {
        (1..=study.cells()).collect()
    };
    if let Some(kind) = args.print {
        if input::is_stdin(&args.plan) {
            return Err("--print needs a file: the script names the plan".to_owned());
        }
        let kind = match kind {
            SweepPrint::Sbatch => SweepScript::Sbatch,
            SweepPrint::Parallel => SweepScript::Parallel,
            SweepPrint::Snakemake => SweepScript::Snakemake,
        };
        let (plan, results) = (args.plan.display().to_string(), args.results.display().to_string());
        out::print(&sweep::script(&study, kind, &plan, &results, &wanted))?;
    } else if args.missing {
        out::print(&format!("{}\n", sweep::array_spec(&wanted)))?;
    } else {
        list(&study)?;
    }
    Ok(0)
}

/// Where a cell's result is.
fn path(study: &ComparisonStudy, results: &Path, number: usize) -> PathBuf {
    results.join(sweep::file_name(study, number))
}

/// Prints the cells with their numbers.
fn list(study: &ComparisonStudy) -> Result<(), String> {
    let plan = study.plan();
    for number in 1..=study.cells() {
        let cell = study.cell(number - 1);
        let workload = plan.workloads.get(cell.workload as usize).map_or("", |w| w.name.as_str());
        let policy = plan.policies.get(cell.policy as usize).map_or("", |p| p.name.as_str());
        let resample = match cell.resample {
            0 => "as recorded".to_owned(),
            n => format!("resample {n}"),
        };
        out::print(&format!("{number}\t{workload}\t{resample}\t{policy}\n"))?;
    }
    Ok(())
}

/// Runs a cell. The result is written to a temporary file and renamed, so it appears complete.
fn task(study: &ComparisonStudy, results: &Path, number: usize) -> Result<(), String> {
    if !(1..=study.cells()).contains(&number) {
        return Err(format!("there is no cell {number}; cells are numbered from 1 to {}", study.cells()));
    }
    let path = path(study, results, number);
    let bytes = sweep::encode(study, number, &study.run_cell(number - 1))?;
    let unfinished = path.with_extension(format!("{}.part", std::process::id()));
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, &path));
    written.map_err(|e| {
        let _ = fs::remove_file(&unfinished);
        format!("{}: {e}", path.display())
    })
}

/// Makes the report of all results.
fn gather(study: &ComparisonStudy, args: &SweepArgs) -> Result<u8, String> {
    let problem = |e: std::io::Error| format!("{}: {e}", args.results.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(&args.results).map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        if path.extension().is_none_or(|ending| *ending != *sweep::ENDING.trim_start_matches('.')) {
            continue;
        }
        let here = |why: String| format!("{}: {why}", path.display());
        let size = fs::metadata(&path).map_err(|e| here(e.to_string()))?.len();
        if size > MAX_RESULT {
            return Err(here(format!("larger than {} MiB", MAX_RESULT >> 20)));
        }
        let bytes = fs::read(&path).map_err(|e| here(e.to_string()))?;
        found.push(sweep::decode(study, &bytes).map_err(here)?);
    }
    found.sort_by_key(|result| result.0);
    found.dedup_by_key(|result| result.0);
    let missing: Vec<usize> =
        (1..=study.cells()).filter(|n| found.binary_search_by_key(n, |result| result.0).is_err()).collect();
    if !missing.is_empty() {
        let spec = sweep::array_spec(&missing);
        return Err(format!("{} of {} results are missing: {spec}", missing.len(), study.cells()));
    }
    let results: Vec<_> = found.into_iter().map(|result| result.1).collect();
    let report = study.report(&results, compare::threads(None), compare::style(args.language));
    out::print(&findings::plain(&report.summary))?;
    if let Some(dir) = &args.out {
        out::ready(dir)?;
        compare::write(dir, &report)?;
    }
    Ok(0)
}
