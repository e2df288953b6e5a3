//! Why a job is pending, for the page. The types of the answer are those of slurmctld ([`base::verdict`]).

pub use base::verdict::*;
use serde::{Deserialize, Serialize};

/// The answer to why the selected job is pending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// Job ID as the page requested it.
    pub id: String,
    /// What blocks it.
    pub verdict: Verdict,
    /// Changes that would let it start now.
    pub changes: Remedies,
}

/// Result of trying changes to the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Remedies {
    /// Still being computed.
    Trying,
    /// Any one of these would start it now, or at least make it eligible. May be empty.
    Found(Vec<Remedy>),
    /// Not tried: each attempt would take too long with this many jobs.
    NotTried {
        /// Jobs in slurmctld.
        jobs: u64,
        /// Maximum number of jobs for which changes are tried.
        most: u64,
    },
}

/// A change that would let the job start now, or at least make it eligible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remedy {
    /// What to request instead.
    pub change: RequestChange,
    /// As an option: `--time=01:10:00`; empty if an option is to be removed.
    pub option: String,
    /// The command that makes the change, if there is one.
    pub command: Option<String>,
    /// Whether the job would start now.
    pub starts: bool,
}
