//! Splits input into records and text into fields.

use crate::grep::next_char;
use base::regex::{Flags, Regex, Syntax};

/// A compiled pattern, or `None` if it is malformed.
#[must_use]
pub fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text, Syntax::Extended, Flags::default()).ok()
}

/// The fields of a text. A blank as separator means runs of blanks, another single character means itself,
/// longer separators are patterns, and an empty one splits into characters. In paragraph mode newlines separate
/// too.
#[must_use]
pub fn split(text: &str, separator: &str, paragraphs: bool) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut letters = separator.chars();
    match (letters.next(), letters.next()) {
        (Some(' '), None) => {
            text.split([' ', '\t', '\n']).filter(|f| !f.is_empty()).map(str::to_owned).collect()
        }
        (None, _) => text.chars().map(String::from).collect(),
        (Some(c), None) if c != '\\' => {
            let cut = |d: char| d == c || paragraphs && d == '\n';
            text.split(cut).map(str::to_owned).collect()
        }
        (Some(_), _) => {
            let both = if paragraphs { format!("{separator}|\n") } else { separator.to_owned() };
            match pattern(if separator == "\\" { "\\\\" } else { &both }) {
                Some(regex) => split_by(text, &regex),
                None => vec![text.to_owned()],
            }
        }
    }
}

/// The parts between non-empty matches.
#[must_use]
pub fn split_by(text: &str, regex: &Regex) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut all = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some((from, to)) = regex.find_at(text, at) {
        if to > from {
            all.push(text.get(start..from).unwrap_or_default().to_owned());
            start = to;
            at = to;
        } else {
            at = next_char(text, from);
        }
        if at > text.len() {
            break;
        }
    }
    all.push(text.get(start..).unwrap_or_default().to_owned());
    all
}

/// The first record of the input: its length, and the start of the next one. `None` if more input is needed.
#[must_use]
pub fn next_record(data: &str, separator: &str, ended: bool) -> Option<(usize, usize)> {
    if data.is_empty() {
        return None;
    }
    let rest = || ended.then_some((data.len(), data.len()));
    let mut letters = separator.chars();
    match (letters.next(), letters.next()) {
        (None, _) => {
            // Paragraph mode: the separator may continue in input that is not read yet.
            match data.find("\n\n") {
                Some(at) => {
                    let gap = data.get(at..)?.bytes().take_while(|b| *b == b'\n').count();
                    (at + gap < data.len() || ended).then_some((at, at + gap))
                }
                None => ended.then(|| (data.trim_end_matches('\n').len(), data.len())),
            }
        }
        (Some(c), None) => data.find(c).map(|at| (at, at + c.len_utf8())).or_else(rest),
        (Some(_), Some(_)) => {
            let found = pattern(separator)?.find_at(data, 0).filter(|(from, to)| to > from);
            match found {
                Some((from, to)) if to < data.len() || ended => Some((from, to)),
                Some(_) | None => rest(),
            }
        }
    }
}
