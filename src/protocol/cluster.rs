//! Nodes and partitions: what does not change of them, and how they stand.

use super::QueueRow;
use serde::{Deserialize, Serialize};

/// What there is: it stays as it is until an administrator changes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineInfo {
    /// By their index.
    pub nodes: Vec<NodeInfo>,
    /// By their index.
    pub partitions: Vec<PartitionInfo>,
    /// Switches of the lowest level, where topology.conf names them.
    pub switches: Vec<SwitchInfo>,
}

/// What does not change about a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct NodeInfo {
    pub name: String,
    pub cpus: u32,
    pub cores: u32,
    pub memory_mib: u64,
    pub gpus: u32,
    pub gpu_kind: String,
    /// Indices into `Started::partitions`.
    pub partitions: Vec<u32>,
    /// It was taken out of the files: it keeps its index and is not shown.
    pub gone: bool,
}

/// A switch that nodes hang on directly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct SwitchInfo {
    pub name: String,
    /// Indices into `Started::nodes`.
    pub nodes: Vec<u32>,
}

/// What does not change about a partition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PartitionInfo {
    pub name: String,
    pub is_default: bool,
    pub time_limit: String,
    /// Indices into `Started::nodes`.
    pub nodes: Vec<u32>,
}

/// Nodes that look otherwise than in the frame before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellChanges {
    /// What was known before counts no more; where there are very many nodes the rest follows with the next frames.
    pub all: bool,
    /// Nodes by their index.
    pub cells: Vec<(u32, NodeCell)>,
}

/// One node now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct NodeCell {
    /// As sinfo shows it in small letters with its suffix: `idle`, `mix`, `alloc`, `drng`, `down*`.
    pub state: String,
    /// Who holds which cores: runs in core order, `job` 0 is free.
    pub cores: Vec<CoreRun>,
    pub mem_used_mib: u64,
    /// For each GPU the job that has it (0: free).
    pub gpus: Vec<u32>,
}

/// So many cores in a row that belong to one job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct CoreRun {
    pub count: u32,
    /// The job's id (0: free).
    pub job: u32,
    /// Index into `Started::users`, for the hue.
    pub user: u32,
    pub completing: bool,
    pub suspended: bool,
}

/// A node's details.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
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
