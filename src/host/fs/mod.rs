//! The file system: inodes in copy-on-write pages, one tree for all hosts.
//!
//! Mirrors `path_resolution(7)`, `inode(7)` and the calls of section 2 that its functions are named after. Paths
//! are absolute. Which file systems there are, shared by all hosts or each host's own, says the site ([`volume`]).
//! On purpose simpler than Unix: no ACLs; built-in programs read as a short stub; of a file's content only the first
//! [`MAX_FILE`] bytes are kept, what is behind them is a size and reads as zeros.

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

pub use mount::View;
pub use volume::{Usage, Volume};

use super::errno::Errno;
use crate::base::cow::CowMap;
use crate::base::ids::{Gid, Uid};
use crate::base::time::Time;
use crate::config::FileSystem;
use recent::Recent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An inode's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ino(pub u32);

impl From<Ino> for u64 {
    fn from(ino: Ino) -> Self {
        ino.0.into()
    }
}

/// Most bytes of a file's content that are kept; a file may be larger, but reads as zeros from there on.
pub const MAX_FILE: usize = 64 << 20;
/// The content of all files together, bytes: what the simulation keeps, not what the file systems say they hold.
pub const MAX_TOTAL: usize = 256 << 20;

/// Most inodes.
pub const MAX_INODES: u64 = 200_000;
/// The root directory.
const ROOT: Ino = Ino(1);

/// A file of any kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inode {
    /// What it holds.
    pub node: Node,
    /// Permission bits, `0o644`.
    pub mode: u32,
    /// Owner.
    pub uid: Uid,
    /// Group.
    pub gid: Gid,
    /// Last change of its content.
    pub mtime: Time,
    /// How many names it has.
    pub links: u32,
    /// Which file system it is on.
    pub volume: u32,
    /// Zeros behind a file's content, bytes.
    pub hole: u64,
    /// How much of a file was never written, bytes: it takes no room on the disk.
    pub sparse: u64,
}

/// What an inode holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Node {
    /// A regular file.
    File(#[serde(with = "crate::base::pack::chunks")] Arc<Vec<u8>>),
    /// A directory: names and inodes.
    Dir(BTreeMap<String, Ino>),
    /// A symbolic link.
    Link(String),
    /// A built-in program (`/usr/bin/squeue`): its name in the table of commands.
    Program(String),
    /// A script of ours (`/usr/bin/make`): its name among [`super::scripts`].
    Script(String),
    /// The mount point of a file system of which each host has its own: the roots, by host.
    Hosts(Vec<(u32, Ino)>),
    /// A device: `null`, `zero`, `full`, `tty`, `urandom`.
    Device(Device),
}

/// A character device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Device {
    Null,
    Zero,
    Full,
    Tty,
    Urandom,
}

/// The tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fs {
    inodes: CowMap<Ino, Inode>,
    next: u32,
    /// Bytes of content of all regular files and link targets, bounded by [`MAX_TOTAL`].
    used: u64,
    volumes: CowMap<u32, Volume>,
    /// What is mounted of which each host has its own.
    own: Vec<Arc<FileSystem>>,
    /// Names of the hosts that have file systems of their own.
    hosts: Arc<Vec<Arc<str>>>,
    /// Their numbers, sorted by name.
    hosts_by_name: Vec<u32>,
    /// Whose files a path means: the host of the process that runs, an index of `hosts`.
    view: u32,
    /// The groups of each user, sorted by user; who is not listed has only the own one.
    groups: Vec<(Uid, Vec<Gid>)>,
    /// How many open files lead to an inode; a nameless inode lives as long as one does.
    open: CowMap<Ino, u32>,
    #[serde(skip)]
    recent: Recent,
}

/// What `stat` tells.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Stat {
    pub ino: Ino,
    pub kind: Kind,
    pub mode: u32,
    pub uid: Uid,
    pub gid: Gid,
    pub size: u64,
    /// Bytes on the disk, in whole blocks.
    pub disk: u64,
    pub mtime: Time,
    pub links: u32,
    /// Which file system: an index of [`Fs::volumes`].
    pub volume: u32,
}

/// An inode's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    File,
    Dir,
    Link,
    Program,
    Device,
}

/// Access asked for, as in `access(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Access {
    Read,
    Write,
    Exec,
}

impl Fs {
    /// All there is, by number.
    pub(in crate::host) const fn inodes_mut(&mut self) -> &mut CowMap<Ino, Inode> {
        &mut self.inodes
    }

    /// A tree with `/`, `/bin` -> `usr/bin`, `/dev`, `/etc`, `/home`, `/root`, `/tmp` (1777), `/usr/bin`, `/var`.
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
            recent: Recent::default(),
        };
        let root = Inode::new(Node::Dir(BTreeMap::new()), 0o755, Uid(0), now);
        // The root has room for itself.
        fs.enter_volume(Volume::root()).1.enter(&root);
        fs.inodes.insert(ROOT, root);
        // An empty tree has room for these; nothing here can fail.
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
            self.make(Uid(0), path, Node::Device(*device), 0o666, now)?;
        }
        for (path, target) in LINKS {
            self.symlink(Uid(0), target, path, now)?;
        }
        Ok(())
    }

    /// The inode itself.
    #[must_use]
    pub fn inode(&self, ino: Ino) -> Option<&Inode> {
        self.inodes.get(ino)
    }

    fn get(&self, ino: Ino) -> Result<&Inode, Errno> {
        self.inodes.get(ino).ok_or(Errno::ENOENT)
    }

    /// To change whatever it is: paths may lead elsewhere after it.
    fn get_mut(&mut self, ino: Ino) -> Result<&mut Inode, Errno> {
        self.recent = Recent::default();
        self.inodes.get_mut(ino).ok_or(Errno::ENOENT)
    }

    /// To change what a regular file holds.
    fn file_mut(&mut self, ino: Ino) -> Result<&mut Inode, Errno> {
        self.inodes.get_mut(ino).ok_or(Errno::ENOENT)
    }

    fn dir(&self, ino: Ino) -> Result<&BTreeMap<String, Ino>, Errno> {
        match &self.get(ino)?.node {
            Node::Dir(entries) => Ok(entries),
            Node::File(_)
            | Node::Link(_)
            | Node::Program(_)
            | Node::Script(_)
            | Node::Device(_)
            | Node::Hosts(_) => Err(Errno::ENOTDIR),
        }
    }

    /// The entries of a directory, to change; that changes the directory's time.
    fn dir_mut(&mut self, ino: Ino, now: Time) -> Result<&mut BTreeMap<String, Ino>, Errno> {
        let inode = self.get_mut(ino)?;
        match &mut inode.node {
            Node::Dir(entries) => {
                inode.mtime = now;
                Ok(entries)
            }
            Node::File(_)
            | Node::Link(_)
            | Node::Program(_)
            | Node::Script(_)
            | Node::Device(_)
            | Node::Hosts(_) => Err(Errno::ENOTDIR),
        }
    }

    /// `stat(2)`: links followed.
    pub fn stat(&self, uid: Uid, path: &str) -> Result<Stat, Errno> {
        self.fstat(self.lookup(uid, path)?)
    }

    /// `lstat(2)`: a last link is not followed.
    pub fn lstat(&self, uid: Uid, path: &str) -> Result<Stat, Errno> {
        self.fstat(self.find(uid, path, false)?)
    }

    /// `fstat(2)`.
    pub fn fstat(&self, ino: Ino) -> Result<Stat, Errno> {
        let inode = self.get(ino)?;
        let (kind, size, links) = match &inode.node {
            Node::File(_) | Node::Script(_) => (Kind::File, inode.size(), inode.links),
            // A directory's own are counted by those who ask for them: see [`Fs::links`].
            Node::Dir(_) => (Kind::Dir, 4096, 2),
            Node::Hosts(_) => (Kind::Dir, 4096, 2),
            Node::Link(target) => (Kind::Link, content::bytes(target.len()), inode.links),
            Node::Program(name) => (Kind::Program, content::bytes(content::stub(name).len()), inode.links),
            Node::Device(_) => (Kind::Device, 0, inode.links),
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

    /// `st_nlink`: of a directory two, and one for each directory in it.
    #[must_use]
    pub fn links(&self, stat: &Stat) -> u32 {
        let Ok(Inode { node: Node::Dir(entries), .. }) = self.get(stat.ino) else { return stat.links };
        let dirs = entries.values().filter(|entry| self.is_dir(**entry)).count();
        2 + u32::try_from(dirs).unwrap_or(u32::MAX - 2)
    }

    /// Names in a directory, sorted by bytes, without `.` and `..`.
    pub fn list(&self, uid: Uid, path: &str) -> Result<Vec<String>, Errno> {
        let ino = self.lookup(uid, path)?;
        let entries = self.dir(ino)?;
        self.permit(uid, ino, Access::Read)?;
        Ok(entries.keys().cloned().collect())
    }

    /// `readlink(2)`.
    pub fn readlink(&self, uid: Uid, path: &str) -> Result<String, Errno> {
        match &self.get(self.find(uid, path, false)?)?.node {
            Node::Link(target) => Ok(target.clone()),
            Node::File(_)
            | Node::Dir(_)
            | Node::Program(_)
            | Node::Script(_)
            | Node::Device(_)
            | Node::Hosts(_) => Err(Errno::EINVAL),
        }
    }

    /// Whether the inode is a directory, or one on each host.
    fn is_dir(&self, ino: Ino) -> bool {
        self.get(ino).is_ok_and(|inode| matches!(inode.node, Node::Dir(_) | Node::Hosts(_)))
    }

    /// `access(2)`.
    pub fn access(&self, uid: Uid, path: &str, access: Access) -> Result<(), Errno> {
        self.permit(uid, self.lookup(uid, path)?, access)
    }

    /// An open file leads to the inode from now on.
    pub(super) fn hold(&mut self, ino: Ino) {
        *self.open.or_default(ino) += 1;
    }

    /// An open file is gone; a nameless inode goes with the last one.
    pub(super) fn release(&mut self, ino: Ino) {
        if let Some(count) = self.open.get_mut(ino) {
            *count -= 1;
            if *count == 0 {
                self.open.remove(ino);
                self.drop_if_gone(ino);
            }
        }
    }

    /// Frees an inode that has neither a name nor an open file.
    fn drop_if_gone(&mut self, ino: Ino) {
        let nameless = self.inodes.get(ino).is_some_and(|inode| inode.links == 0);
        if nameless
            && !self.open.contains(ino)
            && let Some(inode) = self.inodes.remove(ino)
        {
            self.recent = Recent::default();
            self.used -= content::charge(&inode.node);
            if let Some(volume) = self.volume_mut(inode.volume) {
                volume.leave(&inode);
            }
        }
    }
}
