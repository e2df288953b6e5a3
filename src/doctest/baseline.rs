//! The baseline: known findings, so that only new ones fail.
//!
//! A finding is recognised by its file, kind, quoted line and message, not by its line number: edits above it do not
//! make it new.

use super::finding::DocFinding;
use std::collections::BTreeMap;

/// Known findings with their counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<String, usize>);

impl Baseline {
    /// Reads a baseline: one finding in each line, `#` begins a comment.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut known = BTreeMap::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            *known.entry(line.to_owned()).or_default() += 1;
        }
        Self(known)
    }

    /// The text of a baseline with these findings.
    #[must_use]
    pub fn write(findings: &[&DocFinding]) -> String {
        let mut lines: Vec<String> = findings.iter().map(|finding| key(finding)).collect();
        lines.sort();
        let mut text = "# Known findings of sandbatch doctest: file, kind, line, message.\n".to_owned();
        for line in lines {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// Consumes a known finding. Returns false if it is new.
    pub fn take(&mut self, finding: &DocFinding) -> bool {
        match self.0.get_mut(&key(finding)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

fn key(finding: &DocFinding) -> String {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (quote, message) = (plain(&finding.quote), plain(&finding.message));
    format!("{}\t{}\t{quote}\t{message}", finding.file, finding.verdict.rule())
}
