//! `MCSPlugin` and `MCSParameters` of slurm.conf(5): which label a job bears and whom it shares nodes with. Mirrors
//! mcs.html.

use super::lines::{Options, Report};
use crate::base::diagnostic::Severity;
use serde::{Deserialize, Serialize};

/// What labels are (`MCSPlugin`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum McsKind {
    /// There are none.
    #[default]
    None,
    /// The user's name.
    User,
    /// One of the configured groups to which the user belongs.
    Group,
    /// The account.
    Account,
    /// Any text.
    Label,
}

/// Whether nodes are chosen by labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum McsSelect {
    /// `noselect`.
    Never,
    /// `select`.
    Always,
    /// `ondemandselect`: for jobs with `--exclusive=mcs`.
    #[default]
    OnDemand,
}

/// Both parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mcs {
    /// What labels are.
    pub kind: McsKind,
    /// Every job has one, not only those that ask for it.
    pub enforced: bool,
    /// Whether they decide about nodes.
    pub select: McsSelect,
    /// What `PrivateData` hides is shown to those with the same label.
    pub private: bool,
    /// The groups of mcs/group, in the order in which they are tried.
    pub groups: Vec<String>,
}

pub(super) fn read(o: &Options<'_>, report: &mut Report) -> Mcs {
    let kind = o.get(report, "MCSPlugin", plugin).unwrap_or_default();
    let Some(entry) = o.entry("MCSParameters").filter(|_| kind != McsKind::None) else {
        return Mcs { kind, ..Mcs::default() };
    };
    let mut mcs = Mcs { kind, ..Mcs::default() };
    let (words, groups) = entry.value.split_once(':').unwrap_or((&entry.value, ""));
    for word in words.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        match word.to_ascii_lowercase().as_str() {
            "ondemand" => mcs.enforced = false,
            "enforced" => mcs.enforced = true,
            "noselect" => mcs.select = McsSelect::Never,
            "select" => mcs.select = McsSelect::Always,
            "ondemandselect" => mcs.select = McsSelect::OnDemand,
            "privatedata" => mcs.private = true,
            _ => {
                let message = format!("Invalid word {word} in MCSParameters");
                report.add(Severity::Error, entry.file, entry.line, message);
            }
        }
    }
    mcs.groups = groups.split('|').map(str::trim).filter(|g| !g.is_empty()).map(str::to_owned).collect();
    if kind == McsKind::Group && mcs.groups.is_empty() {
        let message = "mcs/group needs groups in MCSParameters: enforced,select:group1|group2";
        report.add(Severity::Error, entry.file, entry.line, message);
    }
    mcs
}

fn plugin(text: &str) -> Option<McsKind> {
    let lower = text.to_ascii_lowercase();
    Some(match lower.strip_prefix("mcs/").unwrap_or(&lower) {
        "none" => McsKind::None,
        "user" => McsKind::User,
        "group" => McsKind::Group,
        "account" => McsKind::Account,
        "label" => McsKind::Label,
        _ => return None,
    })
}
