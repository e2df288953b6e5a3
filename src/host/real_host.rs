//! The real machine: files that the commands of a cluster for tools share with real programs.
//!
//! Compiled only with the feature `real-host`, which the page never enables. While [`Fs::reach_real_host`] is on, paths
//! that do not belong to the simulation (`/dev`, `/etc/slurm`, `/var/spool/slurmd`) are files of a [`RealHost`].

use super::errno::Errno;
use super::fs::{Access, FileKind, Fs, Ino, Stat};
use super::kernel::OpenFlags;
use base::ids::{Gid, Uid};
use base::time::Time;
use std::fmt::Debug;
use std::sync::Arc;

/// Paths that always belong to the simulation.
const INSIDE: &[&str] = &["/etc/slurm", "/var/spool/slurmd", "/var/run/sandbatch", "/var/mail"];
/// Devices that the simulation provides.
const DEVICES: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr"];
/// The inode number of every file of the real host in [`Stat`]; no inode has it.
const NO_INODE: Ino = Ino(u32::MAX);

/// Access to the files of a machine. Paths are absolute.
pub trait RealHost: Debug {
    /// `stat(2)`: type, permission bits and size.
    fn stat(&self, path: &str) -> Result<(FileKind, u32, u64), Errno>;
    /// `access(2)`.
    fn access(&self, path: &str, access: Access) -> Result<(), Errno>;
    /// A whole file.
    fn read(&self, path: &str) -> Result<Vec<u8>, Errno>;
    /// Creates or replaces a file.
    fn replace(&self, path: &str, data: &[u8], mode: u32) -> Result<(), Errno>;
    /// Appends to an existing file.
    fn append(&self, path: &str, data: &[u8]) -> Result<(), Errno>;
    /// `mkdir(2)`.
    fn mkdir(&self, path: &str, mode: u32) -> Result<(), Errno>;
    /// `chmod(2)`.
    fn chmod(&self, path: &str, mode: u32) -> Result<(), Errno>;
    /// `unlink(2)`.
    fn unlink(&self, path: &str) -> Result<(), Errno>;
    /// `open(2)`: a number for the open file.
    fn open(&self, path: &str, flags: OpenFlags, mode: u32) -> Result<u32, Errno>;
    /// `read(2)` at the open file's position.
    fn read_open(&self, file: u32, max: usize) -> Result<Vec<u8>, Errno>;
    /// `write(2)`.
    fn write_open(&self, file: u32, data: &[u8]) -> Result<usize, Errno>;
    /// `close(2)`.
    fn close(&self, file: u32);
}

/// The outside of a tree, and whether it can be reached now.
#[derive(Clone, Debug, Default)]
pub struct RealHostLink {
    files: Option<Arc<dyn RealHost>>,
    /// Whether files of the simulation hide those of the machine.
    inside_first: bool,
    reach: bool,
}

impl Fs {
    /// Connects the tree to a machine. With `inside_first`, files of the simulation hide those of the machine.
    pub fn connect_real_host(&mut self, files: Arc<dyn RealHost>, inside_first: bool) {
        self.real_host = RealHostLink { files: Some(files), inside_first, reach: false };
    }

    /// Switches access to the machine on or off; returns the previous setting.
    pub fn reach_real_host(&mut self, on: bool) -> bool {
        std::mem::replace(&mut self.real_host.reach, on)
    }

    /// The machine's files, if one is connected.
    pub(super) fn real_host_files(&self) -> Option<&dyn RealHost> {
        self.real_host.files.as_deref()
    }

    /// The machine's files, if the path is one of them.
    pub(super) fn real_host_at(&self, uid: Uid, path: &str) -> Option<&dyn RealHost> {
        let files = self.real_host.files.as_deref().filter(|_| self.real_host.reach)?;
        let below =
            |dir: &str| path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if INSIDE.iter().chain(DEVICES).any(|dir| below(dir)) || path.starts_with("/dev/fd/") {
            return None;
        }
        let here = |path: &str| self.find_inside(uid, path).is_ok();
        if self.real_host.inside_first && (here(path) || here_only(super::path::parent(path), &here)) {
            return None;
        }
        Some(files)
    }

    /// Appends to a file of the machine, as slurmstepd writes its lines. False if the path is not one of its files.
    pub fn append_on_real_host(&mut self, path: &str, data: &[u8]) -> bool {
        let before = self.reach_real_host(true);
        let real_host = self.real_host_at(Uid(0), path);
        let is_there = real_host.is_some_and(|real_host| {
            // A full disk loses the lines, as on a real node.
            let _ = real_host.append(path, data);
            true
        });
        self.reach_real_host(before);
        is_there
    }

    pub(super) fn real_host_stat(&self, uid: Uid, path: &str) -> Option<Result<Stat, Errno>> {
        let found = self.real_host_at(uid, path)?.stat(path);
        Some(found.map(|(kind, mode, size)| Stat {
            ino: NO_INODE,
            kind,
            mode,
            uid,
            gid: Gid(uid.0),
            size,
            disk: size,
            mtime: Time::default(),
            links: 1,
            volume: 0,
        }))
    }
}

/// Whether a new file belongs to the simulation: its directory exists there and is not one that both have.
fn here_only(parent: &str, here: &impl Fn(&str) -> bool) -> bool {
    !matches!(parent, "/" | "/tmp" | "/home" | "/root" | "/var/tmp") && here(parent)
}

/// The target of a descriptor, for a program that runs on the real machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RealHostIo {
    /// An open file of the machine, by its number.
    File(u32),
    /// None: `/dev/null`, or closed.
    Null,
    /// `/dev/full`: the program itself must see its writes fail.
    Full,
    /// A target in the simulation: the data must be copied.
    Inside,
}
