//! Parses patterns: the syntaxes of regex(7) and GNU's extensions.

use super::{Syntax, is_class};
use std::iter::Peekable;
use std::str::Chars;

/// Maximum group nesting.
const MAX_DEPTH: u32 = 100;
/// Maximum repetition count (`RE_DUP_MAX`).
const MAX_REPEAT: u32 = 32_767;
const UNMATCHED_BRACKET: &str = "Unmatched [, [^, [:, [., or [=";
const NOTHING_TO_REPEAT: &str = "Invalid preceding regular expression";

/// The syntax tree of a pattern.
#[derive(Clone, Debug)]
pub(super) enum RegexNode {
    Char(char),
    Any,
    Set(BracketSet),
    Assert(Assert),
    /// A back-reference to a group.
    Back(usize),
    Group(usize, Box<RegexNode>),
    All(Vec<RegexNode>),
    Either(Vec<RegexNode>),
    Repeat {
        node: Box<RegexNode>,
        least: u32,
        most: Option<u32>,
    },
}

/// `[...]`
#[derive(Clone, Debug, Default)]
pub(super) struct BracketSet {
    pub negated: bool,
    pub ranges: Vec<(char, char)>,
    pub classes: Vec<String>,
}

/// A zero-width assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assert {
    /// `^`
    LineStart,
    /// `$`
    LineEnd,
    /// `` \` ``
    TextStart,
    /// `\'`
    TextEnd,
    /// `\b`
    Word,
    /// `\B`
    NoWord,
    /// `\<`
    WordStart,
    /// `\>`
    WordEnd,
}

/// A parsed pattern.
pub(super) struct ParsedPattern {
    pub node: RegexNode,
    /// The number of groups.
    pub groups: usize,
}

struct PatternParser<'a> {
    rest: Peekable<Chars<'a>>,
    syntax: Syntax,
    groups: usize,
    /// Closed groups: the valid targets of back-references.
    closed: Vec<usize>,
}

type RegexResult<T> = std::result::Result<T, String>;

/// Parses a pattern.
pub(super) fn parse(pattern: &str, syntax: Syntax) -> RegexResult<ParsedPattern> {
    if syntax == Syntax::Fixed {
        return Ok(ParsedPattern {
            node: RegexNode::All(pattern.chars().map(RegexNode::Char).collect()),
            groups: 0,
        });
    }
    let mut parser =
        PatternParser { rest: pattern.chars().peekable(), syntax, groups: 0, closed: Vec::new() };
    let node = parser.alternatives(0)?;
    Ok(ParsedPattern { node, groups: parser.groups })
}

impl PatternParser<'_> {
    const fn extended(&self) -> bool {
        !matches!(self.syntax, Syntax::Basic)
    }

    /// Consumes an operator if it is next: `(` or `\(` depending on the syntax.
    fn operator(&mut self, sign: char) -> bool {
        if self.extended() {
            return self.rest.next_if_eq(&sign).is_some();
        }
        let mut ahead = self.rest.clone();
        let found = ahead.next() == Some('\\') && ahead.next() == Some(sign);
        if found {
            self.rest = ahead;
        }
        found
    }

    fn sees(&self, sign: char) -> bool {
        let mut ahead = self.rest.clone();
        match self.extended() {
            true => ahead.next() == Some(sign),
            false => ahead.next() == Some('\\') && ahead.next() == Some(sign),
        }
    }

    /// Parses alternatives up to the end of the pattern or group.
    fn alternatives(&mut self, depth: u32) -> RegexResult<RegexNode> {
        let mut choices = vec![self.branch(depth)?];
        while self.operator('|') {
            choices.push(self.branch(depth)?);
        }
        Ok(match choices.pop() {
            Some(only) if choices.is_empty() => only,
            last => {
                choices.extend(last);
                RegexNode::Either(choices)
            }
        })
    }

    fn branch(&mut self, depth: u32) -> RegexResult<RegexNode> {
        let mut nodes = Vec::new();
        // Whether a repetition operator would have no operand here.
        let mut at_start = true;
        while self.rest.peek().is_some() && !self.sees('|') && !(depth > 0 && self.sees(')')) {
            let node = self.one(at_start, depth)?;
            at_start = matches!(node, RegexNode::Assert(Assert::LineStart));
            nodes.push(if at_start { node } else { self.repeated(node)? });
        }
        Ok(RegexNode::All(nodes))
    }

    /// Parses one repeatable element.
    fn one(&mut self, at_start: bool, depth: u32) -> RegexResult<RegexNode> {
        if self.operator('(') {
            return self.group(depth);
        }
        let Some(c) = self.rest.next() else { return Ok(RegexNode::All(Vec::new())) };
        let extended = self.extended();
        Ok(match c {
            '\\' => return self.escaped(depth),
            '[' => RegexNode::Set(self.bracket()?),
            '.' => RegexNode::Any,
            '^' if extended || at_start => RegexNode::Assert(Assert::LineStart),
            '$' if extended || self.ends_here() => RegexNode::Assert(Assert::LineEnd),
            '*' | '+' | '?' | '{' if at_start && self.syntax == Syntax::Posix => {
                return Err(NOTHING_TO_REPEAT.into());
            }
            c => RegexNode::Char(c),
        })
    }

    fn group(&mut self, depth: u32) -> RegexResult<RegexNode> {
        if depth >= MAX_DEPTH {
            return Err("Regular expression too big".into());
        }
        self.groups += 1;
        let number = self.groups;
        let node = self.alternatives(depth + 1)?;
        if !self.operator(')') {
            return Err("Unmatched ( or \\(".into());
        }
        self.closed.push(number);
        Ok(RegexNode::Group(number, Box::new(node)))
    }

    /// Whether a `$` in a basic expression is at the end of the pattern, a group or an alternative.
    fn ends_here(&mut self) -> bool {
        self.rest.peek().is_none() || self.sees(')') || self.sees('|')
    }

    fn escaped(&mut self, depth: u32) -> RegexResult<RegexNode> {
        let Some(c) = self.rest.next() else { return Err("Trailing backslash".into()) };
        let word =
            |negated| BracketSet { negated, ranges: vec![('_', '_')], classes: vec!["alnum".to_owned()] };
        let space = |negated| BracketSet { negated, ranges: Vec::new(), classes: vec!["space".to_owned()] };
        let assert = match c {
            'b' => Some(Assert::Word),
            'B' => Some(Assert::NoWord),
            '<' => Some(Assert::WordStart),
            '>' => Some(Assert::WordEnd),
            '`' => Some(Assert::TextStart),
            '\'' => Some(Assert::TextEnd),
            _ => None,
        };
        Ok(match c {
            _ if assert.is_some() => assert.map_or(RegexNode::Any, RegexNode::Assert),
            ')' if !self.extended() && depth == 0 => return Err("Unmatched ) or \\)".into()),
            '1'..='9' => {
                let number = c.to_digit(10).map_or(0, |n| n as usize);
                if !self.closed.contains(&number) {
                    return Err("Invalid back reference".into());
                }
                RegexNode::Back(number)
            }
            'w' => RegexNode::Set(word(false)),
            'W' => RegexNode::Set(word(true)),
            's' => RegexNode::Set(space(false)),
            'S' => RegexNode::Set(space(true)),
            'n' if self.syntax != Syntax::Posix => RegexNode::Char('\n'),
            't' if self.syntax != Syntax::Posix => RegexNode::Char('\t'),
            'r' if self.syntax != Syntax::Posix => RegexNode::Char('\r'),
            c => RegexNode::Char(c),
        })
    }

    /// Parses any number of repetition operators after an element.
    fn repeated(&mut self, mut node: RegexNode) -> RegexResult<RegexNode> {
        loop {
            let (least, most) = if self.rest.next_if_eq(&'*').is_some() {
                (0, None)
            } else if self.operator('+') {
                (1, None)
            } else if self.operator('?') {
                (0, Some(1))
            } else if let Some(interval) = self.interval()? {
                interval
            } else {
                return Ok(node);
            };
            node = RegexNode::Repeat { node: Box::new(node), least, most };
        }
    }

    /// Parses `{2}`, `{2,}`, `{,3}` or `{2,3}`; in the extended syntax anything else is a literal brace.
    fn interval(&mut self) -> RegexResult<Option<(u32, Option<u32>)>> {
        let before = self.rest.clone();
        if !self.operator('{') {
            return Ok(None);
        }
        let mut text = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_digit() || *c == ',') {
            text.push(c);
        }
        if !self.operator('}') || text.is_empty() {
            return match self.syntax {
                Syntax::Extended => {
                    self.rest = before;
                    Ok(None)
                }
                Syntax::Posix if self.rest.peek().is_some() => Err("Invalid content of \\{\\}".into()),
                Syntax::Basic | Syntax::Posix | Syntax::Fixed => Err("Unmatched \\{".into()),
            };
        }
        let (from, to) = text.split_once(',').map_or((text.as_str(), text.as_str()), |parts| parts);
        let number = |text: &str, empty: Option<u32>| match text {
            "" => Some(empty),
            digits => digits.parse().ok().filter(|n| *n <= MAX_REPEAT).map(Some),
        };
        match (number(from, Some(0)), number(to, None)) {
            (Some(Some(least)), Some(most)) if most.is_none_or(|most| least <= most) => {
                Ok(Some((least, most)))
            }
            _ => Err("Invalid content of \\{\\}".into()),
        }
    }

    /// Parses a bracket expression after its `[`.
    fn bracket(&mut self) -> RegexResult<BracketSet> {
        let mut set = BracketSet { negated: self.rest.next_if_eq(&'^').is_some(), ..BracketSet::default() };
        let mut first = true;
        loop {
            let c = self.rest.next().ok_or(UNMATCHED_BRACKET)?;
            if c == ']' && !first {
                return Ok(set);
            }
            first = false;
            let from = match c {
                '[' if self.rest.next_if_eq(&':').is_some() => {
                    set.classes.push(self.class_name()?);
                    continue;
                }
                '[' if matches!(self.rest.peek(), Some('.' | '=')) => self.collating()?,
                '\\' if self.syntax != Syntax::Posix => self.set_escape(),
                c => c,
            };
            let mut ahead = self.rest.clone();
            if ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']') {
                self.rest.next();
                let to = match self.rest.next().ok_or(UNMATCHED_BRACKET)? {
                    '[' if matches!(self.rest.peek(), Some('.' | '=')) => self.collating()?,
                    '\\' if self.syntax != Syntax::Posix => self.set_escape(),
                    c => c,
                };
                if to < from {
                    return Err("Invalid range end".into());
                }
                set.ranges.push((from, to));
            } else {
                set.ranges.push((from, from));
            }
        }
    }

    /// awk and GNU sed accept C escapes in bracket expressions; `\]` remains POSIX's literal backslash.
    fn set_escape(&mut self) -> char {
        match self.rest.next_if(|c| matches!(c, 'n' | 't' | 'r' | '\\' | '/' | '"' | '.' | '-' | '[')) {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(c) => c,
            None => '\\',
        }
    }

    fn class_name(&mut self) -> RegexResult<String> {
        let mut name = String::new();
        loop {
            match self.rest.next().ok_or(UNMATCHED_BRACKET)? {
                ':' => break,
                c => name.push(c),
            }
        }
        self.rest.next_if_eq(&']').ok_or(UNMATCHED_BRACKET)?;
        if is_class(&name) { Ok(name) } else { Err("Invalid character class name".into()) }
    }

    /// Parses `[.x.]` or `[=x=]`: the character itself.
    fn collating(&mut self) -> RegexResult<char> {
        let sign = self.rest.next();
        let c = self.rest.next().ok_or(UNMATCHED_BRACKET)?;
        let closed = self.rest.next() == sign && self.rest.next() == Some(']');
        if closed { Ok(c) } else { Err("Invalid collation character".into()) }
    }
}
