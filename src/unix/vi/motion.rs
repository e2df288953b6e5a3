//! Where motions go.

use super::parse::{Motion, ViOperator};
use super::words;
use super::{Vi, ViMode};
use crate::edit::Place;
use crate::edit::screen::{col_at, column_of};

/// The end of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    pub to: Place,
    /// An operator works on lines.
    pub is_lines: bool,
    /// An operator includes the last character.
    pub is_inclusive: bool,
    /// The next vertical motion keeps the column of an earlier one.
    pub keeps_column: bool,
    /// The next vertical motion goes to the ends of lines.
    pub to_end: bool,
}

impl Moved {
    const fn to(to: Place) -> Self {
        Self { to, is_lines: false, is_inclusive: false, keeps_column: false, to_end: false }
    }

    const fn including(to: Place) -> Self {
        Self { is_inclusive: true, ..Self::to(to) }
    }

    const fn lines(to: Place) -> Self {
        Self { is_lines: true, ..Self::to(to) }
    }
}

impl Vi {
    /// Where a motion goes; none if it cannot move.
    pub(super) fn motion(
        &mut self,
        motion: &Motion,
        count: Option<usize>,
        operator: Option<ViOperator>,
    ) -> Option<Moved> {
        let times = count.unwrap_or(1);
        let (row, col) = (self.cursor.row(), self.cursor.col());
        let length = self.text.length(row);
        let last = self.text.last();
        Some(match motion {
            Motion::Left => {
                if col == 0 {
                    return None;
                }
                Moved::to(Place::new(row, col.saturating_sub(times)))
            }
            Motion::Right => {
                // An operator may take the last character.
                let most = if operator.is_some() || !matches!(self.mode, ViMode::Normal) {
                    length
                } else {
                    length.saturating_sub(1)
                };
                if col >= most && !(operator == Some(ViOperator::Change) && length == 0) {
                    return None;
                }
                Moved::to(Place::new(row, (col + times).min(most)))
            }
            Motion::Up | Motion::Down => {
                let to =
                    if *motion == Motion::Up { row.saturating_sub(times) } else { (row + times).min(last) };
                let to = Some(to).filter(|to| *to != row)?;
                Moved { keeps_column: true, ..Moved::lines(self.keep_column(to)) }
            }
            Motion::LineUp => Moved::lines(self.first_in(row.checked_sub(1)?.saturating_sub(times - 1))),
            Motion::LineDown if row == last => return None,
            Motion::LineDown => Moved::lines(self.first_in((row + times).min(last))),
            Motion::LineHere => Moved::lines(self.first_in((row + times - 1).min(last))),
            Motion::Word { big } => return self.word(*big, times, operator),
            Motion::WordBack { big } => {
                let mut to = self.cursor;
                for _ in 0..times {
                    to = words::back(&self.text, to, *big);
                }
                Moved::to(Some(to).filter(|to| *to != self.cursor)?)
            }
            Motion::WordEnd { big } => {
                let mut to = self.cursor;
                for _ in 0..times {
                    to = words::end(&self.text, to, *big);
                }
                Moved::including(to)
            }
            Motion::WordEndBack { big } => {
                let mut to = self.cursor;
                for _ in 0..times {
                    to = words::end_back(&self.text, to, *big);
                }
                Moved::including(to)
            }
            Motion::LineStart => Moved::to(Place::new(row, 0)),
            Motion::LineFirst => Moved::to(self.first_in(row)),
            Motion::LineEnd => {
                let row = (row + times - 1).min(last);
                // A selection includes the end of the line.
                let selects = matches!(self.mode, ViMode::Visual { .. });
                let end = self.text.length(row).saturating_sub(usize::from(!selects));
                let is_inclusive = self.text.length(row) > 0;
                Moved { to_end: true, is_inclusive, ..Moved::to(Place::new(row, end)) }
            }
            Motion::Line { first } => {
                let default = if *first { 0 } else { last };
                Moved::lines(self.first_in(count.map_or(default, |line| line.saturating_sub(1).min(last))))
            }
            Motion::Find(letter, c) => {
                self.found = Some((*letter, *c));
                return self.find(*letter, *c, times, false);
            }
            Motion::FindAgain { reverse } => {
                let (letter, c) = self.found?;
                let letter = match (letter, reverse) {
                    (letter, false) => letter,
                    ('f', true) => 'F',
                    ('F', true) => 'f',
                    ('t', true) => 'T',
                    (_, true) => 't',
                };
                return self.find(letter, c, times, true);
            }
            Motion::Paragraph { forward } => {
                let mut to = self.cursor;
                for _ in 0..times {
                    to = words::paragraph(&self.text, to, *forward);
                }
                Moved::to(Some(to).filter(|to| *to != self.cursor)?)
            }
            Motion::Bracket => Moved::including(words::bracket(&self.text, self.cursor)?),
            Motion::High => Moved::lines(self.first_in((self.top as usize + times - 1).min(last))),
            Motion::Middle => {
                let rows = self.options.rows.saturating_sub(1).min(last.saturating_sub(self.top as usize));
                Moved::lines(self.first_in((self.top as usize + rows / 2).min(last)))
            }
            Motion::Low => {
                let bottom = (self.top as usize + self.options.rows).saturating_sub(times).min(last);
                Moved::lines(self.first_in(bottom.max(self.top as usize)))
            }
            Motion::Column => Moved::to(Place::new(row, (times - 1).min(length.saturating_sub(1)))),
            Motion::SearchAgain { reverse } => Moved::to(self.search_again(*reverse, times)?),
            Motion::SearchWord { forward } => Moved::to(self.search_word(*forward, times)?),
            Motion::Search { forward, pattern } => Moved::to(self.search_for(pattern, *forward, times)?),
            Motion::Mark { name, line } => {
                let Some(to) = self.mark(*name) else {
                    self.complain("E20: Mark not set");
                    return None;
                };
                if *line { Moved::lines(self.first_in(to.row())) } else { Moved::to(to) }
            }
        })
    }

    /// The place of a mark.
    pub(super) fn mark(&self, name: char) -> Option<Place> {
        let place = match name {
            '<' => self.selection.map(|(from, ..)| from),
            '>' => self.selection.map(|(_, to, _)| to),
            '`' | '\'' => Some(self.marks.get(&'\'').copied().unwrap_or_default()),
            name => self.marks.get(&name).copied(),
        }?;
        let row = place.row().min(self.text.last());
        Some(Place::new(row, place.col().min(self.text.length(row).saturating_sub(1))))
    }

    /// The character of another line in the column of this one.
    fn keep_column(&mut self, row: usize) -> Place {
        let tab = self.options.tab_stop;
        let own = column_of(self.text.line(self.cursor.row()), self.cursor.col(), tab);
        let wanted = *self.wanted.get_or_insert(u32::try_from(own).unwrap_or(0));
        let length = self.text.length(row);
        let most = if matches!(self.mode, ViMode::Normal) { length.saturating_sub(1) } else { length };
        let col = if wanted == u32::MAX { most } else { col_at(self.text.line(row), wanted as usize, tab) };
        Place::new(row, col.min(most))
    }

    fn word(&mut self, big: bool, times: usize, operator: Option<ViOperator>) -> Option<Moved> {
        let on_word = self.text.at(self.cursor).is_some_and(|c| !c.is_whitespace());
        if operator == Some(ViOperator::Change) && on_word {
            // `cw` changes to the end of the word; a word of one character is its own end.
            let mut to = words::end_here(&self.text, self.cursor, big);
            for _ in 1..times {
                to = words::end(&self.text, to, big);
            }
            return Some(Moved::including(to));
        }
        if operator == Some(ViOperator::Change) && times == 1 && self.text.at(self.cursor).is_some() {
            // Only one blank.
            return Some(Moved::including(self.cursor));
        }
        let mut to = self.cursor;
        for turn in 1..=times {
            let next = words::forward(&self.text, to, big);
            if turn == times && operator.is_some() && next.row() > to.row() {
                // The last word of a line ends with the line.
                let end = Place::new(to.row(), self.text.length(to.row()));
                if end > to {
                    return Some(Moved::to(end));
                }
            }
            if next == to {
                break;
            }
            to = next;
        }
        if operator.is_none() {
            let most = self.text.length(to.row()).saturating_sub(1);
            to = Place::new(to.row(), to.col().min(most));
        }
        Some(Moved::to(Some(to).filter(|to| *to != self.cursor)?))
    }

    /// `f`, `t`, `F` and `T`. `again`: `t` next to its character goes on to the next one.
    fn find(&self, letter: char, c: char, times: usize, again: bool) -> Option<Moved> {
        let (row, col) = (self.cursor.row(), self.cursor.col());
        let line: Vec<char> = self.text.line(row).chars().collect();
        let at = |place: &usize| line.get(*place) == Some(&c);
        let skips = usize::from(again && letter.eq_ignore_ascii_case(&'t'));
        if letter.is_lowercase() {
            let found = (col + 1 + skips..line.len()).filter(at).nth(times - 1)?;
            let to = if letter == 't' { found - 1 } else { found };
            return Some(Moved::including(Place::new(row, to)));
        }
        let found = (0..col.saturating_sub(skips)).rev().filter(at).nth(times - 1)?;
        Some(Moved::to(Place::new(row, if letter == 'T' { found + 1 } else { found })))
    }
}
