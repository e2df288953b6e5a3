//! Power saving: `SuspendProgram`, `SuspendTime` and their kin of slurm.conf(5).

use super::PowerSave;
use super::lines::{Options, Report};
use super::value::{self, number, words};

/// `SuspendProgram` and what belongs to it.
pub(super) fn read(o: &Options<'_>, report: &mut Report) -> PowerSave {
    let set = |key: &str| o.text(key).is_some_and(|t| !t.is_empty());
    PowerSave {
        enabled: set("SuspendProgram") && set("ResumeProgram"),
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
fn suspend_time(text: &str) -> Option<Option<u32>> {
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
