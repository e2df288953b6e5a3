//! What is missing of a place.

/// How far a request was from fitting at any earlier moment, at the nearest: nodes, and tasks. While fewer than that
/// come free anywhere, it still does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Short {
    pub nodes: u32,
    pub tasks: u64,
}

impl Short {
    /// Nothing is missing.
    pub(in super::super) const NONE: Self = Self { nodes: 0, tasks: 0 };

    /// Nothing was tried.
    pub(in super::super) const ANY: Self = Self { nodes: u32::MAX, tasks: u64::MAX };

    pub(in super::super) fn min(self, other: Self) -> Self {
        Self { nodes: self.nodes.min(other.nodes), tasks: self.tasks.min(other.tasks) }
    }

    /// More is missing than either says.
    pub(in super::super) fn max(self, other: Self) -> Self {
        Self { nodes: self.nodes.max(other.nodes), tasks: self.tasks.max(other.tasks) }
    }

    /// Whether it still cannot fit when so much came free.
    pub(in super::super) const fn survives(self, nodes: u32, tasks: u64) -> bool {
        self.nodes > nodes || self.tasks > tasks
    }

    /// What is left of it when so much came free.
    pub(in super::super) const fn after(self, nodes: u32, tasks: u64) -> Self {
        let nodes = if self.nodes == u32::MAX { u32::MAX } else { self.nodes.saturating_sub(nodes) };
        let tasks = if self.tasks == u64::MAX { u64::MAX } else { self.tasks.saturating_sub(tasks) };
        Self { nodes, tasks }
    }
}
