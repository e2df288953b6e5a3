//! What happens to jobs on demand, for tests of tools that call Slurm.

use super::World;
use base::ids::JobId;
use slurmctld::error::SlurmError;

/// What can be made to happen to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobFault {
    /// It is preempted, as `PreemptMode` says.
    Preempt,
    /// The OOM killer kills its largest process on its first node.
    OutOfMemory,
    /// It reaches its time limit.
    TimeOut,
    /// It has ended, and slurmctld forgets it.
    Purge,
}

impl World {
    /// Makes something happen to a job now that otherwise has reasons of its own.
    ///
    /// # Errors
    /// The job does not exist, or is not in a state in which that happens.
    pub fn inject(&mut self, fault: JobFault, job: JobId) -> Result<(), SlurmError> {
        match fault {
            JobFault::Preempt => self.ctld.preempt_now(job, self.now)?,
            JobFault::TimeOut => self.ctld.time_out_now(job, self.now)?,
            JobFault::Purge => self.ctld.purge_now(Some(job))?,
            JobFault::OutOfMemory => {
                let record = self.ctld.job(job).ok_or(SlurmError::InvalidJobId)?;
                let part = record.allocation.as_ref().and_then(|a| a.nodes.first());
                let node = part.ok_or(SlurmError::JobNotRunning)?.node;
                if !self.oom_kill(job, node, None) {
                    return Err(SlurmError::JobNotRunning);
                }
            }
        }
        self.settle();
        Ok(())
    }
}
