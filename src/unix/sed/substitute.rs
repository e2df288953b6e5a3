//! sed's `s` command: replacement of matches.

use super::run::MAX_SPACE;
use super::script::{ReplacementPart, Substitute};
use crate::grep::next_char;
use base::regex::{Regex, lower, upper};

/// The text after a substitution; `None` if nothing was replaced.
#[must_use]
pub fn replaced(regex: &Regex, s: &Substitute, text: &str) -> Option<String> {
    let mut out = String::new();
    let (mut at, mut copied, mut count) = (0, 0, 0);
    let mut done = false;
    let mut previous_end = None;
    while let Some(groups) = regex.groups_at(text, at) {
        let (start, end) = groups.first().copied().flatten()?;
        // An empty match directly after a match does not count.
        if start == end && previous_end == Some(start) {
            at = next_char(text, start);
        } else {
            count += 1;
            if count >= s.from {
                out.push_str(text.get(copied..start)?);
                replacement(&mut out, &s.replacement, text, &groups);
                copied = end;
                done = true;
                if !s.all || out.len() > MAX_SPACE {
                    break;
                }
            }
            previous_end = Some(end);
            at = if end == start { next_char(text, end) } else { end };
        }
        if at > text.len() {
            break;
        }
    }
    if !done {
        return None;
    }
    out.push_str(text.get(copied..)?);
    Some(out)
}

fn replacement(out: &mut String, parts: &[ReplacementPart], text: &str, groups: &[Option<(usize, usize)>]) {
    // The current case conversion, and the one for the next character only.
    let (mut lasting, mut once) = (None, None);
    for part in parts {
        let piece = match part {
            ReplacementPart::Text(text) => text.as_str(),
            ReplacementPart::Group(n) => {
                groups.get(*n).copied().flatten().and_then(|(s, e)| text.get(s..e)).unwrap_or_default()
            }
            ReplacementPart::Case(c @ ('u' | 'l')) => {
                once = Some(*c);
                continue;
            }
            ReplacementPart::Case('E') => {
                lasting = None;
                continue;
            }
            ReplacementPart::Case(c) => {
                lasting = Some(*c);
                continue;
            }
        };
        for c in piece.chars() {
            match (once.take(), lasting) {
                (Some('u'), _) | (None, Some('U')) => out.push(upper(c)),
                (Some(_), _) | (None, Some('L')) => out.push(lower(c)),
                (None, _) => out.push(c),
            }
        }
    }
}
