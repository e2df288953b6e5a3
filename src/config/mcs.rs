//! `MCSPlugin` and `MCSParameters` of slurm.conf(5): the label of a job, and which jobs it may share nodes
//! with. Mirrors mcs.html.

use super::lines::{DiagnosticLog, LineOptions};
use base::diagnostic::Severity;
use serde::{Deserialize, Serialize};

/// What serves as the label (`MCSPlugin`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum McsKind {
    /// No labels.
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

/// Whether labels restrict node selection.
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
    /// What serves as the label.
    pub kind: McsKind,
    /// Every job has a label, not only jobs that request one.
    pub enforced: bool,
    /// Whether labels restrict node selection.
    pub select: McsSelect,
    /// Users see private data (`PrivateData`) of jobs with their own label.
    pub private: bool,
    /// The groups of mcs/group, in the order of preference.
    pub groups: Vec<String>,
}

pub(super) fn read(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> Mcs {
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
