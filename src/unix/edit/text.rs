//! The text of an editor: its lines, and the history for undo and redo.
//!
//! Invariant: there is at least one line, and every change goes through [`EditorText::replace`], so that undoing all changes
//! gives the first text.

use base::time::Time;
use host::memory::ELEMENT;
use serde::{Deserialize, Serialize};

/// Maximum number of changes that can be undone.
const MAX_GROUPS: usize = 1000;
/// Maximum bytes of the lines that the history holds.
const MAX_HISTORY: usize = 8 << 20;

/// A place in a text: a line, and a character of it, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    row: u32,
    col: u32,
}

impl Place {
    /// The place of this line and character.
    #[must_use]
    pub fn new(row: usize, col: usize) -> Self {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { row: number(row), col: number(col) }
    }

    /// The line.
    #[must_use]
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// The character.
    #[must_use]
    pub const fn col(self) -> usize {
        self.col as usize
    }
}

/// Lines that replaced others.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LineChange {
    row: u32,
    old: Vec<String>,
    new: Vec<String>,
}

/// The changes that one undo takes back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EditGroup {
    changes: Vec<LineChange>,
    /// Where the cursor was before.
    pub cursor: Place,
    /// The number of the group.
    pub number: u32,
    /// When it was made.
    pub time: Time,
    /// Whether the text was unchanged before it.
    clean: bool,
    /// Whether the text had no line before it, and after it.
    had_none: (bool, bool),
}

/// What an undo or redo did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The number of the group.
    pub number: u32,
    /// When the group was made.
    pub time: Time,
    /// The saved cursor, or the first changed line.
    pub place: Place,
    /// Whether the place is the saved cursor.
    pub is_exact: bool,
    /// Lines that there are more now; negative: fewer.
    pub more_lines: i64,
    /// Number of changed places.
    pub changes: usize,
}

/// A text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EditorText {
    lines: Vec<String>,
    undo: Vec<EditGroup>,
    redo: Vec<EditGroup>,
    number: u32,
    /// Whether the next change belongs to the last group.
    open: bool,
    /// Whether it differs from its file.
    modified: bool,
    /// All lines were removed; the empty one stands for none.
    has_none: bool,
}

fn row_number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

fn byte_of(line: &str, col: usize) -> usize {
    line.char_indices().nth(col).map_or(line.len(), |(at, _)| at)
}

/// The part of a line between two characters.
#[must_use]
pub fn part(line: &str, from: usize, to: usize) -> &str {
    let from = byte_of(line, from);
    line.get(from..byte_of(line, to).max(from)).unwrap_or_default()
}

impl EditorText {
    /// A text of these lines.
    #[must_use]
    pub fn new(mut lines: Vec<String>) -> Self {
        let has_none = lines.is_empty();
        if has_none {
            lines.push(String::new());
        }
        Self { lines, has_none, ..Self::default() }
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// A line; empty if there is none.
    #[must_use]
    pub fn line(&self, row: usize) -> &str {
        self.lines.get(row).map_or("", String::as_str)
    }

    /// Number of lines.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// The last line.
    #[must_use]
    pub fn last(&self) -> usize {
        self.lines.len().saturating_sub(1)
    }

    /// Number of characters in a line.
    #[must_use]
    pub fn length(&self, row: usize) -> usize {
        self.line(row).chars().count()
    }

    /// The character at a place.
    #[must_use]
    pub fn at(&self, place: Place) -> Option<char> {
        self.line(place.row()).chars().nth(place.col())
    }

    /// Whether it differs from its file.
    #[must_use]
    pub const fn is_modified(&self) -> bool {
        self.modified
    }

    /// Whether it has no line.
    #[must_use]
    pub const fn has_none(&self) -> bool {
        self.has_none
    }

    /// It is the same as its file from now on.
    pub fn set_saved(&mut self) {
        self.modified = false;
        // Undoing leads away from the file, and only one group leads back: none is known for certain.
        for group in self.undo.iter_mut().chain(&mut self.redo) {
            group.clean = false;
        }
    }

    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let own: usize = self.lines.iter().map(|line| line.len() + ELEMENT).sum();
        own + self.history()
    }

    fn history(&self) -> usize {
        let size = |lines: &Vec<String>| lines.iter().map(|line| line.len() + ELEMENT).sum::<usize>();
        let groups = self.undo.iter().chain(&self.redo);
        groups.flat_map(|group| &group.changes).map(|change| size(&change.old) + size(&change.new)).sum()
    }

    /// Begins a group of changes, if none is open.
    pub fn begin(&mut self, cursor: Place, now: Time) {
        if self.open {
            return;
        }
        self.open = true;
        let clean = !self.modified;
        let number = self.number + 1;
        let had_none = (self.has_none, false);
        self.undo.push(EditGroup { changes: Vec::new(), cursor, number, time: now, clean, had_none });
    }

    /// Ends the group of changes.
    pub fn end(&mut self) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        match self.undo.last_mut() {
            Some(group) if group.changes.is_empty() => drop(self.undo.pop()),
            Some(group) => group.had_none.1 = self.has_none,
            None => {}
        }
        let too_many = |text: &Self| text.undo.len() > MAX_GROUPS || text.history() > MAX_HISTORY;
        while self.undo.len() > 1 && too_many(self) {
            self.undo.remove(0);
        }
    }

    /// Replaces `count` lines from `row` on by others. Needs an open group, see [`EditorText::begin`]; without one nothing can be
    /// undone.
    pub fn replace(&mut self, row: usize, count: usize, mut new: Vec<String>) {
        let row = row.min(self.lines.len());
        let end = row.saturating_add(count).min(self.lines.len());
        self.has_none = new.is_empty() && end - row == self.lines.len();
        if self.has_none {
            new.push(String::new());
        }
        let old: Vec<String> = self.lines.splice(row..end, new.iter().cloned()).collect();
        self.modified = true;
        self.redo.clear();
        let Some(group) = self.undo.last_mut().filter(|_| self.open) else { return };
        self.number = self.number.max(group.number);
        // Typing changes one line again and again.
        if let Some(last) = group.changes.last_mut()
            && (last.row, last.new.len(), old.len(), new.len()) == (row_number(row), 1, 1, 1)
        {
            last.new = new;
            return;
        }
        group.changes.push(LineChange { row: row_number(row), old, new });
    }

    /// Number of changes in the open group.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.undo.last().filter(|_| self.open).map_or(0, |group| group.changes.len())
    }

    /// Where a line is after the changes of the open group from this number on; none if it was removed.
    #[must_use]
    pub fn moved(&self, row: usize, since: usize) -> Option<usize> {
        let changes = self.undo.last().filter(|_| self.open).map_or(&[][..], |group| &group.changes);
        changes.iter().skip(since).try_fold(row, |row, change| {
            let (start, old, new) = (change.row as usize, change.old.len(), change.new.len());
            match row {
                row if row < start => Some(row),
                row if row >= start + old => Some(row - old + new),
                row => (row - start < new).then_some(row),
            }
        })
    }

    /// Replaces a line.
    pub fn set_line(&mut self, row: usize, line: String) {
        self.replace(row, 1, vec![line]);
    }

    /// Inserts text at a place. Returns the place after it.
    pub fn insert(&mut self, place: Place, text: &str) -> Place {
        let line = self.line(place.row()).to_owned();
        let (before, after) = line.split_at_checked(byte_of(&line, place.col())).unwrap_or((&line, ""));
        let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let added = lines.len() - 1;
        let typed = lines.last().map_or(0, |last| last.chars().count());
        if let Some(first) = lines.first_mut() {
            first.insert_str(0, before);
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(after);
        }
        self.replace(place.row(), 1, lines);
        let start = if added == 0 { place.col().min(before.chars().count()) } else { 0 };
        Place::new(place.row() + added, start + typed)
    }

    /// The text between two places.
    #[must_use]
    pub fn between(&self, from: Place, to: Place) -> String {
        if from.row() == to.row() {
            return part(self.line(from.row()), from.col(), to.col()).to_owned();
        }
        let mut text = part(self.line(from.row()), from.col(), usize::MAX).to_owned();
        for row in from.row() + 1..to.row() {
            text.push('\n');
            text.push_str(self.line(row));
        }
        text.push('\n');
        text.push_str(part(self.line(to.row()), 0, to.col()));
        text
    }

    /// Removes the text between two places, and returns it.
    pub fn remove(&mut self, from: Place, to: Place) -> String {
        let removed = self.between(from, to);
        if removed.is_empty() {
            return removed;
        }
        let mut line = part(self.line(from.row()), 0, from.col()).to_owned();
        line.push_str(part(self.line(to.row()), to.col(), usize::MAX));
        self.replace(from.row(), to.row() - from.row() + 1, vec![line]);
        removed
    }

    /// Takes the last group back.
    pub fn undo(&mut self) -> Option<Undone> {
        self.end();
        let group = self.undo.pop()?;
        let before = self.lines.len();
        let mut first = usize::MAX;
        for change in group.changes.iter().rev() {
            first = first.min(self.swap(change.row, change.new.len(), &change.old));
        }
        self.modified = !group.clean;
        self.has_none = group.had_none.0;
        let undone = self.undone(&group, first, before);
        self.redo.push(group);
        Some(undone)
    }

    /// Makes the group that was taken back last again.
    pub fn redo(&mut self) -> Option<Undone> {
        self.end();
        let group = self.redo.pop()?;
        let before = self.lines.len();
        let mut first = usize::MAX;
        for change in &group.changes {
            first = first.min(self.swap(change.row, change.old.len(), &change.new));
        }
        self.modified = true;
        self.has_none = group.had_none.1;
        let undone = self.undone(&group, first, before);
        self.undo.push(group);
        Some(undone)
    }

    fn undone(&self, group: &EditGroup, first: usize, before: usize) -> Undone {
        let is_exact = group.cursor.row() == first;
        let place = if is_exact { group.cursor } else { Place::new(first.min(self.last()), 0) };
        let lines = |count: usize| i64::try_from(count).unwrap_or(0);
        Undone {
            number: group.number,
            time: group.time,
            place,
            is_exact,
            more_lines: lines(self.lines.len()) - lines(before),
            changes: group.changes.len(),
        }
    }

    /// Puts lines in place of others. Returns the first line that differs.
    fn swap(&mut self, row: u32, count: usize, lines: &[String]) -> usize {
        let row = row as usize;
        let start = row.min(self.lines.len());
        let end = start.saturating_add(count).min(self.lines.len());
        let old: Vec<String> = self.lines.splice(start..end, lines.iter().cloned()).collect();
        row + old.iter().zip(lines).take_while(|(old, new)| old == new).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> EditorText {
        EditorText::new(lines.iter().map(|line| (*line).to_owned()).collect())
    }

    #[test]
    fn insert_remove_and_undo_give_the_first_text() {
        let mut text = text(&["one", "zwei", "drei"]);
        text.begin(Place::new(0, 1), Time(0));
        assert_eq!(text.insert(Place::new(0, 1), "ü\nx"), Place::new(1, 1));
        assert_eq!(text.lines(), ["oü", "xne", "zwei", "drei"]);
        text.end();
        text.begin(Place::new(1, 0), Time(0));
        assert_eq!(text.remove(Place::new(1, 1), Place::new(3, 2)), "ne\nzwei\ndr");
        text.end();
        assert_eq!(text.lines(), ["oü", "xei"]);
        let undone = text.undo().unwrap();
        assert_eq!((undone.place, undone.is_exact, undone.more_lines), (Place::new(1, 0), true, 2));
        assert!(text.undo().is_some() && text.undo().is_none());
        assert_eq!(text.lines(), ["one", "zwei", "drei"]);
        assert!(!text.is_modified());
        assert!(text.redo().is_some() && text.redo().is_some() && text.redo().is_none());
        assert_eq!(text.lines(), ["oü", "xei"]);
    }

    #[test]
    fn a_text_without_lines_is_one_empty_line() {
        let mut text = text(&["a", "b"]);
        text.begin(Place::default(), Time(0));
        text.replace(0, 2, Vec::new());
        text.end();
        assert!(text.has_none());
        text.undo();
        assert_eq!(text.lines(), ["a", "b"]);
    }
}
