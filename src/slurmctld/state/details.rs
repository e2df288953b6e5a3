//! The needs of a job, as slurmctld keeps them (`job_details`): requested, checked, defaults filled in.

use super::desc::{Exclusive, GresReq};
use base::bitset::BitSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a job needs, checked and with defaults filled in. Computed once at submission or update.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Needs {
    pub min_nodes: u32,
    /// 0: no limit.
    pub max_nodes: u32,
    /// The acceptable node counts (`-N 2,4`), ascending. Empty: all from `min_nodes` to `max_nodes`.
    pub node_counts: Vec<u32>,
    pub ntasks: u32,
    /// Whether `-n`, or an option that implies it, was given.
    pub ntasks_given: bool,
    pub cpus_per_task: u32,
    /// Minimum total number of CPUs.
    pub min_cpus: u32,
    /// Maximum, as set by `scontrol update NumCPUs=1-4`; 0: not set.
    pub max_cpus: u32,
    pub ntasks_per_node: u32,
    pub min_cpus_per_node: u32,
    /// Requested memory, MiB.
    pub memory: Memory,
    /// On each node.
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
    /// With alternatives (`a|b`): the first free one is enough. In the order of the request.
    pub any_license: Vec<String>,
    pub contiguous: bool,
    pub share: bool,
    /// The estimated number of nodes while it is pending, which squeue shows.
    pub likely_nodes: u32,
    pub shape: Shape,
    /// 0: not requested.
    pub cpus_per_gpu: u32,
    /// Requested GRES, names resolved.
    pub gres: Vec<GresNeed>,
    /// `features` resolved. None: any node.
    pub constraint: Option<Arc<Constraint>>,
    /// `--prefer` resolved: tried first.
    pub prefer: Option<Arc<Constraint>>,
    pub style: Style,
    pub core_spec: Option<u32>,
    /// The MCS label: it shares nodes only with jobs of the same label.
    pub mcs: Option<String>,
    /// `--switches`: the maximum number of switches, and how many seconds the job waits for it.
    pub switches: Option<(u32, u32)>,
    /// `--segment`: nodes of a block topology allocated together; 0: not requested.
    pub segment: u32,
}

impl Needs {
    /// The largest number of nodes that a job could use: one per task unless it sets a maximum.
    #[must_use]
    pub const fn widest(&self) -> u32 {
        if self.max_nodes > 0 { self.max_nodes } else { self.ntasks }
    }
}

/// Requested sockets, cores and threads (`-B` and related options); 0 if not requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Shape {
    pub sockets: u32,
    pub cores: u32,
    /// Usable threads of each core.
    pub threads: u32,
    pub ntasks_per_socket: u32,
    pub ntasks_per_core: u32,
}

/// How to select nodes and CPUs among the suitable ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Style {
    /// Use the lower end of a range of node counts.
    pub use_min_nodes: bool,
    /// Use as many nodes as there are.
    pub spread: bool,
    /// Allow more tasks than CPUs.
    pub overcommit: bool,
    /// `-m cyclic`: distribute tasks over nodes in turn.
    pub cyclic: bool,
    /// Put all segments into one unit of blocks, each in a block of its own.
    pub consolidate_segments: bool,
    pub spread_segments: bool,
    /// `-m *:block`: take a node's cores in order instead of alternating between sockets.
    pub block_cores: bool,
    /// `--gres-flags=enforce-binding`: only cores close to the allocated devices.
    pub bound: bool,
}

/// Requested GRES: how many of any of these kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct GresNeed {
    /// The suitable kinds, one bit for each of [`config::Cluster::gres_kinds`].
    pub kinds: u64,
    pub count: u64,
    pub per: GresPer,
}

/// What a count of GRES refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum GresPer {
    Node,
    Job,
    Task,
    Socket,
}

/// `--constraint`, resolved to this cluster's nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
    /// Nodes that may be used at all.
    pub nodes: BitSet,
    /// A minimum number of the job's nodes from each set (`[rack1*2&rack2*1]`).
    pub counts: Vec<(BitSet, u32)>,
    /// All of the job's nodes from one of these sets (`[rack1|rack2]`).
    pub one_of: Vec<BitSet>,
}

/// Requested memory, MiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Memory {
    /// Not requested and no default: all of the node's memory if memory is a consumable resource.
    #[default]
    Unset,
    PerNode(u64),
    PerCpu(u64),
    PerGpu(u64),
}
