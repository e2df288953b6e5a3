//! What the editor's lint finds in a script, as data: the engine finds it, the page says it in its reader's language.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A finding. `of` are the partitions that a script names, else the default one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Slip {
    /// In Slurm's words, which stay as they are.
    Slurm(String),
    /// A directive behind the first command.
    AfterCommand,
    /// It looks like a directive and is none.
    NotRead,
    /// The site's own guide prints it so; what Slurm answers.
    Guide(String),
    /// More time than a partition allows.
    Time {
        partition: String,
        most: String,
    },
    /// No node has so many GPUs, of this kind if one is named.
    FewGpus {
        of: Vec<String>,
        asked: u64,
        kind: Option<String>,
        most: u64,
    },
    /// There are GPUs of another kind.
    OtherGpus {
        of: Vec<String>,
        wrong: String,
        right: String,
    },
    /// There are no GPUs; which partitions have such.
    NoGpus {
        of: Vec<String>,
        would: Vec<String>,
    },
    /// CPUs on a node.
    FewCpus {
        of: Vec<String>,
        asked: u32,
        most: u64,
    },
    FewNodes {
        of: Vec<String>,
        asked: u32,
        most: u64,
    },
    /// Memory of a node.
    Memory {
        of: Vec<String>,
        asked: String,
        most: String,
    },
}

/// `partition A40-48`, `partitions a, b`.
fn whose(of: &[String]) -> String {
    format!("partition{} {}", if of.len() > 1 { "s" } else { "" }, of.join(", "))
}

/// In English.
impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slurm(text) => f.write_str(text),
            Self::AfterCommand => f.write_str("sbatch reads #SBATCH lines only before the first command"),
            Self::NotRead => f.write_str("not read by sbatch: the line must begin with \"#SBATCH \""),
            Self::Guide(answers) => write!(f, "the site's guide prints this; Slurm answers: {answers}"),
            Self::Time { partition, most } => {
                write!(f, "more than partition {partition} allows: at most {most}")
            }
            Self::FewGpus { of, asked, kind, most } => {
                let kind = kind.as_ref().map(|k| format!("{k} ")).unwrap_or_default();
                write!(f, "no node of {} has {asked} {kind}GPUs: at most {most}", whose(of))
            }
            Self::OtherGpus { of, wrong, right } => {
                write!(f, "{} has no {wrong} GPUs; it has {right}", whose(of))
            }
            Self::NoGpus { of, would } if would.is_empty() => write!(f, "{} has no such GPUs", whose(of)),
            Self::NoGpus { of, would } => {
                write!(f, "{} has no such GPUs; {} would do", whose(of), would.join(", "))
            }
            Self::FewCpus { of, asked, most } => {
                write!(f, "{} has at most {most} CPUs on a node, not {asked}", whose(of))
            }
            Self::FewNodes { of, asked, most } => {
                write!(f, "{} has at most {most} nodes, not {asked}", whose(of))
            }
            Self::Memory { of, asked, most } => {
                write!(f, "{} has nodes of at most {most}, not {asked}", whose(of))
            }
        }
    }
}
