//! Insert and replace mode.

use super::operator::indent_of;
use super::{Vi, ViMode};
use crate::edit::screen::column_of;
use crate::edit::text::part;
use crate::edit::{EditorKey, Place};
use serde::{Deserialize, Serialize};

/// Maximum characters that a count inserts.
const MAX_INSERTED: usize = 1 << 20;

/// What insert mode remembers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// How often the text is inserted.
    times: u32,
    /// Each time in a line of its own (`o`).
    in_lines: bool,
    /// The text so far.
    typed: String,
    /// Backspace stops here in replace mode.
    start: Place,
    /// Characters replace others; those that were there, none after the end of the line.
    replaced: Option<Vec<Option<char>>>,
    /// The next key is a character.
    is_literal: bool,
    /// The indent that was added to an otherwise empty line.
    has_auto_indent: bool,
}

impl Insertion {
    /// Inserts at a place.
    #[must_use]
    pub fn at(start: Place) -> Self {
        Self {
            times: 1,
            in_lines: false,
            typed: String::new(),
            start,
            replaced: None,
            is_literal: false,
            has_auto_indent: false,
        }
    }

    /// Whether characters replace others.
    #[must_use]
    pub const fn replaces(&self) -> bool {
        self.replaced.is_some()
    }
}

impl Vi {
    /// `i`, `a`, `o` and the like.
    pub(super) fn start_insert(&mut self, key: EditorKey, times: usize) {
        self.change();
        let row = self.cursor.row();
        let mut insertion = Insertion::at(self.cursor);
        insertion.times = u32::try_from(times).unwrap_or(1);
        match key {
            EditorKey::Char('a') => {
                let col = (self.cursor.col() + 1).min(self.text.length(row));
                self.go(Place::new(row, col));
            }
            EditorKey::Char('A') => self.go(Place::new(row, self.text.length(row))),
            EditorKey::Char('I') => {
                let blanks = indent_of(self.text.line(row)).chars().count();
                self.go(Place::new(row, blanks));
            }
            EditorKey::Char('o' | 'O') => {
                let below = key == EditorKey::Char('o');
                let indent =
                    if self.options.auto_indent { indent_of(self.text.line(row)) } else { String::new() };
                insertion.has_auto_indent = !indent.is_empty();
                let at = row + usize::from(below);
                let col = indent.chars().count();
                self.text.replace(at, 0, vec![indent]);
                self.go(Place::new(at, col));
                insertion.in_lines = true;
            }
            EditorKey::Char('R') => insertion.replaced = Some(Vec::new()),
            _ => {}
        }
        insertion.start = self.cursor;
        self.mode = ViMode::Insert(Box::new(insertion));
    }

    pub(super) fn insert_key(&mut self, key: EditorKey) {
        let ViMode::Insert(insertion) = &mut self.mode else { return };
        if std::mem::take(&mut insertion.is_literal) {
            if let Some(c) = literal(key) {
                self.insert_text(&c.to_string());
            }
            return;
        }
        let (row, col) = (self.cursor.row(), self.cursor.col());
        match key {
            EditorKey::Escape | EditorKey::Ctrl('c') => self.end_insert(key == EditorKey::Escape),
            EditorKey::Char(c) => self.insert_text(&c.to_string()),
            EditorKey::Tab if self.options.expand_tab => {
                let column = column_of(self.text.line(row), col, self.options.tab_stop);
                let width = self.options.soft_tab();
                self.insert_text(&" ".repeat(width - column % width));
            }
            EditorKey::Tab => self.insert_text("\t"),
            EditorKey::Enter => self.insert_line(),
            EditorKey::Backspace => self.backspace(),
            EditorKey::Ctrl('w') => self.erase_to(self.word_start()),
            EditorKey::Ctrl('u') => {
                let start = match &self.mode {
                    ViMode::Insert(insertion)
                        if insertion.start.row() == row && insertion.start.col() < col =>
                    {
                        insertion.start.col()
                    }
                    _ => 0,
                };
                self.erase_to(start);
            }
            EditorKey::Delete => {
                let to = if col < self.text.length(row) {
                    Place::new(row, col + 1)
                } else {
                    Place::new(row + 1, 0)
                };
                if to.row() <= self.text.last() {
                    self.text.remove(self.cursor, to);
                }
            }
            EditorKey::Ctrl('t' | 'd') => {
                let before = indent_of(self.text.line(row)).chars().count();
                self.shift(row, row, key == EditorKey::Ctrl('t'), 1);
                let after = indent_of(self.text.line(row)).chars().count();
                self.go(Place::new(row, (col + after).saturating_sub(before)));
            }
            EditorKey::Ctrl('v' | 'q') => insertion.is_literal = true,
            EditorKey::Ctrl('e' | 'y') => {
                let other = if key == EditorKey::Ctrl('e') { Some(row + 1) } else { row.checked_sub(1) };
                let c = other.and_then(|other| self.text.at(Place::new(other, col)));
                if let Some(c) = c {
                    self.insert_text(&c.to_string());
                }
            }
            EditorKey::Left => self.move_in_insert(Place::new(row, col.saturating_sub(1))),
            EditorKey::Right => self.move_in_insert(Place::new(row, col + 1)),
            EditorKey::Home => self.move_in_insert(Place::new(row, 0)),
            EditorKey::End => self.move_in_insert(Place::new(row, usize::MAX)),
            EditorKey::Up | EditorKey::Down | EditorKey::PageUp | EditorKey::PageDown => {
                let page = self.options.rows.saturating_sub(2).max(1);
                let to = match key {
                    EditorKey::Up => row.saturating_sub(1),
                    EditorKey::Down => row + 1,
                    EditorKey::PageUp => row.saturating_sub(page),
                    _ => row + page,
                };
                self.move_in_insert(Place::new(to.min(self.text.last()), col));
            }
            _ => {}
        }
    }

    /// The cursor keys end what a count repeats, and what one `u` takes back.
    fn move_in_insert(&mut self, to: Place) {
        self.go(to);
        self.clamp();
        self.text.end();
        self.text.begin(self.cursor, self.now);
        let mut insertion = Insertion::at(self.cursor);
        if let ViMode::Insert(old) = &self.mode
            && old.replaced.is_some()
        {
            insertion.replaced = Some(Vec::new());
        }
        self.mode = ViMode::Insert(Box::new(insertion));
    }

    fn insert_text(&mut self, text: &str) {
        let place = self.cursor;
        let ViMode::Insert(insertion) = &mut self.mode else { return };
        insertion.typed.push_str(text);
        insertion.has_auto_indent = false;
        if let Some(replaced) = &mut insertion.replaced {
            for _ in text.chars() {
                let old = self.text.at(place);
                replaced.push(old);
                if old.is_some() {
                    self.text.remove(place, Place::new(place.row(), place.col() + 1));
                }
            }
        }
        let end = self.text.insert(place, text);
        self.go(end);
    }

    fn insert_line(&mut self) {
        let (row, place) = (self.cursor.row(), self.cursor);
        let line = self.text.line(row).to_owned();
        let ViMode::Insert(insertion) = &mut self.mode else { return };
        insertion.typed.push('\n');
        if let Some(replaced) = &mut insertion.replaced {
            replaced.push(None);
        }
        let mut indent = String::new();
        if self.options.auto_indent {
            let own = indent_of(&line);
            indent = part(&own, 0, place.col()).to_owned();
            // An indent without text is removed.
            if insertion.has_auto_indent && own.len() == line.len() {
                self.text.set_line(row, String::new());
                self.cursor = Place::new(row, 0);
                indent = own;
            }
            insertion.has_auto_indent = !indent.is_empty();
        }
        let (before, after) = self.halves(self.cursor);
        let after = if indent.is_empty() { after } else { after.trim_start_matches([' ', '\t']).to_owned() };
        let col = indent.chars().count();
        self.text.replace(row, 1, vec![before, format!("{indent}{after}")]);
        self.go(Place::new(row + 1, col));
    }

    fn backspace(&mut self) {
        let (row, col) = (self.cursor.row(), self.cursor.col());
        let ViMode::Insert(insertion) = &mut self.mode else { return };
        insertion.typed.pop();
        if let Some(replaced) = &mut insertion.replaced {
            let old = replaced.pop();
            match old {
                // What was there before comes back.
                Some(old) if col > 0 => {
                    let to = Place::new(row, col - 1);
                    self.text.remove(to, self.cursor);
                    if let Some(old) = old {
                        self.text.insert(to, &old.to_string());
                    }
                    self.go(to);
                }
                Some(_) | None => self.go(Place::new(row, col.saturating_sub(1))),
            }
            return;
        }
        if col > 0 {
            let to = Place::new(row, col - 1);
            self.text.remove(to, self.cursor);
            self.go(to);
        } else if row > 0 {
            let to = Place::new(row - 1, self.text.length(row - 1));
            self.text.remove(to, self.cursor);
            self.go(to);
        }
    }

    /// Where Ctrl-W erases to.
    fn word_start(&self) -> usize {
        let line: Vec<char> = self.text.line(self.cursor.row()).chars().collect();
        let mut at = self.cursor.col();
        while at > 0 && line.get(at - 1).is_some_and(|c| c.is_whitespace()) {
            at -= 1;
        }
        let kind = |c: &char| *c == '_' || c.is_alphanumeric();
        let Some(own) = at.checked_sub(1).and_then(|before| line.get(before)).map(kind) else { return at };
        while at > 0 && line.get(at - 1).is_some_and(|c| !c.is_whitespace() && kind(c) == own) {
            at -= 1;
        }
        at
    }

    fn erase_to(&mut self, col: usize) {
        if col == self.cursor.col() {
            return self.backspace();
        }
        let to = Place::new(self.cursor.row(), col);
        let erased = self.text.remove(to, self.cursor).chars().count();
        if let ViMode::Insert(insertion) = &mut self.mode {
            for _ in 0..erased {
                insertion.typed.pop();
            }
        }
        self.go(to);
    }

    /// Escape: a count repeats the text.
    fn end_insert(&mut self, repeats: bool) {
        let ViMode::Insert(insertion) = &mut self.mode else { return };
        let insertion = std::mem::replace(insertion.as_mut(), Insertion::at(self.cursor));
        let row = self.cursor.row();
        if insertion.has_auto_indent && self.text.line(row).trim().is_empty() {
            self.text.set_line(row, String::new());
            self.cursor = Place::new(row, 0);
        }
        let times = if repeats { insertion.times.saturating_sub(1) as usize } else { 0 };
        let times = times.min(MAX_INSERTED / insertion.typed.len().max(1));
        if times > 0 && (insertion.in_lines || !insertion.typed.is_empty()) {
            let text = if insertion.in_lines {
                format!("\n{}", insertion.typed).repeat(times)
            } else {
                insertion.typed.repeat(times)
            };
            if insertion.replaced.is_some() {
                let end = self.cursor.col() + text.chars().count();
                self.text.remove(self.cursor, Place::new(row, end.min(self.text.length(row))));
            }
            let at = if insertion.in_lines { Place::new(row, self.text.length(row)) } else { self.cursor };
            let end = self.text.insert(at, &text);
            self.go(end);
        }
        self.mode = ViMode::Normal;
        self.marks.insert('^', self.cursor);
        self.go(Place::new(self.cursor.row(), self.cursor.col().saturating_sub(1)));
    }
}

/// The character of a key after Ctrl-V.
fn literal(key: EditorKey) -> Option<char> {
    match key {
        EditorKey::Char(c) => Some(c),
        EditorKey::Tab => Some('\t'),
        EditorKey::Escape => Some('\x1b'),
        EditorKey::Enter => Some('\r'),
        EditorKey::Ctrl(c) => Some(char::from((c as u8) & 0x1f)),
        _ => None,
    }
}
