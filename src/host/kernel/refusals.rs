//! Refusals of commands whose error message a terminal shows, for the page's advice. Not part of a world's state.

use super::Kernel;
use crate::tty::TtyId;
use base::ids::Pid;
use base::process::Fd;
use base::refusal::Refusal;

/// Maximum number of refusals that have not been taken.
const MAX_WAITING: usize = 64;
/// The descriptor for error messages.
const STDERR: Fd = 2;

impl Kernel {
    /// Records that a process refused its command. Ignored unless its standard error is a terminal.
    pub fn note_refusal(&mut self, pid: Pid, refusal: Refusal) {
        if let Some(tty) = self.fd_tty(pid, STDERR).filter(|_| self.refusals.len() < MAX_WAITING) {
            self.refusals.push((tty, refusal));
        }
    }

    /// The first refusal on a terminal since the last call.
    pub fn take_refusal(&mut self, tty: TtyId) -> Option<Refusal> {
        let first = self.refusals.iter().find(|(on, _)| *on == tty).map(|(_, refusal)| *refusal)?;
        self.refusals.retain(|(on, _)| *on != tty);
        Some(first)
    }
}
