//! Sizes of a pending job as listings show them: counts, ranges and lists. Mirrors `scontrol show job`.

use super::jobtext::JobView;
use slurmctld::job::{Job, JobState};

impl JobView<'_> {
    /// `NumNodes` of scontrol: a count, or for a pending job the requested range or list.
    ///
    /// For a job that no pass has tested yet, Slurm shows at most as many nodes as tasks.
    #[must_use]
    pub fn node_range(&self, job: &Job) -> String {
        let (needs, desc, count) = (&job.needs, &job.desc, self.node_count(job));
        if job.state != JobState::Pending || job.flags.completing {
            return count.to_string();
        }
        if !desc.node_counts.is_empty() {
            return desc.node_counts.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        }
        let untested = desc.hold && job.priority == 0;
        let by_tasks = desc.cpus_per_task.is_none() || needs.ntasks > 1;
        let most = match needs.max_nodes {
            0 if untested && by_tasks => needs.ntasks,
            most => most,
        };
        match most {
            0 => count.to_string(),
            most if untested => format!("{}-{most}", count.min(most)),
            most => format!("{}-{most}", needs.min_nodes),
        }
    }

    /// The displayed QOS: for a pending job, as it was typed.
    #[must_use]
    pub fn qos_of(&self, job: &Job) -> String {
        let typed = job.desc.qos.clone().filter(|q| job.state == JobState::Pending && !q.is_empty());
        typed.unwrap_or_else(|| self.qos(job.qos))
    }

    /// `NumCPUs` of scontrol: a count, or the range that an update requested.
    #[must_use]
    pub fn cpu_range(&self, job: &Job) -> String {
        match job.needs.max_cpus {
            most if most > 0 && job.allocation.is_none() => format!("{}-{most}", self.cpus(job)),
            _ => self.cpus(job).to_string(),
        }
    }
}
