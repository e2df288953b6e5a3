//! A site of one's own: its files, and what the engine made of them.

use serde::{Deserialize, Serialize};

/// What was made of the files of a site, before anything is started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct SiteReport {
    /// `ClusterName`.
    pub name: String,
    /// The files by name, with those that were made up.
    pub files: Vec<(String, String)>,
    /// Names of those that were made up.
    pub made_up: Vec<String>,
    pub nodes: u32,
    pub partitions: u32,
    pub users: u32,
    /// The worst first.
    pub findings: Vec<SiteFinding>,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct SiteFinding {
    pub weight: Weightiness,
    /// `slurm.conf:12`, or the file alone.
    pub place: String,
    pub message: String,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Weightiness {
    /// Real Slurm would not start.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Taken, and not simulated; or made up.
    Note,
}
