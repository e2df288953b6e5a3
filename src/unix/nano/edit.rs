//! Moving and changing the text.

use super::{LastKey, Nano};
use crate::edit::Place;
use crate::edit::screen::{col_at, column_of};
use crate::edit::text::part;

fn is_word(c: char) -> bool {
    c.is_alphanumeric()
}

impl Nano {
    pub(super) fn before(&self, place: Place) -> Place {
        match (place.col().checked_sub(1), place.row().checked_sub(1)) {
            (Some(col), _) => Place::new(place.row(), col),
            (None, Some(row)) => Place::new(row, self.text.length(row)),
            (None, None) => place,
        }
    }

    pub(super) fn after(&self, place: Place) -> Place {
        if place.col() < self.text.length(place.row()) {
            Place::new(place.row(), place.col() + 1)
        } else if place.row() < self.text.last() {
            Place::new(place.row() + 1, 0)
        } else {
            place
        }
    }

    /// Another line, in the same column.
    pub(super) fn vertical(&mut self, row: usize) {
        let tab = self.tab();
        let own = column_of(self.text.line(self.cursor.row()), self.cursor.col(), tab);
        let wanted = *self.wanted.get_or_insert(u32::try_from(own).unwrap_or(0));
        self.cursor = Place::new(row, col_at(self.text.line(row), wanted as usize, tab));
    }

    /// The start of the next word.
    pub(super) fn next_word(&self) -> Place {
        let mut at = self.cursor;
        let mut was_word = self.text.at(at).is_some_and(is_word);
        loop {
            let next = self.after(at);
            if next == at {
                return at;
            }
            let word = self.text.at(next).is_some_and(is_word);
            if word && (!was_word || next.row() != at.row()) {
                return next;
            }
            (at, was_word) = (next, word);
        }
    }

    /// The start of this word, or of the one before.
    pub(super) fn previous_word(&self) -> Place {
        let mut at = self.cursor;
        let mut seen = false;
        loop {
            let before = self.before(at);
            let word = before != at && before.row() == at.row() && self.text.at(before).is_some_and(is_word);
            if before == at || seen && !word {
                return at;
            }
            seen |= word;
            at = before;
        }
    }

    /// Begins a change, unless it goes on with what was typed here.
    fn change(&mut self, last: LastKey) {
        if last != LastKey::Typed(self.cursor) {
            self.text.end();
        }
        self.text.begin(self.cursor, self.now);
    }

    pub(super) fn type_text(&mut self, text: &str, last: LastKey) {
        self.change(last);
        self.mark = None;
        let end = self.text.insert(self.cursor, text);
        self.go(end);
        self.close_text();
        self.last = LastKey::Typed(self.cursor);
    }

    /// A text that ends without a newline gets one: the empty line at the end.
    fn close_text(&mut self) {
        let last = self.text.last();
        if self.text.length(last) > 0 {
            self.text.replace(last + 1, 0, vec![String::new()]);
        }
    }

    pub(super) fn type_tab(&mut self, last: LastKey) {
        if self.options.spaces {
            let tab = self.tab();
            let column = column_of(self.text.line(self.cursor.row()), self.cursor.col(), tab);
            self.type_text(&" ".repeat(tab - column % tab), last);
        } else {
            self.type_text("\t", last);
        }
    }

    pub(super) fn type_line(&mut self, last: LastKey) {
        let line = self.text.line(self.cursor.row());
        let blanks = line.chars().take_while(|c| matches!(c, ' ' | '\t')).count();
        let indent = part(line, 0, blanks.min(self.cursor.col())).to_owned();
        let indent = if self.options.auto_indent { indent } else { String::new() };
        self.type_text(&format!("\n{indent}"), last);
        self.last = LastKey::Other;
    }

    pub(super) fn erase_back(&mut self, last: LastKey) {
        let from = self.before(self.cursor);
        if from == self.cursor {
            return;
        }
        self.change(last);
        self.mark = None;
        self.text.remove(from, self.cursor);
        self.go(from);
        self.close_text();
        self.last = LastKey::Typed(self.cursor);
    }

    pub(super) fn erase(&mut self, last: LastKey) {
        let to = self.after(self.cursor);
        if to == self.cursor {
            return;
        }
        self.change(last);
        self.mark = None;
        self.text.remove(self.cursor, to);
        self.close_text();
        self.last = LastKey::Typed(self.cursor);
    }

    /// The marked text.
    pub(super) fn marked(&self) -> Option<(Place, Place)> {
        self.mark.map(|mark| (mark.min(self.cursor), mark.max(self.cursor)))
    }

    /// The line with its end.
    fn whole_line(&self) -> (Place, Place) {
        let row = self.cursor.row();
        let end = if row < self.text.last() {
            Place::new(row + 1, 0)
        } else {
            Place::new(row, self.text.length(row))
        };
        (Place::new(row, 0), end)
    }

    /// ^K
    pub(super) fn cut(&mut self, last: LastKey) {
        let (from, to) = self.marked().unwrap_or_else(|| self.whole_line());
        if from == to {
            return self.tell("Nothing was cut");
        }
        // Lines that are cut one after the other come back together.
        let goes_on = last == LastKey::Cut && self.mark.is_none();
        if !goes_on {
            self.text.end();
        }
        self.text.begin(self.cursor, self.now);
        let text = self.text.remove(from, to);
        if goes_on {
            self.cut.push_str(&text);
        } else {
            self.cut = text;
        }
        self.last = if self.mark.take().is_some() { LastKey::Other } else { LastKey::Cut };
        self.go(from);
        self.close_text();
    }

    /// M-6
    pub(super) fn copy(&mut self, last: LastKey) {
        let marked = self.marked();
        let (from, to) = marked.unwrap_or_else(|| self.whole_line());
        if from == to {
            return self.tell("Copied nothing");
        }
        let text = self.text.between(from, to);
        if last == LastKey::Copied && marked.is_none() {
            self.cut.push_str(&text);
        } else {
            self.cut = text;
        }
        if marked.is_some() {
            self.mark = None;
        } else {
            self.last = LastKey::Copied;
            self.go(to);
        }
    }

    /// M-T: cuts from here to the end of the text.
    pub(super) fn cut_rest(&mut self) {
        let end = Place::new(self.text.last(), self.text.length(self.text.last()));
        if self.cursor == end {
            return self.tell("Nothing was cut");
        }
        self.change(LastKey::Other);
        self.cut = self.text.remove(self.cursor, end);
        self.close_text();
    }

    /// ^U
    pub(super) fn paste(&mut self) {
        if self.cut.is_empty() {
            return self.tell("Cutbuffer is empty");
        }
        self.change(LastKey::Other);
        self.mark = None;
        let end = self.text.insert(self.cursor, &self.cut.clone());
        self.go(end);
        self.close_text();
    }

    /// Indents the marked lines, or this one; or takes an indent away.
    pub(super) fn shift(&mut self, right: bool) {
        let (from, to) = self.marked().unwrap_or((self.cursor, self.cursor));
        let end = if to.col() == 0 && to.row() > from.row() { to.row() - 1 } else { to.row() };
        self.change(LastKey::Other);
        let tab = self.tab();
        for row in from.row()..=end {
            let line = self.text.line(row).to_owned();
            if right && !line.is_empty() {
                let indent = if self.options.spaces { " ".repeat(tab) } else { "\t".to_owned() };
                self.text.set_line(row, format!("{indent}{line}"));
            } else if !right {
                let blanks = match line.strip_prefix('\t') {
                    Some(_) => 1,
                    None => line.chars().take(tab).take_while(|c| *c == ' ').count(),
                };
                self.text.set_line(row, part(&line, blanks, usize::MAX).to_owned());
            }
        }
        self.go(self.cursor);
    }

    /// M-U and M-E
    pub(super) fn undo(&mut self, back: bool) {
        self.mark = None;
        let undone = if back { self.text.undo() } else { self.text.redo() };
        match undone {
            Some(undone) => {
                self.go(undone.place);
                self.tell(if back { "Undid the last action" } else { "Redid the last action" });
            }
            None => self.tell(if back { "Nothing to undo" } else { "Nothing to redo" }),
        }
    }

    /// ^C
    pub(super) fn tell_place(&mut self) {
        let (row, col) = (self.cursor.row(), self.cursor.col());
        let line = self.text.line(row);
        let percent = |part: usize, all: usize| (100 * part).checked_div(all).unwrap_or(0);
        let column = column_of(line, col, self.tab()) + 1;
        let width = column_of(line, usize::MAX, self.tab()) + 1;
        let lines = self.text.count();
        let before: usize = self.text.lines().iter().take(row).map(|line| line.chars().count() + 1).sum();
        let all: usize = self.text.lines().iter().map(|line| line.chars().count() + 1).sum::<usize>() - 1;
        let at = before + col;
        self.tell(&format!(
            "line {}/{lines} ({}%), col {column}/{width} ({}%), char {at}/{all} ({}%)",
            row + 1,
            percent(row + 1, lines),
            percent(column, width),
            percent(at, all)
        ));
    }

    /// M-D
    pub(super) fn count_words(&mut self) {
        let text = match self.marked() {
            Some((from, to)) => self.text.between(from, to),
            None => self.text.lines().join("\n"),
        };
        let words = text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).count();
        let lines = text.matches('\n').count();
        let of = if self.mark.is_some() { "In Selection:  " } else { "" };
        self.tell(&format!(
            "{of}{lines} line{}, {words} word{}, {} characters",
            if lines == 1 { "" } else { "s" },
            if words == 1 { "" } else { "s" },
            text.chars().count()
        ));
    }
}
