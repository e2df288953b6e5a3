//! The large tables of a system, separated so that they can be dropped page by page.

use super::super::fs::{Ino, Inode};
use super::group::CgroupState;
use super::{Kernel, OpenFile, Process};
use base::cow::CowMap;
use base::ids::{Cgroup, Pid};

/// Processes, open files, cgroups and inodes.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct Bulk {
    pub processes: CowMap<Pid, Process>,
    pub files: CowMap<u32, OpenFile>,
    pub groups: CowMap<Cgroup, CgroupState>,
    pub inodes: CowMap<Ino, Inode>,
}

impl Kernel {
    /// Takes the tables out of the system.
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
    /// Drops some pages; returns false when nothing is left.
    pub fn drop_some(&mut self) -> bool {
        self.processes.drop_some()
            || self.inodes.drop_some()
            || self.files.drop_some()
            || self.groups.drop_some()
    }
}
