//! The shortfall: how much is missing for a request to fit.

/// How far a request was from fitting at any earlier moment, at the nearest: nodes, and tasks. While fewer than that
/// come free anywhere, it still does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortfall {
    pub nodes: u32,
    pub tasks: u64,
}

impl Shortfall {
    /// Nothing is missing.
    pub(crate) const NONE: Self = Self { nodes: 0, tasks: 0 };

    /// Nothing was tried.
    pub(crate) const ANY: Self = Self { nodes: u32::MAX, tasks: u64::MAX };

    pub(crate) fn min(self, other: Self) -> Self {
        Self { nodes: self.nodes.min(other.nodes), tasks: self.tasks.min(other.tasks) }
    }

    /// More is missing than either says.
    pub(crate) fn max(self, other: Self) -> Self {
        Self { nodes: self.nodes.max(other.nodes), tasks: self.tasks.max(other.tasks) }
    }

    /// Whether it still cannot fit when so much came free.
    pub(crate) const fn survives(self, nodes: u32, tasks: u64) -> bool {
        self.nodes > nodes || self.tasks > tasks
    }

    /// What is left of it when so much came free.
    pub(crate) const fn after(self, nodes: u32, tasks: u64) -> Self {
        let nodes = if self.nodes == u32::MAX { u32::MAX } else { self.nodes.saturating_sub(nodes) };
        let tasks = if self.tasks == u64::MAX { u64::MAX } else { self.tasks.saturating_sub(tasks) };
        Self { nodes, tasks }
    }
}
