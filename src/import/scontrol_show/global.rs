//! `scontrol show config`: lines `Key = Value` with units, and the section of `cgroup.conf`.

use super::ShownLog;
use std::fmt::Write as _;

/// The settings of a cluster whose configuration is unknown: Slurm's defaults.
pub const BARE: &str = "ClusterName=cluster\nSlurmctldHost=ctl\nSelectType=select/cons_tres\n\
                        SelectTypeParameters=CR_Core_Memory\nSchedulerType=sched/backfill\n\
                        PriorityType=priority/multifactor\n";

/// Keys that describe the running daemon and are not settings.
const RUNTIME: [&str; 8] = [
    "BOOT_TIME",
    "HASH_VAL",
    "MULTIPLE_SLURMD",
    "MaxNodeCount",
    "NEXT_JOB_ID",
    "SLURM_CONF",
    "SLURM_VERSION",
    "SlurmctldAddr",
];

/// Units that slurm.conf does not have.
const UNITS: [&str; 5] = [" sec", " usec", " min", " nodes/min", " hours"];

/// The global lines of slurm.conf, and the text of cgroup.conf.
pub fn settings(file: &str, text: &str, log: &mut ShownLog) -> (String, String) {
    let (mut conf, mut cgroup) = (String::new(), String::new());
    let mut section = String::new();
    for (line, number) in text.lines().zip(1..) {
        if let Some(title) = line.trim_end().strip_suffix(':').filter(|_| !line.contains('=')) {
            title.clone_into(&mut section);
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim());
        let key = key.split('[').next().unwrap_or(key);
        let empty = value.is_empty() || value.starts_with("(null");
        if empty || RUNTIME.contains(&key) || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            continue;
        }
        if section.starts_with("Cgroup") {
            if key.starts_with("Constrain") {
                let _ = writeln!(cgroup, "{key}={value}");
            }
            continue;
        }
        if !section.is_empty() {
            continue;
        }
        let value = UNITS.iter().find_map(|unit| value.strip_suffix(unit)).unwrap_or(value);
        // `slurm(64030)`.
        let value = if key.ends_with("User") { value.split('(').next().unwrap_or(value) } else { value };
        if key.ends_with("Pass") {
            log.note(file, number, format!("{key} is left out"));
        } else if value.contains(char::is_whitespace) {
            let _ = writeln!(conf, "{key}=\"{}\"", value.replace('"', ""));
        } else {
            let _ = writeln!(conf, "{key}={value}");
        }
    }
    if !text.lines().any(|line| line.starts_with("ClusterName")) {
        log.warn(file, 0, "it names no cluster: this is not the whole of `scontrol show config`".to_owned());
        conf.insert_str(0, "ClusterName=cluster\n");
    }
    (conf, cgroup)
}
