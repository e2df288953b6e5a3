//! JUnit's XML: a test suite for each file, a test case for each block.

use super::DoctestReport;
use crate::finding::{BlockVerdict, CheckedBlock};
use std::collections::BTreeMap;

pub fn write(report: &DoctestReport) -> String {
    let mut suites: BTreeMap<&str, Vec<&CheckedBlock>> = BTreeMap::new();
    for block in &report.blocks {
        suites.entry(&block.file).or_default().push(block);
    }
    let mut out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sandbatch doctest\">\n".to_owned();
    for (file, blocks) in suites {
        let failures = blocks.iter().filter(|b| b.verdict.is_fault()).count();
        let skipped = blocks.iter().filter(|b| b.verdict == BlockVerdict::Unchecked).count();
        let file = escaped(file);
        out.push_str(&format!(
            "  <testsuite name=\"{file}\" tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\">\n",
            blocks.len()
        ));
        for block in blocks {
            out.push_str(&format!("    <testcase classname=\"{file}\" name=\"line {}\"", block.line));
            let shown: Vec<String> = block
                .findings
                .iter()
                .filter(|f| f.verdict.is_fault() == block.verdict.is_fault())
                .map(|f| format!("line {}: {}: {}\n{}", f.line, f.verdict.name(), f.message, f.quote))
                .collect();
            let text = escaped(&shown.join("\n"));
            match block.verdict {
                BlockVerdict::Fine => out.push_str("/>\n"),
                BlockVerdict::Unchecked => {
                    out.push_str(&format!("><skipped message=\"{text}\"/></testcase>\n"))
                }
                verdict => out.push_str(&format!(
                    "><failure type=\"{}\" message=\"{}\">{text}</failure></testcase>\n",
                    verdict.rule(),
                    verdict.name()
                )),
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// XML text: what XML 1.0 cannot contain is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}
