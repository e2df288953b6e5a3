//! Steps of which the cgroup's OOM killer ended a process: they and their jobs end as OUT_OF_MEMORY, 0:125.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{ExitCode, Job};
use crate::base::ids::{JobId, StepId, StepNum};

/// What a step's exit code is then, whatever its tasks say.
pub const OOM: ExitCode = ExitCode { code: 0, signal: 125 };

impl Job {
    /// How many processes of a step the OOM killer has ended.
    #[must_use]
    pub fn oom_kills(&self, num: StepNum) -> usize {
        self.oom_steps.iter().filter(|step| **step == num).count()
    }
}

impl Slurmctld {
    /// Whether all of a job's step ends where the OOM killer ends a process of it: `--oom-kill-step`, or
    /// `TaskPluginParam=OOMKillStep`.
    pub(crate) fn kills_whole_steps(&self, job: &Job) -> bool {
        let params = self.cluster.global.raw.iter().filter(|(key, _)| **key == *"TaskPluginParam");
        let mut words = params.flat_map(|(_, value)| value.split(','));
        job.desc.extras.oom_kill_step.unwrap_or_else(|| words.any(|w| w.eq_ignore_ascii_case("OOMKillStep")))
    }

    /// The OOM killer has ended a process of the step.
    pub(super) fn out_of_memory(&mut self, step: StepId) -> Result<(), SlurmError> {
        self.jobs.get(step.job).ok_or(SlurmError::InvalidJobId)?;
        self.change_job(step.job, |job| job.oom_steps.push(step.step));
        Ok(())
    }

    /// The exit code of a step that says it ended so.
    pub(super) fn exit_of(&self, id: JobId, num: StepNum, said: ExitCode) -> ExitCode {
        let killed = self.jobs.get(id).is_some_and(|job| job.oom_kills(num) > 0);
        if killed { OOM } else { said }
    }
}
