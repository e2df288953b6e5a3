//! Where a key goes: the incomplete command, the line after `:` or `/`, or the inserted text.

use super::parse::{KeyParse, parse};
use super::{Vi, ViMode};
use crate::Cx;
use crate::edit::EditorKey;

/// Maximum number of keys of a command.
const MAX_KEYS: usize = 4096;

impl Vi {
    /// Handles a key. True if the editor is to be stopped (Ctrl-Z).
    pub(super) fn typed(&mut self, cx: &mut Cx, key: EditorKey) -> bool {
        if self.pending.is_empty() && self.record.is_empty() {
            self.message.clear();
            self.is_error = false;
        }
        if self.record.len() < MAX_KEYS {
            self.record.push(key);
        }
        if matches!(self.mode, ViMode::Insert(_)) {
            self.insert_key(key);
            self.settle();
            return false;
        }
        if key == EditorKey::Ctrl('z') && self.pending.is_empty() {
            self.record.clear();
            return true;
        }
        let prompt = self.prompt_at();
        if prompt.is_some() && self.prompt_key(key) {
            if self.pending.is_empty() {
                self.settle();
            }
            return false;
        }
        if prompt.is_none() && matches!(key, EditorKey::Escape | EditorKey::Ctrl('c')) {
            self.escape(key);
            self.settle();
            return false;
        }
        self.pending.push(key);
        if prompt.is_none() && key == EditorKey::Char(':') && self.prompt_at().is_some() {
            self.prefill();
        }
        match parse(&self.pending, matches!(self.mode, ViMode::Visual { .. })) {
            KeyParse::More if self.pending.len() < MAX_KEYS => {}
            KeyParse::More | KeyParse::Bad => {
                self.fail();
                self.settle();
            }
            KeyParse::Command(command) => {
                self.pending.clear();
                self.run(cx, &command);
                self.settle();
            }
        }
        false
    }

    /// The range that a count or the selection gives to a line.
    fn prefill(&mut self) {
        let count = self.pending.iter().take_while(|key| matches!(key, EditorKey::Char('0'..='9'))).count();
        let digits: String = self.pending.drain(..count).filter_map(|key| key.character()).collect();
        let range = match (&self.mode, digits.parse::<usize>()) {
            (ViMode::Visual { .. }, _) => "'<,'>".to_owned(),
            (_, Ok(count)) if count > 1 => format!(".,.+{}", count - 1),
            (_, Ok(_)) => ".".to_owned(),
            (_, Err(_)) => return,
        };
        self.keep_selection();
        self.pending.extend(range.chars().map(EditorKey::Char));
        self.record.clone_from(&self.pending);
    }

    fn escape(&mut self, key: EditorKey) {
        let had = !self.pending.is_empty();
        self.pending.clear();
        match self.mode {
            ViMode::Visual { .. } => self.end_selection(),
            ViMode::Normal if key == EditorKey::Ctrl('c') && !had => {
                self.tell(if self.text.is_modified() {
                    "Type  :qa!  and press <Enter> to abandon all changes and exit Vim"
                } else {
                    "Type  :qa  and press <Enter> to exit Vim"
                });
            }
            ViMode::Normal | ViMode::Insert(_) => {}
        }
    }

    /// A command has ended, unless it waits for more keys or inserts text.
    fn settle(&mut self) {
        if matches!(self.mode, ViMode::Insert(_)) || !self.pending.is_empty() {
            return;
        }
        self.text.end();
        if !matches!(self.mode, ViMode::Visual { .. }) {
            let keys = std::mem::take(&mut self.record);
            if std::mem::take(&mut self.repeats) && !keys.is_empty() {
                self.last_change = keys;
            }
        }
        self.clamp();
    }

    /// `.`: replays the keys of the last change, with another count.
    pub(super) fn repeat(&mut self, count: Option<usize>) {
        let mut keys = self.last_change.clone();
        if let Some(count) = count {
            let digits = keys.iter().take_while(|key| matches!(key, EditorKey::Char('0'..='9'))).count();
            keys.drain(..digits);
            let number = count.to_string();
            keys.splice(0..0, number.chars().map(EditorKey::Char));
        }
        // The rest of what is repeated comes afterwards.
        for key in keys.into_iter().rev() {
            self.queue.push_front(key);
        }
    }
}
