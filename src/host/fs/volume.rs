//! What is on a file system, and whose: the room for it, and quotas (`quotactl(2)`: hard limits of bytes and files
//! for each user).

use super::{Errno, Fs, Inode, Node};
use crate::base::ids::Uid;
use crate::base::time::Time;
use crate::config::FileSystem;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a block of a disk holds, bytes.
const BLOCK: u64 = 4096;

/// What somebody has on a file system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Bytes, in whole blocks.
    pub bytes: u64,
    /// Files of any kind.
    pub files: u64,
}

/// A file system as it is mounted: one for all hosts, or one of a host.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Volume {
    /// Where it is mounted, how large it is, its quota.
    pub what: Arc<FileSystem>,
    /// Whose it is, an index of the tree's hosts; none: shared by all.
    pub host: Option<u32>,
    /// All of it.
    pub used: Usage,
    /// By user, sorted.
    users: Vec<(Uid, Usage)>,
}

impl Volume {
    /// An empty one.
    pub(super) const fn new(what: Arc<FileSystem>, host: Option<u32>) -> Self {
        Self { what, host, used: Usage { bytes: 0, files: 0 }, users: Vec::new() }
    }

    /// The one that the tree begins on.
    pub(super) fn root() -> Self {
        Self::new(Arc::new(FileSystem::root()), None)
    }

    /// What a user has here.
    #[must_use]
    pub fn usage(&self, uid: Uid) -> Usage {
        let at = self.users.binary_search_by_key(&uid, |(user, _)| *user);
        at.ok().and_then(|at| self.users.get(at)).map_or_else(Usage::default, |(_, usage)| *usage)
    }

    /// Everybody who has something here, with what.
    pub fn users(&self) -> impl Iterator<Item = (Uid, Usage)> {
        self.users.iter().copied()
    }

    /// Whether a user may have so much more: `EDQUOT` beyond the quota, `ENOSPC` beyond the disk.
    pub(super) fn admit(&self, uid: Uid, bytes: u64, files: u64) -> Result<(), Errno> {
        let own = self.usage(uid);
        let over = |limit: Option<u64>, amount: u64| limit.is_some_and(|limit| amount > limit);
        let exempt = uid == Uid(0);
        if !exempt
            && (bytes > 0 && over(self.what.quota, own.bytes.saturating_add(bytes))
                || files > 0 && over(self.what.quota_files, own.files + files))
        {
            return Err(Errno::EDQUOT);
        }
        let full = bytes > 0 && self.used.bytes.saturating_add(bytes) > self.what.size;
        if full { Err(Errno::ENOSPC) } else { Ok(()) }
    }

    fn of(&mut self, uid: Uid) -> Option<&mut Usage> {
        let at = match self.users.binary_search_by_key(&uid, |(user, _)| *user) {
            Ok(at) => at,
            Err(at) => {
                self.users.insert(at, (uid, Usage::default()));
                at
            }
        };
        self.users.get_mut(at).map(|(_, usage)| usage)
    }

    /// A file's size changed from one number of bytes on the disk to another.
    pub(super) fn resize(&mut self, uid: Uid, old: u64, new: u64) {
        self.used.bytes = self.used.bytes - old + new;
        if let Some(usage) = self.of(uid) {
            usage.bytes = usage.bytes - old + new;
        }
    }

    /// A file is here from now on.
    pub(super) fn enter(&mut self, inode: &Inode) {
        self.used.files += 1;
        if let Some(usage) = self.of(inode.uid) {
            usage.files += 1;
        }
        self.resize(inode.uid, 0, inode.disk());
    }

    /// A file is no longer here.
    pub(super) fn leave(&mut self, inode: &Inode) {
        self.resize(inode.uid, inode.disk(), 0);
        self.used.files -= 1;
        if let Some(usage) = self.of(inode.uid) {
            usage.files -= 1;
        }
        self.users.retain(|(_, usage)| usage.files > 0);
    }
}

impl Inode {
    /// A fresh one, on the first file system.
    pub(super) const fn new(node: Node, mode: u32, uid: Uid, now: Time) -> Self {
        let gid = crate::base::ids::Gid(uid.0);
        Self { node, mode, uid, gid, mtime: now, links: 1, volume: 0, hole: 0, sparse: 0 }
    }

    /// A regular file's size, bytes; 0 of anything else.
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.node {
            Node::File(data) => super::content::bytes(data.len()).saturating_add(self.hole),
            Node::Script(name) => super::content::bytes(crate::host::scripts::length(name)),
            Node::Dir(_) | Node::Link(_) | Node::Program(_) | Node::Hosts(_) | Node::Device(_) => 0,
        }
    }

    /// Bytes on the disk, in whole blocks; short links live in their inode.
    #[must_use]
    pub fn disk(&self) -> u64 {
        match &self.node {
            Node::File(_) => (self.size() - self.sparse.min(self.size())).div_ceil(BLOCK) * BLOCK,
            Node::Dir(_) | Node::Hosts(_) => BLOCK,
            Node::Link(_) | Node::Program(_) | Node::Script(_) | Node::Device(_) => 0,
        }
    }
}

impl Fs {
    /// The file systems of all hosts, in the order in which they were mounted.
    pub fn volumes(&self) -> impl Iterator<Item = &Volume> {
        self.volumes.values()
    }

    /// A file system by the number that `stat` gives.
    #[must_use]
    pub fn volume(&self, number: u32) -> Option<&Volume> {
        self.volumes.get(number)
    }

    /// One more, with its number.
    pub(super) fn enter_volume(&mut self, volume: Volume) -> (u32, &mut Volume) {
        let number = u32::try_from(self.volumes.len()).unwrap_or(u32::MAX);
        (number, self.volumes.or_insert(number, volume))
    }

    pub(super) fn volume_mut(&mut self, number: u32) -> Option<&mut Volume> {
        self.volumes.get_mut(number)
    }

    /// The file systems that the present host sees, `/` first.
    pub fn mounted(&self) -> impl Iterator<Item = &Volume> {
        self.volumes.values().filter(|volume| volume.host.is_none_or(|host| host == self.view))
    }
}
