//! Words as pieces: quoting, `$`, backquotes, tildes.

use super::scan::is_meta;
use super::{ErrorKind, Reader, Result, Until};
use crate::shell::op::{Code, Index, Modify, Test};
use std::sync::Arc;

/// A word.
pub(super) type Word = Vec<Piece>;

/// A piece of a word.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Text; true: quoted.
    Lit(String, bool),
    /// A parameter.
    Param(Box<ParamPiece>),
    /// `$(...)`; true: quoted.
    Substitute(Arc<Code>, bool),
    /// `<(...)`, true for reading.
    ProcessSub(Arc<Code>, bool),
    /// `$((...))`; true: quoted.
    Arith(Word, bool),
    /// `~`
    Tilde(String),
    /// `${` and nonsense.
    Bad(String),
}

/// A parameter with what is done to it.
#[derive(Clone, Debug)]
pub(super) struct ParamPiece {
    pub name: String,
    pub index: Index,
    pub subscript: Word,
    pub indirect: bool,
    pub quoted: bool,
    pub action: Action,
}

/// What is done to a parameter.
#[derive(Clone, Debug)]
pub(super) enum Action {
    None,
    Test { test: Test, colon: bool, word: Word },
    Modify { modify: Modify, words: Vec<(Word, bool)> },
}

/// Where a word stands: what ends it and which quotes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// An argument.
    Word,
    /// The right side of an assignment: tildes also behind colons.
    Value,
    /// Behind `=~`.
    Regex,
    /// Within double quotes.
    Double,
    /// The body of a here-document: all of the text.
    Here,
    /// An arithmetic expression: all of the text.
    Arith,
    /// Within `[...]`.
    Subscript,
    /// A word of `${x...}`; ends at `}` or at one of these signs.
    Brace { double: bool, also: Option<char> },
}

impl Context {
    /// Whether `'` and `"` are ordinary characters or (for `"`) end the word.
    const fn literal_single(self) -> bool {
        matches!(self, Self::Double | Self::Here | Self::Arith | Self::Brace { double: true, .. })
    }

    const fn inside_double(self) -> bool {
        matches!(self, Self::Double | Self::Here | Self::Brace { double: true, .. })
    }
}

/// The text of a word that is only text.
pub(super) fn plain_text(word: &Word) -> Option<String> {
    word.iter()
        .map(|piece| match piece {
            Piece::Lit(text, _) => Some(text.as_str()),
            Piece::Param(_)
            | Piece::Substitute(..)
            | Piece::ProcessSub(..)
            | Piece::Arith(..)
            | Piece::Tilde(_)
            | Piece::Bad(_) => None,
        })
        .collect()
}

fn push(word: &mut Word, c: char, quoted: bool) {
    if let Some(Piece::Lit(text, q)) = word.last_mut()
        && *q == quoted
    {
        text.push(c);
        return;
    }
    word.push(Piece::Lit(c.into(), quoted));
}

impl Reader<'_> {
    /// Reads pieces up to the end that the context sets; the sign that ends is left (but `]` of a subscript and
    /// the closing `"` are taken).
    pub(super) fn pieces(&mut self, context: Context) -> Result<Word> {
        let mut word = Word::new();
        let (mut brackets, mut parens) = (0_u32, 0_u32);
        let (start, line) = (self.pos, self.line);
        loop {
            let Some(c) = self.peek() else {
                return match context {
                    Context::Double => self.unmatched(line, '"'),
                    Context::Subscript => self.fail(ErrorKind::Unmatched(']')),
                    Context::Brace { .. } => self.unmatched(line, '}'),
                    Context::Word | Context::Value | Context::Regex | Context::Here | Context::Arith => {
                        Ok(word)
                    }
                };
            };
            match context {
                Context::Word | Context::Value if is_meta(c) => {
                    let process = word.is_empty() && (self.looking_at("<(") || self.looking_at(">("));
                    if process {
                        self.process_substitution(&mut word)?;
                        continue;
                    }
                    if !(c == '(' && self.options.extglob && ends_extglob(&word)) {
                        return Ok(word);
                    }
                    self.extglob_group(&mut word)?;
                    continue;
                }
                Context::Regex => match c {
                    '(' => parens += 1,
                    ')' if parens > 0 => parens -= 1,
                    ' ' | '\t' | '\n' if parens == 0 => return Ok(word),
                    '|' if self.looking_at("||") && parens == 0 => return Ok(word),
                    '&' if self.looking_at("&&") && parens == 0 => return Ok(word),
                    ')' => return Ok(word),
                    _ => {}
                },
                Context::Double if c == '"' => {
                    self.pos += 1;
                    return Ok(word);
                }
                Context::Subscript if c == ']' && brackets == 0 => {
                    self.pos += 1;
                    return Ok(word);
                }
                Context::Subscript if c == ']' => brackets -= 1,
                Context::Subscript if c == '[' => brackets += 1,
                Context::Brace { also, .. }
                    if c == '}' || also == Some(c) && (self.pos > start || c == ':') =>
                {
                    return Ok(word);
                }
                _ => {}
            }
            self.piece(c, context, &mut word)?;
        }
    }

    fn piece(&mut self, c: char, context: Context, word: &mut Word) -> Result<()> {
        let double = context.inside_double();
        match c {
            '\\' => self.backslash(context, word),
            '\'' if !context.literal_single() => {
                self.pos += 1;
                let Some(end) = self.rest().find('\'') else {
                    return self.fail(ErrorKind::Unmatched('\''));
                };
                let text = self.rest()[..end].to_owned();
                self.pos += end + 1;
                self.line += super::compound::count_lines(&text);
                word.push(Piece::Lit(text, true));
            }
            '"' if context == Context::Arith => self.pos += 1,
            '"' if context != Context::Here => {
                self.pos += 1;
                let inner = self.deeper(|r| r.pieces(Context::Double))?;
                if inner.is_empty() {
                    word.push(Piece::Lit(String::new(), true));
                }
                word.extend(inner);
            }
            '$' => self.dollar(context, word)?,
            '`' => {
                self.pos += 1;
                let code = self.deeper(|r| r.backquoted(double))?;
                word.push(Piece::Substitute(code, double || context == Context::Arith));
            }
            '~' if self.tilde_place(context, word) => {
                let rest = &self.rest()[1..];
                let end = rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')))
                    .unwrap_or(rest.len());
                let whole =
                    rest[end..].chars().next().is_none_or(|c| c == '/' || c == ':' || is_meta(c) || c == '}');
                if whole {
                    word.push(Piece::Tilde(rest[..end].to_owned()));
                    self.pos += end + 1;
                } else {
                    self.pos += 1;
                    push(word, '~', false);
                }
            }
            _ => {
                self.take();
                push(word, c, double);
            }
        }
        Ok(())
    }

    fn tilde_place(&self, context: Context, word: &Word) -> bool {
        match context {
            Context::Word | Context::Regex => {
                word.is_empty() || {
                    // `--dir=~/x` stays, `name=~/x` does not.
                    matches!(word.as_slice(), [Piece::Lit(t, false)] if t.strip_suffix('=')
                        .is_some_and(|n| !n.is_empty() && super::scan::name_prefix(n) == n))
                }
            }
            Context::Value => {
                word.is_empty() || matches!(word.last(), Some(Piece::Lit(t, false)) if t.ends_with(':'))
            }
            Context::Brace { double: false, .. } => word.is_empty(),
            Context::Brace { double: true, .. }
            | Context::Double
            | Context::Here
            | Context::Arith
            | Context::Subscript => false,
        }
    }

    fn backslash(&mut self, context: Context, word: &mut Word) {
        self.pos += 1;
        if self.peek() == Some('\n') {
            self.take();
            return;
        }
        let escapes = match context {
            Context::Word | Context::Value | Context::Regex | Context::Subscript => true,
            Context::Brace { double: false, .. } => true,
            Context::Double => matches!(self.peek(), Some('$' | '`' | '"' | '\\')),
            Context::Here => matches!(self.peek(), Some('$' | '`' | '\\')),
            Context::Arith => matches!(self.peek(), Some('$' | '`' | '"' | '\\')),
            Context::Brace { double: true, .. } => matches!(self.peek(), Some('$' | '`' | '"' | '\\' | '}')),
        };
        match self.peek().filter(|_| escapes) {
            Some(c) => {
                self.take();
                push(word, c, true);
            }
            None => push(word, '\\', true),
        }
    }

    /// `@(a|b)` and its like: kept as text whose quoted parts stay quoted.
    fn extglob_group(&mut self, word: &mut Word) -> Result<()> {
        let mut depth = 0_u32;
        loop {
            let Some(c) = self.peek() else { return self.fail(ErrorKind::Unmatched(')')) };
            match c {
                '(' | ')' => {
                    depth = if c == '(' { depth + 1 } else { depth - 1 };
                    self.pos += 1;
                    push(word, c, false);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => self.piece(c, Context::Word, word)?,
            }
        }
    }

    fn process_substitution(&mut self, word: &mut Word) -> Result<()> {
        let read = self.peek() == Some('<');
        self.pos += 2;
        let code = self.deeper(Self::command_list)?;
        word.push(Piece::ProcessSub(code, read));
        Ok(())
    }

    /// Commands up to `)`, which is taken.
    pub(super) fn command_list(&mut self) -> Result<Arc<Code>> {
        let outer = std::mem::take(&mut self.ops);
        let from = self.pos;
        self.newlines();
        let result = if self.peek() == Some(')') { Ok(()) } else { self.list(Until::Paren) };
        let ops = std::mem::replace(&mut self.ops, outer);
        match result {
            Err(e) if e.kind == ErrorKind::Eof => return self.fail(ErrorKind::Unmatched(')')),
            other => other?,
        }
        let text = self.src[from..self.pos].trim().to_owned();
        self.pos += 1;
        Ok(Arc::new(Code { ops, text }))
    }

    fn backquoted(&mut self, double: bool) -> Result<Arc<Code>> {
        let (mut text, line) = (String::new(), self.line);
        loop {
            let Some(c) = self.take() else { return self.unmatched(line, '`') };
            match c {
                '`' => break,
                '\\' => {
                    let next = self.take();
                    let escaped = matches!(next, Some('$' | '`' | '\\')) || double && next == Some('"');
                    if !escaped {
                        text.push('\\');
                    }
                    text.extend(next);
                }
                _ => text.push(c),
            }
        }
        text.push(')');
        let mut inner = Reader::new(&text, line, self.depth, self.options);
        inner.command_list()
    }

    /// Reads a text of its own as a word.
    pub(super) fn sub_word(&mut self, text: &str, context: Context) -> Result<Word> {
        let (line, options) = (self.line, self.options);
        self.deeper(|r| Reader::new(text, line, r.depth, options).pieces(context))
    }
}

/// Whether an extended pattern's group may follow.
fn ends_extglob(word: &Word) -> bool {
    matches!(word.last(), Some(Piece::Lit(text, false)) if text.ends_with(['?', '*', '+', '@', '!']))
}
