//! Files that somebody edits. An editor cannot run in a terminal that passes lines; whoever shows the terminal opens the
//! file beside it, and the editor's process waits until the file is saved.

use super::super::tty::TtyId;
use super::Kernel;
use crate::base::ids::Pid;
use serde::{Deserialize, Serialize};

/// An editor that was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Editing {
    pid: Pid,
    tty: TtyId,
    /// Absolute.
    path: String,
    /// Whoever shows the terminal knows of it.
    told: bool,
    /// The file was saved since.
    saved: bool,
}

impl Kernel {
    /// A process is an editor of a file from now on.
    pub fn edit(&mut self, pid: Pid, tty: TtyId, path: &str) {
        let editing = Editing { pid, tty, path: path.to_owned(), told: false, saved: false };
        self.editing.push(editing);
    }

    /// The next file that is to be opened beside a terminal.
    pub fn take_edit(&mut self, tty: TtyId) -> Option<String> {
        let editing = self.editing.iter_mut().find(|editing| editing.tty == tty && !editing.told)?;
        editing.told = true;
        Some(editing.path.clone())
    }

    /// A file was saved: its editors look again.
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

    /// Whether the file that an editor was called for was saved since.
    #[must_use]
    pub fn is_saved(&self, pid: Pid) -> bool {
        self.editing.iter().any(|editing| editing.pid == pid && editing.saved)
    }

    /// A process is gone, and its editing with it.
    pub(super) fn end_editing(&mut self, pid: Pid) {
        self.editing.retain(|editing| editing.pid != pid);
    }
}
