//! nano(1), vi(1), emacs(1) and their likes: the page's editor opens the file, and they wait until it is saved.
//!
//! Unlike the real ones they do not draw on the terminal. Enter or Ctrl-C there brings the shell back at once.

use crate::commands::{Cx, Machine, STDIN, STDOUT};
use crate::host::fs::Kind;
use crate::host::{Errno, Status, Step, Wait};
use serde::{Deserialize, Serialize};

/// An editor, waiting.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Editor {}

/// Starts an editor.
pub fn start(cx: &mut Cx) -> Machine {
    let Some(file) = cx.args().iter().find(|arg| !arg.starts_with(['-', '+'])).cloned() else {
        cx.error("give the name of a file: the page's editor opens it");
        return Machine::End(1);
    };
    let tty = cx.kernel.fd_tty(cx.pid, STDIN).filter(|_| cx.is_tty(STDOUT));
    let Some(tty) = tty else {
        cx.error(&format!("{file}: an editor needs a terminal"));
        return Machine::End(1);
    };
    let path = cx.path(&file);
    match cx.kernel.fs.stat(cx.uid(), &path) {
        Ok(stat) if stat.kind == Kind::Dir => {
            cx.error(&format!("\"{file}\" is a directory"));
            return Machine::End(1);
        }
        Ok(_) | Err(Errno::ENOENT) => {}
        Err(errno) => {
            cx.error(&format!("{file}: {errno}"));
            return Machine::End(1);
        }
    }
    cx.kernel.edit(cx.pid, tty, &path);
    Machine::Editor(Editor {})
}

impl Editor {
    /// Waits until the file is saved, or somebody types.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        let typed = !matches!(cx.kernel.read(cx.pid, STDIN, 4096), Err(Errno::EAGAIN));
        if typed || cx.kernel.is_saved(cx.pid) {
            return Step::Exit(Status::Exited(0));
        }
        Step::Wait(Wait::Any(vec![Wait::Readable(STDIN), Wait::Wakeup]))
    }
}
