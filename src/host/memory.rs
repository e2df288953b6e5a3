//! Bounds on the memory that processes hold, as `RLIMIT_AS` and the cgroup of a user would set them.
//!
//! Shells count their variables, commands what they keep between two slices (`Running::memory`). Pipes and terminals have
//! sizes of their own, files are counted by [`crate::fs`], and Python by its own heap. A process that exceeds a bound is
//! told [`crate::Errno::ENOMEM`]. All sums depend on the state alone, so a session that was saved and loaded reaches the
//! bounds at the same moments.

/// What processes may hold, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryBounds {
    /// Of a process.
    pub process: u64,
    /// Of all processes of a user.
    pub user: u64,
    /// Of all processes. A page has 4 GiB for everything.
    pub all: u64,
}

impl Default for MemoryBounds {
    fn default() -> Self {
        Self { process: 128 << 20, user: 1 << 30, all: 2 << 30 }
    }
}

/// Overhead of an element (a line, a variable, a value of an array) in addition to its text, bytes.
pub const ELEMENT: usize = 48;
/// Sums are compared with the bounds when a process has grown past a multiple of this, bytes.
pub const STEP: u64 = 1 << 20;
