//! Estimates the memory that a clone does not share with a later one.

use super::Kernel;

/// Approximate bytes of a process, an open file and a cgroup.
const PROCESS: u64 = 900;
const OPEN_FILE: u64 = 150;
const GROUP: u64 = 300;

impl Kernel {
    /// Approximate bytes in pages not shared with a later clone.
    #[must_use]
    pub fn apart(&self, later: &Self) -> u64 {
        self.fs.apart(&later.fs)
            + self.processes.apart(&later.processes, |_, _| PROCESS)
            + self.files.apart(&later.files, |_, _| OPEN_FILE)
            + self.groups.apart(&later.groups, |_, _| GROUP)
    }
}
