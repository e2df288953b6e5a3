//! Words, paragraphs and brackets of a text.

use crate::edit::{EditorText, Place};

/// What a character is: 0 blank, 1 punctuation, 2 part of a word.
fn class(c: Option<char>, big: bool) -> u8 {
    match c {
        None => 0,
        Some(c) if c.is_whitespace() => 0,
        Some(_) if big => 1,
        Some(c) if c == '_' || c.is_alphanumeric() => 2,
        Some(_) => 1,
    }
}

/// The next place: the end of a line counts as a character, but not that of the last line.
fn next(text: &EditorText, place: Place) -> Option<Place> {
    let length = text.length(place.row());
    if place.col() + 1 < length {
        return Some(Place::new(place.row(), place.col() + 1));
    }
    (place.row() < text.last()).then(|| Place::new(place.row() + 1, 0))
}

fn previous(text: &EditorText, place: Place) -> Option<Place> {
    if place.col() > 0 {
        return Some(Place::new(place.row(), place.col() - 1));
    }
    let row = place.row().checked_sub(1)?;
    Some(Place::new(row, text.length(row).saturating_sub(1)))
}

fn is_empty(text: &EditorText, place: Place) -> bool {
    text.line(place.row()).is_empty()
}

/// The start of the next word (`w`); after the last word, the end of the text.
#[must_use]
pub fn forward(text: &EditorText, from: Place, big: bool) -> Place {
    let end = Place::new(text.last(), text.length(text.last()));
    let kind = class(text.at(from), big);
    let mut at = from;
    if kind != 0 {
        loop {
            let Some(to) = next(text, at) else { return end };
            let other_line = to.row() != at.row();
            at = to;
            if other_line || class(text.at(at), big) != kind {
                break;
            }
        }
    } else {
        match next(text, at) {
            Some(to) => at = to,
            None => return end,
        }
    }
    // Blanks, up to a word or an empty line.
    loop {
        if class(text.at(at), big) != 0 || is_empty(text, at) {
            return at;
        }
        match next(text, at) {
            Some(to) => at = to,
            None => return end,
        }
    }
}

/// The start of this word, or of the one before (`b`).
#[must_use]
pub fn back(text: &EditorText, from: Place, big: bool) -> Place {
    let Some(mut at) = previous(text, from) else { return from };
    while class(text.at(at), big) == 0 && !is_empty(text, at) {
        match previous(text, at) {
            Some(to) => at = to,
            None => return at,
        }
    }
    let kind = class(text.at(at), big);
    while kind != 0 && at.col() > 0 && class(text.at(Place::new(at.row(), at.col() - 1)), big) == kind {
        at = Place::new(at.row(), at.col() - 1);
    }
    at
}

/// The end of the word that the cursor is in.
#[must_use]
pub fn end_here(text: &EditorText, from: Place, big: bool) -> Place {
    let kind = class(text.at(from), big);
    let mut at = from;
    while class(text.at(Place::new(at.row(), at.col() + 1)), big) == kind
        && at.col() + 1 < text.length(at.row())
    {
        at = Place::new(at.row(), at.col() + 1);
    }
    at
}

/// The end of this word, or of the next (`e`).
#[must_use]
pub fn end(text: &EditorText, from: Place, big: bool) -> Place {
    let last = Place::new(text.last(), text.length(text.last()).saturating_sub(1));
    let Some(mut at) = next(text, from) else { return last };
    while class(text.at(at), big) == 0 {
        match next(text, at) {
            Some(to) => at = to,
            None => return last,
        }
    }
    end_here(text, at, big)
}

/// The end of the word before (`ge`).
#[must_use]
pub fn end_back(text: &EditorText, from: Place, big: bool) -> Place {
    let kind = class(text.at(from), big);
    let mut at = from;
    if kind != 0 {
        while at.col() > 0 && class(text.at(Place::new(at.row(), at.col() - 1)), big) == kind {
            at = Place::new(at.row(), at.col() - 1);
        }
    }
    loop {
        match previous(text, at) {
            Some(to) => at = to,
            None => return at,
        }
        if class(text.at(at), big) != 0 || is_empty(text, at) {
            return at;
        }
    }
}

/// The next empty line (`}`), or the one before (`{`).
#[must_use]
pub fn paragraph(text: &EditorText, from: Place, forward: bool) -> Place {
    let mut row = from.row();
    let mut seen = false;
    loop {
        let is_blank = text.line(row).is_empty();
        if is_blank && seen {
            return Place::new(row, 0);
        }
        seen |= !is_blank;
        if forward {
            if row == text.last() {
                return Place::new(row, text.length(row));
            }
            row += 1;
        } else {
            match row.checked_sub(1) {
                Some(before) => row = before,
                None => return Place::new(0, 0),
            }
        }
    }
}

/// The bracket that belongs to the first one at or after a place of the line (`%`).
#[must_use]
pub fn bracket(text: &EditorText, from: Place) -> Option<Place> {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    let line = text.line(from.row());
    let (col, c) = line
        .chars()
        .enumerate()
        .skip(from.col())
        .find(|(_, c)| PAIRS.iter().any(|(open, close)| c == open || c == close))?;
    let (open, close) = *PAIRS.iter().find(|(open, close)| c == *open || c == *close)?;
    partner(text, Place::new(from.row(), col), open, close)
}

/// The other bracket of a pair.
#[must_use]
pub fn partner(text: &EditorText, from: Place, open: char, close: char) -> Option<Place> {
    let forward = text.at(from) == Some(open);
    let mut depth = 0_i64;
    let mut at = from;
    loop {
        match text.at(at) {
            Some(c) if c == open => depth += 1,
            Some(c) if c == close => depth -= 1,
            Some(_) | None => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at = if forward { next(text, at) } else { previous(text, at) }?;
    }
}

/// The innermost pair around a place.
#[must_use]
pub fn around(text: &EditorText, from: Place, open: char, close: char) -> Option<(Place, Place)> {
    if text.at(from) == Some(open) {
        return Some((from, partner(text, from, open, close)?));
    }
    let mut depth = 0_i64;
    let mut at = from;
    if text.at(at) != Some(close) {
        depth = 1;
    }
    loop {
        match text.at(at) {
            Some(c) if c == close => depth += 1,
            Some(c) if c == open => depth -= 1,
            Some(_) | None => {}
        }
        if depth == 0 {
            return Some((at, partner(text, at, open, close)?));
        }
        at = previous(text, at)?;
    }
}
