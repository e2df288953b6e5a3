//! The node table: all nodes, and the indices over them.
//!
//! Nodes can be read freely. They change only through the edits in [`super::edit`], applied by [`NodeTable::apply`],
//! which marks the node as changed for the availability (see [`NodeTable::take_changed`]); [`NodeTable::settle`] then
//! updates the indices.

use super::edit::NodeEdit;
use super::node::Node;
use base::bitset::BitSet;
use base::cow_set::CowSet;
use base::ids::{JobId, NodeId};
use base::shared::{Iter, Shared};
use base::time::Time;
use std::ops::Deref;

/// The node table. See the module.
#[derive(Clone, Debug, Default)]
pub struct NodeTable {
    nodes: Shared<Node>,
    index: NodeIndex,
    /// Nodes whose free resources may have changed since the availability was last updated.
    changed: BitSet,
}

/// Indices over nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeIndex {
    /// Nodes that do not respond, by the time at which they are set down.
    pub silent: CowSet<(Time, NodeId)>,
    /// Nodes on which jobs may start.
    pub available: BitSet,
    /// Nodes with a completing job. No other job starts there meanwhile.
    pub completing: BitSet,
    /// Nodes by the time of their next event.
    pub due: CowSet<(Time, NodeId)>,
}

/// Reading is unrestricted.
impl Deref for NodeTable {
    type Target = Shared<Node>;

    fn deref(&self) -> &Self::Target {
        &self.nodes
    }
}

impl<'a> IntoIterator for &'a NodeTable {
    type Item = &'a Node;
    type IntoIter = Iter<'a, Node>;

    fn into_iter(self) -> Self::IntoIter {
        self.nodes.iter()
    }
}

impl FromIterator<Node> for NodeTable {
    fn from_iter<I: IntoIterator<Item = Node>>(nodes: I) -> Self {
        let nodes: Shared<Node> = nodes.into_iter().collect();
        let available = nodes.iter().filter(|n| n.available()).map(|n| n.id.0).collect();
        Self { nodes, index: NodeIndex { available, ..NodeIndex::default() }, changed: BitSet::new() }
    }
}

impl NodeTable {
    pub(crate) fn restore(nodes: Shared<Node>, index: NodeIndex) -> Self {
        Self { nodes, index, changed: BitSet::new() }
    }

    /// The indices.
    pub(crate) const fn index(&self) -> &NodeIndex {
        &self.index
    }

    /// Edits a node.
    pub(crate) fn apply(&mut self, id: NodeId, edit: NodeEdit<impl FnOnce(&mut Node)>) {
        edit.0(self.get_mut(id));
    }

    fn get_mut(&mut self, id: NodeId) -> &mut Node {
        self.changed.insert(id.0);
        &mut self.nodes[id.0 as usize]
    }

    /// Adds a node. The caller rebuilds what depends on the number of nodes.
    pub(crate) fn push(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// Sets whether backfill has planned the node for a job. Affects only what is shown.
    pub(crate) fn show_planned(&mut self, id: NodeId, planned: bool) {
        if self.nodes[id.0 as usize].flags.planned != planned {
            self.nodes[id.0 as usize].flags.planned = planned;
        }
    }

    /// Notes that the release times on a node have changed.
    pub(crate) fn note_changed(&mut self, id: NodeId) {
        self.changed.insert(id.0);
    }

    /// Takes the set of nodes that changed since the last call.
    pub(crate) fn take_changed(&mut self) -> BitSet {
        std::mem::take(&mut self.changed)
    }

    /// Updates the indices after changes of a node whose next event is due at `due`.
    pub(crate) fn settle(&mut self, id: NodeId, due: Option<Time>) {
        let node = &self.nodes[id.0 as usize];
        let available = node.available();
        if self.index.available.contains(id.0) != available {
            if available {
                self.index.available.insert(id.0);
            } else {
                self.index.available.remove(id.0);
            }
        }
        let old = node.due;
        if old == due {
            return;
        }
        if let Some(old) = old {
            self.index.due.remove(&(old, id));
        }
        self.get_mut(id).due = due;
        if let Some(due) = due {
            self.index.due.insert((due, id));
        }
    }

    /// Takes a node whose event is due.
    pub(crate) fn take_due(&mut self, now: Time) -> Option<NodeId> {
        let &(_, id) = self.index.due.first().filter(|s| s.0 <= now)?;
        self.index.due.pop_first();
        self.get_mut(id).due = None;
        Some(id)
    }

    /// Takes a node whose silence has reached its time-out.
    pub(crate) fn take_silent(&mut self, now: Time) -> Option<NodeId> {
        let &(_, id) = self.index.silent.first().filter(|s| s.0 <= now)?;
        self.index.silent.pop_first();
        Some(id)
    }

    /// Sets the time-out of a silent node.
    pub(crate) fn expect_silence(&mut self, id: NodeId, at: Time) {
        self.index.silent.insert((at, id));
    }

    /// Clears the time-out of a node's silence.
    pub(crate) fn forget_silence(&mut self, id: NodeId) {
        self.index.silent.retain(|s| s.1 != id);
    }

    /// A job begins to complete on a node.
    pub(crate) fn begin_completing(&mut self, id: NodeId, job: JobId, now: Time) {
        let node = self.get_mut(id);
        node.completing.insert(job, now);
        node.suspended.remove(&job);
        self.index.completing.insert(id.0);
    }

    /// A job has completed on a node. Returns false if it was not completing there.
    pub(crate) fn end_completing(&mut self, id: NodeId, job: JobId) -> bool {
        let completing = &mut self.get_mut(id).completing;
        let was = completing.remove(&job).is_some();
        if was && completing.is_empty() {
            self.index.completing.remove(id.0);
        }
        was
    }

    /// Drops part of a table that is no longer used. Returns false when nothing is left.
    pub(crate) fn drop_some(&mut self, most: usize) -> bool {
        self.nodes.drop_some(most)
    }
}
