//! The file system: inodes in copy-on-write pages, one tree for all hosts.

use super::errno::Errno;
use crate::base::cow::CowMap;
use crate::base::ids::Uid;
use crate::base::time::Time;
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

/// Largest file, bytes.
pub const MAX_FILE: usize = 64 << 20;
/// All files together, bytes.
pub const MAX_TOTAL: usize = 256 << 20;

/// A file of any kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inode {
    /// What it holds.
    pub node: Node,
    /// Permission bits, `0o644`.
    pub mode: u32,
    /// Owner; its group has the same number.
    pub uid: Uid,
    /// Last change of its content.
    pub mtime: Time,
    /// How many names it has.
    pub links: u32,
}

/// What an inode holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Node {
    /// A regular file.
    File(Arc<Vec<u8>>),
    /// A directory: names and inodes.
    Dir(BTreeMap<String, Ino>),
    /// A symbolic link.
    Link(String),
    /// A built-in program (`/usr/bin/squeue`): its name in the table of commands.
    Program(String),
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
    /// Bytes in all regular files, bounded by [`MAX_TOTAL`].
    used: u64,
}

/// What `stat` tells.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Stat {
    pub ino: Ino,
    pub kind: Kind,
    pub mode: u32,
    pub uid: Uid,
    pub size: u64,
    pub mtime: Time,
    pub links: u32,
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
    /// A tree with `/`, `/bin` -> `usr/bin`, `/dev`, `/etc`, `/home`, `/root`, `/tmp` (1777), `/usr/bin`, `/var`.
    #[must_use]
    pub fn new(_now: Time) -> Self {
        todo!()
    }

    /// The inode at an absolute path, symbolic links followed (also the last one).
    pub fn lookup(&self, _uid: Uid, _path: &str) -> Result<Ino, Errno> {
        todo!()
    }

    /// `stat(2)`: links followed.
    pub fn stat(&self, _uid: Uid, _path: &str) -> Result<Stat, Errno> {
        todo!()
    }

    /// `lstat(2)`: a last link is not followed.
    pub fn lstat(&self, _uid: Uid, _path: &str) -> Result<Stat, Errno> {
        todo!()
    }

    /// The inode itself.
    #[must_use]
    pub fn inode(&self, _ino: Ino) -> Option<&Inode> {
        todo!()
    }

    /// A whole regular file.
    pub fn read(&self, _uid: Uid, _path: &str) -> Result<Arc<Vec<u8>>, Errno> {
        todo!()
    }

    /// Creates or replaces a regular file with mode `mode` (an existing file keeps its mode and owner).
    pub fn write(
        &mut self,
        _uid: Uid,
        _path: &str,
        _data: &[u8],
        _mode: u32,
        _now: Time,
    ) -> Result<Ino, Errno> {
        todo!()
    }

    /// Writes at an offset (a gap is filled with zeros); the new size is bounded.
    pub fn write_at(&mut self, _ino: Ino, _offset: u64, _data: &[u8], _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// Empties a regular file.
    pub fn truncate(&mut self, _ino: Ino, _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// Creates an empty regular file; `EEXIST` if the name is taken.
    pub fn create(&mut self, _uid: Uid, _path: &str, _mode: u32, _now: Time) -> Result<Ino, Errno> {
        todo!()
    }

    /// Installs a built-in program, as root.
    pub fn install(&mut self, _path: &str, _program: &str, _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// `mkdir(2)`.
    pub fn mkdir(&mut self, _uid: Uid, _path: &str, _mode: u32, _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// `mkdir -p`, as root, the last directory then owned by `owner`.
    pub fn mkdir_all(&mut self, _path: &str, _owner: Uid, _mode: u32, _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// `unlink(2)`: files and links.
    pub fn unlink(&mut self, _uid: Uid, _path: &str, _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// `rmdir(2)`.
    pub fn rmdir(&mut self, _uid: Uid, _path: &str, _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// `rename(2)`.
    pub fn rename(&mut self, _uid: Uid, _from: &str, _to: &str, _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// `symlink(2)`.
    pub fn symlink(&mut self, _uid: Uid, _target: &str, _path: &str, _now: Time) -> Result<(), Errno> {
        todo!()
    }

    /// `chmod(2)`.
    pub fn chmod(&mut self, _uid: Uid, _path: &str, _mode: u32) -> Result<(), Errno> {
        todo!()
    }

    /// `chown(2)`; only root may.
    pub fn chown(&mut self, _uid: Uid, _path: &str, _owner: Uid) -> Result<(), Errno> {
        todo!()
    }

    /// Sets the time of the last change; only the owner and root may.
    pub fn touch(&mut self, _uid: Uid, _path: &str, _mtime: Time) -> Result<(), Errno> {
        todo!()
    }

    /// Names in a directory, sorted by bytes, without `.` and `..`.
    pub fn list(&self, _uid: Uid, _path: &str) -> Result<Vec<String>, Errno> {
        todo!()
    }

    /// `readlink(2)`.
    pub fn readlink(&self, _uid: Uid, _path: &str) -> Result<String, Errno> {
        todo!()
    }

    /// `access(2)`.
    pub fn access(&self, _uid: Uid, _path: &str, _access: Access) -> Result<(), Errno> {
        todo!()
    }
}
