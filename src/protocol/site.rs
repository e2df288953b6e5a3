//! User-supplied sites: their files and the engine's report on them.

use serde::{Deserialize, Serialize};

/// Report on a site's files before anything is started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct SiteReport {
    /// `ClusterName`.
    pub name: String,
    /// All files by name, including generated ones.
    pub files: Vec<(String, String)>,
    /// Names of the generated files.
    pub made_up: Vec<String>,
    pub nodes: u32,
    pub partitions: u32,
    pub users: u32,
    /// Most severe first.
    pub findings: Vec<SiteFinding>,
}

/// A finding in a site's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct SiteFinding {
    pub weight: FindingSeverity,
    /// `slurm.conf:12`, or only the file.
    pub location: String,
    pub message: String,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FindingSeverity {
    /// Real Slurm would not start.
    Error,
    /// Probably a mistake.
    Warning,
    /// Accepted but not simulated, or assumed.
    Note,
}
