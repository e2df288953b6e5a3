//! The file system: inodes in copy-on-write pages, one tree for all hosts.
//!
//! Mirrors `path_resolution(7)`, `inode(7)` and the system calls after which functions are named. Paths are
//! absolute. The site defines which file systems exist and whether hosts share them ([`volume`]).
//!
//! Deliberate differences: no ACLs; built-in programs read as a short stub; only the first [`MAX_FILE`] bytes
//! of a file's content are stored, the rest is a size and reads as zeros.

mod change;
mod check;
mod content;
mod mount;
mod recent;
#[cfg(test)]
mod tests;
mod volume;
mod walk;
mod weight;

pub use mount::HostView;
pub use volume::{DiskUsage, Volume};
pub use walk::PATH_MAX;

use super::errno::Errno;
use base::cow::CowMap;
use base::ids::{Gid, Uid};
use base::time::Time;
use config::FileSystem;
use recent::LookupCache;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An inode number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ino(pub u32);

impl From<Ino> for u64 {
    fn from(ino: Ino) -> Self {
        ino.0.into()
    }
}

/// Maximum stored bytes of a file. A file may be larger, but reads as zeros beyond.
pub const MAX_FILE: usize = 64 << 20;
/// Maximum stored bytes of all files, independent of the sizes that file systems report.
pub const MAX_TOTAL: usize = 256 << 20;

/// Maximum number of inodes.
pub const MAX_INODES: u64 = 200_000;
/// The root directory.
const ROOT: Ino = Ino(1);

/// An inode: a file of any type.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inode {
    /// Type and content.
    pub node: InodeContent,
    /// Permission bits, `0o644`.
    pub mode: u32,
    /// Owner.
    pub uid: Uid,
    /// Group.
    pub gid: Gid,
    /// Modification time.
    pub mtime: Time,
    /// Link count.
    pub links: u32,
    /// The file system it belongs to.
    pub volume: u32,
    /// Zeros after a file's stored content, bytes.
    pub hole: u64,
    /// Bytes never written, which occupy no disk blocks.
    pub sparse: u64,
}

/// Type and content of an inode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum InodeContent {
    /// A regular file.
    File(#[serde(with = "base::pack::chunks")] Arc<Vec<u8>>),
    /// A directory: inodes by name.
    Dir(BTreeMap<String, Ino>),
    /// A symbolic link.
    Link(String),
    /// A built-in program (`/usr/bin/squeue`): its name in the command table.
    Program(String),
    /// One of our scripts (`/usr/bin/make`): its name in [`super::scripts`].
    Script(String),
    /// The mount point of a per-host file system: the root directories by host.
    Hosts(Vec<(u32, Ino)>),
    /// A device: `null`, `zero`, `full`, `tty`, `urandom`.
    Device(Device),
}

/// A character device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum Device {
    Null,
    Zero,
    Full,
    Tty,
    Urandom,
    /// `/proc/cpuinfo` and `/proc/meminfo`: made when they are read.
    CpuInfo,
    MemInfo,
}

/// The file system tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fs {
    inodes: CowMap<Ino, Inode>,
    next: u32,
    /// Bytes of content of all regular files and link targets, bounded by [`MAX_TOTAL`].
    used: u64,
    volumes: CowMap<u32, Volume>,
    /// The mounted per-host file systems.
    own: Vec<Arc<FileSystem>>,
    /// Names of the hosts with file systems of their own.
    hosts: Arc<Vec<Arc<str>>>,
    /// Indices of `hosts`, sorted by name.
    hosts_by_name: Vec<u32>,
    /// The current host, an index of `hosts`: paths resolve to its file systems.
    view: u32,
    /// Supplementary groups by user, sorted. Users without an entry are only in their private group.
    groups: Vec<(Uid, Vec<Gid>)>,
    /// Open file count by inode. An unlinked inode lives while it is open.
    open: CowMap<Ino, u32>,
    #[serde(skip)]
    recent: LookupCache,
    #[cfg(feature = "real-host")]
    #[serde(skip)]
    pub(super) real_host: crate::real_host::RealHostLink,
}

/// The result of `stat`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct Stat {
    pub ino: Ino,
    pub kind: FileKind,
    /// Permission bits.
    pub mode: u32,
    pub uid: Uid,
    pub gid: Gid,
    /// Bytes.
    pub size: u64,
    /// Allocated bytes, in whole blocks.
    pub disk: u64,
    pub mtime: Time,
    /// Number of hard links.
    pub links: u32,
    /// The file system, an index of [`Fs::volumes`].
    pub volume: u32,
}

/// A file type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum FileKind {
    File,
    Dir,
    Link,
    Program,
    Device,
}

/// Requested access, as in `access(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum Access {
    Read,
    Write,
    Exec,
}

impl Fs {
    /// All inodes by number.
    pub(crate) const fn inodes_mut(&mut self) -> &mut CowMap<Ino, Inode> {
        &mut self.inodes
    }

    /// Creates a tree with `/`, `/bin` -> `usr/bin`, `/dev`, `/etc`, `/home`, `/root`, `/tmp` (1777),
    /// `/usr/bin`, `/var`.
    #[must_use]
    pub fn new(now: Time) -> Self {
        let mut fs = Self {
            inodes: CowMap::default(),
            next: ROOT.0 + 1,
            used: 0,
            volumes: CowMap::default(),
            own: Vec::new(),
            hosts: Arc::default(),
            hosts_by_name: Vec::new(),
            view: 0,
            groups: Vec::new(),
            open: CowMap::default(),
            recent: LookupCache::default(),
            #[cfg(feature = "real-host")]
            real_host: Default::default(),
        };
        let root = Inode::new(InodeContent::Dir(BTreeMap::new()), 0o755, Uid(0), now);
        // An empty volume has room for the root.
        fs.enter_volume(Volume::root()).1.enter(&root);
        fs.inodes.insert(ROOT, root);
        // An empty tree has room for these: this cannot fail.
        fs.furnish(now).unwrap_or_default();
        fs
    }

    fn furnish(&mut self, now: Time) -> Result<(), Errno> {
        const DIRS: &[(&str, u32)] = &[
            ("/dev/fd", 0o555),
            ("/etc", 0o755),
            ("/home", 0o755),
            ("/root", 0o700),
            ("/tmp", 0o1777),
            ("/usr/bin", 0o755),
            ("/usr/local/bin", 0o755),
            ("/proc", 0o555),
            ("/var/log", 0o755),
            ("/var/mail", 0o755),
            ("/var/tmp", 0o1777),
        ];
        const DEVICES: &[(&str, Device)] = &[
            ("/dev/null", Device::Null),
            ("/dev/zero", Device::Zero),
            ("/dev/full", Device::Full),
            ("/dev/tty", Device::Tty),
            ("/dev/urandom", Device::Urandom),
            ("/dev/fd/0", Device::Tty),
            ("/dev/fd/1", Device::Tty),
            ("/dev/fd/2", Device::Tty),
            ("/proc/cpuinfo", Device::CpuInfo),
            ("/proc/meminfo", Device::MemInfo),
        ];
        const LINKS: &[(&str, &str)] = &[
            ("/bin", "usr/bin"),
            ("/dev/random", "urandom"),
            ("/dev/stdin", "fd/0"),
            ("/dev/stdout", "fd/1"),
            ("/dev/stderr", "fd/2"),
        ];
        for (path, mode) in DIRS {
            self.mkdir_all(path, Uid(0), *mode, now)?;
        }
        for (path, device) in DEVICES {
            let mode = if matches!(device, Device::CpuInfo | Device::MemInfo) { 0o444 } else { 0o666 };
            self.make(Uid(0), path, InodeContent::Device(*device), mode, now)?;
        }
        for (path, target) in LINKS {
            self.symlink(Uid(0), target, path, now)?;
        }
        Ok(())
    }

    /// An inode by number.
    #[must_use]
    pub fn inode(&self, ino: Ino) -> Option<&Inode> {
        self.inodes.get(ino)
    }

    fn get(&self, ino: Ino) -> Result<&Inode, Errno> {
        self.inodes.get(ino).ok_or(Errno::ENOENT)
    }

    /// An inode, mutably; invalidates the lookup cache because paths may resolve differently afterwards.
    fn get_mut(&mut self, ino: Ino) -> Result<&mut Inode, Errno> {
        self.recent = LookupCache::default();
        self.inodes.get_mut(ino).ok_or(Errno::ENOENT)
    }

    /// A regular file's inode, mutably.
    fn file_mut(&mut self, ino: Ino) -> Result<&mut Inode, Errno> {
        self.inodes.get_mut(ino).ok_or(Errno::ENOENT)
    }

    fn dir(&self, ino: Ino) -> Result<&BTreeMap<String, Ino>, Errno> {
        match &self.get(ino)?.node {
            InodeContent::Dir(entries) => Ok(entries),
            InodeContent::File(_)
            | InodeContent::Link(_)
            | InodeContent::Program(_)
            | InodeContent::Script(_)
            | InodeContent::Device(_)
            | InodeContent::Hosts(_) => Err(Errno::ENOTDIR),
        }
    }

    /// The entries of a directory, mutably; updates its modification time.
    fn dir_mut(&mut self, ino: Ino, now: Time) -> Result<&mut BTreeMap<String, Ino>, Errno> {
        let inode = self.get_mut(ino)?;
        match &mut inode.node {
            InodeContent::Dir(entries) => {
                inode.mtime = now;
                Ok(entries)
            }
            InodeContent::File(_)
            | InodeContent::Link(_)
            | InodeContent::Program(_)
            | InodeContent::Script(_)
            | InodeContent::Device(_)
            | InodeContent::Hosts(_) => Err(Errno::ENOTDIR),
        }
    }

    /// `stat(2)`: follows symbolic links.
    pub fn stat(&self, uid: Uid, path: &str) -> Result<Stat, Errno> {
        #[cfg(feature = "real-host")]
        if let Some(found) = self.real_host_stat(uid, path) {
            return found;
        }
        self.fstat(self.lookup(uid, path)?)
    }

    /// `lstat(2)`: does not follow a symbolic link in the last component.
    pub fn lstat(&self, uid: Uid, path: &str) -> Result<Stat, Errno> {
        self.fstat(self.find(uid, path, false)?)
    }

    /// `fstat(2)`.
    pub fn fstat(&self, ino: Ino) -> Result<Stat, Errno> {
        let inode = self.get(ino)?;
        let (kind, size, links) = match &inode.node {
            InodeContent::File(_) | InodeContent::Script(_) => (FileKind::File, inode.size(), inode.links),
            // [`Fs::links`] counts a directory's subdirectories on demand.
            InodeContent::Dir(_) => (FileKind::Dir, 4096, 2),
            InodeContent::Hosts(_) => (FileKind::Dir, 4096, 2),
            InodeContent::Link(target) => (FileKind::Link, content::bytes(target.len()), inode.links),
            InodeContent::Program(name) => {
                (FileKind::Program, content::bytes(content::stub(name).len()), inode.links)
            }
            InodeContent::Device(Device::CpuInfo | Device::MemInfo) => (FileKind::File, 0, inode.links),
            InodeContent::Device(_) => (FileKind::Device, 0, inode.links),
        };
        Ok(Stat {
            ino,
            kind,
            mode: inode.mode,
            uid: inode.uid,
            gid: inode.gid,
            size,
            disk: inode.disk(),
            mtime: inode.mtime,
            links,
            volume: inode.volume,
        })
    }

    /// `st_nlink`: for a directory, two plus the number of subdirectories.
    #[must_use]
    pub fn links(&self, stat: &Stat) -> u32 {
        let Ok(Inode { node: InodeContent::Dir(entries), .. }) = self.get(stat.ino) else {
            return stat.links;
        };
        let dirs = entries.values().filter(|entry| self.is_dir(**entry)).count();
        2 + u32::try_from(dirs).unwrap_or(u32::MAX - 2)
    }

    /// The names in a directory, sorted by bytes, without `.` and `..`.
    pub fn list(&self, uid: Uid, path: &str) -> Result<Vec<String>, Errno> {
        let ino = self.lookup(uid, path)?;
        let entries = self.dir(ino)?;
        self.permit(uid, ino, Access::Read)?;
        Ok(entries.keys().cloned().collect())
    }

    /// `readlink(2)`.
    pub fn readlink(&self, uid: Uid, path: &str) -> Result<String, Errno> {
        match &self.get(self.find(uid, path, false)?)?.node {
            InodeContent::Link(target) => Ok(target.clone()),
            InodeContent::File(_)
            | InodeContent::Dir(_)
            | InodeContent::Program(_)
            | InodeContent::Script(_)
            | InodeContent::Device(_)
            | InodeContent::Hosts(_) => Err(Errno::EINVAL),
        }
    }

    /// Whether the inode is a directory or a per-host mount point.
    fn is_dir(&self, ino: Ino) -> bool {
        self.get(ino).is_ok_and(|inode| matches!(inode.node, InodeContent::Dir(_) | InodeContent::Hosts(_)))
    }

    /// `access(2)`.
    pub fn access(&self, uid: Uid, path: &str, access: Access) -> Result<(), Errno> {
        #[cfg(feature = "real-host")]
        if let Some(real_host) = self.real_host_at(uid, path) {
            return real_host.access(path, access);
        }
        self.permit(uid, self.lookup(uid, path)?, access)
    }

    /// Increments an inode's open count.
    pub(super) fn hold(&mut self, ino: Ino) {
        *self.open.or_default(ino) += 1;
    }

    /// Decrements an inode's open count; an unlinked inode is freed with the last one.
    pub(super) fn release(&mut self, ino: Ino) {
        if let Some(count) = self.open.get_mut(ino) {
            *count -= 1;
            if *count == 0 {
                self.open.remove(ino);
                self.drop_if_gone(ino);
            }
        }
    }

    /// Frees an inode with neither a name nor an open file.
    fn drop_if_gone(&mut self, ino: Ino) {
        let nameless = self.inodes.get(ino).is_some_and(|inode| inode.links == 0);
        if nameless
            && !self.open.contains(ino)
            && let Some(inode) = self.inodes.remove(ino)
        {
            self.recent = LookupCache::default();
            self.used -= content::charge(&inode.node);
            if let Some(volume) = self.volume_mut(inode.volume) {
                volume.leave(&inode);
            }
        }
    }
}
