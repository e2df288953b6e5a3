//! Nodes and partitions: their fixed description and their current state.

use super::{Micros, QueueRow};
use serde::{Deserialize, Serialize};

/// Fixed description of the cluster. It changes only when an administrator changes the configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineInfo {
    /// Indexed by node.
    pub nodes: Vec<NodeInfo>,
    /// Indexed by partition.
    pub partitions: Vec<PartitionInfo>,
    /// Leaf switches, if topology.conf defines any.
    pub switches: Vec<SwitchInfo>,
}

/// Fixed description of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct NodeInfo {
    pub name: String,
    /// CPUs as Slurm counts them (cores or hardware threads).
    pub cpus: u32,
    pub cores: u32,
    pub memory_mib: u64,
    pub gpus: u32,
    pub gpu_kind: String,
    /// Indices into `Started::partitions`.
    pub partitions: Vec<u32>,
    /// Removed from the configuration. It keeps its index and is not shown.
    pub gone: bool,
}

/// A leaf switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct SwitchInfo {
    pub name: String,
    /// Indices into `Started::nodes`.
    pub nodes: Vec<u32>,
}

/// Fixed description of a partition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct PartitionInfo {
    pub name: String,
    pub is_default: bool,
    pub time_limit: String,
    /// Indices into `Started::nodes`.
    pub nodes: Vec<u32>,
}

/// Nodes whose appearance changed since the previous frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellChanges {
    /// Discard all earlier cells. With very many nodes, the rest follows in the next frames.
    pub all: bool,
    /// Changed nodes by index.
    pub cells: Vec<(u32, NodeCell)>,
}

/// Current state of one node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct NodeCell {
    /// As sinfo prints it, with its suffix: `idle`, `mix`, `alloc`, `drng`, `down*`.
    pub state: String,
    /// Core ownership as runs in core order; `job` 0 is free.
    pub cores: Vec<CoreRun>,
    pub mem_used_mib: u64,
    /// The job on each GPU (0: free).
    pub gpus: Vec<u32>,
}

/// The cluster's load over some time: means of equal intervals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClusterLoad {
    /// Start of the first interval.
    pub from: Micros,
    /// End of the last one.
    pub until: Micros,
    /// Allocated CPUs, in thousandths of all.
    pub cpus: Vec<u16>,
    /// Allocated GPUs, in thousandths of all.
    pub gpus: Vec<u16>,
    /// Pending jobs.
    pub pending: Vec<u32>,
}

/// Consecutive cores of one job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct CoreRun {
    /// Number of cores.
    pub count: u32,
    /// Job ID (0: free).
    pub job: u32,
    /// Index into `Started::users`, for the hue.
    pub user: u32,
    pub completing: bool,
    pub suspended: bool,
}

/// A node's details.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct NodeDetail {
    pub name: String,
    pub state: String,
    pub reason: String,
    pub features: String,
    pub gres: String,
    pub cpus: u32,
    pub cpus_used: u32,
    pub mem_mib: u64,
    pub mem_used_mib: u64,
    pub partitions: Vec<String>,
    pub jobs: Vec<QueueRow>,
}
