//! What must always hold of the tree.

use super::{Fs, Ino, MAX_TOTAL, Node, ROOT, content};
use std::collections::BTreeMap;

impl Fs {
    /// Adds a sentence for everything that does not hold.
    pub(in crate::host) fn check(&self, wrong: &mut Vec<String>) {
        let mut names: BTreeMap<u64, u32> = BTreeMap::from([(u64::from(ROOT), 1)]);
        let mut used = 0;
        for (number, inode) in self.inodes.iter() {
            used += content::charge(&inode.node);
            if let Node::Dir(entries) = &inode.node {
                for (name, entry) in entries {
                    *names.entry(u64::from(*entry)).or_default() += 1;
                    if self.inode(*entry).is_none() {
                        wrong.push(format!("directory {number}: {name} leads to no inode"));
                    }
                }
            }
        }
        if used != self.used || used > MAX_TOTAL as u64 {
            wrong.push(format!("{used} bytes in files, {} accounted", self.used));
        }
        for (number, inode) in self.inodes.iter() {
            let found = names.get(&number).copied().unwrap_or(0);
            if found != inode.links {
                wrong.push(format!("inode {number} has {found} names and counts {}", inode.links));
            }
            let open = u32::try_from(number).is_ok_and(|ino| self.open.contains_key(&Ino(ino)));
            if inode.links == 0 && !open {
                wrong.push(format!("inode {number} has neither a name nor an open file"));
            }
        }
        for (ino, count) in &self.open {
            if *count == 0 || self.inode(*ino).is_none() {
                wrong.push(format!("inode {} is open {count} times and wrong", ino.0));
            }
        }
    }

    /// How many open files the tree believes to lead to each inode.
    pub(in crate::host) const fn open_counts(&self) -> &BTreeMap<Ino, u32> {
        &self.open
    }
}
