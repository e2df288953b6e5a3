//! Text for people, and annotations for GitHub Actions.

use super::DoctestReport;
use crate::finding::{BlockVerdict, DocFinding};

/// Longest quoted line, characters.
const QUOTE: usize = 160;

pub fn write(report: &DoctestReport, verbose: bool) -> String {
    let mut out = String::new();
    for note in &report.notes {
        let line = if note.line == 0 { String::new() } else { format!(":{}", note.line) };
        out.push_str(&format!("{}{line}: note: {}\n", note.file, note.message));
    }
    for finding in report.blocks.iter().flat_map(|block| &block.findings) {
        if verbose || finding.verdict.is_fault() {
            out.push_str(&one(finding));
        }
    }
    let faults = report.faults().count();
    let counts = report.counts();
    let parts: Vec<String> = BlockVerdict::ALL
        .into_iter()
        .filter_map(|v| counts.get(&v).filter(|n| **n > 0).map(|n| format!("{n} {}", v.name())))
        .collect();
    let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    out.push_str(&format!("{}, {}", count(report.pages, "page"), count(report.blocks.len(), "block")));
    if !parts.is_empty() {
        out.push_str(&format!(": {}", parts.join(", ")));
    }
    out.push('\n');
    if report.known > 0 {
        out.push_str(&format!("{} of the baseline not shown\n", count(report.known, "finding")));
    }
    if report.ignored > 0 {
        out.push_str(&format!("{} ignored by comments\n", count(report.ignored, "block")));
    }
    if faults > 0 {
        out.push_str(&format!("{}\n", count(faults, "finding")));
    }
    out
}

fn one(finding: &DocFinding) -> String {
    let DocFinding { file, line, verdict, message, quote, .. } = finding;
    let shown: String = quote.chars().take(QUOTE).collect();
    let mut text = format!("{file}:{line}: {}: {message}\n", verdict.name());
    if !shown.trim().is_empty() {
        text.push_str(&format!("  | {}\n", shown.trim_end()));
        let at = shown.find(finding.part.as_str()).filter(|_| !finding.part.is_empty());
        if let Some(at) = at {
            let before = shown.get(..at).unwrap_or_default().chars().count();
            text.push_str(&format!(
                "  | {}{}\n",
                " ".repeat(before),
                "^".repeat(finding.part.chars().count())
            ));
        }
    }
    if let Some(fix) = &finding.fix {
        text.push_str(&format!("  fix: {} -> {}\n", fix.old, fix.new));
    }
    text
}

pub fn github(report: &DoctestReport) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut out = String::new();
    for note in &report.notes {
        let file = property(&note.file);
        out.push_str(&format!("::notice file={file},line={}::{}\n", note.line.max(1), data(&note.message)));
    }
    for finding in report.faults() {
        let level = match finding.verdict {
            BlockVerdict::Refused | BlockVerdict::WaitsForever => "error",
            _ => "warning",
        };
        let file = property(&finding.file);
        let title = property(finding.verdict.name());
        let line = finding.line;
        out.push_str(&format!(
            "::{level} file={file},line={line},title={title}::{}\n",
            data(&finding.message)
        ));
    }
    out
}
