//! Formats as squeue, sinfo and sprio read them: `%.18i %.9P` and `jobid:.18,name:8`; tables of the fields
//! that they name ([`Field`]).

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

/// A field that formats ask for by its letter (`-o`) or by one of its names (`-O`).
pub struct Field<G: 'static> {
    /// Letter of `-o`; empty: none.
    pub letter: &'static str,
    /// Names of `-O`, the first one is the usual.
    pub names: &'static [&'static str],
    /// Heading.
    pub title: &'static str,
    /// Where its text comes from.
    pub get: G,
}

impl<G> Field<G> {
    /// A row of a table.
    pub const fn new(
        letter: &'static str,
        names: &'static [&'static str],
        title: &'static str,
        get: G,
    ) -> Self {
        Self { letter, names, title, get }
    }
}

/// The place in the table of the field with this letter.
#[must_use]
pub fn by_letter<G>(table: &[Field<G>], letter: &str) -> Option<usize> {
    table.iter().position(|f| f.letter == letter && !letter.is_empty())
}

/// The place in the table of the field with this name, in any case.
#[must_use]
pub fn by_name<G>(table: &[Field<G>], name: &str) -> Option<usize> {
    table.iter().position(|f| f.names.iter().any(|n| n.eq_ignore_ascii_case(name)))
}

/// Usual names, in order.
#[must_use]
pub fn names<G>(table: &[Field<G>]) -> Vec<&'static str> {
    let mut names: Vec<_> = table.iter().filter_map(|f| f.names.first().copied()).collect();
    names.order();
    names
}

/// Letters with their per cent signs, as `--helpformat` lists them.
#[must_use]
pub fn letters<G>(table: &[Field<G>]) -> Vec<String> {
    table.iter().filter(|f| !f.letter.is_empty()).map(|f| format!("%{}", f.letter)).collect()
}

/// Reads a format of names (`-O`) or of letters (`-o`).
#[must_use]
pub fn read<G>(table: &[Field<G>], format: &str, by_names: bool) -> (Vec<Part>, Vec<Unknown>) {
    if by_names {
        return long(format, &|name| by_name(table, name));
    }
    let format = spelled(format, table.iter().map(|f| f.letter));
    short(&format, &|letter| by_letter(table, letter))
}

/// `%all` in full: all letters, the small ones first, with bars between them; every other format as it is.
fn spelled(format: &str, letters: impl Iterator<Item = &'static str>) -> String {
    if !format.eq_ignore_ascii_case("%all") {
        return format.to_owned();
    }
    let mut all: Vec<&str> = letters.filter(|letter| !letter.is_empty()).collect();
    all.order_by_key(|letter| (letter.chars().any(char::is_uppercase), *letter));
    format!("%{}", all.join("|%"))
}

/// Reads the short form; unknown fields are printed as they stand, and told.
fn short(format: &str, find: &dyn Fn(&str) -> Option<usize>) -> (Vec<Part>, Vec<Unknown>) {
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
fn long(format: &str, find: &dyn Fn(&str) -> Option<usize>) -> (Vec<Part>, Vec<Unknown>) {
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
                // printf(3) writes nothing where it has no text and less room than for saying so.
                let text = if text == "(null)" && (1..6).contains(&width) { Cow::Borrowed("") } else { text };
                cell(out, &text, width, shown.right, Overflow::Cut);
                out.extend_from_slice(shown.suffix.as_bytes());
            }
        }
    }
    out.push(b'\n');
}
