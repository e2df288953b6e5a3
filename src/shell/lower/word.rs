//! Parses words into pieces: quoting, `$`, backquotes, tildes.

use super::scan::is_meta;
use super::{ErrorKind, ListEnd, LowerResult, SourceParser};
use crate::op::{Bytecode, Index, Modify, ParameterTest};
use std::sync::Arc;

/// A word.
pub(super) type Word = Vec<WordPiece>;

/// A piece of a word.
#[derive(Clone, Debug)]
pub(super) enum WordPiece {
    /// Text; true: quoted.
    Lit(String, bool),
    /// A parameter.
    Param(Box<ParamPiece>),
    /// `$(...)`; true: quoted.
    Substitute(Arc<Bytecode>, bool),
    /// `<(...)`, true for reading.
    ProcessSub(Arc<Bytecode>, bool),
    /// `$((...))`; true: quoted.
    Arith(Word, bool),
    /// `~`
    Tilde(String),
    /// An invalid `${`.
    Bad(String),
}

/// A parameter with its operation.
#[derive(Clone, Debug)]
pub(super) struct ParamPiece {
    pub name: String,
    pub index: Index,
    pub subscript: Word,
    pub indirect: bool,
    pub quoted: bool,
    pub action: ParamAction,
}

/// An operation on a parameter.
#[derive(Clone, Debug)]
pub(super) enum ParamAction {
    None,
    Test { test: ParameterTest, colon: bool, word: Word },
    Modify { modify: Modify, words: Vec<(Word, bool)> },
}

/// The context of a word, which determines its end and the active quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordContext {
    /// An argument.
    Word,
    /// The right side of an assignment: tildes also after colons.
    Value,
    /// After `=~`.
    Regex,
    /// Within double quotes.
    Double,
    /// The body of a here-document, to the end of the text.
    Here,
    /// An arithmetic expression, to the end of the text.
    Arith,
    /// Within `[...]`.
    Subscript,
    /// A word of `${x...}`; ends at `}` or at one of these characters.
    Brace { double: bool, also: Option<char> },
}

impl WordContext {
    /// Whether `'` is an ordinary character, and `"` ordinary or the end of the word.
    const fn literal_single(self) -> bool {
        matches!(self, Self::Double | Self::Here | Self::Arith | Self::Brace { double: true, .. })
    }

    const fn inside_double(self) -> bool {
        matches!(self, Self::Double | Self::Here | Self::Brace { double: true, .. })
    }
}

/// The text of a word without expansions.
pub(super) fn plain_text(word: &Word) -> Option<String> {
    word.iter()
        .map(|piece| match piece {
            WordPiece::Lit(text, _) => Some(text.as_str()),
            WordPiece::Param(_)
            | WordPiece::Substitute(..)
            | WordPiece::ProcessSub(..)
            | WordPiece::Arith(..)
            | WordPiece::Tilde(_)
            | WordPiece::Bad(_) => None,
        })
        .collect()
}

fn push(word: &mut Word, c: char, quoted: bool) {
    if let Some(WordPiece::Lit(text, q)) = word.last_mut()
        && *q == quoted
    {
        text.push(c);
        return;
    }
    word.push(WordPiece::Lit(c.into(), quoted));
}

impl SourceParser<'_> {
    /// Parses pieces up to the end that the context defines. Leaves the terminator, but consumes `]` of a
    /// subscript and the closing `"`.
    pub(super) fn pieces(&mut self, context: WordContext) -> LowerResult<Word> {
        let mut word = Word::new();
        let (mut brackets, mut parens) = (0_u32, 0_u32);
        let (start, line) = (self.pos, self.line);
        loop {
            let Some(c) = self.peek() else {
                return match context {
                    WordContext::Double => self.unmatched(line, '"'),
                    WordContext::Subscript => self.fail(ErrorKind::Unmatched(']')),
                    WordContext::Brace { .. } => self.unmatched(line, '}'),
                    WordContext::Word
                    | WordContext::Value
                    | WordContext::Regex
                    | WordContext::Here
                    | WordContext::Arith => Ok(word),
                };
            };
            match context {
                WordContext::Word | WordContext::Value if is_meta(c) => {
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
                WordContext::Regex => match c {
                    '(' => parens += 1,
                    ')' if parens > 0 => parens -= 1,
                    ' ' | '\t' | '\n' if parens == 0 => return Ok(word),
                    '|' if self.looking_at("||") && parens == 0 => return Ok(word),
                    '&' if self.looking_at("&&") && parens == 0 => return Ok(word),
                    ')' => return Ok(word),
                    _ => {}
                },
                WordContext::Double if c == '"' => {
                    self.pos += 1;
                    return Ok(word);
                }
                WordContext::Subscript if c == ']' && brackets == 0 => {
                    self.pos += 1;
                    return Ok(word);
                }
                WordContext::Subscript if c == ']' => brackets -= 1,
                WordContext::Subscript if c == '[' => brackets += 1,
                WordContext::Brace { also, .. }
                    if c == '}' || also == Some(c) && (self.pos > start || c == ':') =>
                {
                    return Ok(word);
                }
                _ => {}
            }
            self.piece(c, context, &mut word)?;
        }
    }

    fn piece(&mut self, c: char, context: WordContext, word: &mut Word) -> LowerResult<()> {
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
                word.push(WordPiece::Lit(text, true));
            }
            '"' if context == WordContext::Arith => self.pos += 1,
            '"' if context != WordContext::Here => {
                self.pos += 1;
                let inner = self.deeper(|r| r.pieces(WordContext::Double))?;
                if inner.is_empty() {
                    word.push(WordPiece::Lit(String::new(), true));
                }
                word.extend(inner);
            }
            '$' => self.dollar(context, word)?,
            '`' => {
                self.pos += 1;
                let code = self.deeper(|r| r.backquoted(double))?;
                word.push(WordPiece::Substitute(code, double || context == WordContext::Arith));
            }
            '~' if self.may_have_tilde(context, word) => {
                let rest = &self.rest()[1..];
                let end = rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')))
                    .unwrap_or(rest.len());
                let whole =
                    rest[end..].chars().next().is_none_or(|c| c == '/' || c == ':' || is_meta(c) || c == '}');
                if whole {
                    word.push(WordPiece::Tilde(rest[..end].to_owned()));
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

    fn may_have_tilde(&self, context: WordContext, word: &Word) -> bool {
        match context {
            WordContext::Word | WordContext::Regex => {
                word.is_empty() || {
                    // `--dir=~/x` is kept, `name=~/x` is expanded.
                    matches!(word.as_slice(), [WordPiece::Lit(t, false)] if t.strip_suffix('=')
                        .is_some_and(|n| !n.is_empty() && super::scan::name_prefix(n) == n))
                }
            }
            WordContext::Value => {
                word.is_empty() || matches!(word.last(), Some(WordPiece::Lit(t, false)) if t.ends_with(':'))
            }
            WordContext::Brace { double: false, .. } => word.is_empty(),
            WordContext::Brace { double: true, .. }
            | WordContext::Double
            | WordContext::Here
            | WordContext::Arith
            | WordContext::Subscript => false,
        }
    }

    fn backslash(&mut self, context: WordContext, word: &mut Word) {
        self.pos += 1;
        if self.peek() == Some('\n') {
            self.take();
            return;
        }
        let escapes = match context {
            WordContext::Word | WordContext::Value | WordContext::Regex | WordContext::Subscript => true,
            WordContext::Brace { double: false, .. } => true,
            WordContext::Double => matches!(self.peek(), Some('$' | '`' | '"' | '\\')),
            WordContext::Here => matches!(self.peek(), Some('$' | '`' | '\\')),
            WordContext::Arith => matches!(self.peek(), Some('$' | '`' | '"' | '\\')),
            WordContext::Brace { double: true, .. } => {
                matches!(self.peek(), Some('$' | '`' | '"' | '\\' | '}'))
            }
        };
        match self.peek().filter(|_| escapes) {
            Some(c) => {
                self.take();
                push(word, c, true);
            }
            None => push(word, '\\', true),
        }
    }

    /// Parses `@(a|b)` and similar groups: kept as text whose quoted parts stay quoted.
    fn extglob_group(&mut self, word: &mut Word) -> LowerResult<()> {
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
                _ => self.piece(c, WordContext::Word, word)?,
            }
        }
    }

    fn process_substitution(&mut self, word: &mut Word) -> LowerResult<()> {
        let read = self.peek() == Some('<');
        self.pos += 2;
        let code = self.deeper(Self::command_list)?;
        word.push(WordPiece::ProcessSub(code, read));
        Ok(())
    }

    /// Parses commands up to `)` and consumes it.
    pub(super) fn command_list(&mut self) -> LowerResult<Arc<Bytecode>> {
        let outer = std::mem::take(&mut self.ops);
        let from = self.pos;
        self.newlines();
        let result = if self.peek() == Some(')') { Ok(()) } else { self.list(ListEnd::Paren) };
        let ops = std::mem::replace(&mut self.ops, outer);
        match result {
            Err(e) if e.kind == ErrorKind::Eof => return self.fail(ErrorKind::Unmatched(')')),
            other => other?,
        }
        let text = self.src[from..self.pos].trim().to_owned();
        self.pos += 1;
        Ok(Arc::new(Bytecode { ops, text }))
    }

    fn backquoted(&mut self, double: bool) -> LowerResult<Arc<Bytecode>> {
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
        let mut inner = SourceParser::new(&text, line, self.depth, self.options);
        inner.command_list()
    }

    /// Parses a separate text as a word.
    pub(super) fn sub_word(&mut self, text: &str, context: WordContext) -> LowerResult<Word> {
        let (line, options) = (self.line, self.options);
        self.deeper(|r| SourceParser::new(text, line, r.depth, options).pieces(context))
    }
}

/// Whether an extended pattern group may follow.
fn ends_extglob(word: &Word) -> bool {
    matches!(word.last(), Some(WordPiece::Lit(text, false)) if text.ends_with(['?', '*', '+', '@', '!']))
}
