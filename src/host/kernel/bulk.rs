//! What a system may have very many of, apart from the rest: a world's bytes are made of it page by page.

use super::super::fs::{Ino, Inode};
use super::{Kernel, Process};
use crate::base::cow::CowMap;
use crate::base::ids::Pid;

/// Processes and files.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Bulk {
    pub processes: CowMap<Pid, Process>,
    pub inodes: CowMap<Ino, Inode>,
}

impl Kernel {
    /// Leaves the system without it.
    pub fn take_bulk(&mut self) -> Bulk {
        Bulk { processes: std::mem::take(&mut self.processes), inodes: std::mem::take(self.fs.inodes_mut()) }
    }

    /// Puts it back.
    pub fn put_bulk(&mut self, bulk: Bulk) {
        self.processes = bulk.processes;
        *self.fs.inodes_mut() = bulk.inodes;
    }
}
