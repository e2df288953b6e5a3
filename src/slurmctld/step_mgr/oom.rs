//! Steps that lost a process to the cgroup's OOM killer: they and their jobs end as OUT_OF_MEMORY, 0:125.

use crate::Slurmctld;
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{ExitCode, Job};
use base::ids::{JobId, StepId, StepNum};

/// The exit code of such a step, whatever its tasks report.
pub const OOM: ExitCode = ExitCode { code: 0, signal: 125 };

impl Job {
    /// The number of a step's processes that the OOM killer has ended.
    #[must_use]
    pub fn oom_kills(&self, num: StepNum) -> usize {
        self.oom_steps.iter().filter(|step| **step == num).count()
    }
}

impl Slurmctld {
    /// Whether the OOM killer ends a job's whole step rather than one process: `--oom-kill-step`, or
    /// `TaskPluginParam=OOMKillStep`.
    pub(crate) fn kills_whole_steps(&self, job: &Job) -> bool {
        let params = self.cluster.global.raw.iter().filter(|(key, _)| **key == *"TaskPluginParam");
        let mut words = params.flat_map(|(_, value)| value.split(','));
        job.desc.extras.oom_kill_step.unwrap_or_else(|| words.any(|w| w.eq_ignore_ascii_case("OOMKillStep")))
    }

    /// The OOM killer has ended a process of the step.
    pub(crate) fn out_of_memory(&mut self, step: StepId) -> Result<(), SlurmError> {
        self.jobs.get(step.job).ok_or(SlurmError::InvalidJobId)?;
        self.edit_job(step.job, edit::steps::out_of_memory(step.step));
        Ok(())
    }

    /// The exit code of a step that reported `said`.
    pub(crate) fn exit_of(&self, id: JobId, num: StepNum, said: ExitCode) -> ExitCode {
        let killed = self.jobs.get(id).is_some_and(|job| job.oom_kills(num) > 0);
        if killed { OOM } else { said }
    }
}
