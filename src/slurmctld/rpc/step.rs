//! What `srun` asks of slurmctld for a step, and what it is answered.

use crate::state::desc::GresReq;
use crate::state::details::Memory;
use crate::state::step::StepHold;
use base::ids::{Cgroup, JobId, Pid, StepId};
use serde::{Deserialize, Serialize};

/// `srun`'s request within an allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
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
#[allow(missing_docs, reason = "the names say it")]
pub struct StepLayout {
    pub step: StepId,
    pub distribution: Distribution,
    pub nodes: Vec<StepNode>,
}

/// A step's part on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct StepNode {
    pub name: String,
    /// Numbers of its tasks within the step.
    pub ranks: Vec<u32>,
    /// What it has got there.
    pub gets: StepHold,
    /// slurmd's tracking group.
    pub cgroup: Cgroup,
}

/// How tasks are dealt over nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deal {
    /// A node is filled before the next one gets any.
    #[default]
    Block,
    /// One to each node, round after round.
    Cyclic,
    /// So many to each node, round after round.
    Plane(u32),
    /// As the list of hosts says.
    Arbitrary,
}

/// How tasks are dealt over nodes, and over the sockets of a node, which shows in texts only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
    /// Over nodes.
    pub deal: Deal,
    /// `:cyclic` and the like, as asked for.
    pub within: Option<String>,
    /// `,pack`: nodes are filled one by one.
    pub pack: bool,
}

impl Distribution {
    /// Reads `--distribution`; where it leaves the nodes open, tasks that are no more than nodes are dealt in turns.
    #[must_use]
    pub fn read(text: Option<&str>, tasks: u32, nodes: u32) -> Self {
        let text = text.unwrap_or("*").to_ascii_lowercase();
        let pack = text.split(',').any(|w| w == "pack");
        let words = text.split(',').find(|w| !matches!(*w, "pack" | "nopack")).unwrap_or("*");
        let (over, within) = words.split_once(':').map_or((words, None), |(a, b)| (a, Some(b)));
        let deal = match over.split_once('=').map_or((over, ""), |(a, b)| (a, b)) {
            ("block", _) => Deal::Block,
            ("cyclic", _) => Deal::Cyclic,
            ("arbitrary", _) => Deal::Arbitrary,
            ("plane", size) => Deal::Plane(size.parse().unwrap_or(1).max(1)),
            _ if tasks <= nodes && nodes > 1 => Deal::Cyclic,
            _ => Deal::Block,
        };
        Self { deal, within: within.filter(|w| *w != "*").map(str::to_owned), pack }
    }

    /// What `SLURM_DISTRIBUTION` says.
    #[must_use]
    pub fn text(&self) -> String {
        let over = match self.deal {
            Deal::Block => "block",
            Deal::Cyclic => "cyclic",
            Deal::Plane(_) => "plane",
            Deal::Arbitrary => "arbitrary",
        };
        self.within.as_ref().map_or_else(|| over.to_owned(), |within| format!("{over}:{within}"))
    }
}
