//! What a system may have very many of, apart from the rest: a world's bytes are made of it page by page.

use super::super::fs::{Ino, Inode};
use super::group::Group;
use super::{Kernel, OpenFile, Process};
use crate::base::cow::CowMap;
use crate::base::ids::{Cgroup, Pid};

/// Processes, what they have open, their tracking groups, and files.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Bulk {
    pub processes: CowMap<Pid, Process>,
    pub files: CowMap<u32, OpenFile>,
    pub groups: CowMap<Cgroup, Group>,
    pub inodes: CowMap<Ino, Inode>,
}

impl Kernel {
    /// Leaves the system without it.
    pub fn take_bulk(&mut self) -> Bulk {
        Bulk {
            processes: std::mem::take(&mut self.processes),
            files: std::mem::take(&mut self.files),
            groups: std::mem::take(&mut self.groups),
            inodes: std::mem::take(self.fs.inodes_mut()),
        }
    }

    /// Puts it back.
    pub fn put_bulk(&mut self, bulk: Bulk) {
        (self.processes, self.files, self.groups) = (bulk.processes, bulk.files, bulk.groups);
        *self.fs.inodes_mut() = bulk.inodes;
    }
}
