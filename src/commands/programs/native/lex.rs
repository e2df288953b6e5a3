//! Tokens of C, C++ and CUDA.

/// A token and the line on which it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub token: Token,
    pub line: u32,
    /// Column of its first character, and of the one behind its last, from 1.
    pub from: u32,
    pub to: u32,
}

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(String),
    Int(i64),
    Float(f64),
    Text(String),
    /// `'a'`: a number in C, a letter in C++'s output.
    Char(i64),
    Sign(&'static str),
    /// `#pragma omp ...` without the first two words.
    Pragma(String),
    /// `#include` with what it names, `<mpi.h>`.
    Include(String),
    /// `#define NAME` or `#define NAME(a, b)`, with the text behind it.
    Define(String, String),
    /// Any other line of the preprocessor.
    Directive(String),
}

/// All operators, the longest first.
const SIGNS: &[&str] = &[
    "<<<", ">>>", "<<=", ">>=", "...", "->", "::", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "{", "}", "(", ")", "[", "]", ";", ",", "<", ">",
    "=", "+", "-", "*", "/", "%", "!", "&", "|", "^", "~", "?", ":", ".",
];

/// The tokens of a source, without comments; none if a character is no part of the language.
pub(super) fn tokens(source: &str) -> Option<Vec<Placed>> {
    let mut found = Vec::new();
    let mut rest = Rest { text: source, line: 1, column: 1 };
    while !rest.text.is_empty() {
        let (line, from) = (rest.line, rest.column);
        let token = if rest.skip_blank() {
            continue;
        } else if rest.text.starts_with('#') {
            directive(&rest.directive())
        } else if rest.text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            Token::Name(rest.take_while(|c| c.is_alphanumeric() || c == '_').to_owned())
        } else if rest.text.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_fraction() {
            number(rest.number())?
        } else if let Some(quote) = rest.text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let text = rest.quoted(quote)?;
            if quote == '"' {
                Token::Text(text)
            } else {
                Token::Char(i64::from(u32::from(text.chars().next()?)))
            }
        } else {
            let sign = SIGNS.iter().find(|sign| rest.text.starts_with(**sign))?;
            rest.advance(sign.len());
            Token::Sign(sign)
        };
        found.push(Placed { token, line, from, to: rest.column });
    }
    Some(found)
}

fn directive(line: &str) -> Token {
    let words = line.trim_start_matches('#').trim_start();
    let (word, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let rest = rest.trim();
    match word {
        "include" => Token::Include(rest.split("//").next().unwrap_or("").trim().to_owned()),
        "define" => {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let params = rest.get(end..).filter(|behind| behind.starts_with('('));
            let params = params.map_or(0, |params| params.find(')').map_or(params.len(), |close| close + 1));
            let (name, value) = rest.split_at_checked(end + params).unwrap_or((rest, ""));
            Token::Define(name.to_owned(), value.split("//").next().unwrap_or("").trim().to_owned())
        }
        "pragma" => match rest.strip_prefix("omp") {
            Some(omp) => Token::Pragma(omp.trim().to_owned()),
            None => Token::Directive(String::new()),
        },
        _ => Token::Directive(words.to_owned()),
    }
}

fn number(text: &str) -> Option<Token> {
    let body = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hex) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        return i64::from_str_radix(hex, 16).ok().map(Token::Int);
    }
    let float = body.trim_end_matches(['f', 'F']);
    if body.contains(['.', 'e', 'E']) || float.len() < body.len() {
        return float.parse().ok().map(Token::Float);
    }
    body.parse().ok().map(Token::Int)
}

/// The remaining part of a source.
struct Rest<'s> {
    text: &'s str,
    line: u32,
    column: u32,
}

impl<'s> Rest<'s> {
    fn advance(&mut self, bytes: usize) {
        let (taken, rest) = self.text.split_at_checked(bytes).unwrap_or((self.text, ""));
        for c in taken.chars() {
            if c == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else {
                self.column += 1;
            }
        }
        self.text = rest;
    }

    /// Skips white space or a comment.
    fn skip_blank(&mut self) -> bool {
        let blank = self.text.len() - self.text.trim_start().len();
        let bytes = if blank > 0 {
            blank
        } else if self.text.starts_with("//") {
            self.text.find('\n').unwrap_or(self.text.len())
        } else if self.text.starts_with("/*") {
            self.text.find("*/").map_or(self.text.len(), |at| at + 2)
        } else {
            return false;
        };
        self.advance(bytes);
        true
    }

    fn take_while(&mut self, part: impl Fn(char) -> bool) -> &'s str {
        let end = self.text.find(|c| !part(c)).unwrap_or(self.text.len());
        let taken = self.text.get(..end).unwrap_or("");
        self.advance(end);
        taken
    }

    fn starts_fraction(&self) -> bool {
        self.text.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn number(&mut self) -> &'s str {
        let bytes = self.text.as_bytes();
        let mut end = 0;
        while let Some(b) = bytes.get(end) {
            let sign = matches!(b, b'+' | b'-') && end > 0 && matches!(bytes.get(end - 1), Some(b'e' | b'E'));
            if !(b.is_ascii_alphanumeric() || *b == b'.' || sign) {
                break;
            }
            end += 1;
        }
        let taken = self.text.get(..end).unwrap_or("");
        self.advance(end);
        taken
    }

    /// A line of the preprocessor, with its continuation lines.
    fn directive(&mut self) -> String {
        let mut all = String::new();
        loop {
            let end = self.text.find('\n').unwrap_or(self.text.len());
            let line = self.text.get(..end).unwrap_or("");
            all.push_str(line.trim_end_matches('\\'));
            self.advance(end);
            if !line.ends_with('\\') || self.text.is_empty() {
                return all;
            }
            self.advance(1);
        }
    }

    /// A text in quotes, with its escapes replaced.
    fn quoted(&mut self, quote: char) -> Option<String> {
        self.advance(1);
        let mut text = String::new();
        loop {
            let c = self.text.chars().next().filter(|c| *c != '\n')?;
            self.advance(c.len_utf8());
            if c == quote {
                return Some(text);
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let escaped = self.text.chars().next()?;
            self.advance(escaped.len_utf8());
            text.push(match escaped {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'a' => '\u{7}',
                '\n' => continue,
                other => other,
            });
        }
    }
}
