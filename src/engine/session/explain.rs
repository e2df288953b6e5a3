//! Why a job is pending and what would let it start, as data. The page turns it into sentences.

use super::Session;
use base::ids::JobId;
use base::time::Time;
use base::verdict::{RequestChange, Verdict};
use slurmctld::verdict::{RemedySearch, VerdictTask};
use slurmctld::{Slurmctld, Teardown};

/// The answer to "why is it pending?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The reasons.
    pub verdict: Verdict,
    /// Changes that would each let it start now.
    pub changes: Vec<RequestChange>,
    /// A change that would at least let it enter the queue.
    pub eligibility_change: Option<RequestChange>,
}

/// Why a job of the session is pending. The session does not change: the passes run on forks of its controller.
/// None if there is no such job.
#[must_use]
pub fn explain(session: &Session, job: JobId) -> Option<Explanation> {
    let world = session.world();
    let mut inquiry = Inquiry::new(&world.ctld, job, world.now)?;
    while inquiry.step() {}
    inquiry.explanation()
}

/// The same in steps, for callers that must stay responsive: the verdict with one pass per step, then one fork
/// for each change that is tried. Everything refers to the moment of the question.
pub struct Inquiry {
    ctld: Slurmctld,
    now: Time,
    job: JobId,
    /// Set while the verdict is being computed.
    asking: Option<VerdictTask>,
    verdict: Option<Verdict>,
    search: Option<RemedySearch>,
    /// Forks to be freed.
    gone: Vec<Teardown>,
}

impl Inquiry {
    /// Starts an inquiry. None if there is no such job.
    #[must_use]
    #[inline(never)]
    pub fn new(ctld: &Slurmctld, job: JobId, now: Time) -> Option<Self> {
        let asking = Some(ctld.ask_why(job, now)?);
        Some(Self { ctld: ctld.clone(), now, job, asking, verdict: None, search: None, gone: Vec::new() })
    }

    /// Does one step. False when the answer is complete.
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

    /// All its forks, to be freed in steps.
    pub fn leave(self) -> Vec<Teardown> {
        let mut gone = self.gone;
        gone.extend(self.asking.into_iter().flat_map(VerdictTask::leave));
        gone.extend(self.search.into_iter().flat_map(RemedySearch::leave));
        gone.push(Teardown::of(self.ctld));
        gone
    }

    /// Whether the verdict is still being computed.
    #[must_use]
    pub const fn is_asking(&self) -> bool {
        self.asking.is_some()
    }

    /// The answer so far. None before the verdict.
    #[must_use]
    pub fn explanation(&self) -> Option<Explanation> {
        let found = self.search.as_ref().map(|s| s.found().to_vec());
        let changes = found.unwrap_or_default();
        let eligibility_change =
            self.ctld.job(self.job).and_then(|job| self.ctld.eligibility_change(job, self.now));
        Some(Explanation {
            verdict: self.verdict.clone()?,
            eligibility_change: eligibility_change.filter(|w| !changes.contains(w)),
            changes,
        })
    }
}
