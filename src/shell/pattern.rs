//! Shell patterns: `*`, `?`, `[...]` and the extended groups (bash(1), "Pattern Matching").
//!
//! A pattern comes as a marked text: [`MARK`] stands before every character that was quoted. Matching walks the
//! text once with the set of places in the pattern where it can be; only extended groups are tried recursively,
//! with a bound on the tries.

use crate::base::order::Order as _;
use crate::base::regex::{in_class, lower};

/// Stands before a character that is to be taken literally.
pub const MARK: char = '\u{1}';

/// Tries with extended groups before a match is given up.
const MAX_TRIES: u32 = 200_000;

/// Appends `text` to a marked text.
pub fn push_marked(to: &mut String, text: &str, quoted: bool) {
    for c in text.chars() {
        if c == MARK || quoted && c.is_ascii_punctuation() && c != '_' && c != '/' {
            to.push(MARK);
        }
        to.push(c);
    }
}

/// The text without its marks.
#[must_use]
pub fn unmarked(text: &str) -> String {
    if !text.contains(MARK) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == MARK { out.extend(chars.next()) } else { out.push(c) }
    }
    out
}

/// Whether an unmarked wildcard is in the text.
#[must_use]
pub fn has_wildcards(text: &str, extglob: bool) -> bool {
    let (mut last, mut marked, mut bracket) = (' ', false, false);
    for c in text.chars() {
        if marked {
            marked = false;
            last = ' ';
            continue;
        }
        match c {
            // A backslash out of a value takes the meaning of the next sign, too.
            MARK | '\\' => marked = true,
            '*' | '?' => return true,
            '[' => bracket = true,
            ']' if bracket => return true,
            '(' if extglob && "+@!".contains(last) => return true,
            _ => {}
        }
        last = c;
    }
    false
}

#[derive(Clone, Debug)]
enum Part {
    Char(char),
    Any,
    Star,
    Set { negated: bool, items: Vec<Item> },
    Group { kind: char, choices: Vec<Vec<Part>> },
}

#[derive(Clone, Debug)]
enum Item {
    Range(char, char),
    Class(String),
}

/// A pattern ready to match.
#[derive(Clone, Debug)]
pub struct Pattern {
    parts: Vec<Part>,
    groups: bool,
    fold: bool,
}

impl Pattern {
    /// Reads a marked text. `fold`: upper and lower case are the same.
    #[must_use]
    pub fn new(marked: &str, extglob: bool, fold: bool) -> Self {
        let chars: Vec<char> = marked.chars().collect();
        let mut at = 0;
        let parts = parse(&chars, &mut at, extglob, 0);
        let groups = parts.iter().any(|p| matches!(p, Part::Group { .. }));
        Self { parts, groups, fold }
    }

    /// Whether all of the text matches.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        self.ends(&chars).contains(&chars.len())
    }

    /// Whether one character matches (case conversion); an empty pattern matches any.
    #[must_use]
    pub fn matches_char(&self, c: char) -> bool {
        self.parts.is_empty() || self.ends(&[c]).contains(&1)
    }

    /// The literal beginning: a file name's leading dot must be there.
    #[must_use]
    pub fn begins_with_dot(&self) -> bool {
        matches!(self.parts.first(), Some(Part::Char('.')))
    }

    /// Where matches that begin at the start of `text` can end, ascending.
    #[must_use]
    pub fn ends(&self, text: &[char]) -> Vec<usize> {
        if self.groups {
            let mut found = Vec::new();
            let mut tries = MAX_TRIES;
            walk(&self.parts, text, 0, self.fold, &mut tries, 0, &mut |end| found.push(end));
            found.order();
            found.dedup();
            return found;
        }
        let places = self.parts.len();
        let mut now = vec![false; places + 1];
        now[0] = true;
        self.close(&mut now);
        let mut found = Vec::new();
        for at in 0..=text.len() {
            if now[places] {
                found.push(at);
            }
            let Some(&c) = text.get(at) else { break };
            let mut next = vec![false; places + 1];
            let mut any = false;
            for (i, part) in self.parts.iter().enumerate().filter(|(i, _)| now[*i]) {
                let to = match part {
                    Part::Star => Some(i),
                    other => single(other, c, self.fold).then_some(i + 1),
                };
                if let Some(to) = to {
                    next[to] = true;
                    any = true;
                }
            }
            if !any {
                break;
            }
            self.close(&mut next);
            now = next;
        }
        found
    }

    /// A star matches nothing, too.
    fn close(&self, states: &mut [bool]) {
        for (i, part) in self.parts.iter().enumerate() {
            if states[i] && matches!(part, Part::Star) {
                states[i + 1] = true;
            }
        }
    }

    /// Where suffixes that match begin, descending from the end.
    #[must_use]
    pub fn suffix_starts(&self, text: &[char]) -> Vec<usize> {
        if self.groups {
            return (0..=text.len())
                .rev()
                .filter(|s| self.ends(&text[*s..]).contains(&(text.len() - s)))
                .collect();
        }
        let mut parts = self.parts.clone();
        parts.reverse();
        let reversed = Self { parts, groups: false, fold: self.fold };
        let backwards: Vec<char> = text.iter().rev().copied().collect();
        reversed.ends(&backwards).into_iter().map(|e| text.len() - e).collect()
    }
}

fn parse(chars: &[char], at: &mut usize, extglob: bool, depth: u32) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    while let Some(&c) = chars.get(*at) {
        if depth > 0 && matches!(c, '|' | ')') {
            break;
        }
        *at += 1;
        let group = extglob && depth < 20 && chars.get(*at) == Some(&'(') && "?*+@!".contains(c);
        match c {
            _ if group => {
                let before = *at;
                match choices(chars, at, depth) {
                    Some(choices) => parts.push(Part::Group { kind: c, choices }),
                    None => {
                        *at = before;
                        parts.push(Part::Char(c));
                    }
                }
            }
            MARK | '\\' => match chars.get(*at) {
                Some(&literal) => {
                    *at += 1;
                    let literal = if c == '\\' && literal == MARK {
                        *at += 1;
                        chars.get(*at - 1).copied().unwrap_or('\\')
                    } else {
                        literal
                    };
                    parts.push(Part::Char(literal));
                }
                None => parts.push(Part::Char(c)),
            },
            '*' if matches!(parts.last(), Some(Part::Star)) => {}
            '*' => parts.push(Part::Star),
            '?' => parts.push(Part::Any),
            '[' => match set(chars, *at) {
                Some((part, end)) => {
                    parts.push(part);
                    *at = end;
                }
                None => parts.push(Part::Char('[')),
            },
            other => parts.push(Part::Char(other)),
        }
    }
    parts
}

fn choices(chars: &[char], at: &mut usize, depth: u32) -> Option<Vec<Vec<Part>>> {
    let mut choices = Vec::new();
    loop {
        *at += 1;
        choices.push(parse(chars, at, true, depth + 1));
        match chars.get(*at) {
            Some('|') => {}
            Some(')') => {
                *at += 1;
                return Some(choices);
            }
            _ => return None,
        }
    }
}

/// `[...]` behind its bracket, and where it ends.
fn set(chars: &[char], start: usize) -> Option<(Part, usize)> {
    let mut at = start;
    let negated = matches!(chars.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let (mut items, mut first) = (Vec::new(), true);
    loop {
        let mut c = *chars.get(at)?;
        at += 1;
        if c == ']' && !first {
            return Some((Part::Set { negated, items }, at));
        }
        first = false;
        if let (true, Some(&sign @ (':' | '.' | '='))) = (c == '[', chars.get(at)) {
            let name: String = chars[at + 1..].iter().take_while(|c| **c != sign).collect();
            let end = at + 1 + name.chars().count();
            if chars.get(end) == Some(&sign) && chars.get(end + 1) == Some(&']') {
                // `[.x.]` and `[=x=]` are the character itself.
                items.push(match (sign, name.chars().next()) {
                    (':', _) | (_, None) => Item::Class(name),
                    (_, Some(only)) => Item::Range(only, only),
                });
                at = end + 2;
                continue;
            }
        }
        if matches!(c, MARK | '\\') {
            c = *chars.get(at)?;
            at += 1;
        }
        if chars.get(at) == Some(&'-') && chars.get(at + 1).is_some_and(|c| *c != ']') {
            let mut end = *chars.get(at + 1)?;
            at += 2;
            if matches!(end, MARK | '\\') {
                end = *chars.get(at)?;
                at += 1;
            }
            items.push(Item::Range(c, end));
        } else {
            items.push(Item::Range(c, c));
        }
    }
}

/// Whether a part that stands for one character matches it.
fn single(part: &Part, c: char, fold: bool) -> bool {
    let lower = |c: char| if fold { lower(c) } else { c };
    match part {
        Part::Char(p) => lower(*p) == lower(c),
        Part::Any => true,
        Part::Set { negated, items } => {
            let hit = items.iter().any(|item| match item {
                Item::Range(a, b) => {
                    (*a..=*b).contains(&c) || fold && (lower(*a)..=lower(*b)).contains(&lower(c))
                }
                Item::Class(name) => in_class(c, name),
            });
            hit != *negated
        }
        Part::Star | Part::Group { .. } => false,
    }
}

/// Tells `found` every place where the parts can end when they begin at `at`.
fn walk(
    parts: &[Part],
    text: &[char],
    at: usize,
    fold: bool,
    tries: &mut u32,
    depth: u32,
    found: &mut dyn FnMut(usize),
) {
    if *tries == 0 || depth > 500 {
        return;
    }
    *tries -= 1;
    let Some((part, rest)) = parts.split_first() else {
        found(at);
        return;
    };
    match part {
        Part::Star => (at..=text.len()).for_each(|to| walk(rest, text, to, fold, tries, depth + 1, found)),
        Part::Group { kind, choices } => {
            for end in group_ends(*kind, choices, text, at, fold, tries, depth) {
                walk(rest, text, end, fold, tries, depth + 1, found);
            }
        }
        one => {
            if text.get(at).is_some_and(|c| single(one, *c, fold)) {
                walk(rest, text, at + 1, fold, tries, depth + 1, found);
            }
        }
    }
}

fn group_ends(
    kind: char,
    choices: &[Vec<Part>],
    text: &[char],
    at: usize,
    fold: bool,
    tries: &mut u32,
    depth: u32,
) -> Vec<usize> {
    let once = |from: usize, tries: &mut u32| {
        let mut ends = Vec::new();
        for choice in choices {
            walk(choice, text, from, fold, tries, depth + 1, &mut |e| ends.push(e));
        }
        ends.order();
        ends.dedup();
        ends
    };
    let first = once(at, tries);
    if kind == '!' {
        return (at..=text.len()).filter(|e| !first.contains(e)).collect();
    }
    let mut all = first.clone();
    if matches!(kind, '*' | '+') {
        let mut open = first;
        while let Some(from) = open.pop() {
            for end in once(from, tries) {
                if !all.contains(&end) {
                    all.push(end);
                    open.push(end);
                }
            }
        }
    }
    if matches!(kind, '?' | '*') && !all.contains(&at) {
        all.push(at);
    }
    all.order();
    all
}
