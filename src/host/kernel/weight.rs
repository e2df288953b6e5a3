//! What a copy takes in memory beside a later one.

use super::Kernel;

/// Bytes of a process, of an open file, and of a tracking group, roughly.
const PROCESS: u64 = 900;
const OPEN_FILE: u64 = 150;
const GROUP: u64 = 300;

impl Kernel {
    /// Bytes that this copy has for itself beside a later one, roughly: what its pages do not share.
    #[must_use]
    pub fn apart(&self, later: &Self) -> u64 {
        self.fs.apart(&later.fs)
            + self.processes.apart(&later.processes, |_, _| PROCESS)
            + self.files.apart(&later.files, |_, _| OPEN_FILE)
            + self.groups.apart(&later.groups, |_, _| GROUP)
    }
}
