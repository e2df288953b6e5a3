//! Power saving: `SuspendProgram`, `SuspendTime` and their kin of slurm.conf(5).

use super::lines::{Options, Report};
use super::value::{self, number, words};
use serde::{Deserialize, Serialize};

/// Power saving: who is switched off when. Times in seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PowerSave {
    /// `SuspendProgram` and `ResumeProgram` are set: without them nothing is switched.
    pub enabled: bool,
    /// Programs on the simulated disk, by absolute paths: where there is none, nodes come up all the same.
    pub resume_program: Option<String>,
    pub suspend_program: Option<String>,
    pub resume_fail_program: Option<String>,
    /// How long nodes may be idle; none: never switched off.
    pub suspend_time: Option<u32>,
    pub suspend_timeout: u32,
    pub resume_timeout: u32,
    /// Nodes a minute; 0: all at once.
    pub suspend_rate: u32,
    pub resume_rate: u32,
    /// `SuspendExcNodes`: host lists, each with how many of its nodes stay on (none: all).
    pub exc_nodes: Vec<(String, Option<u32>)>,
    pub exc_parts: Vec<String>,
    /// Lower case.
    pub exc_states: Vec<String>,
}

/// `SuspendProgram` and what belongs to it.
pub(super) fn read(o: &Options<'_>, report: &mut Report) -> PowerSave {
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

/// Seconds; -1, INFINITE and 0 switch power saving off.
pub(super) fn suspend_time(text: &str) -> Option<Option<u32>> {
    if text == "-1" {
        return Some(None);
    }
    value::bound(text).map(|b| b.filter(|s| *s > 0))
}

/// `a[1-4]:2,b` as parts with their counts.
fn outside_brackets(text: &str) -> Vec<(String, Option<u32>)> {
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
