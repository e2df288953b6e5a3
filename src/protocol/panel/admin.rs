//! Administration panel: the current state as Slurm's commands print it, and the names a form offers.

use serde::{Deserialize, Serialize};

/// What the panel lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdminSubject {
    /// Nodes by state and reason.
    #[default]
    Nodes,
    /// Partitions.
    Partitions,
    /// Reservations.
    Reservations,
    /// Qualities of service.
    Qos,
    /// The association tree with its limits.
    Accounts,
    /// slurm.conf settings: preemption, priority weights, scheduler parameters.
    Settings,
}

/// The current state of one subject.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminPicture {
    /// What is listed.
    pub subject: AdminSubject,
    /// Headings as the command prints them.
    pub headings: Vec<String>,
    /// The first rows.
    pub rows: Vec<Vec<String>>,
    /// Total number of rows.
    pub total: u32,
    /// Names to choose from (the first of each kind).
    pub names: AdminNames,
    /// Templates for adding nodes like those of a partition.
    pub kinds: Vec<NodeKind>,
    /// Effective settings by their slurm.conf key.
    pub settings: Vec<(String, String)>,
}

/// Names to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct AdminNames {
    pub nodes: Vec<String>,
    pub partitions: Vec<String>,
    pub reservations: Vec<String>,
    pub qos: Vec<String>,
    pub accounts: Vec<String>,
    pub users: Vec<String>,
}

/// Template for more nodes like those of a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeKind {
    /// The partition.
    pub partition: String,
    /// The partition is defined with `Nodes=ALL`, so new nodes join it automatically.
    pub everywhere: bool,
    /// Node name prefix: `cpu4-`.
    pub prefix: String,
    /// The number after the largest one in use, and its number of digits.
    pub next: (u32, u32),
    /// The rest of the node's slurm.conf line: `Sockets=1 CoresPerSocket=4 ...`.
    pub shape: String,
    /// The rest of its gres.conf lines: `Name=gpu Type=a100 File=/dev/nvidia0`.
    pub gres: Vec<String>,
}
