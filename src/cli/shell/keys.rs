//! Single keys: while a program of the simulated host reads them (an editor, `less`, `top`), the real terminal is in raw mode.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio;
use rustix::termios::{self, OptionalActions, OutputModes, Termios};
use std::time::Duration;

/// Bytes read at a time.
const READ_SIZE: usize = 4096;

/// The real terminal in raw mode, until it is dropped.
pub struct RawTerminal {
    before: Termios,
}

impl RawTerminal {
    /// Switches to raw mode. Newlines in output still return to the first column.
    ///
    /// # Errors
    /// Standard input is no terminal.
    pub fn begin() -> Result<Self, String> {
        let before = termios::tcgetattr(stdio::stdin()).map_err(|e| e.to_string())?;
        let mut raw = before.clone();
        raw.make_raw();
        raw.output_modes |= OutputModes::OPOST;
        termios::tcsetattr(stdio::stdin(), OptionalActions::Now, &raw).map_err(|e| e.to_string())?;
        Ok(Self { before })
    }

    /// What is typed within this time, as a terminal of the simulated host gets it. None at the end of input.
    pub fn typed(&self, wait: Duration) -> Option<Vec<u8>> {
        let mut polled = [PollFd::from_borrowed_fd(stdio::stdin(), PollFlags::IN)];
        let wait = Timespec { tv_sec: 0, tv_nsec: wait.subsec_nanos().into() };
        match poll(&mut polled, Some(&wait)) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return Some(Vec::new()),
        }
        let mut bytes = vec![0; READ_SIZE];
        let count = rustix::io::read(stdio::stdin(), &mut bytes).unwrap_or(0);
        bytes.truncate(count);
        for byte in &mut bytes {
            if *byte == b'\r' {
                *byte = b'\n';
            }
        }
        (count > 0).then_some(bytes)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        // Nothing can be done if the terminal is gone.
        let _ = termios::tcsetattr(stdio::stdin(), OptionalActions::Now, &self.before);
    }
}

/// Columns and rows of the real terminal.
pub fn size() -> Option<(u16, u16)> {
    let size = termios::tcgetwinsize(stdio::stdout()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}
