//! Reports: text, GitHub annotations, SARIF, JSON and JUnit.

mod junit;
mod sarif;
mod text;

use super::finding::{BlockVerdict, CheckedBlock, DocFinding};
use doc::DocNote;
use findings::FindingForm;
use std::collections::BTreeMap;

/// Everything that a run found.
#[derive(Clone, Debug, Default)]
pub struct DoctestReport {
    /// The number of pages.
    pub pages: usize,
    /// All blocks, in order.
    pub blocks: Vec<CheckedBlock>,
    /// What could not be read.
    pub notes: Vec<DocNote>,
    /// Number of findings that are in the baseline.
    pub known: usize,
    /// Blocks and pages that comments exclude.
    pub ignored: usize,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// For people: each finding with its line.
    Text,
    /// One line for each finding.
    Short,
    /// Workflow commands of GitHub Actions.
    Github,
    /// SARIF 2.1.
    Sarif,
    /// JSON: one object.
    Json,
    /// JUnit's XML: one test case for each block.
    Junit,
}

impl DoctestReport {
    /// The faults, in order.
    pub fn faults(&self) -> impl Iterator<Item = &DocFinding> {
        self.blocks.iter().flat_map(|block| &block.findings).filter(|finding| finding.verdict.is_fault())
    }

    /// The number of blocks with each verdict.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<BlockVerdict, usize> {
        let mut counts: BTreeMap<BlockVerdict, usize> =
            BlockVerdict::ALL.into_iter().map(|v| (v, 0)).collect();
        for block in &self.blocks {
            *counts.entry(block.verdict).or_default() += 1;
        }
        counts
    }

    /// The report in a format. `verbose` adds blocks that cannot be checked to the text, `colour` terminal colours.
    #[must_use]
    pub fn write(&self, format: ReportFormat, verbose: bool, colour: bool) -> String {
        match format {
            ReportFormat::Text => text::write(self, verbose, FindingForm { short: false, colour }),
            ReportFormat::Short => text::write(self, verbose, FindingForm { short: true, colour }),
            ReportFormat::Github => text::github(self),
            ReportFormat::Sarif => sarif::write(self),
            ReportFormat::Json => json(self),
            ReportFormat::Junit => junit::write(self),
        }
    }
}

fn json(report: &DoctestReport) -> String {
    let counts: BTreeMap<&str, usize> = report.counts().into_iter().map(|(v, n)| (v.rule(), n)).collect();
    let notes: Vec<serde_json::Value> = report
        .notes
        .iter()
        .map(|note| serde_json::json!({ "file": &*note.file, "line": note.line, "message": note.message }))
        .collect();
    let value = serde_json::json!({
        "pages": report.pages,
        "counts": counts,
        "known": report.known,
        "ignored": report.ignored,
        "notes": notes,
        "blocks": report.blocks,
    });
    format!("{value:#}\n")
}
