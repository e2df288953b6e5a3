//! What a job needs of the cluster, as slurmctld keeps it (`job_details`): asked for, checked, defaults filled in.

use super::desc::{Exclusive, GresReq};
use base::bitset::BitSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a job needs of a cluster, checked and with defaults filled in; made once at submission or update.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Needs {
    pub min_nodes: u32,
    /// 0: no limit.
    pub max_nodes: u32,
    /// The numbers of nodes that would do (`-N 2,4`), ascending; empty: all from `min_nodes` to `max_nodes`.
    pub node_counts: Vec<u32>,
    pub ntasks: u32,
    /// Whether `-n` (or what implies it) was given.
    pub ntasks_given: bool,
    pub cpus_per_task: u32,
    /// CPUs in all.
    pub min_cpus: u32,
    /// At most, as `scontrol update NumCPUs=1-4` says it; 0: nothing was said.
    pub max_cpus: u32,
    pub ntasks_per_node: u32,
    pub min_cpus_per_node: u32,
    /// What is asked of memory, MiB.
    pub memory: Memory,
    /// For each node.
    pub gres_per_node: Vec<GresReq>,
    /// For the job as a whole.
    pub gres_per_job: Vec<GresReq>,
    pub gres_per_task: Vec<GresReq>,
    pub gres_per_socket: Vec<GresReq>,
    pub exclusive: Option<Exclusive>,
    pub features: Option<String>,
    pub required: BitSet,
    pub excluded: BitSet,
    /// `--tmp`, MiB on each node.
    pub tmp_disk: u64,
    pub licenses: BTreeMap<String, u32>,
    /// Whether one of them is enough (`a|b`): the first that is free; in the order of the request.
    pub any_license: Vec<String>,
    pub contiguous: bool,
    pub share: bool,
    /// How many nodes it is thought to take while it waits: what squeue shows.
    pub likely_nodes: u32,
    pub shape: Shape,
    /// 0: not asked.
    pub cpus_per_gpu: u32,
    /// GRES asked for, names resolved.
    pub gres: Vec<GresNeed>,
    /// `features` resolved; none: any node.
    pub constraint: Option<Arc<Constraint>>,
    /// `--prefer` resolved: tried first.
    pub prefer: Option<Arc<Constraint>>,
    pub style: Style,
    pub core_spec: Option<u32>,
    /// The MCS label of those with whom it shares its nodes, and with nobody else.
    pub mcs: Option<String>,
    /// `--switches`: the most switches, and for how many seconds the job waits for that.
    pub switches: Option<(u32, u32)>,
    /// `--segment`: nodes of a block topology taken together; 0: not asked.
    pub segment: u32,
}

impl Needs {
    /// The most nodes that a job could take: as many as tasks where it does not say.
    #[must_use]
    pub const fn widest(&self) -> u32 {
        if self.max_nodes > 0 { self.max_nodes } else { self.ntasks }
    }
}

/// How sockets, cores and threads are wanted (`-B` and its like); 0 where nothing was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Shape {
    pub sockets: u32,
    pub cores: u32,
    /// Threads of each core that may be used.
    pub threads: u32,
    pub ntasks_per_socket: u32,
    pub ntasks_per_core: u32,
}

/// How nodes and CPUs are chosen among those that would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Style {
    /// Of a range of nodes the lower end.
    pub use_min_nodes: bool,
    /// As many nodes as there are.
    pub spread: bool,
    /// More tasks than CPUs are fine.
    pub overcommit: bool,
    /// `-m cyclic`: tasks go round over the nodes.
    pub cyclic: bool,
    /// Segments in one unit of blocks; each in a block of its own.
    pub consolidate_segments: bool,
    pub spread_segments: bool,
    /// `-m *:block`: a node's cores are taken in order instead of by sockets in turn.
    pub block_cores: bool,
    /// `--gres-flags=enforce-binding`: no cores but those near its devices.
    pub bound: bool,
}

/// GRES asked for: how many of any of the kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct GresNeed {
    /// The kinds that would do, a bit for each of [`config::Cluster::gres_kinds`].
    pub kinds: u64,
    pub count: u64,
    pub per: GresPer,
}

/// What a number of GRES is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum GresPer {
    Node,
    Job,
    Task,
    Socket,
}

/// `--constraint` over this cluster's nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
    /// Nodes that may be used at all.
    pub nodes: BitSet,
    /// At least so many of the job's nodes out of each (`[rack1*2&rack2*1]`).
    pub counts: Vec<(BitSet, u32)>,
    /// All of the job's nodes out of one of them (`[rack1|rack2]`).
    pub one_of: Vec<BitSet>,
}

/// Memory asked for, MiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Memory {
    /// Not asked and no default: all of the node where memory is counted.
    #[default]
    Unset,
    PerNode(u64),
    PerCpu(u64),
    PerGpu(u64),
}
