//! Readline-style line editing, for the page's terminal and the windows of `tmux` and `screen`: keys in, input bytes and
//! escape sequences out.
//!
//! Editing never asks the engine, so the echo is immediate. While a program runs, the line is edited as by the kernel's
//! line discipline (backspace, Ctrl-U, Ctrl-W) and sent with Enter; Ctrl-C, Ctrl-D and Ctrl-Z are sent at once.
//! Type-ahead becomes the next line.

mod draw;
mod history;
mod keys;
#[cfg(test)]
mod tests;

use crate::width::{pad_right, text_width};
pub use history::History;
use history::HistorySearch;
pub use keys::with_control;
use keys::{EditKey, LineKey, decode};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Maximum line length; the rest is dropped.
const LONGEST: usize = 64 * 1024;

/// An action after a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Write to the terminal.
    Write(String),
    /// Send to the engine.
    Send(Vec<u8>),
    /// Request completion from the engine.
    Complete {
        /// The line.
        line: String,
        /// Byte offset.
        cursor: usize,
    },
}

/// A line editor.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LineEditor {
    columns: u16,
    /// Output on the prompt's row.
    lead: String,
    /// The prompt, while the shell waits for a line.
    prompt: Option<String>,
    text: String,
    cursor: usize,
    /// The cursor's row, relative to the start of `lead`.
    cursor_row: u16,
    history: History,
    search: Option<HistorySearch>,
    killed: String,
    /// The last key was an ambiguous Tab, so the next one lists the candidates.
    listing: bool,
    /// Keys of a paste that wait for the next prompt.
    waiting: VecDeque<LineKey>,
    /// Raw mode: keys are sent one by one.
    single: bool,
}

impl LineEditor {
    /// An editor for a terminal of this width, with the history of an earlier visit.
    #[must_use]
    pub fn new(columns: u16, history: Vec<String>) -> Self {
        Self { columns, history: History::new(history), ..Self::default() }
    }

    /// An editor with a line that was begun elsewhere.
    #[must_use]
    pub fn with_line(self, text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.len(), ..self }
    }

    /// Whether the shell waits for a line.
    #[must_use]
    pub const fn at_prompt(&self) -> bool {
        self.prompt.is_some()
    }

    /// The prompt, while the shell waits for a line.
    #[must_use]
    pub fn prompt(&self) -> Option<String> {
        self.prompt.clone()
    }

    /// The current line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line before and after the cursor.
    #[must_use]
    pub fn halves(&self) -> (&str, &str) {
        self.text.split_at_checked(self.cursor).unwrap_or((&self.text, ""))
    }

    /// The history.
    #[must_use]
    pub fn history(&self) -> &[String] {
        self.history.lines()
    }

    /// Sets the terminal's width; the terminal rewraps its text itself.
    pub fn resize(&mut self, columns: u16) {
        self.columns = columns;
        self.cursor_row = 0;
    }

    /// Handles output, and the prompt if the shell now waits for a line. The prompt remains until a line is sent.
    pub fn output(&mut self, output: &str, prompt: Option<String>) -> String {
        let shown = self.prompt.is_some() || !self.text.is_empty();
        let mut out = String::new();
        if shown {
            // The line is erased so that the output takes its place.
            out.push_str(&self.erase());
            out.push_str(&self.lead);
        }
        out.push_str(output);
        self.follow(output);
        if prompt.is_some() {
            self.prompt = prompt;
        }
        if self.prompt.is_some() || !self.text.is_empty() {
            out.push_str(&self.redraw());
        }
        out
    }

    /// Whether it is in raw mode.
    #[must_use]
    pub const fn takes_single_keys(&self) -> bool {
        self.single
    }

    /// Switches between raw mode (single keys) and line mode.
    pub const fn single_keys(&mut self, single: bool) {
        self.single = single;
    }

    /// Handles bytes from the terminal.
    pub fn keys(&mut self, data: &str) -> Vec<Effect> {
        if self.single && !self.at_prompt() {
            return vec![Effect::Send(data.replace('\r', "\n").into_bytes())];
        }
        let keys = decode(data);
        if keys.contains(&LineKey::Interrupt) {
            self.waiting.clear();
        }
        let held = !self.waiting.is_empty();
        self.waiting.extend(keys);
        if held { Vec::new() } else { self.feed(true) }
    }

    /// Continues a paste when the shell waits for a line again.
    pub fn go_on(&mut self) -> Vec<Effect> {
        if self.at_prompt() { self.feed(true) } else { Vec::new() }
    }

    /// Whether part of a paste waits for a prompt.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Sends the rest of a paste to the running program because no prompt came.
    pub fn give_up_waiting(&mut self) -> Vec<Effect> {
        self.feed(false)
    }

    /// Handles queued keys; with `pause`, only up to a line that the shell accepts.
    fn feed(&mut self, pause: bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some(key) = self.waiting.pop_front() {
            let shell_takes = key == LineKey::Enter && self.at_prompt();
            self.key(key, &mut effects);
            if shell_takes && pause {
                break;
            }
        }
        effects
    }

    /// Handles the engine's candidates for the text from `start` to the cursor.
    pub fn complete(&mut self, start: usize, words: &[String]) -> Vec<Effect> {
        let Some(typed) = self.text.get(start..self.cursor) else { return Vec::new() };
        let common = common_prefix(words);
        let done = words.len() == 1;
        if common.len() > typed.len() || done {
            let mut put = common.to_owned();
            if done && !put.ends_with(['/', '=', ' ']) {
                put.push(' ');
            }
            self.text.replace_range(start..self.cursor, &put);
            self.cursor = start + put.len();
            self.listing = false;
            return vec![Effect::Write(self.redraw())];
        }
        if !self.listing {
            self.listing = true;
            return vec![Effect::Write("\u{7}".to_owned())];
        }
        let list = columns_of(words, self.columns);
        let cursor = self.cursor;
        let lead = std::mem::take(&mut self.lead);
        let mut out = self.leave("");
        self.lead = if lead.contains('\n') { String::new() } else { lead };
        self.cursor = cursor;
        out.push_str(&list);
        out.push_str(&self.redraw());
        vec![Effect::Write(out)]
    }

    /// Replaces the current line with this one and sends it at the next prompt. Used by the page's buttons.
    pub fn type_line(&mut self, line: &str) -> Vec<Effect> {
        self.waiting.extend([LineKey::Edit(EditKey::End), LineKey::Edit(EditKey::KillToStart)]);
        self.waiting.extend(line.chars().filter(|c| !c.is_control()).map(LineKey::Char));
        self.waiting.push_back(LineKey::Enter);
        self.go_on()
    }

    fn key(&mut self, key: LineKey, effects: &mut Vec<Effect>) {
        if key != LineKey::Tab {
            self.listing = false;
        }
        if self.search.is_some() && self.search_key(key, effects) {
            return;
        }
        match key {
            LineKey::Char(c) => self.insert(c, effects),
            LineKey::Enter => self.enter(effects),
            LineKey::Interrupt => self.interrupt("^C", 3, effects),
            LineKey::Suspend => {
                if !self.at_prompt() {
                    self.interrupt("^Z", 26, effects);
                }
            }
            LineKey::EndOfFile => self.end_of_file(effects),
            LineKey::Tab if self.at_prompt() => {
                effects.push(Effect::Complete { line: self.text.clone(), cursor: self.cursor });
            }
            LineKey::Tab => self.insert('\t', effects),
            LineKey::Search => {
                if self.at_prompt() {
                    self.search = Some(HistorySearch::default());
                    effects.push(Effect::Write(self.redraw()));
                }
            }
            LineKey::ClearScreen => {
                self.lead.clear();
                self.cursor_row = 0;
                effects.push(Effect::Write(format!("\u{1b}[H\u{1b}[2J{}", self.redraw())));
            }
            LineKey::Abort => {}
            LineKey::Edit(edit) => {
                if self.edit(edit) {
                    effects.push(Effect::Write(self.redraw()));
                }
            }
        }
    }

    /// Ctrl-D: end of file on an empty line, otherwise Delete.
    fn end_of_file(&mut self, effects: &mut Vec<Effect>) {
        if !self.text.is_empty() {
            return self.key(LineKey::Edit(EditKey::Delete), effects);
        }
        if self.at_prompt() {
            effects.push(Effect::Write(self.leave("")));
            self.prompt = None;
        }
        effects.push(Effect::Send(vec![4]));
    }

    fn insert(&mut self, c: char, effects: &mut Vec<Effect>) {
        if self.text.len() >= LONGEST {
            return;
        }
        self.text.insert(self.cursor, c);
        self.cursor += c.len_utf8();
        effects.push(Effect::Write(self.draw_inserted(c)));
    }

    fn enter(&mut self, effects: &mut Vec<Effect>) {
        effects.push(Effect::Write(self.leave("")));
        if self.at_prompt() {
            self.history.push(&self.text);
        }
        let mut line = std::mem::take(&mut self.text);
        line.push('\n');
        self.cursor = 0;
        self.prompt = None;
        effects.push(Effect::Send(line.into_bytes()));
    }

    /// Ctrl-C and Ctrl-Z: drops the line and signals the shell or the running program.
    fn interrupt(&mut self, mark: &str, byte: u8, effects: &mut Vec<Effect>) {
        effects.push(Effect::Write(self.leave(mark)));
        self.text.clear();
        self.cursor = 0;
        self.history.settle();
        self.prompt = None;
        effects.push(Effect::Send(vec![byte]));
    }

    /// Handles a key in search mode; false if the search ended and the key is for the line.
    fn search_key(&mut self, key: LineKey, effects: &mut Vec<Effect>) -> bool {
        let Some(mut search) = self.search.take() else { return false };
        match key {
            LineKey::Char(c) => {
                search.query.push(c);
                self.history.search(&mut search, false);
            }
            LineKey::Edit(EditKey::Backspace) => {
                search.query.pop();
                search.found = None;
                self.history.search(&mut search, false);
            }
            LineKey::Search => self.history.search(&mut search, true),
            LineKey::Abort | LineKey::Interrupt => {
                effects.push(Effect::Write(self.redraw()));
                return true;
            }
            LineKey::Enter
            | LineKey::Tab
            | LineKey::ClearScreen
            | LineKey::EndOfFile
            | LineKey::Suspend
            | LineKey::Edit(_) => {
                if search.found.is_some() {
                    self.history.found(&search).clone_into(&mut self.text);
                    self.cursor = self.text.len();
                }
                effects.push(Effect::Write(self.redraw()));
                return false;
            }
        }
        self.search = Some(search);
        effects.push(Effect::Write(self.redraw()));
        true
    }

    /// Applies an edit; true if the line must be redrawn.
    fn edit(&mut self, edit: EditKey) -> bool {
        match edit {
            EditKey::Left => self.cursor = self.left(),
            EditKey::Right => self.cursor = self.right(),
            EditKey::Home => self.cursor = 0,
            EditKey::End => self.cursor = self.text.len(),
            EditKey::WordLeft => self.cursor = self.word_left(|c| !c.is_alphanumeric()),
            EditKey::WordRight => self.cursor = self.word_right(),
            EditKey::Backspace => drop(self.cut(self.left(), self.cursor)),
            EditKey::Delete => drop(self.cut(self.cursor, self.right())),
            EditKey::KillWordLeft => self.kill(self.word_left(|c| !c.is_alphanumeric()), self.cursor),
            EditKey::KillBlankWordLeft => self.kill(self.word_left(char::is_whitespace), self.cursor),
            EditKey::KillWordRight => self.kill(self.cursor, self.word_right()),
            EditKey::KillToStart => self.kill(0, self.cursor),
            EditKey::KillToEnd => self.kill(self.cursor, self.text.len()),
            EditKey::Yank => {
                self.text.insert_str(self.cursor, &self.killed);
                self.cursor += self.killed.len();
            }
            EditKey::Transpose => self.transpose(),
            EditKey::Up | EditKey::Down if !self.at_prompt() => return false,
            EditKey::Up => {
                let older = self.history.older(&self.text);
                return self.recall(older);
            }
            EditKey::Down => {
                let newer = self.history.newer();
                return self.recall(newer);
            }
        }
        true
    }

    fn recall(&mut self, line: Option<String>) -> bool {
        let Some(line) = line else { return false };
        self.cursor = line.len();
        self.text = line;
        true
    }

    fn left(&self) -> usize {
        self.text[..self.cursor].char_indices().next_back().map_or(0, |(i, _)| i)
    }

    fn right(&self) -> usize {
        self.text[self.cursor..].chars().next().map_or(self.cursor, |c| self.cursor + c.len_utf8())
    }

    fn word_left(&self, gap: fn(char) -> bool) -> usize {
        let before = self.text[..self.cursor].trim_end_matches(gap);
        before.char_indices().rev().find(|(_, c)| gap(*c)).map_or(0, |(i, c)| i + c.len_utf8())
    }

    fn word_right(&self) -> usize {
        let after = &self.text[self.cursor..];
        let word = after.trim_start_matches(|c: char| !c.is_alphanumeric());
        let rest = word.trim_start_matches(char::is_alphanumeric);
        self.text.len() - rest.len()
    }

    fn cut(&mut self, from: usize, to: usize) -> String {
        self.cursor = from;
        self.text.drain(from..to).collect()
    }

    fn kill(&mut self, from: usize, to: usize) {
        if from < to {
            self.killed = self.cut(from, to);
        }
    }

    fn transpose(&mut self) {
        let at = if self.cursor == self.text.len() { self.left() } else { self.cursor };
        let Some(second) = self.text[at..].chars().next() else { return };
        let Some((first_at, first)) = self.text[..at].char_indices().next_back() else { return };
        self.text.replace_range(first_at..at + second.len_utf8(), &format!("{second}{first}"));
        self.cursor = at + second.len_utf8();
    }
}

/// Longest common prefix.
fn common_prefix(words: &[String]) -> &str {
    let Some(first) = words.first() else { return "" };
    let same = |word: &String| {
        first.chars().zip(word.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    &first[..words.iter().map(same).min().unwrap_or(0)]
}

/// Words in columns as readline lists them; paths by their last component.
fn columns_of(words: &[String], columns: u16) -> String {
    let name = |word: &String| {
        let end = word.trim_end_matches('/').rfind('/').map_or(0, |i| i + 1);
        word[end..].to_owned()
    };
    let names: Vec<String> = words.iter().take(200).map(name).collect();
    let width = names.iter().map(|n| text_width(n)).max().unwrap_or(0) + 2;
    let across = (usize::from(columns) / width).max(1);
    let down = names.len().div_ceil(across);
    let mut out = String::new();
    for row in 0..down {
        for name in names.iter().skip(row).step_by(down.max(1)) {
            out.push_str(&pad_right(name, width));
        }
        out.truncate(out.trim_end().len());
        out.push_str("\r\n");
    }
    out
}
