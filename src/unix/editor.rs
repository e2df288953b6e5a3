//! nano(1), vi(1), emacs(1) and other editors: the page's editor opens the file, and the command waits until
//! it is saved.
//!
//! Deliberate difference: they draw nothing on the terminal. Enter or Ctrl-C returns to the shell at once.

use crate::{Cx, STDIN, STDOUT, UnixMachine};
use host::fs::FileKind;
use host::{Errno, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// A waiting editor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Editor {}

/// Starts an editor.
pub fn start(cx: &mut Cx) -> UnixMachine {
    let Some(file) = cx.args().iter().find(|arg| !arg.starts_with(['-', '+'])).cloned() else {
        cx.error("name a file: it opens in the page's editor");
        return UnixMachine::End(1);
    };
    let tty = cx.kernel.fd_tty(cx.pid, STDIN).filter(|_| cx.is_tty(STDOUT));
    let Some(tty) = tty else {
        cx.error(&format!("{file}: an editor needs a terminal"));
        return UnixMachine::End(1);
    };
    let path = cx.path(&file);
    match cx.kernel.fs.stat(cx.uid(), &path) {
        Ok(stat) if stat.kind == FileKind::Dir => {
            cx.error(&format!("\"{file}\" is a directory"));
            return UnixMachine::End(1);
        }
        Ok(_) | Err(Errno::ENOENT) => {}
        Err(errno) => {
            cx.error(&format!("{file}: {errno}"));
            return UnixMachine::End(1);
        }
    }
    cx.kernel.edit(cx.pid, tty, &path);
    UnixMachine::Editor(Editor {})
}

impl Editor {
    /// Waits until the file is saved or a key is pressed.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let typed = !matches!(cx.kernel.read(cx.pid, STDIN, 4096), Err(Errno::EAGAIN));
        if typed || cx.kernel.is_saved(cx.pid) {
            return SliceEnd::Exit(Status::Exited(0));
        }
        SliceEnd::Wait(Wait::Any(vec![Wait::Readable(STDIN), Wait::Wakeup]))
    }
}
