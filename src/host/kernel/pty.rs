//! Pseudoterminals (`pty(7)`): a terminal whose other end, the master, is a descriptor of a program such as tmux(1).
//!
//! What is printed on the terminal is read from the master, and what is written to the master is typed on the terminal. When
//! the last descriptor of the master is closed, the terminal hangs up.

use super::super::tty::TtyId;
use super::super::{Errno, Fd};
use super::{FileTarget, Kernel};
use base::ids::Pid;

impl Kernel {
    /// `openpty(3)`: a new terminal, and a descriptor of its master, which closes on exec.
    pub fn open_pty(&mut self, pid: Pid, columns: u16, rows: u16) -> Result<(Fd, TtyId), Errno> {
        let tty = self.new_tty();
        let opened = self.new_fd(pid, FileTarget::Master(tty), true, true, false);
        if opened.is_err() {
            self.hangup(tty);
        }
        let fd = opened?;
        self.set_cloexec(pid, fd, true);
        if let Some(terminal) = self.tty_mut(tty) {
            (terminal.columns, terminal.rows) = (columns, rows);
        }
        Ok((fd, tty))
    }

    /// Whether a program has the other end of a terminal. If not, the page has it.
    #[must_use]
    pub fn has_master(&self, tty: TtyId) -> bool {
        self.files.iter().any(|(_, file)| matches!(file.what, FileTarget::Master(of) if of == tty))
    }

    /// Everything that was printed on the terminal since the last read.
    pub(super) fn read_master(&mut self, tty: TtyId) -> Result<Vec<u8>, Errno> {
        let output = self.take_tty_output(tty);
        if output.is_empty() { Err(Errno::EAGAIN) } else { Ok(output) }
    }

    /// Whether something was printed since the last read.
    pub(super) fn master_readable(&self, tty: TtyId) -> bool {
        self.ttys.get(&tty).is_some_and(|terminal| !terminal.output.is_empty())
    }
}
