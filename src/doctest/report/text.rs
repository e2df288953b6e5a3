//! Text for people, and annotations for GitHub Actions.

use super::DoctestReport;
use crate::finding::{BlockVerdict, DocFinding};
use base::diagnostic::Severity;
use findings::{FileFinding, FindingForm};

pub fn write(report: &DoctestReport, verbose: bool, form: FindingForm) -> String {
    let mut out = String::new();
    for note in &report.notes {
        let finding = FileFinding {
            severity: Severity::Note,
            word: Severity::Note.name(),
            file: &note.file,
            line: note.line,
            message: &note.message,
            source: None,
            part: None,
            fix: None,
        };
        out.push_str(&finding.write(form));
    }
    for finding in report.blocks.iter().flat_map(|block| &block.findings) {
        if verbose || finding.verdict.is_fault() {
            out.push_str(&one(finding, form));
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

fn one(finding: &DocFinding, form: FindingForm) -> String {
    let severity = match finding.verdict {
        BlockVerdict::Refused | BlockVerdict::Fails | BlockVerdict::WaitsForever => Severity::Error,
        BlockVerdict::Drifted | BlockVerdict::Ignored => Severity::Warning,
        BlockVerdict::Fine | BlockVerdict::Unchecked => Severity::Note,
    };
    let finding = FileFinding {
        severity,
        word: finding.verdict.name(),
        file: &finding.file,
        line: finding.line,
        message: &finding.message,
        source: Some(&finding.quote),
        part: Some(&finding.part),
        fix: finding.fix.as_ref().map(|fix| (fix.old.as_str(), fix.new.as_str())),
    };
    finding.write(form)
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
            BlockVerdict::Refused | BlockVerdict::Fails | BlockVerdict::WaitsForever => "error",
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
