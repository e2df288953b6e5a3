//! Why a job is pending: what the passes would decide about it now, and what that assumes.
//!
//! Passes record nothing. For a verdict, the passes run once on a fork of the controller, and their decisions about the
//! job are recorded. This costs nothing until a verdict is requested, and the size of a verdict is bounded.
//! [`Slurmctld::would_start`] tries a change on another fork, [`Slurmctld::remedies`] looks for changes that would start the
//! job at once. The types of the answer are in [`base::verdict`].

mod ahead;
mod attempt;
mod names;
mod nodes;
mod remedy;
mod stop;
mod task;
#[cfg(test)]
mod tests;
mod used_minutes;

use crate::Slurmctld;
use crate::state::edit;
use crate::state::job::{DepState, Dependency, Job, JobState};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{JobId, NodeId};
use base::time::Time;
use base::verdict::{Eligibility, FirstOf, Verdict};
pub use remedy::RemedySearch;
pub use task::VerdictTask;

impl Slurmctld {
    /// Why a job is pending at `now`: what a main pass and a backfill pass would decide. None if there is no such job.
    #[must_use]
    pub fn verdict(&self, id: JobId, now: Time) -> Option<Verdict> {
        let mut asking = self.ask_why(id, now)?;
        while asking.step() {}
        asking.verdict
    }

    /// On a fork, queues a job again that is held because no nodes could run it.
    fn reconsider(&mut self, id: JobId, now: Time) {
        let given_up = |job: &&Job| job.reason == Reason::FailBadConstraints && job.held();
        if let Some(job) = self.jobs.get(id).filter(given_up) {
            let priority = crate::priority::of(self, job, now);
            self.edit_job(id, edit::pending::retry(priority));
        }
    }

    /// A copy on which passes can run once its caches are built. They have no effect on the original.
    fn fork(&self) -> Self {
        Self { lean: false, ..self.clone() }
    }

    /// Builds the caches that passes on a fork need.
    fn build_caches_at(&mut self, now: Time) {
        self.build_caches();
        self.caches.moment = now;
    }

    /// Drops the results of earlier passes, which would let the next pass skip jobs.
    fn forget_plans(&mut self) {
        let planned: Vec<JobId> = self.pending_jobs().filter(|j| j.planned.is_some()).map(|j| j.id).collect();
        for job in planned {
            self.edit_job(job, edit::pending::clear_planned_start());
        }
    }

    /// The jobs ahead of a job's first entry, in order, once for each of their entries.
    fn in_front_of(&self, id: JobId) -> Vec<JobId> {
        let mut walk = self.caches.queue.walk();
        let mut jobs = Vec::new();
        while let Some(entry) = walk.next(&self.caches.queue, |_| true).filter(|entry| entry.job() != id) {
            jobs.push(entry.job());
        }
        jobs
    }
}

/// Whether passes consider the job, and if not, why.
fn eligibility(ctld: &Slurmctld, job: &Job, now: Time) -> Eligibility {
    if job.state != JobState::Pending || job.flags.completing {
        return Eligibility::Past(job.state.long().to_owned());
    }
    if job.priority == 0 {
        let by_user = matches!(job.reason, Reason::HeldUser) && !job.held_by_admin;
        return Eligibility::Held { by_admin: !by_user };
    }
    let unsatisfied: Vec<_> = job.deps.iter().filter(|d| d.state != DepState::Fulfilled).collect();
    if !unsatisfied.is_empty() {
        let name = |d: &Dependency| (d.kind.name().to_owned(), names::job(ctld, d.job));
        return Eligibility::Depends(FirstOf::new(unsatisfied, name));
    }
    if let Some(begin) = job.begin.filter(|b| *b > now) {
        return Eligibility::Begins { at: begin, again: job.restarts > 0 && job.desc.begin != Some(begin) };
    }
    if !job.queued() {
        return Eligibility::Depends(FirstOf { first: Vec::new(), count: 0 });
    }
    let in_front = u32::try_from(ctld.in_front_of(job.id).len()).unwrap_or(u32::MAX);
    Eligibility::Queued { in_front }
}

/// The ids of a set of nodes.
fn node_ids(set: &BitSet) -> impl Iterator<Item = NodeId> + '_ {
    set.iter().map(NodeId)
}
