//! Completion at a terminal: the shell's own, with the options and values of Slurm's commands.

use crate::commands::slurm::tool;
use crate::host::tty::TtyId;
use crate::shell;
use crate::world::World;

/// What may replace the text from the first number to the cursor, and full words, sorted.
#[must_use]
pub fn complete(world: &World, tty: TtyId, line: &str, cursor: usize) -> (usize, Vec<String>) {
    let Some((pid, vm)) = world.front_shell(tty) else { return (cursor, Vec::new()) };
    let found = shell::complete(vm, &world.kernel, pid, line, cursor, &|words, current| {
        tool::complete::complete(&world.ctld, words, current)
    });
    (found.start, found.words)
}
