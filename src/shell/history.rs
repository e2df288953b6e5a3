//! Command history: the last thousand lines typed at a terminal.

use super::vm::Vm;
use std::sync::Arc;

/// Maximum number of lines.
const MAX_LINES: usize = 1000;

impl Vm {
    /// Adds a typed command.
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
