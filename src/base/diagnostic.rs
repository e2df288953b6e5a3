//! What is wrong with a file, and where. Reading goes on after a diagnostic.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Worth knowing: real Slurm takes it, the simulation does not use it.
    Note,
    /// Probably not what was meant; a default stands in.
    Warning,
    /// Real Slurm would not start with it; the line is left out.
    Error,
}

/// One finding in one line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file's name as the site gives it.
    pub file: String,
    /// The line, from 1; 0 is the file as a whole.
    pub line: u32,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        // A file as a whole has no line.
        match self.line {
            0 => write!(f, "{}: {word}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {word}: {}", self.file, self.message),
        }
    }
}
