//! Usage and quotas of file systems (`quotactl(2)`: hard limits of bytes and files per user).

use super::{Errno, Fs, Inode, InodeContent};
use base::ids::Uid;
use base::time::Time;
use config::FileSystem;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Block size in bytes.
const BLOCK: u64 = 4096;

/// Usage of a file system, in total or by a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskUsage {
    /// Bytes, in whole blocks.
    pub bytes: u64,
    /// Number of inodes.
    pub files: u64,
}

/// A mounted file system: shared by all hosts, or the instance of one host.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Volume {
    /// Mount point, size and quota.
    pub what: Arc<FileSystem>,
    /// The host, an index of the tree's hosts; `None` if shared.
    pub host: Option<u32>,
    /// Total usage.
    pub used: DiskUsage,
    /// By user, sorted.
    users: Vec<(Uid, DiskUsage)>,
}

impl Volume {
    /// An empty file system.
    pub(super) const fn new(what: Arc<FileSystem>, host: Option<u32>) -> Self {
        Self { what, host, used: DiskUsage { bytes: 0, files: 0 }, users: Vec::new() }
    }

    /// The root file system.
    pub(super) fn root() -> Self {
        Self::new(Arc::new(FileSystem::root()), None)
    }

    /// A user's usage.
    #[must_use]
    pub fn usage(&self, uid: Uid) -> DiskUsage {
        let at = self.users.binary_search_by_key(&uid, |(user, _)| *user);
        at.ok().and_then(|at| self.users.get(at)).map_or_else(DiskUsage::default, |(_, usage)| *usage)
    }

    /// All users with files here, with their usage.
    pub fn users(&self) -> impl Iterator<Item = (Uid, DiskUsage)> {
        self.users.iter().copied()
    }

    /// Whether a user may allocate more: `EDQUOT` beyond the quota, `ENOSPC` beyond the capacity.
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

    fn of(&mut self, uid: Uid) -> Option<&mut DiskUsage> {
        let at = match self.users.binary_search_by_key(&uid, |(user, _)| *user) {
            Ok(at) => at,
            Err(at) => {
                self.users.insert(at, (uid, DiskUsage::default()));
                at
            }
        };
        self.users.get_mut(at).map(|(_, usage)| usage)
    }

    /// Updates the usage for a file whose allocated bytes changed.
    pub(super) fn resize(&mut self, uid: Uid, old: u64, new: u64) {
        self.used.bytes = self.used.bytes - old + new;
        if let Some(usage) = self.of(uid) {
            usage.bytes = usage.bytes - old + new;
        }
    }

    /// Adds a file to the usage.
    pub(super) fn enter(&mut self, inode: &Inode) {
        self.used.files += 1;
        if let Some(usage) = self.of(inode.uid) {
            usage.files += 1;
        }
        self.resize(inode.uid, 0, inode.disk());
    }

    /// Removes a file from the usage.
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
    /// A new inode on the root file system.
    pub(super) const fn new(node: InodeContent, mode: u32, uid: Uid, now: Time) -> Self {
        let gid = base::ids::Gid(uid.0);
        Self { node, mode, uid, gid, mtime: now, links: 1, volume: 0, hole: 0, sparse: 0 }
    }

    /// Size of a regular file in bytes; 0 for other types.
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.node {
            InodeContent::File(data) => super::content::bytes(data.len()).saturating_add(self.hole),
            InodeContent::Script(name) => super::content::bytes(crate::scripts::length(name)),
            InodeContent::Dir(_)
            | InodeContent::Link(_)
            | InodeContent::Program(_)
            | InodeContent::Hosts(_)
            | InodeContent::Device(_) => 0,
        }
    }

    /// Allocated bytes in whole blocks; short symbolic links are stored in their inode.
    #[must_use]
    pub fn disk(&self) -> u64 {
        match &self.node {
            InodeContent::File(_) => (self.size() - self.sparse.min(self.size())).div_ceil(BLOCK) * BLOCK,
            InodeContent::Dir(_) | InodeContent::Hosts(_) => BLOCK,
            InodeContent::Link(_)
            | InodeContent::Program(_)
            | InodeContent::Script(_)
            | InodeContent::Device(_) => 0,
        }
    }
}

impl Fs {
    /// The file systems of all hosts in mount order.
    pub fn volumes(&self) -> impl Iterator<Item = &Volume> {
        self.volumes.values()
    }

    /// A file system by its number from `stat`.
    #[must_use]
    pub fn volume(&self, number: u32) -> Option<&Volume> {
        self.volumes.get(number)
    }

    /// Adds a file system; returns its number.
    pub(super) fn enter_volume(&mut self, volume: Volume) -> (u32, &mut Volume) {
        let number = u32::try_from(self.volumes.len()).unwrap_or(u32::MAX);
        (number, self.volumes.or_insert(number, volume))
    }

    pub(super) fn volume_mut(&mut self, number: u32) -> Option<&mut Volume> {
        self.volumes.get_mut(number)
    }

    /// The file systems visible to the current host, `/` first.
    pub fn mounted(&self) -> impl Iterator<Item = &Volume> {
        self.volumes.values().filter(|volume| volume.host.is_none_or(|host| host == self.view))
    }
}
