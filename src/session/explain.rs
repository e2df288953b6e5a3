//! Why a job waits and what would change it, for whoever draws it: data, no sentences.

use super::Session;
use crate::base::ids::JobId;
use crate::base::time::Time;
use crate::slurmctld::verdict::{Asking, Change, Search, Verdict};
use crate::slurmctld::{Remains, Slurmctld};
use serde::{Deserialize, Serialize};

/// The answer to "why does it wait?".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// What stops it.
    pub verdict: Verdict,
    /// Changes with any of which alone it would start now.
    pub changes: Vec<Change>,
    /// What would let it join the queue at least.
    pub way_in: Option<Change>,
}

/// Why a job of the session waits. Nothing of the session changes: the passes run on forks of its controller. None: there is
/// no such job.
#[must_use]
pub fn explain(session: &Session, job: JobId) -> Option<Explanation> {
    let world = session.world();
    let mut inquiry = Inquiry::new(&world.ctld, job, world.now)?;
    while inquiry.step() {}
    inquiry.explanation()
}

/// The same question in pieces, for who must be heard of in between: the verdict, a pass in each step, then a fork for each
/// change that is tried. All of it concerns the moment at which it was asked.
pub struct Inquiry {
    ctld: Slurmctld,
    now: Time,
    job: JobId,
    /// While the verdict is being found.
    asking: Option<Asking>,
    verdict: Option<Verdict>,
    search: Option<Search>,
    /// What is left of forks.
    gone: Vec<Remains>,
}

impl Inquiry {
    /// Asks. None: there is no such job.
    #[must_use]
    #[inline(never)]
    pub fn new(ctld: &Slurmctld, job: JobId, now: Time) -> Option<Self> {
        let asking = Some(ctld.ask_why(job, now)?);
        Some(Self { ctld: ctld.clone(), now, job, asking, verdict: None, search: None, gone: Vec::new() })
    }

    /// Goes on for a bit; false when there is nothing left to find out.
    pub fn step(&mut self) -> bool {
        let Some(asking) = &mut self.asking else {
            return self.search.as_mut().is_some_and(|search| search.step(&self.ctld, self.now));
        };
        if !asking.step() {
            if let Some(mut asking) = self.asking.take() {
                self.verdict = asking.verdict.take();
                self.gone.extend(asking.leave());
            }
            let stuck = self.verdict.as_ref().is_some_and(|verdict| verdict.starts().is_none());
            self.search = stuck.then(|| self.ctld.search(self.job, self.now));
        }
        true
    }

    /// What is left of all its forks, to be dropped little by little.
    pub fn leave(self) -> Vec<Remains> {
        let mut gone = self.gone;
        gone.extend(self.asking.into_iter().flat_map(Asking::leave));
        gone.extend(self.search.into_iter().flat_map(Search::leave));
        gone.push(Remains::of(self.ctld));
        gone
    }

    /// Whether the verdict is still being found.
    #[must_use]
    pub const fn is_asking(&self) -> bool {
        self.asking.is_some()
    }

    /// The answer, as far as it is known. None: there is no verdict yet.
    #[must_use]
    pub fn explanation(&self) -> Option<Explanation> {
        let found = self.search.as_ref().map(|s| s.found().to_vec());
        let changes = found.unwrap_or_default();
        let way_in = self.ctld.job(self.job).and_then(|job| self.ctld.way_in(job, self.now));
        Some(Explanation {
            verdict: self.verdict.clone()?,
            way_in: way_in.filter(|w| !changes.contains(w)),
            changes,
        })
    }
}
