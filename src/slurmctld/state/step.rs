//! What slurmctld stores about a job's steps.

use base::bitset::BitSet;
use base::ids::{NodeId, Pid, StepNum, Uid};
use base::process::Fd;
use base::signal::Signal;
use base::state::{ExitCode, JobState};
use base::time::Time;
use base::tres::Tres;
use base::usage::Usage;
use serde::{Deserialize, Serialize};

/// A step of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct StepRecord {
    pub num: StepNum,
    pub name: String,
    pub state: JobState,
    pub start: Time,
    pub end: Option<Time>,
    /// None if it was never reported because its node was lost.
    pub exit: Option<ExitCode>,
    pub tasks: u32,
    /// Its nodes, with the number of CPUs on each.
    pub nodes: Vec<(NodeId, u32)>,
    /// The numbers of the tasks on each node.
    pub ranks: Vec<Vec<u32>>,
    pub tres: Tres,
    /// Its usage, once it has ended.
    pub usage: Usage,
    pub submit_line: String,
    /// The user who ended it with `scancel 12.0`.
    pub ended_by: Option<Uid>,
    /// The last terminating signal that it got, and when. slurmstepd reports it in the output.
    pub last_signal: Option<(Time, Signal)>,
    /// What it holds of the job's resources until its end. Empty if it shares them (`--overlap`).
    pub holds: Vec<StepHold>,
    /// An OOM kill ends the whole step, not one process.
    pub oom_kill: bool,
    /// `gres/gpu:1`, as asked for on each node.
    pub tres_per_node: String,
    /// How its tasks are distributed: `block`.
    pub distribution: String,
    /// The `srun` that started it: host and process.
    pub client: Option<(String, Pid)>,
    /// Processes of `sattach` that get its output, each with descriptors for standard output and error.
    pub listeners: Vec<(Pid, [Fd; 2])>,
}

/// What a step holds of the job's allocation on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct StepHold {
    pub node: NodeId,
    pub cpus: u32,
    /// MiB; 0: all of the job's memory.
    pub memory: u64,
    pub cores: BitSet,
    /// `(index in the node's GRES list, device indices)`.
    pub gres: Vec<(u32, BitSet)>,
}

/// An `srun` that waits for resources in its job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct WaitingStep {
    pub client: (String, Pid),
    pub nodes: Vec<NodeId>,
    pub tasks: u32,
    pub cpus: u32,
}

impl StepRecord {
    /// The distribution as `scontrol` prints it: `Cyclic`, `Block:Cyclic`.
    #[must_use]
    pub fn distribution_shown(&self) -> String {
        let word = |w: &str| {
            let mut letters = w.chars();
            letters.next().map_or_else(String::new, |c| c.to_ascii_uppercase().to_string() + letters.as_str())
        };
        self.distribution.split(':').map(word).collect::<Vec<_>>().join(":")
    }

    /// A step that starts now.
    #[must_use]
    pub fn new(num: StepNum, name: String, start: Time) -> Self {
        Self {
            num,
            name,
            state: JobState::Running,
            start,
            end: None,
            exit: Some(ExitCode::default()),
            tasks: 1,
            nodes: Vec::new(),
            ranks: Vec::new(),
            tres: Tres::default(),
            usage: Usage::default(),
            submit_line: String::new(),
            ended_by: None,
            last_signal: None,
            holds: Vec::new(),
            oom_kill: false,
            tres_per_node: String::new(),
            distribution: String::new(),
            client: None,
            listeners: Vec::new(),
        }
    }
}
