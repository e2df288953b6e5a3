//! The command lines typed at a terminal, the last thousand of them.

use super::vm::Vm;
use std::sync::Arc;

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
        let history = Arc::make_mut(&mut self.history);
        if history.len() >= MAX_LINES {
            history.remove(0);
        }
        history.push(line.to_owned());
    }
}
