//! Refusals of commands that a terminal shows, for advice beside it. They are no part of a world's state.

use super::Kernel;
use crate::tty::TtyId;
use base::ids::Pid;
use base::process::Fd;
use base::refusal::Refusal;

/// Most refusals that wait to be taken.
const MAX_WAITING: usize = 64;
/// Where commands say why.
const STDERR: Fd = 2;

impl Kernel {
    /// A process has refused its command. Only what a terminal shows is kept.
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
