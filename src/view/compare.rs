//! The form of the Compare panel, the plan that it makes, and the explanations in its report (`docs/compare.md`).

use crate::rich::{TextSpan, spans};
use crate::svg::escape;
use crate::why::Voice;
use protocol::compare::REASON_MARK;
use protocol::why::Verdict;
use std::fmt::Write as _;

/// Why a job waits, as HTML.
#[must_use]
pub fn explanation(verdict: &Verdict, voice: &Voice) -> String {
    let piece = |span: TextSpan| match span {
        TextSpan::Text(text) => escape(&text),
        TextSpan::Job(text) | TextSpan::Code(text) => format!("<code>{}</code>", escape(&text)),
    };
    spans(&(voice.sentence)(verdict, "").0).into_iter().map(piece).collect()
}

/// A report of the worker with its explanations in words.
#[must_use]
pub fn explained(html: &str, reasons: &[Verdict], voice: &Voice) -> String {
    let mut parts = html.split(REASON_MARK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (part, verdict) in parts.zip(reasons) {
        out += &explanation(verdict, voice);
        out += part;
    }
    out
}

/// Maximum number of policies beside the site's own, as in a plan.
pub const MAX_CHANGES: usize = 3;
/// Maximum number of resamples in the form. A plan as text may have more.
pub const MAX_RESAMPLES: u32 = 100;
/// Maximum number of days in the form.
pub const MAX_DAYS: u32 = 60;
/// The file of a site that holds an imported history.
pub const HISTORY: &str = "workload.events";

/// The jobs that are replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareWorkload {
    /// The site's background jobs: `normal`, `busy`, `overloaded` or `quiet`.
    Background(&'static str),
    /// A trace with this name.
    Trace(String),
}

/// A policy beside the site's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyChange {
    /// Its name.
    pub name: String,
    /// One change in each line, see [`plan`].
    pub lines: String,
}

/// The form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompareForm {
    /// What is replayed.
    pub workload: CompareWorkload,
    /// Days of background jobs.
    pub days: u32,
    /// Policies beside the site's own.
    pub changes: Vec<PolicyChange>,
    /// Number of resamples.
    pub resamples: u32,
    /// The seed of the resamples.
    pub seed: u64,
}

impl Default for CompareForm {
    fn default() -> Self {
        let workload = CompareWorkload::Background("busy");
        Self { workload, days: 2, changes: vec![PolicyChange::default()], resamples: 8, seed: 1 }
    }
}

/// The plan of a form: TOML. A line of a change is a line of slurm.conf; `gres.conf: LINE`, `sacctmgr COMMAND`, `unset KEY` and
/// `remove NODES` are the other kinds of changes. Comments and empty lines are left out.
#[must_use]
pub fn plan(form: &CompareForm, site: &str, own: &str) -> String {
    let mut out = format!("site = {}\n\n[[workload]]\n", quoted(site));
    let _ = match &form.workload {
        CompareWorkload::Background(amount) => {
            writeln!(out, "background = {}\ndays = {}", quoted(amount), form.days)
        }
        CompareWorkload::Trace(file) => writeln!(out, "file = {}", quoted(file)),
    };
    let _ = writeln!(out, "\n[[policy]]\nname = {}", quoted(own));
    for (number, change) in form.changes.iter().enumerate() {
        let name = match change.name.trim() {
            "" => format!("policy {}", number + 2),
            name => name.to_owned(),
        };
        let _ = writeln!(out, "\n[[policy]]\nname = {}", quoted(&name));
        let (mut conf, mut unset, mut gres, mut accounts, mut gone) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for line in change.lines.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
            let (list, text) = if let Some(command) = line.strip_prefix("sacctmgr ") {
                (&mut accounts, command)
            } else if let Some(key) = line.strip_prefix("unset ") {
                (&mut unset, key)
            } else if let Some(line) = line.strip_prefix("gres.conf:") {
                (&mut gres, line)
            } else if let Some(nodes) = line.strip_prefix("remove ") {
                (&mut gone, nodes)
            } else {
                (&mut conf, line)
            };
            list.push(text.trim());
        }
        for (key, values) in
            [("slurm_conf", conf), ("unset", unset), ("gres_conf", gres), ("sacctmgr", accounts)]
        {
            if !values.is_empty() {
                let values: Vec<String> = values.into_iter().map(|v| format!("  {},\n", quoted(v))).collect();
                let _ = writeln!(out, "{key} = [\n{}]", values.concat());
            }
        }
        if !gone.is_empty() {
            let _ = writeln!(out, "remove_nodes = {}", quoted(&gone.join(",")));
        }
    }
    let _ = writeln!(out, "\n[resample]\nnumber = {}\nseed = {}", form.resamples, form.seed);
    out
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\t' => out += "\\t",
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The results of the replays, while they come from several workers in any order.
#[derive(Clone, Debug, Default)]
pub struct CompareResults {
    policies: usize,
    cells: Vec<Option<Vec<u8>>>,
}

impl CompareResults {
    /// No results yet. A plan without policies has no cells.
    #[must_use]
    pub fn new(cells: u32, policies: u32) -> Self {
        Self { policies: policies.max(1) as usize, cells: vec![None; cells as usize] }
    }

    /// Number of policies.
    #[must_use]
    pub const fn policies(&self) -> usize {
        self.policies
    }

    /// Number of all cells.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.cells.len()
    }

    /// Number of cells that have run.
    #[must_use]
    pub fn done(&self) -> usize {
        self.cells.iter().filter(|cell| cell.is_some()).count()
    }

    /// Stores the result of a cell.
    pub fn put(&mut self, cell: u32, result: Vec<u8>) {
        if let Some(slot) = self.cells.get_mut(cell as usize) {
            *slot = Some(result);
        }
    }

    /// The next cell of a policy that has not run.
    #[must_use]
    pub fn next(&self, policy: usize) -> Option<u32> {
        let mut own = (policy..self.cells.len()).step_by(self.policies.max(1));
        own.find(|cell| self.cells[*cell].is_none()).and_then(|cell| u32::try_from(cell).ok())
    }

    /// The results of the first cells, as far as all policies have run them.
    #[must_use]
    pub fn so_far(&self) -> Vec<Vec<u8>> {
        let whole = self.cells.iter().take_while(|cell| cell.is_some()).count();
        let whole = whole - whole % self.policies.max(1);
        self.cells[..whole].iter().flatten().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_count_once_all_policies_have_them() {
        let mut results = CompareResults::new(6, 2);
        assert_eq!((results.next(0), results.next(1), results.total()), (Some(0), Some(1), 6));
        results.put(0, vec![0]);
        results.put(2, vec![2]);
        assert_eq!((results.so_far(), results.next(0), results.next(1)), (vec![], Some(4), Some(1)));
        results.put(1, vec![1]);
        assert_eq!(results.so_far(), [vec![0], vec![1]]);
        results.put(60, vec![]);
        assert_eq!(results.done(), 3);
    }
}
