//! Findings of the editor's lint in a batch script, as data: the engine finds them, the page shows them in
//! the reader's language.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A finding. `of` lists the partitions that the script names, or the default partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum LintMessage {
    /// A message of Slurm, verbatim.
    Slurm(String),
    /// A directive after the first command.
    AfterCommand,
    /// A line that looks like a directive but is not read as one.
    NotRead,
    /// The site's guide prints this; the field is Slurm's answer.
    Guide(String),
    /// The time limit exceeds the partition's.
    Time {
        partition: String,
        most: String,
    },
    /// No node has that many GPUs (of that type, if one is named).
    FewGpus {
        of: Vec<String>,
        asked: u64,
        kind: Option<String>,
        most: u64,
    },
    /// The cluster has GPUs of another type.
    OtherGpus {
        of: Vec<String>,
        wrong: String,
        right: String,
    },
    /// The partition has no GPUs; lists the partitions that do.
    NoGpus {
        of: Vec<String>,
        would: Vec<String>,
    },
    /// More CPUs than a node has.
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
    /// More memory than a node has.
    Memory {
        of: Vec<String>,
        asked: String,
        most: String,
    },
}

/// `partition A40-48`, `partitions a, b`.
fn partitions(of: &[String]) -> String {
    format!("partition{} {}", if of.len() > 1 { "s" } else { "" }, of.join(", "))
}

/// The finding in English.
impl fmt::Display for LintMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slurm(text) => f.write_str(text),
            Self::AfterCommand => f.write_str("sbatch reads #SBATCH lines only before the first command"),
            Self::NotRead => f.write_str("not read by sbatch: the line must start with \"#SBATCH \""),
            Self::Guide(answers) => write!(f, "from the site's guide; Slurm answers: {answers}"),
            Self::Time { partition, most } => {
                write!(f, "more than partition {partition} allows: at most {most}")
            }
            Self::FewGpus { of, asked, kind, most } => {
                let kind = kind.as_ref().map(|k| format!("{k} ")).unwrap_or_default();
                write!(f, "no node in {} has {asked} {kind}GPUs: at most {most}", partitions(of))
            }
            Self::OtherGpus { of, wrong, right } => {
                write!(f, "{} has no {wrong} GPUs; it has {right}", partitions(of))
            }
            Self::NoGpus { of, would } if would.is_empty() => {
                write!(f, "{} has no such GPUs", partitions(of))
            }
            Self::NoGpus { of, would } => {
                write!(f, "{} has no such GPUs; {} has them", partitions(of), would.join(", "))
            }
            Self::FewCpus { of, asked, most } => {
                write!(f, "{} has at most {most} CPUs on a node, not {asked}", partitions(of))
            }
            Self::FewNodes { of, asked, most } => {
                write!(f, "{} has at most {most} nodes, not {asked}", partitions(of))
            }
            Self::Memory { of, asked, most } => {
                write!(f, "{} has nodes of at most {most}, not {asked}", partitions(of))
            }
        }
    }
}
