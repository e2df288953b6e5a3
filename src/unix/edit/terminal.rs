//! The terminal of an editor: raw keys in, pictures out.

use super::keys::{self, EditorKey};
use super::screen::{EditorScreen, Picture};
use crate::{Cx, STDIN, STDOUT};
use host::signal::Disposition;
use host::tty::TtyId;
use host::{Errno, Fd, Signal, Wait};
use serde::{Deserialize, Serialize};

const OWN_SCREEN: &str = "\x1b[?25h\x1b[?1049l\r";
/// Signals of control characters, which are keys here.
const KEYS: [Signal; 3] = [Signal::INT, Signal::QUIT, Signal::TSTP];

/// An editor's terminal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EditorTerminal {
    screen: EditorScreen,
    tty: TtyId,
    keys: Fd,
    /// Bytes of an incomplete key.
    typed: Vec<u8>,
    /// It is stopped in the background, or was until now.
    is_stopped: bool,
}

impl EditorTerminal {
    /// Takes the terminal. None if standard input or output is none.
    pub fn take(cx: &mut Cx) -> Option<Self> {
        let tty = cx.kernel.fd_tty(cx.pid, STDIN).filter(|_| cx.is_tty(STDOUT))?;
        let terminal =
            Self { screen: EditorScreen::default(), tty, keys: STDIN, typed: Vec::new(), is_stopped: false };
        terminal.raw(cx);
        Some(terminal)
    }

    fn raw(&self, cx: &mut Cx) {
        for signal in KEYS {
            cx.kernel.set_disposition(cx.pid, signal, Disposition::Ignore);
        }
        cx.kernel.take_keys(cx.pid);
    }

    /// Columns and rows, at least 20 and 4.
    #[must_use]
    pub fn size(&self, cx: &Cx) -> (u16, u16) {
        cx.kernel.tty(self.tty).map_or((80, 24), |tty| (tty.columns.max(20), tty.rows.max(4)))
    }

    /// Sends a picture.
    pub fn draw(&mut self, cx: &mut Cx, picture: Picture) {
        let size = self.size(cx);
        let text = self.screen.draw(picture, size);
        cx.print(&text);
    }

    /// Sends the whole picture the next time.
    pub fn redraw(&mut self) {
        self.screen.forget();
    }

    /// The terminal's number.
    #[must_use]
    pub const fn tty(&self) -> TtyId {
        self.tty
    }

    /// Whether the editor was stopped and may not draw yet. It then stops again (`bg`).
    pub fn is_in_background(&mut self, cx: &mut Cx) -> bool {
        if !self.is_stopped {
            return false;
        }
        if !cx.kernel.is_in_front(cx.pid, self.tty) {
            cx.kernel.suspend(cx.pid, self.tty);
            return true;
        }
        self.is_stopped = false;
        self.raw(cx);
        self.redraw();
        false
    }

    /// Reads what was typed. False when the terminal is gone.
    pub fn read(&mut self, cx: &mut Cx) -> bool {
        loop {
            match cx.kernel.read(cx.pid, self.keys, 65_536) {
                Ok(bytes) if bytes.is_empty() => return false,
                Ok(bytes) => self.typed.extend(bytes),
                Err(Errno::EAGAIN) => return true,
                Err(_) => return false,
            }
        }
    }

    /// The next key.
    pub fn next_key(&mut self, alt: bool) -> Option<EditorKey> {
        let (key, length) = keys::next_key(&self.typed, alt)?;
        self.typed.drain(..length.min(self.typed.len()));
        Some(key)
    }

    /// Bytes that are not read yet.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.typed.len()
    }

    /// What an editor waits for.
    #[must_use]
    pub fn wait(&self) -> Wait {
        Wait::Any(vec![Wait::Readable(self.keys), Wait::Wakeup])
    }

    /// Stops the editor, as Ctrl-Z does (`fg` continues it).
    pub fn suspend(&mut self, cx: &mut Cx) {
        self.leave(cx);
        self.redraw();
        self.is_stopped = true;
        cx.kernel.suspend(cx.pid, self.tty);
    }

    /// Shows what was on the screen before.
    pub fn leave(&mut self, cx: &mut Cx) {
        if self.screen.is_drawn() {
            cx.print(OWN_SCREEN);
        }
    }
}
