//! POSIX regular expressions (basic, extended, with GNU's `\w \s \b \< \> \+ \? \|`) on top of `regex-lite`.
//!
//! Different on purpose: of several alternatives the first that matches is taken, not the longest; back-references
//! within a pattern (`\(a\)\1`) are refused; letters outside of ASCII have no classes and no case.

use regex_lite::RegexBuilder;
use std::fmt::Write;

/// Longest pattern, bytes.
const MAX_PATTERN: usize = 16 << 10;
/// Largest compiled pattern, bytes.
const MAX_SIZE: usize = 4 << 20;

/// Which notation a pattern is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `\(a\|b\)\{2\}`
    Basic,
    /// `(a|b){2}`
    Extended,
    /// No notation at all: `grep -F`.
    Fixed,
}

/// How a pattern is to match.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// Without regard to case.
    pub icase: bool,
    /// `^` and `$` also at line breaks within the text.
    pub lines: bool,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Regex(regex_lite::Regex);

/// Byte positions of a match and its groups; group 0 is the whole.
pub type Groups = Vec<Option<(usize, usize)>>;

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in the words of GNU's regcomp.
    pub fn new(pattern: &str, syntax: Syntax, flags: Flags) -> Result<Self, String> {
        if pattern.len() > MAX_PATTERN {
            return Err("Regular expression too big".into());
        }
        let translated = match syntax {
            Syntax::Fixed => escape(pattern),
            Syntax::Basic | Syntax::Extended => translate(pattern, syntax == Syntax::Extended)?,
        };
        RegexBuilder::new(&translated)
            .case_insensitive(flags.icase)
            .multi_line(flags.lines)
            .dot_matches_new_line(true)
            .size_limit(MAX_SIZE)
            .nest_limit(100)
            .build()
            .map(Self)
            .map_err(|_| "Invalid regular expression".into())
    }

    /// Whether it matches anywhere.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// The first match from a byte position on.
    #[must_use]
    pub fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        if from > text.len() {
            return None;
        }
        self.0.find_at(text, from).map(|m| (m.start(), m.end()))
    }

    /// The first match from a byte position on, with its groups.
    #[must_use]
    pub fn groups_at(&self, text: &str, from: usize) -> Option<Groups> {
        if from > text.len() {
            return None;
        }
        let found = self.0.captures_at(text, from)?;
        Some(found.iter().map(|g| g.map(|m| (m.start(), m.end()))).collect())
    }
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|c| literal(&mut out, c));
    out
}

fn literal(out: &mut String, c: char) {
    if c.is_ascii_punctuation() {
        out.push('\\');
    }
    out.push(c);
}

/// State of a translation.
struct Translator<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    extended: bool,
    out: String,
    depth: u32,
    /// Whether an operator (`*`) would have nothing to repeat here.
    at_start: bool,
    /// Whether what was just written is a `*`, `+` or `?`.
    repeated: bool,
}

fn translate(pattern: &str, extended: bool) -> Result<String, String> {
    let mut t = Translator {
        rest: pattern.chars().peekable(),
        extended,
        out: String::new(),
        depth: 0,
        at_start: true,
        repeated: false,
    };
    while let Some(c) = t.rest.next() {
        let before = t.out.len();
        t.one(c)?;
        let added = t.out.get(before..).unwrap_or_default();
        t.repeated = matches!(added, "*" | "+" | "?" | "");
    }
    if t.depth > 0 {
        return Err("Unmatched ( or \\(".into());
    }
    Ok(t.out)
}

impl Translator<'_> {
    fn one(&mut self, c: char) -> Result<(), String> {
        match (c, self.extended) {
            ('\\', _) => return self.escaped(),
            ('[', _) => self.bracket()?,
            ('.', _) => self.out.push('.'),
            ('*', _) if self.at_start => self.out.push_str("\\*"),
            ('*', _) => self.repeat("*"),
            ('+' | '?', true) if self.at_start => literal(&mut self.out, c),
            ('+', true) => self.repeat("+"),
            ('?', true) => self.repeat("?"),
            ('^', true) => return self.anchor("^"),
            ('$', true) => return self.anchor("$"),
            ('^', false) if self.at_start => return self.anchor("^"),
            ('$', false) if self.ends_here() => return self.anchor("$"),
            ('(', true) => return self.open(),
            (')', true) if self.depth > 0 => self.close(),
            ('|', true) => return self.alternative(),
            ('{', true) if !self.at_start => return self.interval(true),
            (c, _) => literal(&mut self.out, c),
        }
        self.at_start = false;
        Ok(())
    }

    /// A repetition; of a repeated repetition (`a**`, `a+*`) the whole is `*`.
    fn repeat(&mut self, operator: &str) {
        if self.repeated {
            self.out.pop();
            self.out.push('*');
        } else {
            self.out.push_str(operator);
        }
    }

    fn anchor(&mut self, text: &str) -> Result<(), String> {
        self.out.push_str(text);
        // `^*` is a literal star in basic expressions.
        self.at_start = text == "^";
        Ok(())
    }

    fn open(&mut self) -> Result<(), String> {
        self.depth += 1;
        self.out.push('(');
        self.at_start = true;
        Ok(())
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.out.push(')');
    }

    fn alternative(&mut self) -> Result<(), String> {
        self.out.push('|');
        self.at_start = true;
        Ok(())
    }

    /// Whether a `$` of a basic expression stands at the end of it, of a group or of an alternative.
    fn ends_here(&self) -> bool {
        let mut ahead = self.rest.clone();
        match (ahead.next(), ahead.next()) {
            (None, _) => true,
            (Some('\\'), Some(c)) => matches!(c, ')' | '|'),
            (Some(_), _) => false,
        }
    }

    fn escaped(&mut self) -> Result<(), String> {
        let Some(c) = self.rest.next() else { return Err("Trailing backslash".into()) };
        match (c, self.extended) {
            ('(', false) => return self.open(),
            (')', false) if self.depth > 0 => self.close(),
            (')', false) => return Err("Unmatched ) or \\)".into()),
            ('|', false) => return self.alternative(),
            ('{', false) => return self.interval(false),
            ('+', false) if !self.at_start => self.repeat("+"),
            ('?', false) if !self.at_start => self.repeat("?"),
            ('1'..='9', _) => return Err("back-references in a pattern are not simulated".into()),
            ('w', _) => self.out.push_str("[A-Za-z0-9_]"),
            ('W', _) => self.out.push_str("[^A-Za-z0-9_]"),
            ('s', _) => self.out.push_str("\\s"),
            ('S', _) => self.out.push_str("\\S"),
            ('b', _) => self.out.push_str("\\b"),
            ('B', _) => self.out.push_str("\\B"),
            ('<', _) => self.out.push_str("\\b{start}"),
            ('>', _) => self.out.push_str("\\b{end}"),
            ('`', _) => self.out.push_str("\\A"),
            ('\'', _) => self.out.push_str("\\z"),
            ('n', _) => self.out.push_str("\\n"),
            ('t', _) => self.out.push_str("\\t"),
            ('r', _) => self.out.push_str("\\r"),
            (c, _) => literal(&mut self.out, c),
        }
        self.at_start = false;
        Ok(())
    }

    /// `{2}`, `{2,}`, `{,3}`, `{2,3}`; in extended expressions anything else is a literal brace.
    fn interval(&mut self, extended: bool) -> Result<(), String> {
        let mut ahead = self.rest.clone();
        let mut text = String::new();
        while let Some(c) = ahead.next_if(|c| c.is_ascii_digit() || *c == ',') {
            text.push(c);
        }
        let closed = if extended {
            ahead.next() == Some('}')
        } else {
            ahead.next() == Some('\\') && ahead.next() == Some('}')
        };
        let (from, to) = text.split_once(',').map_or((text.as_str(), None), |(f, t)| (f, Some(t)));
        let from_n = if from.is_empty() { Some(0) } else { from.parse::<u32>().ok() };
        let to_n = match to {
            None => from_n,
            Some("") => Some(from_n.unwrap_or(0)),
            Some(to) => to.parse::<u32>().ok(),
        };
        let valid = closed && !text.is_empty();
        if !valid && extended {
            literal(&mut self.out, '{');
            self.at_start = false;
            return Ok(());
        }
        match (valid, from_n, to_n) {
            (true, Some(from), Some(to)) if from <= to && to <= 32_767 => {
                let _ = match text.ends_with(',') {
                    true => write!(self.out, "{{{from},}}"),
                    false => write!(self.out, "{{{from},{to}}}"),
                };
                self.rest = ahead;
                self.at_start = false;
                Ok(())
            }
            (false, ..) => Err("Unmatched \\{".into()),
            (true, ..) => Err("Invalid content of \\{\\}".into()),
        }
    }

    /// `[...]`, its members written out for `regex-lite`.
    fn bracket(&mut self) -> Result<(), String> {
        let unmatched = || "Unmatched [, [^, [:, [., or [=".to_owned();
        let mut set = String::from("[");
        if self.rest.next_if_eq(&'^').is_some() {
            set.push('^');
        }
        let mut first = true;
        loop {
            let c = self.rest.next().ok_or_else(unmatched)?;
            match c {
                ']' if !first => break,
                '[' if self.rest.next_if_eq(&':').is_some() => {
                    let mut name = String::new();
                    loop {
                        match self.rest.next().ok_or_else(unmatched)? {
                            ':' => break,
                            c => name.push(c),
                        }
                    }
                    self.rest.next_if_eq(&']').ok_or_else(unmatched)?;
                    set.push_str(class(&name).ok_or("Invalid character class name")?);
                }
                // awk's and GNU grep's sets take C escapes of control characters; `\]` stays POSIX' backslash.
                '\\' if matches!(
                    self.rest.peek(),
                    Some('n' | 't' | 'r' | '\\' | '/' | '"' | '.' | '-' | '[')
                ) =>
                {
                    match self.rest.next() {
                        Some('n') => set.push_str("\\n"),
                        Some('t') => set.push_str("\\t"),
                        Some('r') => set.push_str("\\r"),
                        Some(c) => literal(&mut set, c),
                        None => return Err(unmatched()),
                    }
                }
                '-' if !first && !matches!(self.rest.peek(), Some(']') | None) && !set.ends_with('-') => {
                    set.push('-')
                }
                c => literal(&mut set, c),
            }
            first = false;
        }
        set.push(']');
        self.out.push_str(&set);
        Ok(())
    }
}

/// Members of a POSIX class in the C locale.
fn class(name: &str) -> Option<&'static str> {
    Some(match name {
        "alpha" => "A-Za-z",
        "digit" => "0-9",
        "alnum" => "A-Za-z0-9",
        "upper" => "A-Z",
        "lower" => "a-z",
        "space" => "\\t\\n\\x0B\\x0C\\r ",
        "blank" => "\\t ",
        "punct" => "!-/:-@\\[-`{-~",
        "print" => " -~",
        "graph" => "!-~",
        "cntrl" => "\\x00-\\x1F\\x7F",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations() {
        let cases = [
            (Syntax::Basic, r"a\{2\}b*", "xaabb", Some((1, 5))),
            (Syntax::Basic, "*a", "b*a", Some((1, 3))),
            (Syntax::Basic, "a+", "aa+", Some((1, 3))),
            (Syntax::Basic, r"a\+$", "baa", Some((1, 3))),
            (Syntax::Basic, "a$b", "a$b", Some((0, 3))),
            (Syntax::Basic, r"\(^a\|b\)c", "xbc", Some((1, 3))),
            (Syntax::Basic, r"\<bar\>", "foobar bar", Some((7, 10))),
            (Syntax::Extended, "^(a|b)+$", "abba", Some((0, 4))),
            (Syntax::Extended, "a{2,3}", "aaaa", Some((0, 3))),
            (Syntax::Extended, "a{x", "a{x", Some((0, 3))),
            (Syntax::Extended, "[]a]+", "x]a", Some((1, 3))),
            (Syntax::Extended, "[^[:digit:]]+", "12ab3", Some((2, 4))),
            (Syntax::Extended, "[a-c-]+", "z-b", Some((1, 3))),
            (Syntax::Extended, r"[\]", "\\", Some((0, 1))),
            (Syntax::Extended, r"\.", "a.b", Some((1, 2))),
            (Syntax::Extended, "[.]", "a.b", Some((1, 2))),
            (Syntax::Fixed, "a.*", "xa.*", Some((1, 4))),
        ];
        for (syntax, pattern, text, expected) in cases {
            let regex = Regex::new(pattern, syntax, Flags::default()).expect(pattern);
            assert_eq!(regex.find_at(text, 0), expected, "{pattern}");
        }
    }

    #[test]
    fn mistakes() {
        for (pattern, text) in [
            ("(a", "Unmatched ( or \\("),
            ("[a", "Unmatched [, [^, [:, [., or [="),
            ("a\\", "Trailing backslash"),
            ("[[:foo:]]", "Invalid character class name"),
        ] {
            assert_eq!(Regex::new(pattern, Syntax::Extended, Flags::default()).err().as_deref(), Some(text));
        }
        let huge = "a".repeat(MAX_PATTERN + 1);
        assert!(Regex::new(&huge, Syntax::Basic, Flags::default()).is_err());
        assert!(Regex::new("((a{999}){999}){999}", Syntax::Extended, Flags::default()).is_err());
    }
}
