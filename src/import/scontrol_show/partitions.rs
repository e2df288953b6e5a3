//! Converts `scontrol show partition` to `PartitionName=` lines.

use super::ShownLog;
use super::items::items;
use std::fmt::Write as _;

/// Keys that slurm.conf also has, and their default values there.
const KEYS: &[(&str, &str)] = &[
    ("Nodes", ""),
    ("Default", "NO"),
    ("MaxTime", "UNLIMITED"),
    ("DefaultTime", "NONE"),
    ("AllowGroups", "ALL"),
    ("AllowAccounts", "ALL"),
    ("DenyAccounts", ""),
    ("AllowQos", "ALL"),
    ("DenyQos", ""),
    ("AllocNodes", "ALL"),
    ("Alternate", ""),
    ("QoS", ""),
    ("DisableRootJobs", "NO"),
    ("Exclusive", "NO"),
    ("ExclusiveUser", "NO"),
    ("ExclusiveTopo", "NO"),
    ("GraceTime", "0"),
    ("Hidden", "NO"),
    ("MaxNodes", "UNLIMITED"),
    ("MinNodes", "0"),
    ("LLN", "NO"),
    ("MaxCPUsPerNode", "UNLIMITED"),
    ("MaxCPUsPerSocket", "UNLIMITED"),
    ("PriorityJobFactor", "1"),
    ("PriorityTier", "1"),
    ("RootOnly", "NO"),
    ("ReqResv", "NO"),
    ("OverSubscribe", "NO"),
    ("OverTimeLimit", "NONE"),
    ("PreemptMode", ""),
    ("State", "UP"),
    ("SelectTypeParameters", "NONE"),
    ("DefMemPerNode", "UNLIMITED"),
    ("DefMemPerCPU", "UNLIMITED"),
    ("MaxMemPerNode", "UNLIMITED"),
    ("MaxMemPerCPU", "UNLIMITED"),
    ("TRESBillingWeights", ""),
];

/// The lines.
pub fn lines(file: &str, text: &str, log: &mut ShownLog) -> String {
    let all = items(text, "PartitionName");
    if all.is_empty() {
        log.warn(file, 0, "no partitions in it".to_owned());
    }
    let mut text = String::new();
    for item in &all {
        let Some(name) = item.get("PartitionName") else { continue };
        let _ = write!(text, "PartitionName={name}");
        for (key, default) in KEYS {
            let Some(value) = item.get(key).filter(|value| !value.eq_ignore_ascii_case(default)) else {
                continue;
            };
            let _ = write!(text, " {key}={value}");
        }
        // `JobDefaults=DefCpuPerGPU=8,DefMemPerGPU=1000`: separate keys in slurm.conf.
        for part in item.get("JobDefaults").unwrap_or_default().split(',').filter(|part| part.contains('=')) {
            let _ = write!(text, " {part}");
        }
        if item.get("Nodes").is_none() {
            log.warn(file, item.line, format!("partition {name} has no nodes"));
        }
        text.push('\n');
    }
    text
}
