//! Makes jobs eligible: they may be scheduled and start to accrue age (`PriorityWeightAge` of slurm.conf(5)).

use crate::state::edit;
use crate::state::job::Job;
use crate::state::reason::Reason;
use crate::{Slurmctld, acct_policy, priority};
use base::ids::JobId;
use base::time::Time;

impl Slurmctld {
    /// Makes a job eligible and records it in the database.
    pub(crate) fn make_eligible(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let held = job.priority == 0;
        // A job is eligible since its begin time, not since the pass that noticed it.
        let since = job.begin.filter(|begin| job.reason == Reason::Time && *begin <= now).unwrap_or(now);
        let accrue = acct_policy::may_accrue(self, job).then_some(since);
        // A job that starts to accrue now has no age yet.
        let fresh = job.accrue.is_none() && accrue.is_none_or(|since| since >= now);
        let aged = (!fresh).then(|| Job { accrue, ..job.clone() });
        let priority = priority::of(self, aged.as_ref().unwrap_or(job), now);
        let priority = Some(priority).filter(|_| !held);
        self.edit_job(id, edit::pending::make_eligible(since, accrue, priority));
        self.note_waits(id);
        self.record_pending(id);
    }
}
