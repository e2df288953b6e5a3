//! Files open in an editor: one on the terminal (`vi`, `nano`), or the page's panel, while the editor's process waits until the
//! file is saved.

use super::super::tty::TtyId;
use super::Kernel;
use base::ids::Pid;
use serde::{Deserialize, Serialize};

/// A running editor process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Editing {
    pid: Pid,
    tty: TtyId,
    /// Absolute.
    path: String,
    /// The page has been notified.
    notified: bool,
    /// The file has been saved since the editor started.
    saved: bool,
}

impl Kernel {
    /// Registers a process as the editor of a file.
    pub fn edit(&mut self, pid: Pid, tty: TtyId, path: &str) {
        let editing = Editing { pid, tty, path: path.to_owned(), notified: false, saved: false };
        self.editing.push(editing);
    }

    /// Registers a process as an editor of a file on its own terminal: the page opens nothing.
    pub fn edit_here(&mut self, pid: Pid, tty: TtyId, path: &str) {
        self.end_editing(pid);
        let editing = Editing { pid, tty, path: path.to_owned(), notified: true, saved: false };
        self.editing.push(editing);
    }

    /// The process of an editor that draws on this terminal, and its file.
    #[must_use]
    pub fn editor_here(&self, tty: TtyId) -> Option<(Pid, &str)> {
        let keys = self.ttys.get(&tty)?.keys?;
        let editing = self.editing.iter().find(|editing| editing.tty == tty && editing.pid == keys)?;
        Some((editing.pid, &editing.path))
    }

    /// The next file to open for a terminal.
    pub fn take_edit(&mut self, tty: TtyId) -> Option<String> {
        let editing = self.editing.iter_mut().find(|editing| editing.tty == tty && !editing.notified)?;
        editing.notified = true;
        Some(editing.path.clone())
    }

    /// Marks a file as saved and wakes its editors.
    pub fn note_saved(&mut self, path: &str) {
        let editing = self.editing.iter_mut().filter(|editing| editing.path == path);
        let editors: Vec<Pid> = editing
            .map(|editing| {
                editing.saved = true;
                editing.pid
            })
            .collect();
        for pid in editors {
            self.wake(pid);
        }
    }

    /// Whether the editor's file has been saved.
    #[must_use]
    pub fn is_saved(&self, pid: Pid) -> bool {
        self.editing.iter().any(|editing| editing.pid == pid && editing.saved)
    }

    /// Removes the editors of an ended process.
    pub(super) fn end_editing(&mut self, pid: Pid) {
        self.editing.retain(|editing| editing.pid != pid);
    }
}
