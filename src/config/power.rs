//! Power saving: `SuspendProgram`, `SuspendTime` and related keys of slurm.conf(5).

use super::lines::{DiagnosticLog, LineOptions};
use super::value::{self, number, words};
use serde::{Deserialize, Serialize};

/// Power saving settings. Times in seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct PowerSave {
    /// Both `SuspendProgram` and `ResumeProgram` are set; without them power saving is off.
    pub enabled: bool,
    /// Absolute paths on the simulated file system. If the file is missing, nodes power up nevertheless.
    pub resume_program: Option<String>,
    pub suspend_program: Option<String>,
    pub resume_fail_program: Option<String>,
    /// Idle time before power-down; `None`: never.
    pub suspend_time: Option<u32>,
    /// Seconds that powering a node down takes at most.
    pub suspend_timeout: u32,
    /// Seconds that powering a node up takes at most.
    pub resume_timeout: u32,
    /// Nodes per minute; 0: unlimited.
    pub suspend_rate: u32,
    /// Nodes per minute; 0 means no limit.
    pub resume_rate: u32,
    /// `SuspendExcNodes`: host lists, each with the number of nodes that stay on (`None`: all).
    pub exc_nodes: Vec<(String, Option<u32>)>,
    pub exc_parts: Vec<String>,
    /// Lower case.
    pub exc_states: Vec<String>,
}

/// Parses the power saving keys.
pub(super) fn read(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> PowerSave {
    let set = |key: &str| o.text(key).is_some_and(|t| !t.is_empty());
    let path = |key: &str| o.text(key).filter(|p| p.starts_with('/')).map(str::to_owned);
    PowerSave {
        enabled: set("SuspendProgram") && set("ResumeProgram"),
        resume_program: path("ResumeProgram"),
        suspend_program: path("SuspendProgram"),
        resume_fail_program: path("ResumeFailProgram"),
        suspend_time: o.get(report, "SuspendTime", suspend_time).flatten(),
        suspend_timeout: o.get(report, "SuspendTimeout", number).unwrap_or(30),
        resume_timeout: o.get(report, "ResumeTimeout", number).unwrap_or(60),
        suspend_rate: o.get(report, "SuspendRate", number).unwrap_or(60),
        resume_rate: o.get(report, "ResumeRate", number).unwrap_or(300),
        exc_nodes: outside_brackets(o.text("SuspendExcNodes").unwrap_or_default()),
        exc_parts: words(o.text("SuspendExcParts").unwrap_or_default()),
        exc_states: words(o.text("SuspendExcStates").unwrap_or_default())
            .iter()
            .map(|w| w.to_ascii_lowercase())
            .collect(),
    }
}

/// Parses seconds; -1, INFINITE and 0 disable power saving.
pub(super) fn suspend_time(text: &str) -> Option<Option<u32>> {
    if text == "-1" {
        return Some(None);
    }
    value::bound(text).map(|b| b.filter(|s| *s > 0))
}

/// Splits `a[1-4]:2,b` into host lists with their counts.
pub(super) fn outside_brackets(text: &str) -> Vec<(String, Option<u32>)> {
    let mut depth = 0;
    let parts = text.split(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts
        .filter(|p| !p.is_empty())
        .map(|p| match p.rsplit_once(':') {
            Some((list, count)) => (list.to_owned(), count.parse().ok()),
            None => (p.to_owned(), None),
        })
        .collect()
}
