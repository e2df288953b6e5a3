//! Estimates the memory that a clone does not share with a later one.

use super::{Fs, Inode, InodeContent};
use std::sync::Arc;

/// Approximate bytes of an inode and of a directory entry.
const INODE: u64 = 150;
const NAME: u64 = 50;

impl Fs {
    /// Approximate bytes not shared with a later clone. Content that both have counts for neither.
    #[must_use]
    pub fn apart(&self, later: &Self) -> u64 {
        self.inodes.apart(&later.inodes, weight)
    }
}

fn weight(own: &Inode, other: Option<&Inode>) -> u64 {
    let bytes = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let content = match (&own.node, other.map(|o| &o.node)) {
        (InodeContent::File(own), Some(InodeContent::File(other))) if Arc::ptr_eq(own, other) => 0,
        (InodeContent::File(own), _) => bytes(own.len()),
        (InodeContent::Dir(names), _) => NAME * bytes(names.len()),
        (InodeContent::Link(text) | InodeContent::Program(text) | InodeContent::Script(text), _) => {
            bytes(text.len())
        }
        (InodeContent::Hosts(all), _) => 8 * bytes(all.len()),
        (InodeContent::Device(_), _) => 0,
    };
    INODE + content
}
