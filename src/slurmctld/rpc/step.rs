//! What `srun` requests from slurmctld for a step, and the response.

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
    /// The first node, as an index in the job's nodes.
    pub relative: Option<u32>,
    pub overlap: bool,
    pub exact: bool,
    pub overcommit: bool,
    pub memory: Memory,
    /// `--gres`, `--gpus-per-node`: on each node.
    pub gres: Vec<GresReq>,
    /// `--gpus`: in total.
    pub gpus: Vec<GresReq>,
    pub gpus_per_task: Vec<GresReq>,
    /// `--gres=none`.
    pub no_gres: bool,
    pub distribution: Option<String>,
    /// Where each task runs, for `--distribution=arbitrary`.
    pub hosts: Vec<String>,
    /// `--oom-kill-step`. None: as the job says.
    pub oom_kill: Option<bool>,
    /// The interactive step of `salloc`, which has no number.
    pub interactive: bool,
    /// In a heterogeneous job, the number of the step in the components before this one.
    pub number: Option<u32>,
    /// The requesting `srun`: its host and process.
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
    /// The ranks of its tasks within the step.
    pub ranks: Vec<u32>,
    /// The resources that it holds there.
    pub gets: StepHold,
    /// slurmd's tracking group.
    pub cgroup: Cgroup,
}

/// How tasks are distributed over nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deal {
    /// Fills a node before the next one gets any tasks.
    #[default]
    Block,
    /// One task to each node, round robin.
    Cyclic,
    /// This number to each node, round robin.
    Plane(u32),
    /// As given in the list of hosts.
    Arbitrary,
}

/// How tasks are distributed over nodes, and over the sockets of a node. The latter only affects displayed text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
    /// Over nodes.
    pub deal: Deal,
    /// `:cyclic` and similar, as requested.
    pub within: Option<String>,
    /// `,pack`: fills nodes one by one.
    pub pack: bool,
}

impl Distribution {
    /// Parses `--distribution`. If it does not specify the nodes, tasks are distributed cyclically when there are no
    /// more than nodes. A single task counts only if the number of tasks was specified (`asked`; 04, 83).
    #[must_use]
    pub fn read(text: Option<&str>, tasks: u32, nodes: u32, asked: bool) -> Self {
        let text = text.unwrap_or("*").to_ascii_lowercase();
        let pack = text.split(',').any(|w| w == "pack");
        let words = text.split(',').find(|w| !matches!(*w, "pack" | "nopack")).unwrap_or("*");
        let (over, within) = words.split_once(':').map_or((words, None), |(a, b)| (a, Some(b)));
        let deal = match over.split_once('=').map_or((over, ""), |(a, b)| (a, b)) {
            ("block", _) => Deal::Block,
            ("cyclic", _) => Deal::Cyclic,
            ("arbitrary", _) => Deal::Arbitrary,
            ("plane", size) => Deal::Plane(size.parse().unwrap_or(1).max(1)),
            _ if tasks <= nodes && (nodes > 1 || asked) => Deal::Cyclic,
            _ => Deal::Block,
        };
        Self { deal, within: within.filter(|w| *w != "*").map(str::to_owned), pack }
    }

    /// The value of `SLURM_DISTRIBUTION`.
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
