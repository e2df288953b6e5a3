//! Preemption and gang scheduling in slurm.conf(5): `PreemptType`, `PreemptMode`, `PreemptParameters`,
//! `PreemptExemptTime`, `SchedulerTimeSlice`.

use super::lines::{Options, Report};
use super::value::{number, period, words};
use crate::base::diagnostic::Severity;
use serde::{Deserialize, Serialize};

/// Who may preempt whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum PreemptType {
    #[default]
    None,
    /// Jobs of partitions with a higher `PriorityTier`.
    PartitionPrio,
    /// Jobs of a QOS that lists the other's.
    Qos,
}

/// What becomes of a preempted job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum PreemptMode {
    #[default]
    Off,
    Cancel,
    Requeue,
    Suspend,
}

/// The cluster's rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreemptConf {
    /// `PreemptType`.
    pub kind: PreemptType,
    /// `PreemptMode` without its modifiers.
    pub mode: PreemptMode,
    /// `GANG`: jobs that share cores take turns.
    pub gang: bool,
    /// `PRIORITY`: only jobs of a lower priority.
    pub priority: bool,
    /// `WITHIN`: also jobs of the same QOS, if their priority is lower.
    pub within: bool,
    /// `PreemptExemptTime`, seconds of run time before a job may be preempted.
    pub exempt_time: u32,
    /// `reorder_count`: how often the victims are put into a better order.
    pub reorder_count: u32,
    /// `strict_order`: rather the lowest victims than the fewest.
    pub strict_order: bool,
    /// `youngest_first`: who started last goes first.
    pub youngest_first: bool,
    /// `send_user_signal`: the signal of `--signal` instead of SIGTERM at the begin of the grace time.
    pub send_user_signal: bool,
    /// `min_exempt_priority`: jobs of this priority or a higher one are not preempted.
    pub min_exempt_priority: Option<u32>,
    /// `SchedulerTimeSlice`, seconds.
    pub time_slice: u32,
}

/// Reads the rules. Modes that contradict each other are told of; what is left then is no preemption.
pub(super) fn read(o: &Options<'_>, report: &mut Report) -> PreemptConf {
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

/// What a text of `PreemptMode` (of the cluster, a partition or a QOS) says of the victims; none where it says nothing of
/// them, as `cluster` and `WITHIN` alone do.
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

/// `-1` is no time at all.
fn exempt(text: &str) -> Option<u32> {
    if text == "-1" { Some(0) } else { period(text) }
}
