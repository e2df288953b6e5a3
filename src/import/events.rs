//! `sacctmgr show event -P`: when nodes were down or drained, as lines of a workload.

use crate::findings::ImportFindings;
use crate::sacct::values;
use std::fmt::Write as _;

/// Lines `-e node` for the time from `began` to `ended` (seconds since 1970).
pub fn lines(file: &str, text: &str, (began, ended): (i64, i64), findings: &mut ImportFindings) -> String {
    let mut out = String::new();
    let mut rows = text.lines().zip(1_u32..);
    let Some((heading, _)) = rows.next() else { return out };
    let heading: Vec<String> = heading.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
    let at = |name: &str| heading.iter().position(|known| known == name);
    for (line, number) in rows.filter(|(line, _)| !line.trim().is_empty()) {
        let columns: Vec<&str> = line.split('|').collect();
        let get = |name: &str| at(name).and_then(|n| columns.get(n)).map_or("", |text| text.trim());
        let nodes = get("nodename");
        // Changes of the cluster as a whole have no node.
        if nodes.is_empty() {
            continue;
        }
        let Some(start) = values::moment(get("timestart")).map(|t| t.secs()) else {
            findings.leave_out("an event of a node without a time", file, number, line);
            continue;
        };
        let end = values::moment(get("timeend")).map(|t| t.secs());
        if start >= ended || end.is_some_and(|end| end <= began) || nodes.contains(char::is_whitespace) {
            continue;
        }
        let state = get("state").to_ascii_uppercase();
        let kind = match () {
            () if state.contains("DOWN") || state.contains("FAIL") => "DOWN",
            () if state.contains("DRAIN") => "DRAIN",
            () => {
                findings.leave_out(
                    "an event of a node that is neither down nor drained",
                    file,
                    number,
                    &state,
                );
                continue;
            }
        };
        let reason: Vec<&str> = get("reason").split_whitespace().collect();
        let _ = writeln!(out, "-dt {} -e node | {nodes} {kind} {}", (start - began).max(0), reason.join(" "));
        if let Some(end) = end.filter(|end| *end < ended) {
            let _ = writeln!(out, "-dt {} -e node | {nodes} RESUME", end - began);
        }
    }
    out
}
