//! What a system may have very many of, apart from the rest: it is dropped page by page.

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
}

impl Bulk {
    /// Drops some; false when nothing is left.
    pub fn shed(&mut self) -> bool {
        self.processes.shed() || self.inodes.shed() || self.files.shed() || self.groups.shed()
    }
}
