//! `sandbatch import`, `calibrate` and `export-script`: histories of real clusters.

use super::args::{CalibrateArgs, ImportArgs};
use super::{findings, out, site};
use ::import::WORKLOAD;
use ::import::calibrate::calibrate as compare_with_recording;
use base::diagnostic::Severity;
use config::furnish;
use std::fs::File;
use std::io::Write;

/// Maximum number of findings printed. All are in the site's `import.txt`.
const SHOWN: usize = 20;

/// Imports an export, and reports what was created and what was guessed.
///
/// # Errors
/// The export cannot be read, or the site not be written.
pub fn import(args: &ImportArgs) -> Result<u8, String> {
    let report = ::import::import(&args.input, &args.out)?;
    // A finding quotes its line: the export is an archive.
    findings::tell(report.findings.iter().take(SHOWN), |_| None);
    let more = report.findings.len().saturating_sub(SHOWN);
    let list = args.out.join(::import::FINDINGS);
    if more > 0 {
        out::tell(&format!("and {more} more: see {}\n", list.display()));
    }
    let totals = &report.totals;
    let mut text = format!("{}: {} jobs of {} users", args.out.display(), totals.jobs, totals.users.len());
    if let (Some(began), Some(ended)) = (totals.began, totals.ended) {
        text += &format!(", {began} to {ended}");
    }
    if report.left_out > 0 {
        text += &format!("; {} records and lines left out", report.left_out);
    }
    out::print(&format!("{text}\n"))?;
    Ok(0)
}

/// Compares a replay of an imported history with the recording.
///
/// # Errors
/// The site has no workload, or a file cannot be written.
pub fn calibrate(args: &CalibrateArgs) -> Result<u8, String> {
    // Minutes of work must not end at a file that cannot be written.
    let csv =
        args.csv.as_ref().map(|path| File::create(path).map_err(|e| format!("{}: {e}", path.display())));
    let csv = csv.transpose()?;
    let (files, _) = furnish(site::read(&args.site)?);
    let path = args.site.join(WORKLOAD);
    let text = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let bar = super::replay::progress_bar(0, args.quiet);
    let name = site::name_of(&args.site);
    let found = compare_with_recording(&name, &files, WORKLOAD, &text, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    let shown = found.diagnostics.iter().filter(|d| d.severity > Severity::Note);
    findings::tell(shown, |name| {
        if name == WORKLOAD { Some(&*text) } else { files.0.get(name).map(String::as_str) }
    });
    if let (Some(mut file), Some(path)) = (csv, &args.csv) {
        file.write_all(found.csv().as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    out::print(&if args.json { found.json() } else { findings::plain(&found.to_string()) })?;
    // Freeing months of jobs one by one would be wasted time.
    std::mem::forget(found);
    Ok(0)
}

/// Prints the script that collects an export.
///
/// # Errors
/// It cannot be printed.
pub fn export_script() -> Result<u8, String> {
    out::print(::import::EXPORT_SCRIPT)?;
    Ok(0)
}
