//! Controlling pending and running jobs: hold, release, requeue, suspend, resume, update. Mirrors scontrol(1).

use crate::Slurmctld;
use crate::priority;
use crate::rpc::request::{Caller, Order, Requeue, Response, Target};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, Job, JobState};
use crate::state::reason::{Reason, ReasonKind};
use base::ids::JobId;
use base::time::Time;

impl Slurmctld {
    /// Applies an action to each record of a target. Failures of single tasks are reported per task.
    pub(crate) fn each(
        &mut self,
        target: Target,
        mut act: impl FnMut(&mut Self, JobId) -> Result<(), SlurmError>,
    ) -> Response {
        let records = match self.records(target) {
            Ok(records) => records,
            Err(error) => return Response::Err { error, messages: Vec::new() },
        };
        let many = records.len() > 1;
        let mut failed = Vec::new();
        for id in records {
            if let Err(error) = act(self, id) {
                if !many {
                    return Response::Err { error, messages: Vec::new() };
                }
                failed.push((self.bracketed(id), error));
            }
        }
        if failed.is_empty() { Response::Ok } else { Response::PerTask(failed) }
    }

    /// `41_[1]`, as scontrol names a task that failed.
    fn bracketed(&self, id: JobId) -> String {
        match self.jobs.get(id).and_then(|j| j.array.as_ref()) {
            Some(crate::state::job::Array { job, task: Some(task), .. }) => format!("{job}_[{task}]"),
            Some(array) => format!("{}_[{}]", array.job, array.text()),
            None => id.to_string(),
        }
    }

    pub(crate) fn owner_or_operator(&self, caller: Caller, id: JobId) -> Result<&Job, SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if self.steers(caller, job) { Ok(job) } else { Err(SlurmError::UserIdMissing) }
    }

    /// Whether the caller may control the job: its owner, a coordinator of its account, or an operator.
    pub(crate) fn steers(&self, caller: Caller, job: &Job) -> bool {
        job.uid() == caller.uid
            || self.is_operator(caller.uid)
            || self.dbd.coordinates(&self.user_name(caller.uid), &job.account)
    }

    /// Sends a message to a running job.
    pub(crate) fn notify(&mut self, caller: Caller, id: JobId, message: String) -> Result<(), SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.uid() != caller.uid && caller.uid.0 != 0 {
            return Err(SlurmError::UserIdMissing);
        }
        if job.state != JobState::Running || job.flags.completing {
            return Err(SlurmError::Disabled);
        }
        self.orders.push(Order::Tell { job: id, message });
        Ok(())
    }

    pub(crate) fn hold(&mut self, caller: Caller, target: Target, user: bool, _now: Time) -> Response {
        let hold = |ctld: &mut Self, id| {
            let job = ctld.owner_or_operator(caller, id)?;
            if job.state.ended() {
                return Err(SlurmError::JobFinished);
            }
            ctld.hold_one(caller, id, user);
            Ok(())
        };
        // A component of a heterogeneous job can be held individually.
        if self.jobs.get(target.job).and_then(|j| j.het).is_some_and(|het| het.offset > 0) {
            return match hold(self, target.job) {
                Ok(()) => Response::Ok,
                Err(error) => Response::Err { error, messages: Vec::new() },
            };
        }
        self.each(target, hold)
    }

    /// Holds a job. Of one that is held, operators may say who holds it; nobody else changes that.
    pub(crate) fn hold_one(&mut self, caller: Caller, id: JobId, user: bool) {
        let Some(job) = self.jobs.get(id) else { return };
        // Coordinators hold jobs as owners do.
        let admin = job.uid() != caller.uid && self.is_operator(caller.uid);
        if job.priority == 0 && job.reason.kind() == ReasonKind::Hold && !admin {
            return;
        }
        let pending = job.state == JobState::Pending;
        self.edit_job(id, edit::pending::hold(admin && !user));
        if pending {
            // In the database, it is no longer eligible.
            self.record_update(id);
        }
    }

    pub(crate) fn release(&mut self, caller: Caller, target: Target, now: Time) -> Response {
        self.each(target, |ctld, id| {
            let job = ctld.owner_or_operator(caller, id)?;
            if job.state.ended() {
                return Err(SlurmError::JobFinished);
            }
            if job.held_by_admin && !ctld.is_operator(caller.uid) {
                return Err(SlurmError::AccessDenied);
            }
            // This also drops a priority that an operator set, and the nice value with it.
            let nice = if job.fixed_priority.is_some() { 0 } else { job.nice };
            let from = if job.fixed_priority.is_some() { 0 } else { job.priority };
            let free = Job { fixed_priority: None, nice, priority: from, ..job.clone() };
            let priority = priority::of(ctld, &free, now);
            let held = job.priority == 0 && job.state == JobState::Pending;
            ctld.edit_job(id, edit::pending::release(priority));
            if held {
                // The next pass makes it eligible.
                ctld.edit_job(id, edit::pending::clear_eligible());
            }
            ctld.jobs.review_later(id);
            ctld.clock.want_schedule(now);
            Ok(())
        })
    }

    pub(crate) fn requeue(&mut self, caller: Caller, target: Target, how: Requeue, now: Time) -> Response {
        self.each(target, |ctld, id| {
            let denied = |_| SlurmError::AccessDenied;
            if !ctld.jobs.contains(id) {
                return Err(SlurmError::InvalidJobId);
            }
            let job = ctld.owner_or_operator(caller, id).map_err(denied)?;
            if job.state == JobState::Pending && !job.flags.completing {
                return Err(SlurmError::JobPending);
            }
            if !job.requeue || !job.is_batch() {
                return Err(SlurmError::Disabled);
            }
            if job.flags.completing {
                return Err(SlurmError::TransitionStateNoUpdate);
            }
            let ended = job.state.ended();
            let ending = Ending { state: JobState::Cancelled, since: now, by: caller.uid, requeue: true };
            let (hold, special) = (how != Requeue::Plain, how == Requeue::SpecialExit);
            ctld.edit_job(id, edit::life::set_requeue_hold(hold, special));
            if ended {
                let exit = ctld.jobs.get(id).map_or_else(Default::default, |j| j.exit);
                ctld.back_to_queue(id, Reason::None, exit, now);
                ctld.clock.want_schedule(now);
            } else {
                ctld.end_job(id, ending, " DUE TO JOB REQUEUE", now);
            }
            Ok(())
        })
    }
}
