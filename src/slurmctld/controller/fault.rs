//! Faults on demand: what otherwise happens to a job for reasons of its own happens now. For tests of tools that call Slurm
//! (`sandbatch cluster inject`).

use crate::Slurmctld;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, JobState};
use base::ids::{JobId, Uid};
use base::time::Time;

impl Slurmctld {
    /// Ends a running job as at its time limit.
    ///
    /// # Errors
    /// The job does not exist or does not run.
    pub fn time_out_now(&mut self, id: JobId, now: Time) -> Result<(), SlurmError> {
        self.require_running(id)?;
        let ending = Ending { state: JobState::Timeout, since: now, by: Uid(0), requeue: false };
        self.end_job(id, ending, " DUE TO TIME LIMIT", now);
        Ok(())
    }

    /// Forgets a job that has ended, as slurmctld does after `MinJobAge`. Without an id, all of them.
    ///
    /// # Errors
    /// The job does not exist or has not ended.
    pub fn purge_now(&mut self, id: Option<JobId>) -> Result<(), SlurmError> {
        match id {
            None => self.purge(Time(i64::MAX)),
            Some(id) => {
                self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
                if !self.jobs.forget(id) {
                    return Err(SlurmError::JobNotFinished);
                }
            }
        }
        Ok(())
    }

    /// Checks that a job runs and does not end yet.
    pub(crate) fn require_running(&self, id: JobId) -> Result<(), SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        match job.state {
            JobState::Running | JobState::Suspended if !job.flags.completing => Ok(()),
            _ if job.state.ended() => Err(SlurmError::AlreadyDone),
            _ => Err(SlurmError::JobNotRunning),
        }
    }
}
