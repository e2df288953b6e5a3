//! Pseudo-terminals of tasks (`srun --pty`), `pty(7)`.
//!
//! A process gets a controlling terminal only by its own system calls, between `fork` and `exec`. This program does
//! that, started under the name `slurmstepd`, and then executes the task.

use crate::wire::WindowSize;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// The name under which this program starts a task on a terminal.
pub const STEPD: &str = "slurmstepd";

/// A new pseudo-terminal: slurmstepd's end and the task's end.
pub fn open(window: WindowSize) -> io::Result<(File, OwnedFd)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    rustix::io::fcntl_setfd(&ours, rustix::io::FdFlags::CLOEXEC)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    let task = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    resize(&ours, window);
    Ok((File::from(ours), task))
}

/// Changes the size; the kernel sends SIGWINCH to the foreground group.
pub fn resize(terminal: impl AsFd, window: WindowSize) {
    let size = Winsize { ws_row: window.rows, ws_col: window.columns, ws_xpixel: 0, ws_ypixel: 0 };
    // A terminal that is closed has no size.
    let _ = tcsetwinsize(terminal, size);
}

/// Makes standard input the controlling terminal of a new session and executes a task: its file, its name, its
/// arguments. Returns the exit code if the task cannot be executed.
pub fn become_task(words: &[OsString]) -> u8 {
    let [path, name, arguments @ ..] = words else { return 1 };
    let error = match rustix::process::setsid().and_then(|_| rustix::process::ioctl_tiocsctty(io::stdin())) {
        Ok(()) => Command::new(path).arg0(name).args(arguments).exec(),
        Err(error) => error.into(),
    };
    let _ = writeln!(io::stderr(), "slurmstepd: error: execve(): {}: {error}", path.display());
    2
}
