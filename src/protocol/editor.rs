//! Editor data: lint findings and option completion.

use base::lint::LintMessage;
use serde::{Deserialize, Serialize};

/// A lint finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct LintFinding {
    /// Line number, from 1.
    pub line: u32,
    /// Byte columns within the line, from 0.
    pub from: u32,
    /// End column, exclusive.
    pub to: u32,
    /// sbatch would reject the script; otherwise a warning.
    pub error: bool,
    pub message: LintMessage,
    /// Replacement text.
    pub suggestion: Option<String>,
}

/// A batch option for completion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct BatchOption {
    /// `--time`
    pub name: String,
    /// `-t`
    pub short: Option<String>,
    /// `minutes`; `None` if it takes no argument.
    pub argument: Option<String>,
    pub help: String,
    /// Known values: partitions, accounts, QOS.
    pub values: Vec<String>,
}
