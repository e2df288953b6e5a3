//! Patterns of `/` and `:s`: vim's syntax as an extended regular expression, and the search.
//!
//! Deliberate differences: a match is the longest, and within one line; `\{-}`, `\zs`, `\ze`, `\%` and `\@` are not simulated.

use super::Vi;
use crate::edit::Place;
use base::regex::{Flags, Regex, Syntax};
use serde::{Deserialize, Serialize};

/// The last search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViSearch {
    pub pattern: String,
    pub forward: bool,
}

/// A class of characters after a backslash.
const fn class(c: char) -> Option<&'static str> {
    Some(match c {
        's' => "[ \t]",
        'S' => "[^ \t]",
        'd' => "[0-9]",
        'D' => "[^0-9]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        'h' => "[A-Za-z_]",
        'a' => "[A-Za-z]",
        'A' => "[^A-Za-z]",
        'l' => "[a-z]",
        'u' => "[A-Z]",
        'x' => "[0-9A-Fa-f]",
        _ => return None,
    })
}

/// Translates a pattern. Returns it with the case that `\c` or `\C` asks for.
///
/// # Errors
/// It uses what is not simulated.
pub fn translate(pattern: &str) -> Result<(String, Option<bool>), String> {
    let mut out = String::new();
    let mut icase = None;
    let mut very = false;
    let mut literal = false;
    let mut chars = pattern.chars().peekable();
    // At the start of a branch, `*` is a character and `^` an anchor.
    let mut starts = true;
    while let Some(c) = chars.next() {
        let was_start = std::mem::replace(&mut starts, false);
        // In very magic patterns the bare character is what `\` makes of it elsewhere.
        let (c, escaped) = match c {
            '\\' => match chars.next() {
                Some(c) if very && !c.is_ascii_alphanumeric() => {
                    push_literal(&mut out, c);
                    continue;
                }
                Some(c) => (c, true),
                None => ('\\', false),
            },
            c if very && "()|+={}<>?".contains(c) => (c, true),
            c => (c, false),
        };
        match (c, escaped) {
            ('v', true) => (very, starts) = (true, was_start),
            ('V', true) => (literal, starts) = (true, was_start),
            ('m', true) => starts = was_start,
            ('c' | 'C', true) => (icase, starts) = (Some(c == 'c'), was_start),
            ('(' | '|', true) => {
                out.push(c);
                starts = true;
            }
            (')' | '+' | '<' | '>', true) => {
                if matches!(c, '<' | '>') {
                    out.push('\\');
                }
                out.push(c);
            }
            ('=' | '?', true) => out.push('?'),
            ('{', true) => {
                let mut inner = String::new();
                for c in chars.by_ref() {
                    match c {
                        '\\' => {}
                        '}' => break,
                        c => inner.push(c),
                    }
                }
                match inner.as_str() {
                    "" => out.push('*'),
                    lazy if lazy.starts_with('-') => return Err(not_simulated(r"\{-}")),
                    inner => out.push_str(&format!("{{{inner}}}")),
                }
            }
            ('t', true) => out.push('\t'),
            ('e', true) => out.push('\x1b'),
            ('n' | '_' | 'z' | '%' | '@' | '&', true) => return Err(not_simulated(&format!("\\{c}"))),
            ('1'..='9', true) => out.push_str(&format!("\\{c}")),
            (c, true) => match class(c) {
                Some(class) => out.push_str(class),
                None => push_literal(&mut out, c),
            },
            ('^', false) if was_start => {
                out.push('^');
                starts = true;
            }
            ('$', false) => {
                let rest: String = chars.clone().take(2).collect();
                let ends = rest.is_empty() || matches!(rest.as_str(), "\\)" | "\\|");
                out.push_str(if ends || very && rest.starts_with([')', '|']) { "$" } else { "\\$" });
            }
            (c, false) if literal => push_literal(&mut out, c),
            ('*', false) if was_start => out.push_str("\\*"),
            ('*' | '.', false) => out.push(c),
            ('[', false) => match bracket(&chars.clone().collect::<String>()) {
                Some((text, used)) => {
                    out.push_str(&text);
                    for _ in 0..used {
                        chars.next();
                    }
                }
                None => out.push_str("\\["),
            },
            (c, false) => push_literal(&mut out, c),
        }
    }
    Ok((out, icase))
}

fn not_simulated(what: &str) -> String {
    format!("not simulated in sandbatch: {what} in a pattern")
}

fn push_literal(out: &mut String, c: char) {
    if ".*[]^$\\()|+?{}/".contains(c) && c != '/' {
        out.push('\\');
    }
    out.push(c);
}

/// A bracket expression after `[`, as POSIX has it, and its length.
fn bracket(rest: &str) -> Option<(String, usize)> {
    let mut chars = rest.char_indices().peekable();
    let mut inner = String::new();
    let mut first = String::from("[");
    let mut used = 0;
    if rest.starts_with('^') {
        first.push('^');
        chars.next();
        used += 1;
    }
    let mut count = 0;
    while let Some((at, c)) = chars.next() {
        used += 1;
        match c {
            ']' if count > 0 => return Some((format!("{first}{inner}]"), used)),
            ']' => first.push(']'),
            '[' if rest.get(at..).is_some_and(|text| text.starts_with("[:")) => {
                let end = rest.get(at..)?.find(":]")? + 2;
                let name = rest.get(at..at + end)?;
                inner.push_str(name);
                for _ in 1..name.chars().count() {
                    chars.next();
                    used += 1;
                }
            }
            '\\' => match chars.peek().map(|(_, c)| *c) {
                Some(c @ ('t' | '\\' | ']' | '^' | '-' | 'e')) => {
                    chars.next();
                    used += 1;
                    match c {
                        't' => inner.push('\t'),
                        'e' => inner.push('\x1b'),
                        ']' => first.push(']'),
                        '-' => first.push('-'),
                        c => inner.push(c),
                    }
                }
                Some(_) | None => inner.push('\\'),
            },
            c => inner.push(c),
        }
        count += 1;
    }
    None
}

impl Vi {
    /// Compiles a pattern.
    pub(super) fn regex(&self, pattern: &str, flag: Option<bool>) -> Result<Regex, String> {
        let (text, own) = translate(pattern)?;
        let smart = self.options.smart_case && pattern.chars().any(char::is_uppercase);
        let icase = own.or(flag).unwrap_or(self.options.ignore_case && !smart);
        Regex::new(&text, Syntax::Extended, Flags { icase, lines: false })
            .map_err(|why| format!("E383: Invalid search string: {pattern} ({why})"))
    }

    /// `/` and `?`: an empty pattern is the last one.
    pub(super) fn search_for(&mut self, typed: &str, forward: bool, times: usize) -> Option<Place> {
        let delimiter = if forward { '/' } else { '?' };
        let (pattern, offset) = split(typed, delimiter);
        if !offset.is_empty() {
            self.complain("not simulated in sandbatch: an offset after a pattern");
            return None;
        }
        let pattern = if pattern.is_empty() { self.search.as_ref()?.pattern.clone() } else { pattern };
        self.search = Some(ViSearch { pattern, forward });
        self.search_again(false, times)
    }

    /// `n` and `N`
    pub(super) fn search_again(&mut self, reverse: bool, times: usize) -> Option<Place> {
        let Some(search) = self.search.clone() else {
            self.complain("E35: No previous regular expression");
            return None;
        };
        let forward = search.forward != reverse;
        self.tell(&format!("{}{}", if forward { '/' } else { '?' }, search.pattern));
        let regex = match self.regex(&search.pattern, None) {
            Ok(regex) => regex,
            Err(text) => {
                self.complain(&text);
                return None;
            }
        };
        let mut place = self.cursor;
        for _ in 0..times {
            let Some((to, wraps)) = self.find_from(&regex, place, forward) else {
                self.complain(&format!("E486: Pattern not found: {}", search.pattern));
                return None;
            };
            if wraps && !self.options.wrap_scan {
                let (number, end) = if forward { (385, "BOTTOM") } else { (384, "TOP") };
                self.complain(&format!("E{number}: Search hit {end} without match for: {}", search.pattern));
                return None;
            }
            if wraps {
                self.tell(if forward {
                    "search hit BOTTOM, continuing at TOP"
                } else {
                    "search hit TOP, continuing at BOTTOM"
                });
            }
            place = to;
        }
        self.marks.insert('\'', self.cursor);
        Some(place)
    }

    /// `*` and `#`
    pub(super) fn search_word(&mut self, forward: bool, times: usize) -> Option<Place> {
        let line: Vec<char> = self.text.line(self.cursor.row()).chars().collect();
        let is_word = |at: &usize| line.get(*at).is_some_and(|c| *c == '_' || c.is_alphanumeric());
        let Some(mut start) = (self.cursor.col()..line.len()).find(is_word) else {
            self.complain("E348: No string under cursor");
            return None;
        };
        while start > 0 && is_word(&(start - 1)) {
            start -= 1;
        }
        let word: String =
            line.iter().skip(start).take_while(|c| **c == '_' || c.is_alphanumeric()).collect();
        self.search = Some(ViSearch { pattern: format!("\\<{word}\\>"), forward });
        self.cursor = Place::new(self.cursor.row(), start);
        self.search_again(false, times)
    }

    /// The next match, and whether the end of the text was passed.
    fn find_from(&self, regex: &Regex, from: Place, forward: bool) -> Option<(Place, bool)> {
        let count = self.text.count();
        for step in 0..=count {
            let row =
                if forward { (from.row() + step) % count } else { (from.row() + 2 * count - step) % count };
            let wraps = if forward { from.row() + step >= count } else { step > from.row() };
            let line = self.text.line(row);
            let is_first = step == 0;
            let is_last = step == count;
            let mut found = None;
            let mut at = 0;
            while let Some((start, end)) = regex.find_at(line, at) {
                let col = line.get(..start).map_or(0, |before| before.chars().count());
                let fits = match (forward, is_first, is_last) {
                    (true, true, _) => col > from.col(),
                    (false, true, _) => col < from.col(),
                    (true, false, true) => col <= from.col(),
                    (false, false, true) => col >= from.col(),
                    (_, false, false) => true,
                };
                // An empty match at the end of a line is no place for the cursor.
                if fits && (start < line.len() || line.is_empty()) {
                    found = Some(Place::new(row, col));
                    if forward {
                        break;
                    }
                }
                let next = if end > start { end } else { start + 1 };
                at = (next..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len() + 1);
                if at > line.len() {
                    break;
                }
            }
            if let Some(place) = found {
                return Some((place, wraps));
            }
        }
        None
    }
}

/// Splits a text at the first delimiter that no backslash escapes.
pub fn split(text: &str, delimiter: char) -> (String, &str) {
    let mut before = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, next)) if next == delimiter => before.push(next),
                Some((_, next)) => before.extend(['\\', next]),
                None => before.push('\\'),
            },
            c if c == delimiter => return (before, text.get(at + c.len_utf8()..).unwrap_or_default()),
            c => before.push(c),
        }
    }
    (before, "")
}
