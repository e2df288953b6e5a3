//! Output formats of squeue, sinfo and sprio: `%.18i %.9P` and `jobid:.18,name:8`, with tables of the fields
//! that they name ([`FormatField`]).

use base::order::StableSort as _;
use base::table::{FormatPart, Overflow, cell, long_format, short_format};
use std::borrow::Cow;

/// A part of an output line.
#[derive(Clone, Debug)]
pub enum FormatSegment {
    /// Literal text.
    Text(String),
    /// A field.
    Field(FormatColumn),
}

/// A field in its column.
#[derive(Clone, Debug)]
pub struct FormatColumn {
    /// The field's index in the command's table.
    pub at: usize,
    /// Right-justified.
    pub right: bool,
    /// The column's width; 0: as wide as the text.
    pub width: usize,
    /// The suffix.
    pub suffix: String,
}

/// An unknown field: its letter or name, and its position in the line.
pub type Unknown = String;

/// A field that formats name by a letter (`-o`) or by one of several names (`-O`).
pub struct FormatField<G: 'static> {
    /// Letter of `-o`; empty if it has none.
    pub letter: &'static str,
    /// Names of `-O`; the first one is the preferred name.
    pub names: &'static [&'static str],
    /// Heading.
    pub title: &'static str,
    /// The source of its text.
    pub get: G,
}

impl<G> FormatField<G> {
    /// An entry of a field table.
    pub const fn new(
        letter: &'static str,
        names: &'static [&'static str],
        title: &'static str,
        get: G,
    ) -> Self {
        Self { letter, names, title, get }
    }
}

/// The index of the field with this letter.
#[must_use]
pub fn by_letter<G>(table: &[FormatField<G>], letter: &str) -> Option<usize> {
    table.iter().position(|f| f.letter == letter && !letter.is_empty())
}

/// The index of the first field without a letter, by name: a width alone (`%5`) names it (82b).
fn without_letter<G>(table: &[FormatField<G>]) -> Option<usize> {
    let all = table.iter().enumerate().filter(|(_, f)| f.letter.is_empty());
    all.min_by_key(|(_, f)| f.names.first().copied()).map(|(at, _)| at)
}

/// The index of the field with this name, ignoring case.
#[must_use]
pub fn by_name<G>(table: &[FormatField<G>], name: &str) -> Option<usize> {
    table.iter().position(|f| f.names.iter().any(|n| n.eq_ignore_ascii_case(name)))
}

/// Preferred names, in order.
#[must_use]
pub fn names<G>(table: &[FormatField<G>]) -> Vec<&'static str> {
    let mut names: Vec<_> = table.iter().filter_map(|f| f.names.first().copied()).collect();
    names.order();
    names
}

/// Letters with their percent signs, as `--helpformat` lists them.
#[must_use]
pub fn letters<G>(table: &[FormatField<G>]) -> Vec<String> {
    table.iter().filter(|f| !f.letter.is_empty()).map(|f| format!("%{}", f.letter)).collect()
}

/// Parses a format of names (`-O`) or of letters (`-o`).
#[must_use]
pub fn read<G>(table: &[FormatField<G>], format: &str, by_names: bool) -> (Vec<FormatSegment>, Vec<Unknown>) {
    if by_names {
        return long(format, &|name| by_name(table, name));
    }
    let format = spelled(format, table.iter().map(|f| f.letter));
    short(&format, &|letter| {
        if letter.is_empty() { without_letter(table) } else { by_letter(table, letter) }
    })
}

/// Expands `%all` to all letters, lower case first, separated by bars; returns other formats unchanged.
fn spelled(format: &str, letters: impl Iterator<Item = &'static str>) -> String {
    if !format.eq_ignore_ascii_case("%all") {
        return format.to_owned();
    }
    let mut all: Vec<&str> = letters.filter(|letter| !letter.is_empty()).collect();
    all.order_by_key(|letter| (letter.chars().any(char::is_uppercase), *letter));
    format!("%{}", all.join("|%"))
}

/// Parses the short form. Unknown fields are printed literally and reported.
fn short(format: &str, find: &dyn Fn(&str) -> Option<usize>) -> (Vec<FormatSegment>, Vec<Unknown>) {
    let (mut parts, mut unknown) = (Vec::new(), Vec::new());
    for piece in short_format(format, |letter| find(letter).is_some()) {
        match piece {
            FormatPart::Literal(text) => parts.push(FormatSegment::Text(text)),
            FormatPart::Field(c) => {
                if let Some(at) = find(&c.field) {
                    parts.push(FormatSegment::Field(FormatColumn {
                        at,
                        right: c.right,
                        width: c.width,
                        suffix: c.suffix,
                    }));
                }
            }
            FormatPart::Bad(letter, text) => {
                unknown.push(letter);
                parts.push(FormatSegment::Text(text));
            }
        }
    }
    (parts, unknown)
}

/// The suffix of a column that is not printed.
const HIDDEN: &str = "\0";

/// Parses the long form. Unknown fields are omitted and reported.
fn long(format: &str, find: &dyn Fn(&str) -> Option<usize>) -> (Vec<FormatSegment>, Vec<Unknown>) {
    let (mut parts, mut unknown) = (Vec::new(), Vec::new());
    // With a negative width, Slurm prints nothing of a column.
    let negative = |suffix: &str| {
        suffix.strip_prefix('-').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    for c in long_format(format) {
        match find(&c.field) {
            Some(at) => {
                let suffix = if negative(&c.suffix) { HIDDEN.to_owned() } else { c.suffix };
                parts.push(FormatSegment::Field(FormatColumn { at, right: c.right, width: c.width, suffix }));
            }
            None => unknown.push(c.field),
        }
    }
    (parts, unknown)
}

/// The fields of a format, in order.
pub fn fields(parts: &[FormatSegment]) -> impl Iterator<Item = usize> {
    parts.iter().filter_map(|part| match part {
        FormatSegment::Text(_) => None,
        FormatSegment::Field(shown) => Some(shown.at),
    })
}

/// Appends a line; `text` gives a field's text and, if it differs from the format, the column's width.
pub fn line<'t>(
    out: &mut Vec<u8>,
    parts: &[FormatSegment],
    text: &dyn Fn(&FormatColumn) -> (Cow<'t, str>, usize),
) {
    for part in parts {
        match part {
            FormatSegment::Text(literal) => out.extend_from_slice(literal.as_bytes()),
            FormatSegment::Field(shown) if shown.suffix == HIDDEN => {}
            FormatSegment::Field(shown) => {
                let (text, width) = text(shown);
                // printf(3) writes nothing for an empty text in a column that is too narrow for `(null)`.
                let text = if text == "(null)" && (1..6).contains(&width) { Cow::Borrowed("") } else { text };
                cell(out, &text, width, shown.right, Overflow::Cut);
                out.extend_from_slice(shown.suffix.as_bytes());
            }
        }
    }
    out.push(b'\n');
}
