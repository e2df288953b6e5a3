//! Completion at a terminal: the shell's own, with what Slurm's commands know.

use crate::host::tty::TtyId;
use crate::world::World;

/// What may replace the text from the first number to the cursor, and full words, sorted.
#[must_use]
pub fn complete(_world: &World, _tty: TtyId, _line: &str, cursor: usize) -> (usize, Vec<String>) {
    (cursor, Vec::new())
}
