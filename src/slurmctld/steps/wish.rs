//! What `srun` asks of slurmctld for a step, and what it is answered.

use super::layout::Distribution;
use super::record::StepHold;
use crate::base::ids::{Cgroup, JobId, Pid, StepId};
use crate::slurmctld::desc::GresReq;
use crate::slurmctld::details::Memory;
use serde::{Deserialize, Serialize};

/// `srun`'s wish within an allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct StepDesc {
    pub job: JobId,
    pub name: String,
    pub submit_line: String,
    pub ntasks: Option<u32>,
    pub ntasks_per_node: Option<u32>,
    pub min_nodes: Option<u32>,
    pub max_nodes: Option<u32>,
    pub cpus_per_task: Option<u32>,
    pub nodelist: Option<String>,
    pub exclude: Option<String>,
    /// The first node, counted within the job.
    pub relative: Option<u32>,
    pub overlap: bool,
    pub exact: bool,
    pub overcommit: bool,
    pub memory: Memory,
    /// `--gres`, `--gpus-per-node`: on each node.
    pub gres: Vec<GresReq>,
    /// `--gpus`: altogether.
    pub gpus: Vec<GresReq>,
    pub gpus_per_task: Vec<GresReq>,
    /// `--gres=none`.
    pub no_gres: bool,
    pub distribution: Option<String>,
    /// Where each task runs, for `--distribution=arbitrary`.
    pub hosts: Vec<String>,
    /// `--oom-kill-step`; none: as the job says.
    pub oom_kill: Option<bool>,
    /// The interactive step of `salloc`, which has no number.
    pub interactive: bool,
    /// The number that the step has in the components of a heterogeneous job before this one.
    pub number: Option<u32>,
    /// The `srun` that asks: its host and process.
    pub client: (String, Pid),
}

/// Where a step's tasks run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct StepLayout {
    pub step: StepId,
    pub distribution: Distribution,
    pub nodes: Vec<StepNode>,
}

/// A step's part on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct StepNode {
    pub name: String,
    /// Numbers of its tasks within the step.
    pub ranks: Vec<u32>,
    /// What it has got there.
    pub gets: StepHold,
    /// slurmd's tracking group.
    pub cgroup: Cgroup,
}
