//! Lowers source text to ops: a parser of bash's grammar that emits [`Op`]s directly, one complete command at
//! a time. Mirrors bash(1), "SHELL GRAMMAR".
//!
//! It is not based on a parser crate, because bash parses command by command, names the unexpected token and
//! expands aliases while parsing.
//!
//! Invariant: every recursion is bounded, whatever the input.

mod brace;
mod compound;
mod cond;
mod emit;
mod here;
mod param;
mod scan;
pub(crate) use scan::name_prefix;
mod simple;
mod word;

use super::op::{Bytecode, Op};
use base::vec_map::VecMap;
use std::borrow::Cow;
use std::sync::Arc;

/// Maximum nesting of any construct in source text.
pub const MAX_NESTING: u32 = 200;

/// Shell options that affect parsing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions<'a> {
    /// `shopt -s extglob`
    pub extglob: bool,
    /// `set -B`, the default: expand braces.
    pub braces: bool,
    /// The text is complete: its end closes a here-document.
    pub whole: bool,
    /// Aliases, if they are expanded.
    pub aliases: Option<&'a VecMap<String, String>>,
}

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line of the text.
    pub line: u32,
    /// The kind of error.
    pub kind: ErrorKind,
}

/// The kind of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// An unexpected token.
    Near(String),
    /// The text ends within a command.
    Eof,
    /// Missing closing character.
    Unmatched(char),
    /// Nested deeper than [`MAX_NESTING`].
    Nesting,
    /// A special message.
    Message(String),
    /// An error within `[[`: bash prints this message, if any, and discards the rest of the text.
    Condition(Option<String>),
}

impl SyntaxError {
    /// Whether more text could complete the command.
    #[must_use]
    pub const fn incomplete(&self) -> bool {
        matches!(self.kind, ErrorKind::Eof | ErrorKind::Unmatched(_))
    }
}

type LowerResult<T> = std::result::Result<T, Box<SyntaxError>>;

/// A complete command and the position of the next.
#[derive(Clone, Debug)]
pub struct Complete {
    /// The lowered command.
    pub code: Arc<Bytecode>,
    /// The number of bytes read.
    pub used: usize,
    /// The number of the next line.
    pub line: u32,
    /// A here-document ended by the end of the text: its line and delimiter.
    pub unended: Option<(u32, String)>,
}

/// Parses the next complete command of `text`, whose first line has the number `line`. `None` if only blanks
/// and comments remain.
pub fn next_command(
    text: &str,
    line: u32,
    options: ParseOptions,
) -> std::result::Result<Option<Complete>, SyntaxError> {
    let mut reader = SourceParser::new(text, line, 0, options);
    let found = reader.complete().map_err(|e| *e)?;
    let used = text.len().saturating_sub(reader.rest().len());
    reader.ops.shrink_to_fit();
    Ok(found.then(|| Complete {
        // The text of a whole command is not used.
        code: Arc::new(Bytecode { ops: std::mem::take(&mut reader.ops), text: String::new() }),
        used,
        line: reader.line,
        unended: reader.unended.take(),
    }))
}

/// The body of a function definition.
pub fn function(text: &str) -> Option<Arc<Bytecode>> {
    let complete =
        next_command(text, 1, ParseOptions { extglob: true, braces: true, whole: true, aliases: None })
            .ok()??;
    match complete.code.ops.as_slice() {
        [Op::Function(_, code)] => Some(code.clone()),
        _ => None,
    }
}

/// The bodies of here-documents after the current line.
#[derive(Clone, Copy, Debug)]
struct HereBodies {
    /// End of the current line.
    newline: usize,
    /// Position after the last body.
    resume: usize,
    /// The number of lines of the bodies.
    lines: u32,
}

/// The terminator of a list.
#[derive(Clone, Copy, Debug)]
enum ListEnd {
    /// One of these words.
    Words(&'static [&'static str]),
    /// `)`
    Paren,
    /// `;;`, `;&`, `;;&` or `esac`
    Case,
}

/// A parser of source text.
struct SourceParser<'a> {
    src: Cow<'a, str>,
    pos: usize,
    line: u32,
    depth: u32,
    options: ParseOptions<'a>,
    here: Option<HereBodies>,
    /// Aliases being expanded, each until this many bytes remain.
    expanding: Vec<(String, usize)>,
    /// The last alias ended in a blank: the next word is also checked for aliases.
    alias_next: Option<usize>,
    /// A here-document ended by the end of the text: its line and delimiter.
    unended: Option<(u32, String)>,
    ops: Vec<Op>,
}

impl<'a> SourceParser<'a> {
    fn new(text: &'a str, line: u32, depth: u32, options: ParseOptions<'a>) -> Self {
        Self {
            src: Cow::Borrowed(text),
            pos: 0,
            line,
            depth,
            options,
            here: None,
            expanding: Vec::new(),
            alias_next: None,
            unended: None,
            ops: Vec::new(),
        }
    }

    fn fail<T>(&self, kind: ErrorKind) -> LowerResult<T> {
        Err(Box::new(SyntaxError { line: self.line, kind }))
    }

    /// The error for an unclosed construct that began at this line.
    fn unmatched<T>(&self, line: u32, sign: char) -> LowerResult<T> {
        Err(Box::new(SyntaxError { line, kind: ErrorKind::Unmatched(sign) }))
    }

    /// The error for the token at this position.
    fn unexpected<T>(&mut self) -> LowerResult<T> {
        self.blanks();
        let token = self.token_text();
        self.fail(if token.is_empty() { ErrorKind::Eof } else { ErrorKind::Near(token) })
    }

    /// Runs `read` one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> LowerResult<T>) -> LowerResult<T> {
        if self.depth >= MAX_NESTING {
            return self.fail(ErrorKind::Nesting);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Parses commands up to the end of a line.
    fn complete(&mut self) -> LowerResult<bool> {
        self.newlines();
        if self.at_end() {
            return Ok(false);
        }
        loop {
            let separated = self.and_or()?;
            self.blanks();
            match self.peek() {
                None => return Ok(true),
                Some('\n') => {
                    self.newline();
                    return Ok(true);
                }
                Some(';') if !separated && !self.looking_at(";;") && !self.looking_at(";&") => self.pos += 1,
                Some(_) if separated => continue,
                Some(_) => return self.unexpected(),
            }
            self.blanks();
            match self.peek() {
                None => return Ok(true),
                Some('\n') => {
                    self.newline();
                    return Ok(true);
                }
                Some(_) => {}
            }
        }
    }

    /// Parses a non-empty list inside a compound command.
    fn list(&mut self, until: ListEnd) -> LowerResult<()> {
        let mut commands = 0;
        loop {
            self.newlines();
            if self.ends(until) {
                break;
            }
            let separated = self.and_or()?;
            commands += 1;
            self.blanks();
            match self.peek() {
                Some('\n') => {}
                Some(_) if separated || self.ends(until) => {}
                Some(';') if !self.looking_at(";;") && !self.looking_at(";&") => self.pos += 1,
                Some(_) | None => return self.unexpected(),
            }
        }
        if commands == 0 && !matches!(until, ListEnd::Case) { self.unexpected() } else { Ok(()) }
    }

    fn ends(&self, until: ListEnd) -> bool {
        match until {
            ListEnd::Words(words) => self.keyword().is_some_and(|k| words.contains(&k)),
            ListEnd::Paren => self.peek() == Some(')'),
            ListEnd::Case => self.looking_at(";;") || self.looking_at(";&") || self.keyword() == Some("esac"),
        }
    }

    /// Parses `a && b || c`; returns true if a `&` follows.
    fn and_or(&mut self) -> LowerResult<bool> {
        let (start, from) = (self.ops.len(), self.pos);
        let mut open: Option<(usize, bool)> = None;
        loop {
            let item = self.ops.len();
            self.pipeline()?;
            self.blanks();
            let and = self.looking_at("&&");
            let more = and || self.looking_at("||");
            if more {
                self.ops.insert(item, Op::CondEnter);
                self.ops.push(Op::CondExit);
            }
            if let Some((jump, and)) = open {
                let far = offset(jump, self.ops.len());
                self.ops[jump] = if and { Op::JumpIfFail(far) } else { Op::JumpIfOk(far) };
            }
            if !more {
                break;
            }
            self.pos += 2;
            self.newlines();
            open = Some((self.ops.len(), and));
            self.ops.push(Op::Jump(0));
        }
        let background = self.peek() == Some('&') && !self.looking_at("&>");
        if background {
            let text = self.src[from..self.pos].trim().to_owned();
            let ops = self.ops.split_off(start);
            self.ops.push(Op::Async(Arc::new(Bytecode { ops, text })));
            self.pos += 1;
        }
        Ok(background)
    }
}

/// The jump distance between two ops.
fn offset(from: usize, to: usize) -> i32 {
    let far = i64::try_from(to).unwrap_or(0) - i64::try_from(from).unwrap_or(0);
    i32::try_from(far).unwrap_or(0)
}
