//! Converts `scontrol show node` to `NodeName=` lines, one for each group of identical nodes.

use super::ShownLog;
use super::items::{ShownItem, items};
use base::hostlist;
use std::fmt::Write as _;

/// Words of a node's state that denote its kind.
const KINDS: [(&str, &str); 2] = [("CLOUD", "CLOUD"), ("FUTURE", "FUTURE")];
/// Words of a node's state that make it unavailable to jobs.
const UNUSABLE: [&str; 6] = ["DOWN", "DRAIN", "FAIL", "MAINT", "NOT_RESPONDING", "PLANNED_DOWN"];

/// The lines.
pub fn lines(file: &str, text: &str, log: &mut ShownLog) -> String {
    // Groups in the order of their first node.
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    let all = items(text, "NodeName");
    if all.is_empty() {
        log.warn(file, 0, "no nodes in it".to_owned());
    }
    for item in &all {
        let Some(name) = item.get("NodeName") else { continue };
        let settings = settings(file, item, log);
        let state = item.get("State").unwrap_or_default().to_ascii_uppercase();
        if UNUSABLE.iter().any(|word| state.contains(word)) {
            let why = item.get("Reason").map(|r| format!(" ({r})")).unwrap_or_default();
            log.note(file, item.line, format!("{name} was {state} at the export{why}; it is up in the site"));
        }
        match groups.iter_mut().rev().find(|group| group.0 == settings) {
            Some(group) => group.1.push(name),
            None => groups.push((settings, vec![name])),
        }
    }
    let mut text = String::new();
    for (settings, names) in groups {
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let _ = writeln!(text, "NodeName={}{settings}", hostlist::compress(&names));
    }
    text
}

fn settings(file: &str, item: &ShownItem, log: &mut ShownLog) -> String {
    let mut text = String::new();
    let number = |key: &str| item.get(key).and_then(|v| v.parse::<u64>().ok());
    let mut add = |key: &str, value: &str| {
        let _ = write!(text, " {key}={value}");
    };
    for key in ["Boards", "Sockets", "CoresPerSocket", "ThreadsPerCore"] {
        if let Some(n) = number(key).filter(|n| key != "Boards" || *n > 1) {
            add(key, &n.to_string());
        }
    }
    let counts = ["Sockets", "CoresPerSocket", "ThreadsPerCore"].map(|key| number(key).unwrap_or(1));
    let whole = counts.into_iter().fold(1, u64::saturating_mul);
    if let Some(cpus) = number("CPUTot").filter(|cpus| *cpus != whole) {
        add("CPUs", &cpus.to_string());
    }
    for (key, shown) in [
        ("RealMemory", "RealMemory"),
        ("TmpDisk", "TmpDisk"),
        ("Weight", "Weight"),
        ("CoreSpecCount", "CoreSpecCount"),
        ("MemSpecLimit", "MemSpecLimit"),
        ("CpuSpecList", "CPUSpecList"),
        ("Feature", "AvailableFeatures"),
    ] {
        let default = if key == "Weight" { "1" } else { "0" };
        if let Some(value) = item.get(shown).filter(|value| *value != default) {
            add(key, value);
        }
    }
    if let Some(gres) = item.get("Gres") {
        let gres = without_sockets(gres);
        if gres.contains('(') {
            log.warn(file, item.line, format!("Gres={gres} is not understood"));
        } else {
            add("Gres", &gres);
        }
    }
    let state = item.get("State").unwrap_or_default().to_ascii_uppercase();
    if let Some((_, kind)) = KINDS.iter().find(|(word, _)| state.contains(word)) {
        add("State", kind);
    }
    text
}

/// `gpu:a100:4(S:0-1),tmp:200G` without the sockets.
fn without_sockets(gres: &str) -> String {
    let mut text = String::new();
    let mut rest = gres;
    while let Some((before, after)) = rest.split_once("(S:") {
        text += before;
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text + rest
}
