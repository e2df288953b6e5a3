//! Corrections that are certain, applied to a file's text.

use super::finding::DocFinding;

/// The text with the corrections of these findings, and how many were made.
#[must_use]
pub fn apply(text: &str, findings: &[&DocFinding]) -> (String, usize) {
    let mut made = 0;
    let mut out = String::with_capacity(text.len());
    for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
        let mut line = line.to_owned();
        for finding in findings.iter().filter(|finding| finding.line == number) {
            if let Some(fix) = finding.fix.as_ref().filter(|fix| line.contains(&fix.old)) {
                line = line.replacen(&fix.old, &fix.new, 1);
                made += 1;
            }
        }
        out.push_str(&line);
    }
    (out, made)
}
