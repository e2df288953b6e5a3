//! Invariants of the tree, for tests.

use super::{DiskUsage, Fs, Ino, InodeContent, MAX_TOTAL, ROOT, content};

/// The number of names of each inode. A table, because random worlds check every file after every event.
#[derive(Default)]
struct NameCounts(Vec<u32>);

impl NameCounts {
    fn count(&mut self, ino: Ino) {
        let index = u64::from(ino) as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        if let Some(names) = self.0.get_mut(index) {
            *names += 1;
        }
    }

    /// The number of an inode's names, which are no longer counted then.
    fn take(&mut self, number: u64) -> u32 {
        usize::try_from(number).ok().and_then(|index| self.0.get_mut(index)).map_or(0, std::mem::take)
    }
}

impl Fs {
    /// Appends a sentence for each violated invariant.
    pub(crate) fn check(&self, wrong: &mut Vec<String>) {
        let mut names = NameCounts::default();
        names.count(ROOT);
        let mut used = 0;
        let mut volumes: Vec<DiskUsage> = self.volumes.values().map(|_| DiskUsage::default()).collect();
        for (_, inode) in self.inodes.iter() {
            used += content::charge(&inode.node);
            if let Some(volume) = volumes.get_mut(inode.volume as usize) {
                volume.bytes += inode.disk();
                volume.files += 1;
            }
            if let InodeContent::Hosts(roots) = &inode.node {
                roots.iter().for_each(|(_, root)| names.count(*root));
            }
            if let InodeContent::Dir(entries) = &inode.node {
                entries.values().for_each(|entry| names.count(*entry));
            }
        }
        if used != self.used || used > MAX_TOTAL as u64 {
            wrong.push(format!("{used} bytes in files, {} accounted", self.used));
        }
        for (volume, found) in self.volumes.values().zip(volumes) {
            let of_users = volume.users().map(|(_, usage)| usage.bytes).sum::<u64>();
            if volume.used != found || of_users != found.bytes {
                wrong.push(format!("{}: {found:?} found, {:?} accounted", volume.what.path, volume.used));
            }
        }
        for (number, inode) in self.inodes.iter() {
            let found = names.take(number);
            if found != inode.links {
                wrong.push(format!("inode {number} has {found} names and counts {}", inode.links));
            }
            let open = u32::try_from(number).is_ok_and(|ino| self.open.contains(Ino(ino)));
            if inode.links == 0 && !open {
                wrong.push(format!("inode {number} has neither a name nor an open file"));
            }
        }
        if let Some(number) = names.0.iter().position(|names| *names > 0) {
            wrong.push(format!("inode {number} has a name and does not exist"));
        }
        for (number, count) in self.open.iter() {
            let inode = u32::try_from(number).ok().and_then(|ino| self.inodes.get(Ino(ino)));
            if *count == 0 || inode.is_none() {
                wrong.push(format!("inode {number} is open {count} times and wrong"));
            }
        }
    }

    /// The tree's count of open files for each inode.
    pub(crate) fn open_counts(&self) -> impl Iterator<Item = (Ino, u32)> {
        self.open.iter().filter_map(|(ino, count)| Some((Ino(u32::try_from(ino).ok()?), *count)))
    }
}
