//! Shell patterns: `*`, `?`, `[...]` and extended groups (bash(1), "Pattern Matching").
//!
//! A pattern is a marked text: [`MARK`] precedes every quoted character.
//!
//! Cost: matching simulates an NFA, one pass over the text. Only extended groups backtrack, with a step
//! limit.

use base::order::StableSort as _;
use base::regex::{in_class, lower};

/// Precedes a character that is taken literally.
pub const MARK: char = '\u{1}';

/// Backtracking steps before a match with extended groups is abandoned.
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

/// Removes the marks.
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

/// Whether a text contains unmarked wildcards.
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
            // A backslash from an expanded value also quotes the next character.
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
enum PatternPart {
    Char(char),
    Any,
    Star,
    Set { negated: bool, items: Vec<SetItem> },
    Group { kind: char, choices: Vec<Vec<PatternPart>> },
}

#[derive(Clone, Debug)]
enum SetItem {
    Range(char, char),
    Class(String),
}

/// Whether a name matches a pattern of fnmatch(3), in which `\\` quotes the next character.
#[must_use]
pub fn name_matches(pattern: &str, name: &str) -> bool {
    let mut marked = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match chars.as_str().chars().next().filter(|_| c == '\\') {
            Some(quoted) => {
                marked.extend([MARK, quoted]);
                chars.next();
            }
            None => push_marked(&mut marked, c.encode_utf8(&mut [0; 4]), false),
        }
    }
    Pattern::new(&marked, false, false).matches(name)
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    parts: Vec<PatternPart>,
    groups: bool,
    fold: bool,
}

impl Pattern {
    /// Compiles a marked text. `fold` ignores case.
    #[must_use]
    pub fn new(marked: &str, extglob: bool, fold: bool) -> Self {
        let chars: Vec<char> = marked.chars().collect();
        let mut at = 0;
        let parts = parse(&chars, &mut at, extglob, 0);
        let groups = parts.iter().any(|p| matches!(p, PatternPart::Group { .. }));
        Self { parts, groups, fold }
    }

    /// Whether the whole text matches.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        self.ends(&chars).contains(&chars.len())
    }

    /// Whether a character matches (for case conversion); the empty pattern matches any.
    #[must_use]
    pub fn matches_char(&self, c: char) -> bool {
        self.parts.is_empty() || self.ends(&[c]).contains(&1)
    }

    /// Whether the pattern begins with a literal dot, as hidden file names require.
    #[must_use]
    pub fn begins_with_dot(&self) -> bool {
        matches!(self.parts.first(), Some(PatternPart::Char('.')))
    }

    /// The ends of matches that begin at the start of `text`, in ascending order.
    #[must_use]
    pub fn ends(&self, text: &[char]) -> Vec<usize> {
        let mut unbounded = u64::MAX;
        self.ends_within(text, &mut unbounded)
    }

    /// [`Pattern::ends`] with at most `work` steps, which are subtracted. At 0 the result is incomplete.
    #[must_use]
    pub fn ends_within(&self, text: &[char], work: &mut u64) -> Vec<usize> {
        *work = work.saturating_sub(1);
        if self.groups {
            let mut found = Vec::new();
            let most = u32::try_from(*work).unwrap_or(u32::MAX).min(MAX_TRIES);
            let mut tries = most;
            walk(&self.parts, text, 0, self.fold, &mut tries, 0, &mut |end| found.push(end));
            *work = work.saturating_sub(u64::from(most - tries));
            found.order();
            found.dedup();
            return found;
        }
        // Fast path without allocations: most positions of a text do not match.
        match self.parts.first() {
            Some(PatternPart::Star) | None => {}
            Some(first) if text.first().is_some_and(|c| single(first, *c, self.fold)) => {}
            Some(_) => return Vec::new(),
        }
        let places = self.parts.len();
        let step = u64::try_from(places).unwrap_or(u64::MAX);
        let mut now = vec![false; places + 1];
        now[0] = true;
        self.close(&mut now);
        let mut found = Vec::new();
        for at in 0..=text.len() {
            if now[places] {
                found.push(at);
            }
            let Some(&c) = text.get(at).filter(|_| *work > 0) else { break };
            *work = work.saturating_sub(step);
            let mut next = vec![false; places + 1];
            let mut any = false;
            for (i, part) in self.parts.iter().enumerate().filter(|(i, _)| now[*i]) {
                let to = match part {
                    PatternPart::Star => Some(i),
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

    /// Adds the states after stars, which also match the empty text.
    fn close(&self, states: &mut [bool]) {
        for (i, part) in self.parts.iter().enumerate() {
            if states[i] && matches!(part, PatternPart::Star) {
                states[i + 1] = true;
            }
        }
    }

    /// The starts of matching suffixes, in descending order. Takes steps from `work` like [`Pattern::ends_within`].
    #[must_use]
    pub fn suffix_starts(&self, text: &[char], work: &mut u64) -> Vec<usize> {
        if self.groups {
            return (0..=text.len())
                .rev()
                .filter(|s| self.ends_within(&text[*s..], work).contains(&(text.len() - s)))
                .collect();
        }
        let mut parts = self.parts.clone();
        parts.reverse();
        let reversed = Self { parts, groups: false, fold: self.fold };
        let backwards: Vec<char> = text.iter().rev().copied().collect();
        reversed.ends_within(&backwards, work).into_iter().map(|e| text.len() - e).collect()
    }
}

fn parse(chars: &[char], at: &mut usize, extglob: bool, depth: u32) -> Vec<PatternPart> {
    let mut parts: Vec<PatternPart> = Vec::new();
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
                    Some(choices) => parts.push(PatternPart::Group { kind: c, choices }),
                    None => {
                        *at = before;
                        parts.push(PatternPart::Char(c));
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
                    parts.push(PatternPart::Char(literal));
                }
                None => parts.push(PatternPart::Char(c)),
            },
            '*' if matches!(parts.last(), Some(PatternPart::Star)) => {}
            '*' => parts.push(PatternPart::Star),
            '?' => parts.push(PatternPart::Any),
            '[' => match set(chars, *at) {
                Some((part, end)) => {
                    parts.push(part);
                    *at = end;
                }
                None => parts.push(PatternPart::Char('[')),
            },
            other => parts.push(PatternPart::Char(other)),
        }
    }
    parts
}

fn choices(chars: &[char], at: &mut usize, depth: u32) -> Option<Vec<Vec<PatternPart>>> {
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

/// Parses `[...]` after its bracket; returns the part and its end.
fn set(chars: &[char], start: usize) -> Option<(PatternPart, usize)> {
    let mut at = start;
    let negated = matches!(chars.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let (mut items, mut first) = (Vec::new(), true);
    loop {
        let mut c = *chars.get(at)?;
        at += 1;
        if c == ']' && !first {
            return Some((PatternPart::Set { negated, items }, at));
        }
        first = false;
        if let (true, Some(&sign @ (':' | '.' | '='))) = (c == '[', chars.get(at)) {
            let name: String = chars[at + 1..].iter().take_while(|c| **c != sign).collect();
            let end = at + 1 + name.chars().count();
            if chars.get(end) == Some(&sign) && chars.get(end + 1) == Some(&']') {
                // `[.x.]` and `[=x=]` are the character itself.
                items.push(match (sign, name.chars().next()) {
                    (':', _) | (_, None) => SetItem::Class(name),
                    (_, Some(only)) => SetItem::Range(only, only),
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
            items.push(SetItem::Range(c, end));
        } else {
            items.push(SetItem::Range(c, c));
        }
    }
}

/// Whether a single-character part matches a character.
fn single(part: &PatternPart, c: char, fold: bool) -> bool {
    let lower = |c: char| if fold { lower(c) } else { c };
    match part {
        PatternPart::Char(p) => lower(*p) == lower(c),
        PatternPart::Any => true,
        PatternPart::Set { negated, items } => {
            let hit = items.iter().any(|item| match item {
                SetItem::Range(a, b) => {
                    (*a..=*b).contains(&c) || fold && (lower(*a)..=lower(*b)).contains(&lower(c))
                }
                SetItem::Class(name) => in_class(c, name),
            });
            hit != *negated
        }
        PatternPart::Star | PatternPart::Group { .. } => false,
    }
}

/// Calls `found` with every position where the parts can end if they begin at `at`.
fn walk(
    parts: &[PatternPart],
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
        PatternPart::Star => {
            (at..=text.len()).for_each(|to| walk(rest, text, to, fold, tries, depth + 1, found))
        }
        PatternPart::Group { kind, choices } => {
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
    choices: &[Vec<PatternPart>],
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

#[cfg(test)]
mod tests {
    use super::name_matches;

    #[test]
    fn names() {
        for (pattern, name, expected) in [
            ("*.out", "slurm-1.out", true),
            ("*.out", "slurm.outx", false),
            ("a?c", "abc", true),
            ("[a-c]*[!0-9]", "b1x", true),
            ("[a-c]*[!0-9]", "b12", false),
            ("[[:digit:]]*", "7x", true),
            ("[[:digit:]]*", "x7", false),
            ("a*b*c", "aXbYbZc", true),
            ("*", ".hidden/too", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("[", "[", true),
            ("@(a|b)", "a", false),
            ("\u{1}*", "\u{1}x", true),
        ] {
            assert_eq!(name_matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
