//! Diagnostics: what is wrong in a configuration file, and in which line. Reading continues after a
//! diagnostic.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How severe a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Slurm accepts it; the simulation does not use it.
    Note,
    /// Probably a mistake; the default is used instead.
    Warning,
    /// Slurm would not start; the line is ignored.
    Error,
}

impl Severity {
    /// The word before a message.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One finding in a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How severe a diagnostic is.
    pub severity: Severity,
    /// The file's name within the site.
    pub file: String,
    /// The line number from 1; 0 means the whole file.
    pub line: u32,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.severity.name();
        // A file as a whole has no line.
        match self.line {
            0 => write!(f, "{}: {word}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {word}: {}", self.file, self.message),
        }
    }
}
