//! The environment of jobs, steps and tasks, as 26.05 sets it. [`table::TABLE`] says for each variable which processes
//! get it.
//!
//! Most variables are recorded; the others follow the manual and 22.05. Mirrors "OUTPUT ENVIRONMENT VARIABLES" of
//! sbatch(1), salloc(1) and srun(1).

pub mod devices;
mod table;
mod values;

use crate::Slurmctld;
use crate::rpc::request::{StepLayout, StepNode};
use crate::state::job::{Job, NodeAlloc};
use base::process::Env;
use std::borrow::Cow;

/// Which processes get a variable: a bit set.
pub mod who {
    /// The command that `salloc` runs.
    pub const ALLOC: u8 = 1;
    /// The tasks of an `srun` that has an allocation of its own.
    pub const OWN: u8 = 2;
    /// The batch script.
    pub const BATCH: u8 = 4;
    /// Every task of a step.
    pub const TASK: u8 = 8;
    /// Once more for each component of a heterogeneous job, with `_HET_GROUP_0` and the like.
    pub const HET: u8 = 16;
    /// The same, for `salloc` only.
    pub const HET_ALLOC: u8 = 32;
}

/// The data that a variable's value is computed from.
pub struct Scope<'a> {
    /// The cluster.
    pub ctld: &'a Slurmctld,
    /// The job, or the component that the process belongs to.
    pub job: &'a Job,
    /// Where the process runs.
    pub node: Option<&'a NodeAlloc>,
    /// One of [`who`].
    pub who: u8,
    /// The task.
    pub task: Option<&'a Task<'a>>,
}

/// One task of a step.
pub struct Task<'a> {
    /// The step's layout in each component of the job, usually one.
    pub layouts: &'a [StepLayout],
    /// Which of them the task belongs to.
    pub component: usize,
    /// The index of its node in that layout.
    pub node: usize,
    /// The index of the task on its node.
    pub local_id: usize,
    /// The allocation is `srun`'s own.
    pub own: bool,
    /// Given on `srun`'s command line or to it by the environment.
    pub asked: SrunOptions,
}

/// The options of `srun` that its tasks see.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SrunOptions {
    pub cpus_per_task: Option<u32>,
    pub ntasks_per_node: Option<u32>,
    pub label: bool,
    pub distribution: bool,
    pub umask: u32,
    /// The port of `srun` that its tasks connect to, made up.
    pub port: u32,
    /// The GPUs of the step that the task sees, by their indices on the node.
    pub gpus: Option<Vec<u32>>,
    /// `quiet,mask_cpu:0x1` in its parts, if CPUs are bound.
    pub cpu_bind: Option<(String, String, String)>,
}

impl<'a> Scope<'a> {
    /// The task's node within the step.
    #[must_use]
    pub fn here(&self) -> Option<&'a StepNode> {
        let task = self.task?;
        task.layouts.get(task.component)?.nodes.get(task.node)
    }

    /// All nodes of the step.
    pub fn step_nodes(&self) -> impl Iterator<Item = &'a StepNode> + use<'a> {
        self.task.into_iter().flat_map(|t| t.layouts).flat_map(|l| &l.nodes)
    }

    /// All components in the process's environment: the step's, or the job's own.
    #[must_use]
    pub fn jobs(&self) -> Cow<'a, [&'a Job]> {
        match self.task {
            Some(task) if task.layouts.len() > 1 => {
                Cow::Owned(task.layouts.iter().filter_map(|l| self.ctld.job(l.step.job)).collect())
            }
            Some(_) | None => Cow::Owned(vec![self.job]),
        }
    }
}

/// Sets all variables of the process.
pub fn set(env: &mut Env, scope: &Scope) {
    for row in table::TABLE.iter().filter(|row| row.who & scope.who != 0) {
        if let Some(value) = (row.get)(scope) {
            env.insert(row.name.to_owned(), value);
        }
    }
}

/// The variables of an allocation, for the command that `salloc` runs.
pub fn allocation(env: &mut Env, job: &Job, ctld: &Slurmctld) {
    if job.het.is_none() {
        set(env, &Scope { ctld, job, node: None, who: who::ALLOC, task: None });
        return;
    }
    components(env, job, ctld, who::ALLOC);
    let tasks: u32 = ctld.het_components(job.id).map(|j| j.needs.ntasks).sum();
    for name in ["SLURM_NTASKS", "SLURM_NPROCS"] {
        env.insert(name.to_owned(), tasks.to_string());
    }
    for name in ["SLURM_CLUSTER_NAME", "SLURM_CONF", "SLURM_JOB_ID", "SLURM_SUBMIT_DIR", "SLURM_SUBMIT_HOST"]
    {
        let row = table::TABLE.iter().find(|row| row.name == name);
        let scope = Scope { ctld, job, node: None, who: who::ALLOC, task: None };
        if let Some(value) = row.and_then(|row| (row.get)(&scope)) {
            env.insert(name.to_owned(), value);
        }
    }
}

/// Sets `SLURM_NTASKS_HET_GROUP_1` and similar variables for each component, also under their old names.
pub fn components(env: &mut Env, job: &Job, ctld: &Slurmctld, who: u8) {
    let Some(het) = job.het else { return };
    for (i, job) in ctld.het_components(het.leader).enumerate() {
        let scope = Scope { ctld, job, node: None, who, task: None };
        let het = if who == who::ALLOC { who::HET | who::HET_ALLOC } else { who::HET };
        for row in table::TABLE.iter().filter(|row| row.who & het != 0 && row.who & who != 0) {
            let Some(value) = (row.get)(&scope) else { continue };
            env.insert(format!("{}_HET_GROUP_{i}", row.name), value.clone());
            env.insert(format!("{}_PACK_GROUP_{i}", row.name), value);
        }
    }
    env.insert("SLURM_HET_SIZE".to_owned(), het.size.to_string());
    env.insert("SLURM_PACK_SIZE".to_owned(), het.size.to_string());
}

/// `16(x2),4`: runs of equal counts folded.
#[must_use]
pub fn folded(counts: impl Iterator<Item = u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for count in counts {
        match runs.last_mut() {
            Some((value, times)) if *value == count => *times += 1,
            _ => runs.push((count, 1)),
        }
    }
    let texts: Vec<String> =
        runs.into_iter().map(|(v, n)| if n > 1 { format!("{v}(x{n})") } else { v.to_string() }).collect();
    texts.join(",")
}

/// `2(x1),4(x2)`: the same, with a count for single ones.
#[must_use]
pub fn folded_always(counts: &[u32]) -> String {
    let one = |run: &[u32]| run.first().map(|n| format!("{n}(x{})", run.len())).unwrap_or_default();
    counts.chunk_by(|a, b| a == b).map(one).collect::<Vec<_>>().join(",")
}

/// A job's SLUID. Made up, but the same in every run; it sorts by submission.
#[must_use]
pub fn sluid(job: &Job) -> String {
    format!("s{:013X}", job.submit.secs().unsigned_abs() << 12 | u64::from(job.id.0 & 0xfff))
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn folding() {
        assert_eq!(folded([16, 16, 4].into_iter()), "16(x2),4");
        assert_eq!(folded([1].into_iter()), "1");
    }
}
