//! The command lines typed at a terminal, the last thousand of them.

use super::vm::Vm;

/// Lines that are kept.
const MAX_LINES: usize = 1000;

impl Vm {
    /// Remembers a command that was typed.
    pub(super) fn remember_line(&mut self, text: &str) {
        let line = text.trim();
        let ignored = line.is_empty() || self.history.last().is_some_and(|last| last == line);
        if ignored {
            return;
        }
        if self.history.len() >= MAX_LINES {
            self.history.remove(0);
        }
        self.history.push(line.to_owned());
    }
}
