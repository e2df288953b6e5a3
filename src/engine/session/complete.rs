//! Tab completion at a terminal: the shell's own, and the options and values of Slurm's commands.

use crate::world::World;
use commands::slurm::tool;
use host::tty::TtyId;
use shell;

/// The offset at which the completed text starts, and the candidates as full words, sorted.
#[must_use]
pub fn complete(world: &World, tty: TtyId, line: &str, cursor: usize) -> (usize, Vec<String>) {
    let Some((pid, vm)) = world.front_shell(tty) else { return (cursor, Vec::new()) };
    let found = shell::complete(vm, &world.kernel, pid, line, cursor, &|words, current| {
        tool::complete::complete(&world.ctld, words, current)
    });
    (found.start, found.words)
}
