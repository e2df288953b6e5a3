//! `--immediate=1` of `srun` and `salloc`: a job that cannot start at once is refused. With a longer time, the client
//! itself waits.
//!
//! As recorded from 22.05, a refused job has used a job id and remains as a failed job.

use crate::Slurmctld;
use crate::state::error::SlurmError;
use crate::state::job::{Job, JobState};
use crate::state::reason::Reason;
use crate::{sched, select};
use base::ids::JobId;
use base::time::Time;

impl Slurmctld {
    /// Ends an immediate job that could not start, and returns why.
    pub(crate) fn refuse_late(&mut self, id: JobId, now: Time) -> Option<SlurmError> {
        let waits = |job: &&Job| job.state == JobState::Pending && job.desc.immediate == Some(1);
        let job = self.jobs.get(id).filter(waits)?;
        let error = self.cannot_start(job, now);
        self.fail_unstarted(id, Reason::None, now);
        Some(error)
    }

    fn cannot_start(&self, job: &Job, now: Time) -> SlurmError {
        let dependent = job.eligible.is_none() || !self.licenses_free(job, now);
        let part = job.partitions.first().copied().unwrap_or_default();
        let unfit = sched::barred_by_partition(self, job, part).is_some()
            || select::too_small(self, &job.needs, part)
            || job.needs.min_nodes > self.partition(part).nodes.len();
        match job.reason {
            _ if dependent => SlurmError::Dependency,
            _ if self.caches.parameters.defer => SlurmError::Defer,
            _ if unfit => SlurmError::RequestedPartConfigUnavailable,
            Reason::Priority => SlurmError::NotTopPriority,
            reason if reason.is_limit() => SlurmError::AccountingPolicy,
            _ => SlurmError::NodesBusy,
        }
    }
}
