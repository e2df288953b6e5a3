//! The terminal of a client: its size, and raw mode while a task with a pseudo-terminal uses it.

use crate::wire::WindowSize;
use rustix::termios::{OptionalActions, OutputModes, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::io;

/// The size of the terminal; unknown without a terminal.
pub fn window() -> WindowSize {
    let size = tcgetwinsize(io::stdout()).or_else(|_| tcgetwinsize(io::stdin()));
    size.map_or_else(|_| WindowSize::default(), |size| WindowSize { columns: size.ws_col, rows: size.ws_row })
}

/// Raw mode of standard input, until it is dropped.
pub struct RawMode(Termios);

impl RawMode {
    /// Switches to raw mode. Output keeps its line ends, for messages of srun itself. None without a terminal.
    pub fn set() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        let mut raw = before.clone();
        raw.make_raw();
        raw.output_modes |= OutputModes::OPOST;
        tcsetattr(io::stdin(), OptionalActions::Now, &raw).ok()?;
        Some(Self(before))
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}
