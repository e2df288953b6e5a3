//! Preemption and gang scheduling in slurm.conf(5): `PreemptType`, `PreemptMode`, `PreemptParameters`,
//! `PreemptExemptTime`, `SchedulerTimeSlice`.

use super::lines::{DiagnosticLog, LineOptions};
use super::value::{number, period, words};
use base::diagnostic::Severity;
use serde::{Deserialize, Serialize};

/// Which jobs may preempt which (`PreemptType`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values in the configuration")]
pub enum PreemptType {
    #[default]
    None,
    /// By the partitions' `PriorityTier`.
    PartitionPrio,
    /// By the QOS's `Preempt` list.
    Qos,
}

/// How a job is preempted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values in the configuration")]
pub enum PreemptMode {
    #[default]
    Off,
    Cancel,
    Requeue,
    Suspend,
}

/// The cluster's preemption settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreemptConf {
    /// `PreemptType`.
    pub kind: PreemptType,
    /// `PreemptMode` without its modifiers.
    pub mode: PreemptMode,
    /// `GANG`: jobs that share cores are time-sliced.
    pub gang: bool,
    /// `PRIORITY`: preempt only jobs of lower priority.
    pub priority: bool,
    /// `WITHIN`: also preempt jobs of the same QOS with lower priority.
    pub within: bool,
    /// `PreemptExemptTime`, seconds of run time before a job may be preempted.
    pub exempt_time: u32,
    /// `reorder_count`: how many times candidates are reordered to reduce the number of preempted jobs.
    pub reorder_count: u32,
    /// `strict_order`: prefer the lowest-priority jobs to the fewest jobs.
    pub strict_order: bool,
    /// `youngest_first`: preempt the most recently started jobs first.
    pub youngest_first: bool,
    /// `send_user_signal`: send the signal of `--signal` instead of SIGTERM at the start of the grace time.
    pub send_user_signal: bool,
    /// `min_exempt_priority`: jobs with at least this priority are never preempted.
    pub min_exempt_priority: Option<u32>,
    /// `SchedulerTimeSlice`, seconds.
    pub time_slice: u32,
}

/// Parses the preemption keys. Contradictory modes are reported and disable preemption.
pub(super) fn read(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> PreemptConf {
    let kind = o.get(report, "PreemptType", kind).unwrap_or_default();
    let text = o.text("PreemptMode").unwrap_or("OFF").to_ascii_uppercase();
    let has = |word: &str| words(&text).iter().any(|w| w == word);
    let mode = mode(&text).unwrap_or_default();
    let gang = has("GANG");
    if mode == PreemptMode::Suspend && !gang {
        report.add(Severity::Error, "slurm.conf", 0, "PreemptMode=SUSPEND requires GANG too");
    }
    let parameters = words(o.text("PreemptParameters").unwrap_or_default());
    let find =
        |name: &str| parameters.iter().find_map(|p| p.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
    let set = |name: &str| parameters.iter().any(|p| p.eq_ignore_ascii_case(name));
    PreemptConf {
        kind,
        mode: if mode == PreemptMode::Suspend && !gang { PreemptMode::Off } else { mode },
        gang,
        priority: has("PRIORITY"),
        within: has("WITHIN"),
        exempt_time: o.get(report, "PreemptExemptTime", exempt).unwrap_or(0),
        reorder_count: find("reorder_count").unwrap_or(1).min(100),
        strict_order: set("strict_order"),
        youngest_first: set("youngest_first"),
        send_user_signal: set("send_user_signal"),
        min_exempt_priority: find("min_exempt_priority"),
        time_slice: o.get(report, "SchedulerTimeSlice", number).unwrap_or(30).clamp(5, 65_533),
    }
}

fn kind(text: &str) -> Option<PreemptType> {
    match text.to_ascii_lowercase().trim_start_matches("preempt/") {
        "none" | "" => Some(PreemptType::None),
        "partition_prio" => Some(PreemptType::PartitionPrio),
        "qos" => Some(PreemptType::Qos),
        _ => None,
    }
}

/// Parses `PreemptMode` of the cluster, a partition or a QOS; `None` if it names no mode, such as `cluster` or
/// `WITHIN` alone.
#[must_use]
pub fn mode(text: &str) -> Option<PreemptMode> {
    text.split(',').find_map(|word| match word.trim().to_ascii_lowercase().as_str() {
        "off" => Some(PreemptMode::Off),
        "cancel" => Some(PreemptMode::Cancel),
        "requeue" => Some(PreemptMode::Requeue),
        "suspend" => Some(PreemptMode::Suspend),
        _ => None,
    })
}

/// Parses seconds; `-1` means unset.
fn exempt(text: &str) -> Option<u32> {
    if text == "-1" { Some(0) } else { period(text) }
}
