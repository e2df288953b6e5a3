//! grep(1), egrep, fgrep: a line at a time, as input arrives.
//!
//! Deliberate differences: colours are never printed; `-P` is treated as `-E`.

mod search;
#[cfg(test)]
mod tests;

use super::getopt::{self, Spec};
use super::input::{InputFiles, InputItem};
use crate::{Cx, UnixMachine};
use base::regex::{Flags, Regex, Syntax};
use host::memory::ELEMENT;
use host::{Errno, SliceEnd, Status};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// grep(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grep {
    input: InputFiles,
    patterns: Vec<String>,
    basic: bool,
    fixed: bool,
    options: GrepOptions,
    /// Compiled from `patterns`; compiled again after a keyframe was loaded.
    #[serde(skip)]
    compiled: Option<Arc<Vec<Regex>>>,
    line: u64,
    offset: u64,
    count: u64,
    before: VecDeque<(u64, Vec<u8>)>,
    after: u64,
    /// The line that was printed last, for `--`.
    last: u64,
    /// Something was printed.
    used: bool,
    found: bool,
    failed: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct GrepOptions {
    icase: bool,
    invert: bool,
    number: bool,
    count: bool,
    with: bool,
    without: bool,
    only: bool,
    quiet: bool,
    silent: bool,
    word: bool,
    whole: bool,
    names: bool,
    context: bool,
    before: u64,
    after: u64,
    most: Option<u64>,
    bytes: bool,
}

const SPEC: Spec = Spec {
    short: "EFGPivnclLrRoqswxhHA:B:C:e:f:m:abzZIy#:!:@:",
    long: &[
        ("extended-regexp", 'E'),
        ("fixed-strings", 'F'),
        ("basic-regexp", 'G'),
        ("perl-regexp", 'P'),
        ("ignore-case", 'i'),
        ("invert-match", 'v'),
        ("line-number", 'n'),
        ("count", 'c'),
        ("files-with-matches", 'l'),
        ("files-without-match", 'L'),
        ("recursive", 'r'),
        ("dereference-recursive", 'R'),
        ("only-matching", 'o'),
        ("quiet", 'q'),
        ("silent", 'q'),
        ("no-messages", 's'),
        ("word-regexp", 'w'),
        ("line-regexp", 'x'),
        ("no-filename", 'h'),
        ("with-filename", 'H'),
        ("after-context", 'A'),
        ("before-context", 'B'),
        ("context", 'C'),
        ("regexp", 'e'),
        ("file", 'f'),
        ("max-count", 'm'),
        ("text", 'a'),
        ("byte-offset", 'b'),
        ("include", '#'),
        ("exclude", '!'),
        ("exclude-dir", '@'),
        ("line-buffered", 'y'),
    ],
    usage: 2,
};

/// Starts grep(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    match prepare(cx) {
        Ok(grep) => UnixMachine::Grep(Box::new(grep)),
        Err(code) => UnixMachine::End(code),
    }
}

/// An error of grep, which is the program behind `egrep` and `fgrep`.
fn error(cx: &mut Cx, text: &str) {
    cx.complain(&format!("grep: {text}"));
}

fn usage(cx: &mut Cx) -> u8 {
    cx.complain("Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.");
    2
}

fn prepare(cx: &mut Cx) -> Result<Grep, u8> {
    let mut args: Vec<String> = Vec::new();
    for arg in cx.args() {
        match arg.strip_prefix('-') {
            Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                args.push(format!("-C{digits}"));
            }
            _ if arg.starts_with("--color") || arg.starts_with("--colour") => {}
            _ => args.push(arg.clone()),
        }
    }
    let mut parsed = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(0) => return Err(0),
        Err(_) => {
            // GNU grep prints its usage line between the message and the hint.
            let message = String::from_utf8_lossy(cx.err).lines().next().unwrap_or("").to_owned();
            cx.err.clear();
            cx.marks.clear();
            cx.complain(&message);
            return Err(usage(cx));
        }
    };
    let mut patterns: Vec<String> = Vec::new();
    for (letter, value) in &parsed.options {
        match letter {
            'e' => patterns.extend(value.split('\n').map(str::to_owned)),
            'f' => match cx.read_file(value) {
                Ok(data) => patterns.extend(String::from_utf8_lossy(&data).lines().map(str::to_owned)),
                Err(errno) => {
                    error(cx, &format!("{value}: {errno}"));
                    return Err(2);
                }
            },
            _ => {}
        }
    }
    if !parsed.has('e') && !parsed.has('f') {
        if parsed.operands.is_empty() {
            return Err(usage(cx));
        }
        patterns.extend(parsed.operands.remove(0).split('\n').map(str::to_owned));
    }
    let mut options = GrepOptions {
        icase: parsed.has('i'),
        invert: parsed.has('v'),
        number: parsed.has('n'),
        count: parsed.has('c'),
        with: parsed.has('l'),
        without: parsed.has('L'),
        only: parsed.has('o'),
        quiet: parsed.has('q'),
        silent: parsed.has('s'),
        word: parsed.has('w'),
        whole: parsed.has('x'),
        bytes: parsed.has('b'),
        ..GrepOptions::default()
    };
    let (mut after, mut before) = (None, None);
    for (letter, value) in &parsed.options {
        if "ABCm".contains(*letter) {
            let Ok(n) = value.parse::<u64>() else {
                let what =
                    if *letter == 'm' { "invalid max count" } else { "invalid context length argument" };
                let what = if *letter == 'm' { what.to_owned() } else { format!("{value}: {what}") };
                error(cx, &what);
                return Err(2);
            };
            match letter {
                'A' => after = Some(n),
                'B' => before = Some(n),
                'C' => (options.before, options.after) = (n, n),
                _ => options.most = Some(n),
            }
        }
    }
    // Both override `-C`, wherever they are.
    options.after = after.unwrap_or(options.after);
    options.before = before.unwrap_or(options.before);
    // Nothing is read, nor counted. `-L` lists all files.
    if options.most == Some(0) && !options.without {
        return Err(1);
    }
    options.context = "ABC".chars().any(|l| parsed.has(l));
    let recursive = parsed.has('r') || parsed.has('R');
    let mut files = parsed.operands.clone();
    if recursive {
        files = search::files(cx, &files, &parsed);
    }
    options.names = match parsed.last_of("hH") {
        Some('h') => false,
        Some(_) => true,
        None => recursive || parsed.operands.len() > 1,
    };
    let name = cx.name().to_owned();
    let by_name = match name.as_str() {
        "egrep" => Some('E'),
        "fgrep" => Some('F'),
        _ => None,
    };
    let mut matchers = by_name.into_iter().chain("EFGP".chars().filter(|letter| parsed.has(*letter)));
    let syntax = matchers.next().unwrap_or('G');
    if matchers.any(|other| other != syntax) {
        error(cx, "conflicting matchers specified");
        return Err(2);
    }
    let mut grep = Grep {
        input: if recursive && files.is_empty() { InputFiles::default() } else { InputFiles::new(&files) },
        patterns,
        basic: syntax == 'G',
        fixed: syntax == 'F',
        options,
        compiled: None,
        line: 0,
        offset: 0,
        count: 0,
        before: VecDeque::new(),
        after: 0,
        last: 0,
        used: false,
        found: false,
        failed: false,
    };
    if let Err(text) = grep.compile() {
        error(cx, &text);
        return Err(2);
    }
    Ok(grep)
}

impl Grep {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let before: usize = self.before.iter().map(|(_, line)| line.len() + ELEMENT).sum();
        self.input.memory() + before
    }

    fn compile(&mut self) -> Result<Arc<Vec<Regex>>, String> {
        if let Some(compiled) = &self.compiled {
            return Ok(compiled.clone());
        }
        let syntax = match (self.fixed, self.basic) {
            (true, _) => Syntax::Fixed,
            (false, true) => Syntax::Basic,
            (false, false) => Syntax::Extended,
        };
        let flags = Flags { icase: self.options.icase, lines: false };
        let all: Result<Vec<Regex>, String> =
            self.patterns.iter().map(|p| Regex::new(p, syntax, flags)).collect();
        let all = Arc::new(all?);
        self.compiled = Some(all.clone());
        Ok(all)
    }

    /// Processes the available input.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let Ok(regexes) = self.compile() else { return SliceEnd::Exit(Status::Exited(2)) };
        for _ in 0..4000 {
            match self.input.next_line(cx) {
                InputItem::Open(_) => {
                    (self.line, self.offset, self.count, self.after, self.last) = (0, 0, 0, 0, 0);
                    self.before.clear();
                }
                InputItem::Line(line, _) => {
                    self.one(cx, &regexes, &line);
                    if self.options.quiet && self.found {
                        return SliceEnd::Exit(Status::Exited(0));
                    }
                }
                InputItem::Close => self.close(cx),
                InputItem::Failed(name, errno) => {
                    if !self.options.silent {
                        let text =
                            if errno == Errno::EISDIR { "Is a directory".into() } else { errno.to_string() };
                        error(cx, &format!("{name}: {text}"));
                    }
                    self.failed = true;
                }
                InputItem::Wait(wait) => return SliceEnd::Wait(wait),
                InputItem::Chunk(_) | InputItem::End => {
                    let code = if self.failed { 2 } else { u8::from(!self.found) };
                    return SliceEnd::Exit(Status::Exited(code));
                }
            }
        }
        SliceEnd::Again
    }

    /// The first match of any pattern that satisfies the options, starting at a byte.
    fn find(&self, regexes: &[Regex], text: &str, from: usize) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        for regex in regexes {
            let mut at = from;
            while let Some((start, end)) = regex.find_at(text, at) {
                let fits = (!self.options.whole || (start, end) == (0, text.len()))
                    && (!self.options.word || bounded(text, start, end));
                if fits {
                    let better = best.is_none_or(|(s, e)| start < s || start == s && end > e);
                    if better {
                        best = Some((start, end));
                    }
                    break;
                }
                at = next_char(text, start);
                if at > text.len() {
                    break;
                }
            }
        }
        best
    }

    fn one(&mut self, cx: &mut Cx, regexes: &[Regex], line: &[u8]) {
        self.line += 1;
        let text = String::from_utf8_lossy(line);
        // After the lines that `-m` selects, all are context.
        let matched = !self.is_full() && self.find(regexes, &text, 0).is_some() != self.options.invert;
        if matched {
            self.found = true;
            self.count += 1;
            self.report(cx, regexes, line);
        } else if self.prints() && self.after > 0 {
            self.after -= 1;
            self.show(cx, regexes, LinePlace { mark: '-', number: self.line, offset: self.offset }, line);
        } else if self.options.before > 0 {
            self.before.push_back((self.line, line.to_vec()));
            if u64::try_from(self.before.len()).unwrap_or(0) > self.options.before {
                self.before.pop_front();
            }
        }
        let listed = matched && (self.options.with || self.options.without);
        if listed || self.is_full() && self.after == 0 {
            self.input.skip(cx);
            self.close(cx);
        }
        self.offset += with_newline(line);
    }

    /// Whether `-m` lines were selected in this file.
    fn is_full(&self) -> bool {
        self.options.most.is_some_and(|most| self.count >= most)
    }

    fn prints(&self) -> bool {
        let o = &self.options;
        !(o.count || o.with || o.without || o.quiet)
    }

    /// Shows a selected line after the lines of context before it.
    fn report(&mut self, cx: &mut Cx, regexes: &[Regex], line: &[u8]) {
        if !self.prints() {
            return;
        }
        let before = std::mem::take(&mut self.before);
        let length = before.iter().map(|(_, line)| with_newline(line)).sum();
        let mut offset = self.offset.saturating_sub(length);
        for (number, line) in before {
            self.show(cx, regexes, LinePlace { mark: '-', number, offset }, &line);
            offset += with_newline(&line);
        }
        self.after = self.options.after;
        self.show(cx, regexes, LinePlace { mark: ':', number: self.line, offset: self.offset }, line);
    }

    /// Shows a line, or with `-o` its matches: those of context with `-v`. Lines without any are part of the output all the same,
    /// as far as `--` is concerned.
    fn show(&mut self, cx: &mut Cx, regexes: &[Regex], place: LinePlace, line: &[u8]) {
        // Between files, too.
        let apart = self.last + 1 < place.number || self.last == 0;
        if self.options.context && self.used && apart {
            cx.line("--");
        }
        self.used = true;
        self.last = place.number;
        if !self.options.only {
            return self.print(cx, place, line);
        }
        if (place.mark == ':') == self.options.invert {
            return;
        }
        let text = String::from_utf8_lossy(line);
        let mut at = 0;
        while at <= text.len() {
            let Some((start, end)) = self.find(regexes, &text, at) else { break };
            if end > start {
                let offset = place.offset + u64::try_from(start).unwrap_or(0);
                let piece = text.get(start..end).unwrap_or_default();
                self.print(cx, LinePlace { offset, ..place }, piece.as_bytes());
                at = end;
            } else {
                at = next_char(&text, start);
            }
        }
    }

    fn shown_name(&self) -> String {
        if self.input.name() == "-" { "(standard input)".into() } else { self.input.name().to_owned() }
    }

    fn print(&self, cx: &mut Cx, place: LinePlace, text: &[u8]) {
        let LinePlace { mark, number, offset } = place;
        let mut head = String::new();
        if self.options.names {
            head += &format!("{}{mark}", self.shown_name());
        }
        if self.options.number {
            head += &format!("{number}{mark}");
        }
        if self.options.bytes {
            head += &format!("{offset}{mark}");
        }
        cx.print(&head);
        cx.out.extend_from_slice(text);
        cx.out.push(b'\n');
    }

    fn close(&mut self, cx: &mut Cx) {
        let name = self.shown_name();
        let o = &self.options;
        if o.quiet {
            return;
        }
        if o.with || o.without {
            if o.with == (self.count > 0) {
                cx.line(&name);
            }
        } else if o.count {
            let text = if o.names { format!("{name}:{}", self.count) } else { self.count.to_string() };
            cx.line(&text);
        }
    }
}

/// A line of the output: `:` for a selected line or `-` for context, its number, and where it begins in the file.
#[derive(Clone, Copy)]
struct LinePlace {
    mark: char,
    number: u64,
    offset: u64,
}

/// The bytes of a line, with its line break.
fn with_newline(line: &[u8]) -> u64 {
    u64::try_from(line.len()).unwrap_or(0) + 1
}

/// Whether a match is not adjacent to a letter, digit or underscore.
fn bounded(text: &str, start: usize, end: usize) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !word(text.get(..start).and_then(|t| t.chars().next_back()))
        && !word(text.get(end..).and_then(|t| t.chars().next()))
}

/// The byte position after the character at `at`; past the end if there is none.
#[must_use]
pub fn next_char(text: &str, at: usize) -> usize {
    at + text.get(at..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8)
}
