//! Findings: statements in a block that do not match Slurm's behaviour.

use serde::Serialize;

/// The verdict on a block, in order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockVerdict {
    /// Slurm accepts it.
    Fine,
    /// It cannot be checked; the message says why.
    Unchecked,
    /// The documented output is not what this Slurm prints.
    Drifted,
    /// Slurm ignores the option, or it was renamed.
    Ignored,
    /// Slurm accepts the job, but it never starts.
    WaitsForever,
    /// Slurm starts the job, and bash or srun refuses what it does.
    Fails,
    /// Slurm refuses it.
    Refused,
}

impl BlockVerdict {
    /// All verdicts.
    pub const ALL: [Self; 7] = [
        Self::Fine,
        Self::Unchecked,
        Self::Drifted,
        Self::Ignored,
        Self::WaitsForever,
        Self::Fails,
        Self::Refused,
    ];

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Unchecked => "not checkable",
            Self::Drifted => "output has drifted",
            Self::Ignored => "ignored option",
            Self::WaitsForever => "would wait for ever",
            Self::Fails => "fails when run",
            Self::Refused => "refused",
        }
    }

    /// Its identifier in SARIF and the baseline.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Unchecked => "not-checkable",
            Self::Drifted => "output-drifted",
            Self::Ignored => "ignored-option",
            Self::WaitsForever => "waits-for-ever",
            Self::Fails => "fails",
            Self::Refused => "refused",
        }
    }

    /// Whether it counts as a fault of the page.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        match self {
            Self::Fine | Self::Unchecked => false,
            Self::Drifted | Self::Ignored | Self::WaitsForever | Self::Fails | Self::Refused => true,
        }
    }
}

/// A finding at a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocFinding {
    /// The file.
    pub file: String,
    /// The line number, from 1.
    pub line: u32,
    /// The kind of finding.
    pub verdict: BlockVerdict,
    /// Slurm's message, and what the site allows.
    pub message: String,
    /// The line.
    pub quote: String,
    /// The part of the line with the problem; empty for the whole line.
    pub part: String,
    /// A certain correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<DocFix>,
}

/// A correction: replaces the first occurrence of a text in the line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocFix {
    /// The text to replace.
    pub old: String,
    /// Its replacement.
    pub new: String,
}

/// A block that contains Slurm commands or a batch script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedBlock {
    /// The file.
    pub file: String,
    /// The first line.
    pub line: u32,
    /// The most severe verdict.
    pub verdict: BlockVerdict,
    /// Why it cannot be checked, or the findings.
    pub findings: Vec<DocFinding>,
}
