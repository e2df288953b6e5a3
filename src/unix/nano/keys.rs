//! What keys do outside of prompts.

use super::prompt::{NanoPrompt, PromptKind};
use super::{LastKey, Nano};
use crate::Cx;
use crate::edit::EditorKey::{self, Alt, Char, Ctrl};
use crate::edit::Place;

impl Nano {
    /// Handles a key. True if the editor is to be stopped (^T^Z).
    pub(super) fn typed(&mut self, cx: &mut Cx, key: EditorKey) -> bool {
        self.status.clear();
        if self.help.is_some() {
            self.help_key(key);
            return false;
        }
        if self.prompt.is_some() {
            self.prompt_key(cx, key);
            return false;
        }
        if std::mem::take(&mut self.executes) {
            if key == Ctrl('z') {
                return true;
            }
            self.tell("not simulated in sandbatch: running a command");
            return false;
        }
        let last = std::mem::replace(&mut self.last, LastKey::Other);
        if self.options.view && changes(key) {
            self.tell("Key is invalid in view mode");
            return false;
        }
        self.main_key(cx, key, last);
        if !matches!(self.last, LastKey::Typed(_) | LastKey::Cut) {
            self.text.end();
        }
        false
    }

    fn main_key(&mut self, cx: &mut Cx, key: EditorKey, last: LastKey) {
        let row = self.cursor.row();
        let page = (self.rows as usize).saturating_sub(2).max(1);
        match key {
            Char(c) => self.type_text(&c.to_string(), last),
            EditorKey::Tab if self.mark.is_some() => self.shift(true),
            EditorKey::Tab => self.type_tab(last),
            EditorKey::BackTab | Alt('{') => self.shift(false),
            Alt('}') => self.shift(true),
            EditorKey::Enter => self.type_line(last),
            EditorKey::Backspace => self.erase_back(last),
            EditorKey::Delete | Ctrl('d') => self.erase(last),
            EditorKey::Left | Ctrl('b') => self.go(self.before(self.cursor)),
            EditorKey::Right | Ctrl('f') => self.go(self.after(self.cursor)),
            EditorKey::Up | Ctrl('p') => self.vertical(row.saturating_sub(1)),
            EditorKey::Down | Ctrl('n') => self.vertical((row + 1).min(self.text.last())),
            EditorKey::Home | Ctrl('a') => self.go(Place::new(row, 0)),
            EditorKey::End | Ctrl('e') => self.go(Place::new(row, usize::MAX)),
            EditorKey::PageUp | Ctrl('y') => {
                self.top = u32::try_from((self.top as usize).saturating_sub(page)).unwrap_or(0);
                self.go(Place::new(row.saturating_sub(page), 0));
            }
            EditorKey::PageDown | Ctrl('v') => {
                self.top = u32::try_from((self.top as usize + page).min(self.text.last())).unwrap_or(0);
                self.go(Place::new((row + page).min(self.text.last()), 0));
            }
            EditorKey::First | Alt('\\' | '|') => self.go(Place::default()),
            EditorKey::Last | Alt('/' | '?') => self.go(Place::new(self.text.last(), usize::MAX)),
            EditorKey::WordRight | Ctrl('@') => self.go(self.next_word()),
            EditorKey::WordLeft | Alt(' ') => self.go(self.previous_word()),
            Alt('a') | Ctrl('^') => {
                self.mark = if self.mark.is_some() { None } else { Some(self.cursor) };
                self.tell(if self.mark.is_some() { "Mark Set" } else { "Mark Unset" });
            }
            Ctrl('k') => self.cut(last),
            Alt('6' | '^') => self.copy(last),
            Ctrl('u') => self.paste(),
            Alt('t') => self.cut_rest(),
            Alt('u') => self.undo(true),
            Alt('e') => self.undo(false),
            Ctrl('o') => self.ask(PromptKind::Write { leaves: false }, &self.name.clone()),
            EditorKey::Function(3) => self.ask(PromptKind::Write { leaves: false }, &self.name.clone()),
            Ctrl('s') if !self.name.is_empty() => drop(self.write(cx, &self.name.clone())),
            Ctrl('s') => self.ask(PromptKind::Write { leaves: false }, ""),
            Ctrl('x') | EditorKey::Function(2) => self.leave(),
            Ctrl('r') | EditorKey::Function(5) | EditorKey::Insert => self.ask(PromptKind::Read, ""),
            Ctrl('w') | EditorKey::Function(6) => self.ask(PromptKind::Search { forward: true }, ""),
            Ctrl('q') => self.ask(PromptKind::Search { forward: false }, ""),
            Alt('w') | EditorKey::Function(16) => self.search_again(true),
            Alt('q') => self.search_again(false),
            Ctrl('\\') | Alt('r') => self.ask(PromptKind::Replace, ""),
            Ctrl('_') | Alt('g') => self.ask(PromptKind::Line, ""),
            Ctrl('c') | EditorKey::Function(11) => self.tell_place(),
            Ctrl('g') | EditorKey::Function(1) => self.help = Some(0),
            Ctrl('l') => self.terminal.redraw(),
            Ctrl('t') => {
                self.executes = true;
                self.tell("^Z suspends; not simulated in sandbatch: running a command");
            }
            Ctrl('z') => self.tell("Type ^T^Z to suspend"),
            Alt('n' | '#') => {
                self.options.numbers = !self.options.numbers;
                self.tell(if self.options.numbers {
                    "Line numbering enabled"
                } else {
                    "Line numbering disabled"
                });
            }
            Alt('x') => self.options.help = !self.options.help,
            Alt('i') => {
                self.options.auto_indent = !self.options.auto_indent;
                self.tell(if self.options.auto_indent {
                    "Auto indent enabled"
                } else {
                    "Auto indent disabled"
                });
            }
            Alt('d') => self.count_words(),
            Alt(']') => self.go_to_bracket(),
            Ctrl('j') | EditorKey::Function(4 | 12) => {
                self.tell("not simulated in sandbatch: justifying and spelling")
            }
            EditorKey::Escape => {}
            Alt(_) | Ctrl(_) | EditorKey::Function(_) => self.tell("Unbound key"),
        }
    }

    /// Asks a question.
    pub(super) fn ask(&mut self, kind: PromptKind, answer: &str) {
        self.prompt = Some(NanoPrompt::new(kind, answer));
    }

    fn leave(&mut self) {
        if self.text.is_modified() {
            self.ask(PromptKind::SaveFirst, "");
        } else {
            self.over = Some(0);
        }
    }

    fn help_key(&mut self, key: EditorKey) {
        let top = self.help.unwrap_or(0);
        self.help = match key {
            Ctrl('x') | Char('q') | EditorKey::Escape | EditorKey::Function(1 | 2) => None,
            EditorKey::Down | Ctrl('n') => Some(top + 1),
            EditorKey::Up | Ctrl('p') => Some(top.saturating_sub(1)),
            EditorKey::PageDown | Ctrl('v') | Char(' ') => Some(top + self.rows),
            EditorKey::PageUp | Ctrl('y') => Some(top.saturating_sub(self.rows)),
            _ => Some(top),
        };
    }
}

/// Whether a key changes the text.
const fn changes(key: EditorKey) -> bool {
    matches!(
        key,
        Char(_)
            | EditorKey::Tab
            | EditorKey::BackTab
            | EditorKey::Enter
            | EditorKey::Backspace
            | EditorKey::Delete
            | EditorKey::Insert
            | EditorKey::Function(5)
            | Ctrl('d' | 'k' | 'u' | 'r' | '\\' | 'o' | 's')
            | Alt('t' | 'u' | 'e' | 'r' | '{' | '}')
    )
}
