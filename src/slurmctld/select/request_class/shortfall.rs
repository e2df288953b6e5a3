//! The shortfall: how much is missing for a request to fit.

/// The smallest amount that was missing at any earlier moment, in nodes and in tasks. While fewer nodes or tasks are released, the
/// request still does not fit at these moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortfall {
    pub nodes: u32,
    pub tasks: u64,
}

impl Shortfall {
    /// Nothing is missing.
    pub(crate) const NONE: Self = Self { nodes: 0, tasks: 0 };

    /// Before any search.
    pub(crate) const ANY: Self = Self { nodes: u32::MAX, tasks: u64::MAX };

    pub(crate) fn min(self, other: Self) -> Self {
        Self { nodes: self.nodes.min(other.nodes), tasks: self.tasks.min(other.tasks) }
    }

    /// The larger of both in nodes and in tasks.
    pub(crate) fn max(self, other: Self) -> Self {
        Self { nodes: self.nodes.max(other.nodes), tasks: self.tasks.max(other.tasks) }
    }

    /// Whether the request still does not fit after this much was released.
    pub(crate) const fn survives(self, nodes: u32, tasks: u64) -> bool {
        self.nodes > nodes || self.tasks > tasks
    }

    /// What is still missing after this much was released.
    pub(crate) const fn after(self, nodes: u32, tasks: u64) -> Self {
        let nodes = if self.nodes == u32::MAX { u32::MAX } else { self.nodes.saturating_sub(nodes) };
        let tasks = if self.tasks == u64::MAX { u64::MAX } else { self.tasks.saturating_sub(tasks) };
        Self { nodes, tasks }
    }
}
