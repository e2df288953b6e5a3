//! Source text to ops: a reader of bash's grammar that emits [`Op`]s as it goes, one complete command at a time.
//!
//! Written for this house rather than on a parser crate: bash reads command by command, names the unexpected
//! token, expands aliases while it reads, and every recursion here must be bounded, whatever a person types.
//! Mirrors bash(1), "SHELL GRAMMAR".

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

use super::op::{Code, Op};
use crate::base::dictionary::Dictionary;
use std::borrow::Cow;
use std::sync::Arc;

/// Deepest nesting of anything in source text.
pub const MAX_NESTING: u32 = 200;

/// What the reader has to know of the shell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// `shopt -s extglob`
    pub extglob: bool,
    /// `set -B`, the usual thing: braces are expanded.
    pub braces: bool,
    /// The text is all there is: its end closes a here-document.
    pub whole: bool,
    /// Aliases, where they are expanded.
    pub aliases: Option<&'a Dictionary<String, String>>,
}

/// Why a text is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// In which line of the text it was found.
    pub line: u32,
    /// What is wrong.
    pub kind: ErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// This token cannot stand here.
    Near(String),
    /// The text ends within a command.
    Eof,
    /// The text ends before this closing sign.
    Unmatched(char),
    /// Deeper than [`MAX_NESTING`].
    Nesting,
    /// A message of its own.
    Message(String),
    /// Within `[[`, where bash says this, if anything, and gives up the rest of the text.
    Condition(Option<String>),
}

impl SyntaxError {
    /// Whether more text could make it a command.
    #[must_use]
    pub const fn incomplete(&self) -> bool {
        matches!(self.kind, ErrorKind::Eof | ErrorKind::Unmatched(_))
    }
}

type Result<T> = std::result::Result<T, Box<SyntaxError>>;

/// One complete command and where the next one begins.
#[derive(Clone, Debug)]
pub struct Complete {
    /// It, lowered.
    pub code: Arc<Code>,
    /// Bytes of the text that were read.
    pub used: usize,
    /// The line that comes next.
    pub line: u32,
    /// A here-document that the end of the text ended: its line and its tag.
    pub unended: Option<(u32, String)>,
}

/// Reads the next complete command of `text`, whose first line has the number `line`. `None`: only blanks
/// and comments are left.
pub fn next_command(
    text: &str,
    line: u32,
    options: Options,
) -> std::result::Result<Option<Complete>, SyntaxError> {
    let mut reader = Reader::new(text, line, 0, options);
    let found = reader.complete().map_err(|e| *e)?;
    let used = text.len().saturating_sub(reader.rest().len());
    reader.ops.shrink_to_fit();
    Ok(found.then(|| Complete {
        // Nobody asks for the text of a whole command.
        code: Arc::new(Code { ops: std::mem::take(&mut reader.ops), text: String::new() }),
        used,
        line: reader.line,
        unended: reader.unended.take(),
    }))
}

/// The body of a text that is a function's definition.
pub fn function(text: &str) -> Option<Arc<Code>> {
    let complete =
        next_command(text, 1, Options { extglob: true, braces: true, whole: true, aliases: None }).ok()??;
    match complete.code.ops.as_slice() {
        [Op::Function(_, code)] => Some(code.clone()),
        _ => None,
    }
}

/// The bodies of here-documents that begin behind the current line.
#[derive(Clone, Copy, Debug)]
struct HereBodies {
    /// Where the current line ends.
    newline: usize,
    /// Behind the last body.
    resume: usize,
    /// How many lines they have.
    lines: u32,
}

/// What a list ends with.
#[derive(Clone, Copy, Debug)]
enum Until {
    /// One of these words.
    Words(&'static [&'static str]),
    /// `)`
    Paren,
    /// `;;`, `;&`, `;;&` or `esac`
    Case,
}

/// A reader of source text.
struct Reader<'a> {
    src: Cow<'a, str>,
    pos: usize,
    line: u32,
    depth: u32,
    options: Options<'a>,
    here: Option<HereBodies>,
    /// Aliases being expanded, each until so many bytes are left.
    expanding: Vec<(String, usize)>,
    /// The last alias ended in a blank: the word behind it is looked up, too.
    alias_next: Option<usize>,
    /// A here-document that the end of the text ended: its line and its tag.
    unended: Option<(u32, String)>,
    ops: Vec<Op>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, line: u32, depth: u32, options: Options<'a>) -> Self {
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

    fn fail<T>(&self, kind: ErrorKind) -> Result<T> {
        Err(Box::new(SyntaxError { line: self.line, kind }))
    }

    /// What began at this line is not closed.
    fn unmatched<T>(&self, line: u32, sign: char) -> Result<T> {
        Err(Box::new(SyntaxError { line, kind: ErrorKind::Unmatched(sign) }))
    }

    /// The token at this place is one too many.
    fn unexpected<T>(&mut self) -> Result<T> {
        self.blanks();
        let token = self.token_text();
        self.fail(if token.is_empty() { ErrorKind::Eof } else { ErrorKind::Near(token) })
    }

    /// Runs `read` one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_NESTING {
            return self.fail(ErrorKind::Nesting);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads commands up to the end of a line.
    fn complete(&mut self) -> Result<bool> {
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

    /// Reads a list inside of a compound command, which must not be empty.
    fn list(&mut self, until: Until) -> Result<()> {
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
        if commands == 0 && !matches!(until, Until::Case) { self.unexpected() } else { Ok(()) }
    }

    fn ends(&self, until: Until) -> bool {
        match until {
            Until::Words(words) => self.keyword().is_some_and(|k| words.contains(&k)),
            Until::Paren => self.peek() == Some(')'),
            Until::Case => self.looking_at(";;") || self.looking_at(";&") || self.keyword() == Some("esac"),
        }
    }

    /// `a && b || c`; true if a `&` stood behind it.
    fn and_or(&mut self) -> Result<bool> {
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
            self.ops.push(Op::Async(Arc::new(Code { ops, text })));
            self.pos += 1;
        }
        Ok(background)
    }
}

/// From the op at `from` to the one at `to`.
fn offset(from: usize, to: usize) -> i32 {
    let far = i64::try_from(to).unwrap_or(0) - i64::try_from(from).unwrap_or(0);
    i32::try_from(far).unwrap_or(0)
}
