//! What an administrator looks at and changes: how things stand, as Slurm's commands show it, and the names that a form
//! offers.

use serde::{Deserialize, Serialize};

/// What is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// Nodes by state and reason.
    #[default]
    Nodes,
    /// Partitions.
    Partitions,
    /// Reservations.
    Reservations,
    /// Qualities of service.
    Qos,
    /// The tree of accounts and users, with their limits.
    Accounts,
    /// Settings of slurm.conf: preemption, weights, the scheduler's parameters.
    Settings,
}

/// How things stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminPicture {
    /// What this is about.
    pub subject: Subject,
    /// Headings, as the command prints them.
    pub headings: Vec<String>,
    /// The first rows ...
    pub rows: Vec<Vec<String>>,
    /// ... of so many.
    pub total: u32,
    /// Names to choose from: the first of each.
    pub names: AdminNames,
    /// What more nodes like those of a partition would be called and have.
    pub kinds: Vec<NodeKind>,
    /// Settings by their key in slurm.conf, as they are in effect.
    pub settings: Vec<(String, String)>,
}

/// Names to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct AdminNames {
    pub nodes: Vec<String>,
    pub partitions: Vec<String>,
    pub reservations: Vec<String>,
    pub qos: Vec<String>,
    pub accounts: Vec<String>,
    pub users: Vec<String>,
}

/// What nodes of a partition are like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeKind {
    /// The partition.
    pub partition: String,
    /// It has all nodes: new ones join it by themselves.
    pub everywhere: bool,
    /// `cpu4-`: what stands before a node's number.
    pub prefix: String,
    /// The number behind the largest one, and its digits.
    pub next: (u32, u32),
    /// `Sockets=1 CoresPerSocket=4 ...`: the rest of its line in slurm.conf.
    pub shape: String,
    /// `Name=gpu Type=a100 File=/dev/nvidia0`: the rest of its lines in gres.conf.
    pub gres: Vec<String>,
}
