//! Why a job waits and what would change it, for whoever draws it: data, no sentences.

use super::Session;
use crate::base::ids::JobId;
use crate::base::time::Time;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::verdict::{Change, Search, Verdict};
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
    let mut inquiry = Inquiry::new(&world.ctld, job, world.now)?;
    while inquiry.step() {}
    Some(inquiry.explanation())
}

/// The same question in pieces, for who must be heard of in between: the verdict at once, then a fork for each change that
/// is tried. All of it concerns the moment at which it was asked.
pub struct Inquiry {
    ctld: Slurmctld,
    now: Time,
    /// What stops the job.
    pub verdict: Verdict,
    search: Option<Search>,
}

impl Inquiry {
    /// Asks. None: there is no such job.
    #[must_use]
    #[inline(never)]
    pub fn new(ctld: &Slurmctld, job: JobId, now: Time) -> Option<Self> {
        let verdict = ctld.verdict(job, now)?;
        let search = verdict.starts().is_none().then(|| ctld.search(job));
        Some(Self { ctld: ctld.clone(), now, verdict, search })
    }

    /// Tries one change; false when there is nothing left to try.
    pub fn step(&mut self) -> bool {
        self.search.as_mut().is_some_and(|search| search.step(&self.ctld, self.now))
    }

    /// The answer, as far as it is known.
    #[must_use]
    pub fn explanation(&self) -> Explanation {
        let found = self.search.as_ref().map(|s| s.found().to_vec());
        Explanation { verdict: self.verdict.clone(), changes: found.unwrap_or_default() }
    }
}
