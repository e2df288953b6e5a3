//! Texts about a job that messages and several commands share: its id, its array's tasks, dependency types.
//!
//! Mirrors the JOB ARRAYS section of squeue(1).

use super::job::{Array, DepKind, Job};
use base::bitset::BitSet;
use std::fmt::Write as _;

/// Maximum length of a task list before it is truncated with dots.
const TASKS: usize = 61;

/// `1-6`, `3,5,20-22`, or `0-196:7` if the list is long and evenly spaced.
#[must_use]
pub fn task_list(tasks: &BitSet) -> String {
    if let Some((first, last, step)) = even(tasks) {
        return format!("{first}-{last}:{step}");
    }
    let mut text = String::new();
    for (first, end) in tasks.runs() {
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}{first}");
        if end - first > 1 {
            let _ = write!(text, "-{}", end - 1);
        }
        if text.len() > TASKS + 3 {
            text.truncate(TASKS);
            text.push_str("...");
            break;
        }
    }
    text
}

/// First, last and step of at least three tasks with an even spacing above one.
fn even(tasks: &BitSet) -> Option<(u32, u32, u32)> {
    let mut all = tasks.iter();
    let (first, second) = (all.next()?, all.next()?);
    let step = second - first;
    let mut last = second;
    for next in all {
        if step < 2 || next - last != step {
            return None;
        }
        last = next;
    }
    (last > second && last - first > 10).then_some((first, last, step))
}

impl Array {
    /// The tasks that the common record represents, with the throttle: `4-9%2`.
    #[must_use]
    pub fn text(&self) -> String {
        let tasks = task_list(&self.pending);
        if self.throttle > 0 { format!("{tasks}%{}", self.throttle) } else { tasks }
    }
}

impl Job {
    /// The ID as `squeue` prints it: `12`, `12_3`, `12_[4-9%2]`, `12+1`.
    #[must_use]
    pub fn id_text(&self) -> String {
        match &self.array {
            None => self.het.map_or_else(|| self.id.to_string(), |h| format!("{}+{}", h.leader, h.offset)),
            Some(Array { job, task: Some(task), .. }) => format!("{job}_{task}"),
            Some(array) => format!("{}_[{}]", array.job, array.text()),
        }
    }
}

impl DepKind {
    /// The type as in `--dependency`: `afterok`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::After => "after",
            Self::AfterAny => "afterany",
            Self::AfterBurstBuffer => "afterburstbuffer",
            Self::AfterCorr => "aftercorr",
            Self::AfterNotOk => "afternotok",
            Self::AfterOk => "afterok",
            Self::Singleton => "singleton",
        }
    }
}
