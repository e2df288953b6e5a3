//! What an import guessed or omitted: each kind once, with its count and its first locations.
//!
//! A million broken lines take no more memory than a few.

use base::diagnostic::{Diagnostic, Severity};
use std::collections::BTreeMap;

/// Locations stored for each kind.
const MAX_LOCATIONS: usize = 3;
/// Maximum number of kinds.
const KINDS: usize = 500;

/// The list.
#[derive(Clone, Debug, Default)]
pub struct ImportFindings {
    kinds: BTreeMap<(Severity, String), ImportFinding>,
    left_out: u64,
}

#[derive(Clone, Debug, Default)]
struct ImportFinding {
    count: u64,
    /// File, line, and the text there.
    locations: Vec<(String, u32, String)>,
}

impl ImportFindings {
    /// Adds a finding. `kind` is a sentence without names, `detail` the text of the line.
    pub fn add(&mut self, severity: Severity, kind: &str, file: &str, line: u32, detail: &str) {
        let key = (severity, kind.to_owned());
        if !self.kinds.contains_key(&key) && self.kinds.len() >= KINDS {
            return;
        }
        let finding = self.kinds.entry(key).or_default();
        finding.count += 1;
        if finding.locations.len() < MAX_LOCATIONS {
            let detail: String = detail.chars().filter(|c| !c.is_control()).take(80).collect();
            finding.locations.push((file.to_owned(), line, detail));
        }
    }

    /// Something that was guessed.
    pub fn guess(&mut self, kind: &str, file: &str, line: u32, detail: &str) {
        self.add(Severity::Note, kind, file, line, detail);
    }

    /// Something that was left out.
    pub fn leave_out(&mut self, kind: &str, file: &str, line: u32, detail: &str) {
        self.left_out += 1;
        self.add(Severity::Warning, kind, file, line, detail);
    }

    /// Adds diagnostics of other readers, each as a separate kind.
    pub fn extend(&mut self, all: impl IntoIterator<Item = Diagnostic>) {
        for d in all {
            self.add(d.severity, &d.message, &d.file, d.line, "");
        }
    }

    /// The number of omitted items.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// One diagnostic for each kind, the most severe first: the first location, and how many more.
    #[must_use]
    pub fn list(&self) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        for ((severity, kind), finding) in self.kinds.iter().rev() {
            let Some((file, line, detail)) = finding.locations.first() else { continue };
            let shown = if detail.is_empty() { String::new() } else { format!(": {detail}") };
            let others: Vec<String> = finding.locations[1..].iter().map(|p| p.1.to_string()).collect();
            let more = match finding.count {
                0 | 1 => String::new(),
                n if n as usize == finding.locations.len() => format!(" (also line {})", others.join(", ")),
                n => format!(" (and {} more, lines {}, ...)", n - 1, others.join(", ")),
            };
            let message = format!("{kind}{shown}{more}");
            all.push(Diagnostic { severity: *severity, file: file.clone(), line: *line, message });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_are_a_few() {
        let mut findings = ImportFindings::default();
        for line in 1..=1_000_000 {
            findings.leave_out("not a record", "sacct.txt", line, "x|y");
        }
        findings.guess("no time limit", "sacct.txt", 7, "");
        let list: Vec<String> = findings.list().iter().map(ToString::to_string).collect();
        assert_eq!(list[0], "sacct.txt:1: warning: not a record: x|y (and 999999 more, lines 2, 3, ...)");
        assert_eq!(list[1], "sacct.txt:7: note: no time limit");
    }
}
