//! The environment of a batch script: the submitted variables, and those that [`jobenv`] sets for scripts.

use host::Env;
use slurmctld::Slurmctld;
use slurmctld::job::Job;
use slurmctld::jobenv::{self, Scope, who};

/// The environment of a job's batch script on its first node.
#[must_use]
pub fn batch(job: &Job, ctld: &Slurmctld, pid: u32) -> Env {
    let mut env = (*job.desc.env).clone();
    let node = job.allocation.as_ref().and_then(|a| a.nodes.first());
    jobenv::set(&mut env, &Scope { ctld, job, node, who: who::BATCH, task: None });
    env.insert("SLURM_TASK_PID".to_owned(), pid.to_string());
    jobenv::components(&mut env, job, ctld, who::BATCH);
    env
}
