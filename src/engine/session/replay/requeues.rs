//! What users did to recorded jobs: begin times, holds, and `scontrol requeue`.
//!
//! sacct records one time for all of them, at which a job became eligible. A job with a dependency, or a task of an array with a
//! limit, becomes eligible through other jobs. The replay decides about these itself, so their recorded time does not count.

use super::recorded::RecordedJob;
use super::{Replay, TraceJob};
use base::ids::{JobId, Uid};
use base::time::{Span, Time};
use slurmctld::job::JobDesc;
use slurmctld::request::{Caller, Request, Requeue, Response, Target};

impl Replay {
    /// Gives a job that is submitted now its earliest start and its deadline, and holds it if it was never released.
    /// Returns the time from which it waits for resources.
    pub(super) fn delay(&self, job: &TraceJob, desc: &mut JobDesc) -> Time {
        let recorded = job.recorded.as_deref().filter(|_| self.repeats_users);
        let own = job.desc.dependency.is_none() && job.throttled.is_none();
        let recorded_begin =
            recorded.filter(|_| own).and_then(|recorded| recorded.eligible_after(job.submit));
        let begin = recorded_begin.or(job.begin).map(|after| self.now + after);
        desc.begin = begin.or(desc.begin);
        desc.deadline = job.deadline.map(|after| self.now + after).or(desc.deadline);
        desc.hold |= recorded.is_some_and(RecordedJob::stayed_held);
        begin.unwrap_or(self.now)
    }

    /// How long the current run of a job's script takes.
    pub(super) fn script_time(&self, work: usize) -> Span {
        self.requeued_run(work).unwrap_or(self.outcomes[work].runtime)
    }

    /// If the current run is one that a user requeued: its length.
    fn requeued_run(&self, work: usize) -> Option<Span> {
        self.recorded_of(work)?.requeued_runs().nth(self.outcomes[work].requeues)
    }

    /// What is recorded of a job.
    #[inline(never)]
    pub(super) fn recorded_of(&self, work: usize) -> Option<&RecordedJob> {
        self.jobs.get(self.outcomes.get(work)?.trace as usize)?.recorded.as_deref()
    }

    /// Requeues a job whose current run was requeued. False if it was not, or cannot be.
    pub(super) fn requeue_as_recorded(&mut self, job: JobId, work: usize) -> bool {
        if self.requeued_run(work).is_none() {
            return false;
        }
        self.outcomes[work].requeues += 1;
        let request = Request::Requeue { target: Target { job, task: None }, how: Requeue::Plain };
        let done = matches!(self.ctld.request(Caller { uid: Uid(0) }, request, self.now), Response::Ok);
        let last = self.requeued_run(work).is_none();
        let recorded = self.recorded_of(work).filter(|_| done && last);
        let patience = recorded.and_then(RecordedJob::patience_after_requeue);
        if let Some(patience) = patience {
            self.user_events.cancel_at((self.now - self.start) + patience, work);
        }
        done
    }
}
