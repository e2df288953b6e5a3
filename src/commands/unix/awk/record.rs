//! Cutting text into fields and input into records.

use crate::base::regex::{Flags, Regex, Syntax};
use crate::commands::unix::grep::next_char;

/// A pattern, or `None` if it is broken.
#[must_use]
pub fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text, Syntax::Extended, Flags::default()).ok()
}

/// The fields of a text. A blank separates by blanks, another character by itself, anything longer as a pattern;
/// nothing at all makes each character a field. In paragraphs newlines separate too.
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

/// The pieces between matches that are not empty.
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

/// The first record of some input: its length and where the next begins. `None`: more input is needed.
#[must_use]
pub fn next_record(data: &str, separator: &str, ended: bool) -> Option<(usize, usize)> {
    if data.is_empty() {
        return None;
    }
    let rest = || ended.then_some((data.len(), data.len()));
    let mut letters = separator.chars();
    match (letters.next(), letters.next()) {
        (None, _) => {
            // Paragraphs: what ends one may go on in what is not read yet.
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
