//! Cancelling and signalling jobs. Mirrors scancel(1).

use crate::Slurmctld;
use crate::rpc::request::{Caller, Order, Response, SignalScope, Target};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, Job, JobState};
use crate::state::reason::{Reason, ReasonKind};
use base::ids::{JobId, Uid};
use base::signal::Signal;
use base::time::Time;

impl Slurmctld {
    /// The records that a target means: a job, a task (split off if it has no record yet), or a whole array.
    pub(crate) fn records(&mut self, target: Target) -> Result<Vec<JobId>, SlurmError> {
        let of_array: Vec<JobId> = self.array_records(target.job).collect();
        let Some(task) = target.task else {
            if !of_array.is_empty() && self.jobs.get(target.job).is_none_or(|j| j.is_master_of(target.job)) {
                return Ok(of_array);
            }
            return self.components(target.job);
        };
        for id in of_array {
            let Some(array) = self.jobs.get(id).and_then(|j| j.array.as_ref()) else { continue };
            if array.task == Some(task) {
                return Ok(vec![id]);
            }
            if array.pending.contains(task) {
                return Ok(vec![self.split_task(id, task)]);
            }
        }
        Err(SlurmError::InvalidJobId)
    }

    /// `scancel`.
    pub(crate) fn kill(
        &mut self,
        caller: Caller,
        target: Target,
        signal: Option<Signal>,
        scope: SignalScope,
        many: bool,
        now: Time,
    ) -> Response {
        let fail = |error| Response::Err { error, messages: Vec::new() };
        let known = self
            .jobs
            .get(target.job)
            .or_else(|| self.array_records(target.job).next().and_then(|id| self.jobs.get(id)));
        match known {
            None => return fail(SlurmError::InvalidJobId),
            Some(job) if !self.steers(caller, job) => return fail(SlurmError::AccessDenied),
            Some(_) => {}
        }
        let ends = signal.is_none_or(|s| s == Signal::KILL) && scope != SignalScope::Batch;
        if ends && !many && self.drop_pending_task(target, caller.uid, now) {
            return Response::Ok;
        }
        let records = match self.records(target) {
            Ok(records) => records,
            Err(error) => return fail(error),
        };
        let (mut done, mut last) = (0, SlurmError::AlreadyDone);
        for id in records {
            match self.kill_one(caller, id, signal, scope, now) {
                Ok(()) => done += 1,
                Err(error) => last = error,
            }
        }
        if done > 0 { Response::Ok } else { fail(last) }
    }

    /// Cancels one pending task of an array. The task never gets a record or an id.
    fn drop_pending_task(&mut self, target: Target, by: Uid, now: Time) -> bool {
        let Some(task) = target.task else { return false };
        let holds = |job: &&Job| job.array.as_ref().is_some_and(|a| a.pending.contains(task));
        let of_array: Vec<JobId> = self.array_records(target.job).collect();
        let Some(job) = of_array.iter().filter_map(|id| self.jobs.get(*id)).find(holds) else { return false };
        let (id, last) = (job.id, job.array.as_ref().is_some_and(|a| a.pending.len() == 1));
        if last {
            self.cancel_pending(id, by, now);
        } else {
            self.edit_job(id, edit::array::drop_task(task));
            self.jobs.review_dependents(id);
            self.record_update(id);
        }
        true
    }

    fn kill_one(
        &mut self,
        caller: Caller,
        id: JobId,
        signal: Option<Signal>,
        scope: SignalScope,
        now: Time,
    ) -> Result<(), SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        let ends = signal.is_none_or(|s| s == Signal::KILL) && scope != SignalScope::Batch;
        if let SignalScope::Step(num) = scope
            && job.state != JobState::Pending
            && job.steps.get(&num).is_none_or(|s| s.end.is_some())
        {
            return Err(SlurmError::InvalidJobId);
        }
        match job.state {
            JobState::Pending if job.flags.completing && ends => {
                self.drop_requeued(id, caller.uid, now);
                Ok(())
            }
            // Finished steps are unknown.
            _ if matches!(scope, SignalScope::Step(_)) && (job.flags.completing || job.state.ended()) => {
                Err(SlurmError::InvalidJobId)
            }
            _ if job.flags.completing => Err(SlurmError::AlreadyDone),
            JobState::Pending if ends => {
                self.cancel_pending(id, caller.uid, now);
                Ok(())
            }
            JobState::Pending => Err(SlurmError::JobPending),
            JobState::Running | JobState::Suspended if ends && !matches!(scope, SignalScope::Step(_)) => {
                let ending =
                    Ending { state: JobState::Cancelled, since: now, by: caller.uid, requeue: false };
                self.end_job(id, ending, " DUE to SIGNAL Terminated", now);
                self.record_cancelled(id, caller.uid);
                Ok(())
            }
            JobState::Suspended if !matches!(scope, SignalScope::Step(_)) => {
                Err(SlurmError::TransitionStateNoUpdate)
            }
            JobState::Running | JobState::Suspended => self.scancel_signal(caller, id, signal, scope, now),
            JobState::Complete
            | JobState::Cancelled
            | JobState::Failed
            | JobState::Timeout
            | JobState::NodeFail
            | JobState::Preempted
            | JobState::BootFail
            | JobState::Deadline
            | JobState::OutOfMemory => Err(SlurmError::AlreadyDone),
        }
    }

    /// Sends a signal to a job's processes. A step named without a signal is killed.
    fn scancel_signal(
        &mut self,
        caller: Caller,
        id: JobId,
        signal: Option<Signal>,
        scope: SignalScope,
        now: Time,
    ) -> Result<(), SlurmError> {
        let signal = signal.unwrap_or(Signal::KILL);
        if let SignalScope::Step(num) = scope {
            if signal == Signal::KILL {
                self.edit_job(id, edit::steps::cancel(num, caller.uid));
            }
        } else if signal == Signal::STOP || signal == Signal::CONT {
            self.edit_job(id, edit::life::set_stopped(signal == Signal::STOP));
        }
        self.signal_job(id, signal, scope, now);
        Ok(())
    }

    /// Signals a job's processes. Steps record a terminating signal, which slurmstepd reports in their output.
    pub(crate) fn signal_job(&mut self, id: JobId, signal: Signal, scope: SignalScope, now: Time) {
        self.orders.push(Order::Signal { job: id, signal, scope });
        if !matches!(signal, Signal::TERM | Signal::KILL) {
            return;
        }
        self.edit_job(id, edit::steps::signal(signal, |num| scope.reaches(num), now));
        self.orders.push(Order::WakeClient(id));
    }

    /// Cancels a job that is about to be requeued.
    fn drop_requeued(&mut self, id: JobId, by: Uid, now: Time) {
        self.edit_job(id, edit::life::cancel_requeued(by, now));
    }

    /// Ends a pending job that can no longer finish before its deadline.
    pub(crate) fn miss_deadline(&mut self, id: JobId, now: Time) {
        self.end_pending(id, JobState::Deadline, Reason::FailDeadline, now);
    }

    /// Cancels a pending job at once. As in Slurm, this requests no main pass: the jobs that it blocked wait for the
    /// next regular pass or for backfill (`tests/recorded/cancelhead.txt`).
    pub(crate) fn cancel_pending(&mut self, id: JobId, by: Uid, now: Time) {
        self.end_pending(id, JobState::Cancelled, Reason::None, now);
        self.record_cancelled(id, by);
    }

    pub(crate) fn end_pending(&mut self, id: JobId, state: JobState, reason: Reason, now: Time) {
        self.edit_job(id, edit::life::end_pending(state, reason, now));
        if self.jobs.get(id).is_some_and(|j| j.db.is_none()) {
            self.record_pending(id);
        } else {
            self.record_update(id);
        }
        self.orders.push(Order::WakeClient(id));
        self.clock.note_change(now);
    }
}

impl Job {
    /// Whether it is the record of an array's pending tasks, or the single job with this id.
    fn is_master_of(&self, array: JobId) -> bool {
        self.id == array && self.array.is_some()
    }

    /// Whether the job is held.
    #[must_use]
    pub const fn held(&self) -> bool {
        matches!(self.reason.kind(), ReasonKind::Hold)
            || (self.priority == 0 && matches!(self.reason, Reason::FailBadConstraints))
    }
}
