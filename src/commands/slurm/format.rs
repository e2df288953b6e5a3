//! Formats as squeue, sinfo and sprio read them: `%.18i %.9P` ([`short`]) and `jobid:.18,name:8` ([`long`]).

use crate::base::order::Order as _;
use crate::base::table::{Overflow, Piece, cell, long_format, short_format};
use std::borrow::Cow;

/// A piece of a line.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text as it stands.
    Text(String),
    /// A field.
    Field(Shown),
}

/// A field in its column.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Which field of the command's table.
    pub at: usize,
    /// Right-justified.
    pub right: bool,
    /// 0: as wide as the text.
    pub width: usize,
    /// Text after it.
    pub suffix: String,
}

/// A field that does not exist: its letter or name, and where in the line it stood.
pub type Unknown = String;

/// `%all` in full: all letters, the small ones first, with bars between them; every other format as it is.
#[must_use]
pub fn spelled(format: &str, letters: impl Iterator<Item = &'static str>) -> String {
    if !format.eq_ignore_ascii_case("%all") {
        return format.to_owned();
    }
    let mut all: Vec<&str> = letters.filter(|letter| !letter.is_empty()).collect();
    all.order_by_key(|letter| (letter.chars().any(char::is_uppercase), *letter));
    format!("%{}", all.join("|%"))
}

/// Reads the short form; unknown fields are printed as they stand, and told.
#[must_use]
pub fn short(format: &str, find: &dyn Fn(&str) -> Option<usize>) -> (Vec<Part>, Vec<Unknown>) {
    let (mut parts, mut unknown) = (Vec::new(), Vec::new());
    for piece in short_format(format, |letter| find(letter).is_some()) {
        match piece {
            Piece::Literal(text) => parts.push(Part::Text(text)),
            Piece::Field(c) => {
                if let Some(at) = find(&c.field) {
                    parts.push(Part::Field(Shown { at, right: c.right, width: c.width, suffix: c.suffix }));
                }
            }
            Piece::Bad(letter, text) => {
                unknown.push(letter);
                parts.push(Part::Text(text));
            }
        }
    }
    (parts, unknown)
}

/// Reads the long form; unknown fields are left out, and told.
#[must_use]
pub fn long(format: &str, find: &dyn Fn(&str) -> Option<usize>) -> (Vec<Part>, Vec<Unknown>) {
    let (mut parts, mut unknown) = (Vec::new(), Vec::new());
    for c in long_format(format) {
        match find(&c.field) {
            Some(at) => {
                parts.push(Part::Field(Shown { at, right: c.right, width: c.width, suffix: c.suffix }));
            }
            None => unknown.push(c.field),
        }
    }
    (parts, unknown)
}

/// The fields of a format, in order.
pub fn fields(parts: &[Part]) -> impl Iterator<Item = usize> {
    parts.iter().filter_map(|part| match part {
        Part::Text(_) => None,
        Part::Field(shown) => Some(shown.at),
    })
}

/// Appends a line; `text` gives a field's text and, where it is not the format's, the column's width.
pub fn line<'t>(out: &mut Vec<u8>, parts: &[Part], text: &dyn Fn(&Shown) -> (Cow<'t, str>, usize)) {
    for part in parts {
        match part {
            Part::Text(literal) => out.extend_from_slice(literal.as_bytes()),
            Part::Field(shown) => {
                let (text, width) = text(shown);
                cell(out, &text, width, shown.right, Overflow::Cut);
                out.extend_from_slice(shown.suffix.as_bytes());
            }
        }
    }
    out.push(b'\n');
}
