//! Determines the kind of an export's file by its content, or by its name if the content is ambiguous.

use crate::archive::{ExportSource, decoded};
use std::io::BufRead;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// `slurm.conf`, `gres.conf`, `topology.conf` and what they include.
    Conf,
    /// `scontrol show config`.
    ShownConfig,
    /// `scontrol show node`.
    ShownNodes,
    /// `scontrol show partition`.
    ShownPartitions,
    /// `sacctmgr dump`.
    Dump,
    /// `sacctmgr show assoc -P`.
    Assoc,
    /// `sacctmgr show qos -P`.
    Qos,
    /// `sacctmgr show event -P`.
    Events,
    /// `sacct -P`.
    Sacct,
    /// `sacct --json`.
    SacctJson,
    /// A trace in the Standard Workload Format.
    Swf,
    /// The manifest of `sandbatch export-script`.
    Manifest,
    /// A file that an import does not read.
    Other,
}

/// The first line of a manifest.
pub const MANIFEST: &str = "sandbatch export 1";

/// Determines the kind from the beginning of a file.
pub fn kind(name: &str, source: &ExportSource) -> std::io::Result<ExportKind> {
    let mut input = std::io::BufReader::new(decoded(source)?);
    let head = input.fill_buf()?;
    let head = String::from_utf8_lossy(&head[..head.len().min(4096)]).into_owned();
    Ok(of_text(name, &head))
}

fn of_text(name: &str, head: &str) -> ExportKind {
    let base = name.rsplit('/').next().unwrap_or(name);
    if base.ends_with(".conf") || base.ends_with(".yaml") {
        return ExportKind::Conf;
    }
    let mut lines = head.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next().unwrap_or_default();
    let words: Vec<&str> = first.split('|').collect();
    let has = |name: &str| words.iter().any(|word| word.eq_ignore_ascii_case(name));
    if first == MANIFEST {
        ExportKind::Manifest
    } else if first.starts_with("Configuration data as of")
        || first.starts_with("AccountingStorageBackupHost")
    {
        ExportKind::ShownConfig
    } else if first.starts_with("NodeName=") {
        ExportKind::ShownNodes
    } else if first.starts_with("PartitionName=") {
        ExportKind::ShownPartitions
    } else if ["Cluster - '", "QOS - '"].iter().any(|start| first.starts_with(start)) {
        ExportKind::Dump
    } else if has("NodeName") && has("TimeStart") {
        ExportKind::Events
    } else if has("Account") && (has("Share") || has("Fairshare")) && has("User") {
        ExportKind::Assoc
    } else if has("Name") && (has("Priority") || has("GrpTRES")) {
        ExportKind::Qos
    } else if first.trim_start().starts_with('{') {
        ExportKind::SacctJson
    } else if first.to_ascii_lowercase().contains("jobid") {
        ExportKind::Sacct
    } else if first.starts_with(';') || numbers(first) >= 18 {
        ExportKind::Swf
    } else {
        ExportKind::Other
    }
}

fn numbers(line: &str) -> usize {
    line.split_ascii_whitespace().take_while(|word| word.parse::<f64>().is_ok()).count()
}
