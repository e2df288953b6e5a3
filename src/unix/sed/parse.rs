//! sed's parser: script text to commands.

use super::script::{
    Action, Address, LineAddress, RangeEnd, ReplacementPart, SedCommand, SedScript, Substitute,
};
use base::regex::{Flags, Regex, Syntax};
use std::collections::BTreeMap;

type SedError = (usize, String);

/// The position of an error that concerns the whole script.
pub const NO_PLACE: usize = usize::MAX;

/// Maximum number of commands in a script.
const MAX_COMMANDS: usize = 10_000;

struct SedParser<'a> {
    text: &'a [char],
    at: usize,
    extended: bool,
    script: SedScript,
    blocks: Vec<usize>,
    labels: BTreeMap<String, usize>,
    jumps: Vec<(usize, String)>,
}

/// Parses a script.
///
/// # Errors
/// The position of the error, counted in characters, and GNU's message.
pub fn parse(text: &str, extended: bool) -> Result<SedScript, SedError> {
    let chars: Vec<char> = text.chars().collect();
    let mut parser = SedParser {
        text: &chars,
        at: 0,
        extended,
        script: SedScript::default(),
        blocks: Vec::new(),
        labels: BTreeMap::new(),
        jumps: Vec::new(),
    };
    while parser.command()? {}
    if !parser.blocks.is_empty() {
        return Err((0, "unmatched `{'".into()));
    }
    for (command, label) in std::mem::take(&mut parser.jumps) {
        let target = match parser.labels.get(&label) {
            Some(target) => *target,
            None if label.is_empty() => parser.script.commands.len(),
            None => return Err((NO_PLACE, format!("can't find label for jump to `{label}'"))),
        };
        if let Some(Action::Branch(_, to)) = parser.script.commands.get_mut(command).map(|c| &mut c.action) {
            *to = target;
        }
    }
    Ok(parser.script)
}

impl SedParser<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    fn skip(&mut self, wanted: fn(char) -> bool) {
        while self.peek().is_some_and(wanted) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, why: &str) -> Result<T, SedError> {
        Err((self.at, why.to_owned()))
    }

    fn number(&mut self) -> Option<u64> {
        let start = self.at;
        self.skip(|c| c.is_ascii_digit());
        self.text.get(start..self.at)?.iter().collect::<String>().parse().ok()
    }

    /// Parses a command. False at the end.
    fn command(&mut self) -> Result<bool, SedError> {
        self.skip(|c| c.is_whitespace() || c == ';');
        if self.peek().is_none() {
            return Ok(false);
        }
        let address = self.address()?;
        self.skip(char::is_whitespace);
        let mut negated = false;
        while self.peek() == Some('!') {
            negated = true;
            self.at += 1;
            self.skip(char::is_whitespace);
        }
        let Some(letter) = self.next() else { return self.fail("missing command") };
        if self.script.commands.len() >= MAX_COMMANDS {
            return self.fail("too many commands");
        }
        let index = self.script.commands.len();
        if matches!(letter, '}' | ':' | '#') && !matches!(address, Address::All) {
            return match letter {
                ':' => self.fail(": doesn't want any addresses"),
                '}' => self.fail("} doesn't want any addresses"),
                _ => self.fail("comments don't accept any addresses"),
            };
        }
        if letter == '#' {
            self.skip(|c| c != '\n');
            return Ok(true);
        }
        let action = self.action(letter, index)?;
        self.script.commands.push(SedCommand { address, negated, action });
        Ok(true)
    }

    fn action(&mut self, letter: char, index: usize) -> Result<Action, SedError> {
        Ok(match letter {
            '{' => {
                self.blocks.push(index);
                Action::Block(0)
            }
            '}' => {
                let Some(open) = self.blocks.pop() else { return self.fail("unexpected `}'") };
                if let Some(Action::Block(end)) = self.script.commands.get_mut(open).map(|c| &mut c.action) {
                    *end = index + 1;
                }
                self.end()?;
                Action::Nothing
            }
            ':' => {
                let label = self.word(false);
                if label.is_empty() {
                    return self.fail("\":\" lacks a label");
                }
                self.labels.insert(label, index);
                Action::Nothing
            }
            'b' | 't' | 'T' => {
                let label = self.word(true);
                self.jumps.push((index, label));
                Action::Branch(letter, 0)
            }
            's' => self.substitute()?,
            'y' => self.transliterate()?,
            'a' | 'i' | 'c' => Action::Text(letter, self.inserted()?),
            'r' | 'w' | 'R' | 'W' => {
                let name = self.file_name()?;
                if matches!(letter, 'w' | 'W') {
                    self.script.writes.push(name.clone());
                }
                Action::File(letter, name)
            }
            'q' | 'Q' => {
                self.skip(|c| c == ' ');
                let code = self.number().unwrap_or(0);
                self.end()?;
                Action::Quit(letter, u8::try_from(code & 255).unwrap_or(0))
            }
            '=' | 'F' | 'l' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' => {
                self.end()?;
                Action::Simple(letter)
            }
            // `v` requests a minimum version: any is fine.
            'v' => {
                self.skip(|c| c != '\n' && c != ';');
                Action::Nothing
            }
            'e' => return self.fail("command `e' is not simulated"),
            letter => return self.fail(&format!("unknown command: `{letter}'")),
        })
    }

    /// Checks the text after a command.
    fn end(&mut self) -> Result<(), SedError> {
        self.skip(|c| c == ' ' || c == '\t');
        match self.peek() {
            None => Ok(()),
            Some(';' | '\n') => {
                self.at += 1;
                Ok(())
            }
            Some('}' | '#') => Ok(()),
            Some(_) => {
                self.at += 1;
                self.fail("extra characters after command")
            }
        }
    }

    fn word(&mut self, semicolon_ends: bool) -> String {
        self.skip(|c| c == ' ' || c == '\t');
        let start = self.at;
        if semicolon_ends {
            self.skip(|c| !matches!(c, '\n' | ';' | '}' | ' '));
        } else {
            self.skip(|c| !matches!(c, '\n' | ';' | ' '));
        }
        self.text.get(start..self.at).unwrap_or_default().iter().collect()
    }

    fn file_name(&mut self) -> Result<String, SedError> {
        self.skip(|c| c == ' ' || c == '\t');
        let start = self.at;
        self.skip(|c| c != '\n');
        let name: String = self.text.get(start..self.at).unwrap_or_default().iter().collect();
        if name.is_empty() { self.fail("missing filename in r/R/w/W commands") } else { Ok(name) }
    }

    /// The text of `a`, `i`, `c`: the rest of the line, or the lines after a backslash.
    fn inserted(&mut self) -> Result<String, SedError> {
        self.skip(|c| c == ' ' || c == '\t');
        if self.peek() == Some('\\') {
            let mut ahead = self.at + 1;
            while self.text.get(ahead).is_some_and(|c| *c == ' ' || *c == '\t') {
                ahead += 1;
            }
            if self.text.get(ahead) == Some(&'\n') {
                self.at = ahead + 1;
            } else if self.text.get(self.at + 1).is_some() {
                self.at += 1;
            }
        }
        if self.peek().is_none() {
            return self.fail("expected \\ after `a', `c' or `i'");
        }
        let mut text = String::new();
        while let Some(c) = self.next() {
            match c {
                '\\' => text.extend(self.next()),
                '\n' => break,
                c => text.push(c),
            }
        }
        text.push('\n');
        Ok(text)
    }

    fn address(&mut self) -> Result<Address, SedError> {
        let Some(first) = self.line_address()? else { return Ok(Address::All) };
        self.skip(|c| c == ' ');
        if self.peek() != Some(',') {
            if matches!(first, LineAddress::Line(0)) {
                return self.fail("invalid usage of line address 0");
            }
            return Ok(Address::One(first));
        }
        self.at += 1;
        self.skip(|c| c == ' ');
        let end = match self.peek() {
            Some(sign @ ('+' | '~')) => {
                self.at += 1;
                let Some(n) = self.number() else { return self.fail("expected number") };
                if sign == '+' { RangeEnd::After(n) } else { RangeEnd::Multiple(n) }
            }
            _ => match self.line_address()? {
                Some(address) => RangeEnd::Address(address),
                None => return self.fail("unexpected `,'"),
            },
        };
        if matches!(first, LineAddress::Line(0)) && !matches!(end, RangeEnd::Address(LineAddress::Match(_))) {
            return self.fail("invalid usage of line address 0");
        }
        self.script.ranges += 1;
        Ok(Address::Range(first, end, self.script.ranges - 1))
    }

    fn line_address(&mut self) -> Result<Option<LineAddress>, SedError> {
        match self.peek() {
            Some('$') => {
                self.at += 1;
                Ok(Some(LineAddress::Last))
            }
            Some(c) if c.is_ascii_digit() => {
                let first = self.number().unwrap_or(u64::MAX);
                if self.peek() != Some('~') {
                    return Ok(Some(LineAddress::Line(first)));
                }
                self.at += 1;
                Ok(Some(LineAddress::Step(first, self.number().unwrap_or(0))))
            }
            Some('/') => {
                self.at += 1;
                self.pattern_address('/').map(Some)
            }
            Some('\\') => {
                self.at += 1;
                let Some(delimiter) = self.next() else { return self.fail("unexpected `,'") };
                self.pattern_address(delimiter).map(Some)
            }
            Some(_) | None => Ok(None),
        }
    }

    fn pattern_address(&mut self, delimiter: char) -> Result<LineAddress, SedError> {
        let Some(pattern) = self.delimited(delimiter, true) else {
            return self.fail("unterminated address regex");
        };
        let mut flags = Flags::default();
        while let Some(flag @ ('I' | 'M')) = self.peek() {
            self.at += 1;
            if flag == 'I' { flags.icase = true } else { flags.lines = true }
        }
        Ok(LineAddress::Match(self.regex(&pattern, flags)?))
    }

    fn regex(&self, pattern: &str, flags: Flags) -> Result<Option<Regex>, SedError> {
        if pattern.is_empty() {
            return Ok(None);
        }
        let syntax = if self.extended { Syntax::Extended } else { Syntax::Basic };
        Regex::new(pattern, syntax, flags).map(Some).map_err(|why| (self.at, why))
    }

    /// The text up to a delimiter. The backslash of an escaped delimiter is removed. As in GNU sed, a delimiter
    /// inside a bracket expression also ends the text.
    fn delimited(&mut self, delimiter: char, pattern: bool) -> Option<String> {
        let mut text = String::new();
        loop {
            let c = self.next()?;
            if c == delimiter {
                return Some(text);
            }
            if c == '\n' && pattern {
                return None;
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let escaped = self.next()?;
            if escaped == delimiter {
                // If the delimiter is special in patterns, the escaped one means the literal character.
                if pattern && ".*[]^$+?(){}|".contains(delimiter) {
                    text.push('[');
                    text.push(delimiter);
                    text.push(']');
                } else {
                    text.push(delimiter);
                }
            } else if escaped == '\n' && pattern {
                text.push_str("\\n");
            } else {
                text.push('\\');
                text.push(escaped);
            }
        }
    }

    fn substitute(&mut self) -> Result<Action, SedError> {
        let unterminated = "unterminated `s' command";
        let Some(delimiter) = self.next().filter(|c| *c != '\n' && *c != '\\') else {
            return self.fail(unterminated);
        };
        let Some(pattern) = self.delimited(delimiter, true) else { return self.fail(unterminated) };
        let Some(replacement) = self.delimited(delimiter, false) else { return self.fail(unterminated) };
        let mut s = Substitute {
            regex: None,
            replacement: parts(&replacement),
            all: false,
            from: 1,
            print: false,
            write: None,
        };
        let mut flags = Flags::default();
        loop {
            match self.peek() {
                Some('g') => s.all = true,
                Some('p') => s.print = true,
                Some('i' | 'I') => flags.icase = true,
                Some('m' | 'M') => flags.lines = true,
                Some('w') => {
                    self.at += 1;
                    let name = self.file_name()?;
                    self.script.writes.push(name.clone());
                    s.write = Some(name);
                    break;
                }
                Some('e') => return self.fail("option `e' of `s' is not simulated"),
                Some(c) if c.is_ascii_digit() => {
                    s.from = self.number().unwrap_or(u64::MAX);
                    if s.from == 0 {
                        return self.fail("number option to `s' command may not be zero");
                    }
                    continue;
                }
                Some(';' | '\n' | '}' | '#' | ' ' | '\t') | None => {
                    self.end()?;
                    break;
                }
                Some(_) => {
                    self.at += 1;
                    return self.fail("unknown option to `s'");
                }
            }
            self.at += 1;
        }
        s.regex = self.regex(&pattern, flags)?;
        let groups = groups(&pattern, self.extended);
        let highest = s
            .replacement
            .iter()
            .map(|p| if let ReplacementPart::Group(n) = p { *n } else { 0 })
            .max()
            .unwrap_or(0);
        if highest > groups && s.regex.is_some() {
            return self.fail(&format!("invalid reference \\{highest} on `s' command's RHS"));
        }
        Ok(Action::Substitute(Box::new(s)))
    }

    fn transliterate(&mut self) -> Result<Action, SedError> {
        let unterminated = "unterminated `y' command";
        let Some(delimiter) = self.next() else { return self.fail(unterminated) };
        let Some(from) = self.delimited(delimiter, false) else { return self.fail(unterminated) };
        let Some(to) = self.delimited(delimiter, false) else { return self.fail(unterminated) };
        let (from, to) = (plain(&from), plain(&to));
        if from.len() != to.len() {
            return self.fail("strings for `y' command are different lengths");
        }
        self.end()?;
        Ok(Action::Transliterate(from.into_iter().zip(to).rev().collect()))
    }
}

/// Text of `y` with its escapes resolved.
fn plain(text: &str) -> Vec<char> {
    let mut all = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        all.push(match c {
            '\\' => match rest.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(c) => c,
                None => '\\',
            },
            c => c,
        });
    }
    all
}

/// The number of groups in a pattern.
fn groups(pattern: &str, extended: bool) -> usize {
    let (mut count, mut escaped) = (0, false);
    for c in pattern.chars() {
        count += usize::from(c == '(' && escaped != extended);
        escaped = c == '\\' && !escaped;
    }
    count
}

/// The parts of a replacement.
fn parts(text: &str) -> Vec<ReplacementPart> {
    let mut all = Vec::new();
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let part = match c {
            '&' => ReplacementPart::Group(0),
            '\\' => match rest.next() {
                Some(d) if d.is_ascii_digit() => {
                    ReplacementPart::Group(d.to_digit(10).map_or(0, |d| usize::try_from(d).unwrap_or(0)))
                }
                Some(c @ ('U' | 'L' | 'u' | 'l' | 'E')) => ReplacementPart::Case(c),
                other => {
                    plain.push(match other {
                        Some('n') => '\n',
                        Some('t') => '\t',
                        Some('r') => '\r',
                        Some(c) => c,
                        None => '\\',
                    });
                    continue;
                }
            },
            c => {
                plain.push(c);
                continue;
            }
        };
        if !plain.is_empty() {
            all.push(ReplacementPart::Text(std::mem::take(&mut plain)));
        }
        all.push(part);
    }
    if !plain.is_empty() {
        all.push(ReplacementPart::Text(plain));
    }
    all
}
