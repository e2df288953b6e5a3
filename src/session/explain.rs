//! Why a job waits and what would change it, for whoever draws it: data, no sentences.

use super::Session;
use crate::base::ids::JobId;
use crate::slurmctld::verdict::{Change, Verdict};
use serde::{Deserialize, Serialize};

/// The answer to "why does it wait?".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// What stops it.
    pub verdict: Verdict,
    /// Changes with any of which alone it would start now.
    pub changes: Vec<Change>,
}

/// Why a job of the session waits. Nothing of the session changes: the passes run on forks of its controller. None: there is
/// no such job.
#[must_use]
pub fn explain(session: &Session, job: JobId) -> Option<Explanation> {
    let world = session.world();
    let verdict = world.ctld.verdict(job, world.now)?;
    let changes = match verdict.starts() {
        Some(_) => Vec::new(),
        None => world.ctld.remedies(job, world.now),
    };
    Some(Explanation { verdict, changes })
}
