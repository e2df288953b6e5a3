//! What a copy takes in memory beside a later one.

use super::{Fs, Inode, Node};
use std::sync::Arc;

/// Bytes of an inode, and of a name in a directory, roughly.
const INODE: u64 = 150;
const NAME: u64 = 50;

impl Fs {
    /// Bytes that this copy has for itself beside a later one, roughly. Content that both have counts for neither.
    #[must_use]
    pub fn apart(&self, later: &Self) -> u64 {
        self.inodes.apart(&later.inodes, weight)
    }
}

fn weight(own: &Inode, other: Option<&Inode>) -> u64 {
    let bytes = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let content = match (&own.node, other.map(|o| &o.node)) {
        (Node::File(own), Some(Node::File(other))) if Arc::ptr_eq(own, other) => 0,
        (Node::File(own), _) => bytes(own.len()),
        (Node::Dir(names), _) => NAME * bytes(names.len()),
        (Node::Link(text) | Node::Program(text) | Node::Script(text), _) => bytes(text.len()),
        (Node::Hosts(all), _) => 8 * bytes(all.len()),
        (Node::Device(_), _) => 0,
    };
    INODE + content
}
