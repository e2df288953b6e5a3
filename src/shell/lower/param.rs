//! Parses what follows a `$`.

use super::scan::{is_name, name_prefix};
use super::word::{ParamAction, ParamPiece, Word, WordContext, WordPiece};
use super::{ErrorKind, LowerResult, SourceParser};
use crate::op::{CaseChange, Index, Modify, ParameterTest, ReplaceScope};

const SPECIAL: [char; 8] = ['@', '*', '#', '?', '-', '$', '!', '_'];

impl SourceParser<'_> {
    pub(super) fn dollar(&mut self, context: WordContext, word: &mut Word) -> LowerResult<()> {
        let quoted = matches!(
            context,
            WordContext::Double
                | WordContext::Here
                | WordContext::Arith
                | WordContext::Brace { double: true, .. }
        );
        let next = self.peek_second();
        match next {
            Some('(') => {
                if let Some(end) = self.arithmetic_end(self.pos + 1) {
                    let text = self.src[self.pos + 3..end - 2].to_owned();
                    let inner = self.sub_word(&text, WordContext::Arith)?;
                    self.line += super::compound::count_lines(&text);
                    self.pos = end;
                    word.push(WordPiece::Arith(inner, quoted));
                } else {
                    let arithmetic = self.looking_at("$((").then_some(self.line);
                    self.pos += 2;
                    let code = match (self.deeper(Self::command_list), arithmetic) {
                        (Err(e), Some(line)) if e.incomplete() => return self.unmatched(line, ')'),
                        (code, _) => code?,
                    };
                    word.push(WordPiece::Substitute(code, quoted));
                }
            }
            Some('{') => {
                self.pos += 2;
                let piece = self.deeper(|r| r.braced(quoted))?;
                word.push(piece);
            }
            Some('[') => {
                let Some(end) = self.find_close(self.pos + 2, '[', ']') else {
                    return self.fail(ErrorKind::Unmatched(']'));
                };
                let text = self.src[self.pos + 2..end - 1].to_owned();
                let inner = self.sub_word(&text, WordContext::Arith)?;
                self.pos = end;
                word.push(WordPiece::Arith(inner, quoted));
            }
            Some('\'') if !quoted || matches!(context, WordContext::Brace { .. }) => {
                self.pos += 2;
                self.ansi_quoted(word)?;
            }
            Some('"') if !quoted => self.pos += 1,
            Some(c) if c.is_ascii_digit() || SPECIAL.contains(&c) && c != '_' => {
                self.pos += 2;
                word.push(simple(c.into(), quoted));
            }
            Some(c) if is_name(c) => {
                self.pos += 1;
                let name = name_prefix(self.rest()).to_owned();
                self.pos += name.len();
                word.push(simple(name, quoted));
            }
            Some(_) | None => {
                self.pos += 1;
                word.push(WordPiece::Lit("$".into(), quoted));
            }
        }
        Ok(())
    }

    /// `$'...'`
    fn ansi_quoted(&mut self, word: &mut Word) -> LowerResult<()> {
        let mut raw = String::new();
        loop {
            let Some(c) = self.take() else { return self.fail(ErrorKind::Unmatched('\'')) };
            match c {
                '\'' => break,
                '\\' => {
                    raw.push('\\');
                    raw.extend(self.take());
                }
                _ => raw.push(c),
            }
        }
        let (text, _) = crate::expand::escape::ansi(&raw, crate::expand::escape::Dialect::Quote);
        let text = text.split('\0').next().unwrap_or_default().to_owned();
        word.push(WordPiece::Lit(text, true));
        Ok(())
    }

    /// Parses a parameter expansion after `${`.
    fn braced(&mut self, quoted: bool) -> LowerResult<WordPiece> {
        let (start, line) = (self.pos, self.line);
        let mut piece = ParamPiece {
            name: String::new(),
            index: Index::None,
            subscript: Word::new(),
            indirect: false,
            quoted,
            action: ParamAction::None,
        };
        let length =
            self.peek() == Some('#') && self.peek_second().is_some_and(|c| c != '}') && self.is_length();
        if length {
            self.pos += 1;
        } else if self.peek() == Some('!')
            && self.peek_second().is_some_and(|c| is_name(c) || matches!(c, '@' | '*' | '#' | '?' | '!'))
        {
            self.pos += 1;
            piece.indirect = true;
        }
        piece.name = self.parameter_name();
        if piece.name.is_empty() {
            return self.bad(start, line);
        }
        if matches!(piece.name.as_str(), "@" | "*") {
            piece.index = if piece.name == "@" { Index::All } else { Index::Star };
        } else if self.peek() == Some('[') {
            self.pos += 1;
            self.subscript(&mut piece)?;
        }
        if length {
            if !self.accept("}") {
                return self.bad(start, line);
            }
            piece.action = ParamAction::Modify { modify: Modify::Length, words: Vec::new() };
            return Ok(WordPiece::Param(Box::new(piece)));
        }
        if piece.indirect && self.indirect_list(&mut piece) {
            return Ok(WordPiece::Param(Box::new(piece)));
        }
        if !self.accept("}") {
            match self.operator(quoted)? {
                Some(action) => piece.action = action,
                None => return self.bad(start, line),
            }
            if !self.accept("}") {
                return self.bad(start, line);
            }
        }
        Ok(WordPiece::Param(Box::new(piece)))
    }

    /// Whether it is `${#x}` and not `${#-x}`.
    fn is_length(&self) -> bool {
        let rest = &self.rest()[1..];
        let name = name_prefix(rest);
        if !name.is_empty() {
            return true;
        }
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        digits.len() < rest.len() || rest.starts_with(SPECIAL) && rest[1..].starts_with('}')
    }

    fn parameter_name(&mut self) -> String {
        let name = name_prefix(self.rest());
        let name = if name.is_empty() {
            let rest = self.rest();
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if digits > 0 {
                &rest[..digits]
            } else {
                rest.get(..1).filter(|c| c.starts_with(SPECIAL)).unwrap_or("")
            }
        } else {
            name
        };
        let name = name.to_owned();
        self.pos += name.len();
        name
    }

    fn subscript(&mut self, piece: &mut ParamPiece) -> LowerResult<()> {
        if self.accept("@]") {
            piece.index = Index::All;
        } else if self.accept("*]") {
            piece.index = Index::Star;
        } else {
            piece.index = Index::Key;
            piece.subscript = self.pieces(WordContext::Subscript)?;
        }
        Ok(())
    }

    /// `${!a[@]}` and `${!prefix*}`.
    fn indirect_list(&mut self, piece: &mut ParamPiece) -> bool {
        let modify = match piece.index {
            Index::All | Index::Star if self.accept("}") => Modify::Keys,
            Index::None if self.accept("*}") => {
                piece.index = Index::Star;
                Modify::Names
            }
            Index::None if self.accept("@}") => {
                piece.index = Index::All;
                Modify::Names
            }
            Index::None | Index::Key | Index::All | Index::Star => return false,
        };
        piece.indirect = false;
        piece.action = ParamAction::Modify { modify, words: Vec::new() };
        true
    }

    fn operator(&mut self, quoted: bool) -> LowerResult<Option<ParamAction>> {
        let colon =
            self.looking_at(":") && self.peek_second().is_some_and(|c| matches!(c, '-' | '=' | '?' | '+'));
        if colon {
            self.pos += 1;
        }
        let Some(c) = self.take() else { return self.fail(ErrorKind::Unmatched('}')) };
        let test = match c {
            '-' => Some(ParameterTest::Default),
            '=' => Some(ParameterTest::Assign),
            '?' => Some(ParameterTest::Error),
            '+' => Some(ParameterTest::Alternative),
            _ => None,
        };
        if let Some(test) = test {
            let word = self.pieces(WordContext::Brace { double: quoted, also: None })?;
            return Ok(Some(ParamAction::Test { test, colon, word }));
        }
        let pattern = WordContext::Brace { double: false, also: None };
        let modify = match c {
            '#' => Modify::Prefix { longest: self.accept("#") },
            '%' => Modify::Suffix { longest: self.accept("%") },
            '^' => Modify::Case { to: CaseChange::Upper, all: self.accept("^") },
            ',' => Modify::Case { to: CaseChange::Lower, all: self.accept(",") },
            '~' => Modify::Case { to: CaseChange::Toggle, all: self.accept("~") },
            '/' => return self.replacement().map(Some),
            ':' => return self.slice().map(Some),
            '@' => {
                let Some(kind) = self.peek().filter(|c| "UuLQEPAKak".contains(*c)) else { return Ok(None) };
                if self.peek_second() != Some('}') {
                    return Ok(None);
                }
                self.pos += 1;
                return Ok(Some(ParamAction::Modify { modify: Modify::Transform(kind), words: Vec::new() }));
            }
            _ => return Ok(None),
        };
        let word = self.pieces(pattern)?;
        Ok(Some(ParamAction::Modify { modify, words: vec![(word, true)] }))
    }

    fn replacement(&mut self) -> LowerResult<ParamAction> {
        let scope = match self.peek() {
            Some('/') => ReplaceScope::Every,
            Some('#') => ReplaceScope::Start,
            Some('%') => ReplaceScope::End,
            Some(_) | None => ReplaceScope::First,
        };
        if scope != ReplaceScope::First {
            self.pos += 1;
        }
        // `${x/#/pre}`: an empty pattern at the start or end.
        let empty = matches!(scope, ReplaceScope::Start | ReplaceScope::End) && self.peek() == Some('/');
        let pattern = if empty {
            Word::new()
        } else {
            self.pieces(WordContext::Brace { double: false, also: Some('/') })?
        };
        let with = if self.accept("/") {
            self.pieces(WordContext::Brace { double: false, also: None })?
        } else {
            Word::new()
        };
        Ok(ParamAction::Modify { modify: Modify::Replace(scope), words: vec![(pattern, true), (with, true)] })
    }

    fn slice(&mut self) -> LowerResult<ParamAction> {
        let offset = self.slice_part()?;
        let mut words = vec![(offset, false)];
        if self.accept(":") {
            words.push((self.slice_part()?, false));
        }
        Ok(ParamAction::Modify { modify: Modify::Slice { length: words.len() > 1 }, words })
    }

    /// Parses an expression of `${x:a:b}`; the `:` of a `?:` within it does not end it.
    fn slice_part(&mut self) -> LowerResult<Word> {
        let (mut depth, mut open, mut end) = (0_u32, 0_u32, None);
        for (at, c) in self.rest().char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                '}' | ':' if depth == 0 && (c == '}' || open == 0) => {
                    end = Some(at);
                    break;
                }
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                '?' => open += 1,
                ':' => open = open.saturating_sub(1),
                '"' | '\'' | '`' => break,
                _ => {}
            }
        }
        match end {
            Some(end) => {
                let text = self.rest()[..end].to_owned();
                self.pos += end;
                self.sub_word(&text, WordContext::Arith)
            }
            None => self.pieces(WordContext::Brace { double: true, also: Some(':') }),
        }
    }

    /// An invalid expansion: bash reports it at run time.
    fn bad(&mut self, start: usize, line: u32) -> LowerResult<WordPiece> {
        match self.find_close(self.pos, '{', '}') {
            None => self.unmatched(line, '}'),
            Some(end) => {
                self.pos = end;
                Ok(WordPiece::Bad(format!("${{{}", &self.src[start..end])))
            }
        }
    }
}

fn simple(name: String, quoted: bool) -> WordPiece {
    let index = match name.as_str() {
        "@" => Index::All,
        "*" => Index::Star,
        _ => Index::None,
    };
    WordPiece::Param(Box::new(ParamPiece {
        name,
        index,
        subscript: Word::new(),
        indirect: false,
        quoted,
        action: ParamAction::None,
    }))
}
