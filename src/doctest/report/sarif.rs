//! SARIF 2.1.0, which code hosts show beside the lines.

use super::DoctestReport;
use crate::finding::BlockVerdict;
use serde_json::json;

pub fn write(report: &DoctestReport) -> String {
    let rules: Vec<serde_json::Value> = BlockVerdict::ALL
        .into_iter()
        .filter(|verdict| verdict.is_fault())
        .map(|v| json!({ "id": v.rule(), "shortDescription": { "text": v.name() } }))
        .collect();
    let results: Vec<serde_json::Value> = report
        .faults()
        .map(|finding| {
            let level = match finding.verdict {
                BlockVerdict::Refused | BlockVerdict::Fails | BlockVerdict::WaitsForever => "error",
                _ => "warning",
            };
            json!({
                "ruleId": finding.verdict.rule(),
                "level": level,
                "message": { "text": finding.message },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": finding.file },
                    "region": { "startLine": finding.line, "snippet": { "text": finding.quote } },
                }}],
            })
        })
        .collect();
    let value = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "sandbatch doctest", "rules": rules } },
            "results": results,
        }],
    });
    format!("{value:#}\n")
}
