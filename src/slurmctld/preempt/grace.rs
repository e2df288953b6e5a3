//! Ending preempted jobs, at once or after a grace time. The end of a grace time is checked with the time limits, each
//! half minute, and when another job would preempt the victim again, as recorded.

use super::rules::{self, exempt_time};
use crate::Slurmctld;
use crate::rpc::request::SignalScope;
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, Job, JobState};
use base::ids::{JobId, Uid};
use base::signal::Signal;
use base::time::{Span, Time};
use config::preempt::{PreemptMode, PreemptType};

impl Slurmctld {
    /// Ends a victim or begins its grace time, in which its steps get SIGCONT and SIGTERM but its script gets no
    /// signal. A victim whose grace time has passed ends.
    pub(super) fn preempt_one(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        if job.preempt_time.is_some() {
            if job.end.is_some_and(|end| end <= now) {
                self.end_preempted(id, now);
            }
            return;
        }
        let grace = Span::from_secs(rules::grace_of(self, job).into());
        self.edit_job(id, edit::life::preempt(now));
        if grace.0 == 0 {
            return self.end_preempted(id, now);
        }
        self.edit_job(id, edit::life::end_by(now + grace));
        let warning = self.jobs.get(id).and_then(|j| j.desc.signal);
        match warning.filter(|_| self.cluster.global.preempt.send_user_signal) {
            Some(warning) => self.warn(id, warning, now),
            None => {
                self.signal_job(id, Signal::CONT, SignalScope::Steps, now);
                self.signal_job(id, Signal::TERM, SignalScope::Steps, now);
            }
        }
    }

    /// Preempts a running job without a preemptor, as `PreemptMode` says. Where preemption is off, the job is requeued, or
    /// cancelled if it cannot be.
    ///
    /// # Errors
    /// The job does not exist or does not run, or its `PreemptMode` is SUSPEND, which needs a job to take turns with.
    pub fn preempt_now(&mut self, id: JobId, now: Time) -> Result<(), SlurmError> {
        self.require_running(id)?;
        let Some(job) = self.jobs.get(id) else { return Err(SlurmError::InvalidJobId) };
        match rules::mode_of(self, job) {
            PreemptMode::Suspend => return Err(SlurmError::NotSupported),
            PreemptMode::Cancel | PreemptMode::Requeue => self.preempt_one(id, now),
            PreemptMode::Off => {
                let requeue = job.requeue && job.is_batch();
                self.edit_job(id, edit::life::preempt(now));
                let ending = Ending { state: JobState::Preempted, since: now, by: Uid(0), requeue };
                self.end_job(id, ending, " DUE TO PREEMPTION", now);
            }
        }
        Ok(())
    }

    /// Ends a victim: it is cancelled or requeued.
    pub(crate) fn end_preempted(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let requeue = rules::mode_of(self, job) == PreemptMode::Requeue;
        let ending = Ending { state: JobState::Preempted, since: now, by: Uid(0), requeue };
        self.end_job(id, ending, " DUE TO PREEMPTION", now);
    }

    /// The time from which a job may be preempted, as `scontrol show job` shows it for started jobs. None without preemption.
    #[must_use]
    pub fn preempt_eligible(&self, job: &Job) -> Option<Time> {
        let conf = &self.cluster.global.preempt;
        let on = conf.kind != PreemptType::None && conf.mode != PreemptMode::Off;
        Some(job.start.filter(|_| on)? + exempt_time(self, job))
    }
}
