//! The line after `:`, `/` or `?`. It is part of the incomplete command: its keys follow the prompt's.

use super::{Vi, ViMode};
use crate::edit::EditorKey;

/// Maximum number of remembered lines.
const MAX_HISTORY: usize = 50;

/// The position of the prompt's key in a command.
pub fn prompt_in(keys: &[EditorKey]) -> Option<usize> {
    let at = keys.iter().position(|key| matches!(key, EditorKey::Char(':' | '/' | '?')))?;
    let before = keys.get(..at)?;
    // These take any character: `f:` finds a colon.
    let takes = matches!(
        before.last(),
        Some(EditorKey::Char('f' | 't' | 'F' | 'T' | 'r' | 'm' | '\'' | '`' | '"' | 'g' | 'z' | 'Z'))
    );
    (!takes).then_some(at)
}

impl Vi {
    pub(super) fn prompt_at(&self) -> Option<usize> {
        prompt_in(&self.pending)
    }

    /// The prompt and its text, while one is typed.
    pub(super) fn prompt_text(&self) -> Option<String> {
        let at = self.prompt_at()?;
        Some(self.pending.get(at..)?.iter().filter_map(|key| key.character()).collect())
    }

    /// Handles a key of the prompt that is no part of its text. False if it is one, or Enter.
    pub(super) fn prompt_key(&mut self, key: EditorKey) -> bool {
        let Some(at) = self.prompt_at() else { return false };
        match key {
            EditorKey::Escape | EditorKey::Ctrl('c') => {
                self.pending.clear();
                self.record.clear();
                if matches!(self.mode, ViMode::Visual { .. }) {
                    self.end_selection();
                }
            }
            EditorKey::Backspace if self.pending.len() == at + 1 => {
                self.pending.clear();
                self.record.clear();
            }
            EditorKey::Backspace => drop(self.pending.pop()),
            EditorKey::Ctrl('u') => self.pending.truncate(at + 1),
            EditorKey::Ctrl('w') => {
                let is_blank = |key: Option<&EditorKey>| key == Some(&EditorKey::Char(' '));
                while self.pending.len() > at + 1 && is_blank(self.pending.last()) {
                    self.pending.pop();
                }
                while self.pending.len() > at + 1 && !is_blank(self.pending.last()) {
                    self.pending.pop();
                }
            }
            EditorKey::Up | EditorKey::Ctrl('p') => self.recall(at),
            EditorKey::Enter => {
                let line: String = self.prompt_text().unwrap_or_default();
                self.history.retain(|old| *old != line);
                self.history.push(line);
                if self.history.len() > MAX_HISTORY {
                    self.history.remove(0);
                }
                return false;
            }
            key => return key.character().is_none(),
        }
        // What was taken back is not repeated.
        if self.pending.len() > at {
            self.record.clone_from(&self.pending);
        }
        true
    }

    /// The next older line that starts as this one.
    fn recall(&mut self, at: usize) {
        let typed = self.prompt_text().unwrap_or_default();
        let mut older = self.history.iter().rev().filter(|line| line.get(..1) == typed.get(..1));
        let next = match older.clone().position(|line| *line == typed) {
            Some(found) => older.nth(found + 1),
            None => older.next(),
        };
        if let Some(line) = next.cloned() {
            self.pending.truncate(at);
            self.pending.extend(line.chars().map(EditorKey::Char));
        }
    }
}
