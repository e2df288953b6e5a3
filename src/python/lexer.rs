//! Splits Python source into tokens, with tokens for indentation, and CPython's messages for invalid input.

use super::ast::SourceSpan;
use num_bigint::BigInt;

/// A syntax error: the exception's name, its message and its position.
#[derive(Clone, Debug)]
pub(crate) struct SyntaxFault {
    pub class: &'static str,
    pub message: String,
    pub at: SourceSpan,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PyToken {
    Name(String),
    Int(i64),
    Big(BigInt),
    Float(f64),
    /// `2j`
    Imaginary(f64),
    /// A string literal: prefix letters in lower case, its body, and the offset of the body.
    Text(String, String, u32),
    Op(&'static str),
    Newline,
    Indent,
    Dedent,
    End,
}

/// Operators, longest first.
const OPS: &[&str] = &[
    "**=", "//=", ">>=", "<<=", "...", "!=", "->", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "@=", "==", "<=", ">=", "**", "//", "<<", ">>", "+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<",
    ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=",
];

/// Maximum nesting of brackets.
const MAX_NESTING: usize = 100;

fn fault<T>(message: impl Into<String>, at: SourceSpan) -> Result<T, SyntaxFault> {
    Err(SyntaxFault { class: "SyntaxError", message: message.into(), at })
}

fn size(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The tokens of a source with their ranges.
pub(crate) fn tokens(source: &str) -> Result<PyTokens, SyntaxFault> {
    Lexing { source, at: 0, out: Vec::new(), open: Vec::new(), indents: vec![0] }.run()
}

/// The tokens of a source, and the error of an unclosed bracket: another error on its line takes precedence.
pub(crate) type PyTokens = (Vec<(PyToken, SourceSpan)>, Option<SyntaxFault>);

struct Lexing<'a> {
    source: &'a str,
    at: usize,
    out: Vec<(PyToken, SourceSpan)>,
    open: Vec<(char, usize)>,
    indents: Vec<usize>,
}

impl Lexing<'_> {
    fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or("")
    }

    fn push(&mut self, token: PyToken, start: usize) {
        self.out.push((token, (size(start), size(self.at))));
    }

    fn run(mut self) -> Result<PyTokens, SyntaxFault> {
        let mut fresh = true;
        loop {
            if fresh && self.open.is_empty() {
                if !self.indentation()? {
                    break;
                }
                fresh = false;
            }
            let Some(c) = self.rest().chars().next() else { break };
            let start = self.at;
            match c {
                ' ' | '\t' | '\x0c' | '\r' => self.at += 1,
                '\n' => {
                    self.at += 1;
                    if self.open.is_empty() {
                        self.push(PyToken::Newline, start);
                        fresh = true;
                    }
                }
                '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                '\\' => {
                    let after = self.rest().get(1..).unwrap_or("");
                    let skip = if after.starts_with('\n') {
                        2
                    } else if after.starts_with("\r\n") {
                        3
                    } else {
                        0
                    };
                    if skip == 0 {
                        return fault(
                            "unexpected character after line continuation character",
                            (size(start), size(start + 1)),
                        );
                    }
                    self.at += skip;
                }
                c if c.is_ascii_digit()
                    || c == '.' && self.rest()[1..].starts_with(|d: char| d.is_ascii_digit()) =>
                {
                    self.number()?;
                }
                c if c == '_' || c.is_alphabetic() => self.word()?,
                '"' | '\'' => self.text("", start)?,
                _ => self.operator(c)?,
            }
        }
        let unclosed = self.open.last().map(|(bracket, at)| SyntaxFault {
            class: "SyntaxError",
            message: format!("'{bracket}' was never closed"),
            at: (size(*at), size(at + 1)),
        });
        let end = self.at;
        if self.out.last().is_some_and(|(t, _)| *t != PyToken::Newline && *t != PyToken::Dedent) {
            self.push(PyToken::Newline, end);
        }
        while self.indents.len() > 1 {
            self.indents.pop();
            self.push(PyToken::Dedent, end);
        }
        self.push(PyToken::End, end);
        Ok((self.out, unclosed))
    }

    /// Reads the indentation of a line; false at the end of the source.
    fn indentation(&mut self) -> Result<bool, SyntaxFault> {
        loop {
            let line = self.rest();
            let blank = line.len() - line.trim_start_matches([' ', '\t', '\x0c', '\r']).len();
            let text = &line[blank..];
            if text.is_empty() {
                self.at += blank;
                return Ok(false);
            }
            if text.starts_with(['\n', '#']) {
                self.at += blank + text.find('\n').map_or(text.len(), |n| n + 1);
                continue;
            }
            let width = line[..blank].chars().fold(0, |w, c| if c == '\t' { (w / 8 + 1) * 8 } else { w + 1 });
            self.at += blank;
            let here = self.at;
            let now = self.indents.last().copied().unwrap_or(0);
            if width > now {
                if self.indents.len() > MAX_NESTING {
                    return Err(SyntaxFault {
                        class: "IndentationError",
                        message: "too many levels of indentation".into(),
                        at: (size(here), size(here)),
                    });
                }
                self.indents.push(width);
                self.push(PyToken::Indent, here);
            }
            while width < self.indents.last().copied().unwrap_or(0) {
                self.indents.pop();
                self.push(PyToken::Dedent, here);
            }
            if width != self.indents.last().copied().unwrap_or(0) {
                let end = size(here + self.rest().find('\n').unwrap_or(self.rest().len()));
                return Err(SyntaxFault {
                    class: "IndentationError",
                    message: "unindent does not match any outer indentation level".into(),
                    at: (end, end),
                });
            }
            return Ok(true);
        }
    }

    fn number(&mut self) -> Result<(), SyntaxFault> {
        let start = self.at;
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let radix = match bytes.get(1) {
            Some(b'x' | b'X') if bytes[0] == b'0' => 16,
            Some(b'o' | b'O') if bytes[0] == b'0' => 8,
            Some(b'b' | b'B') if bytes[0] == b'0' => 2,
            _ => 10,
        };
        let mut end = if radix == 10 { 0 } else { 2 };
        let mut float = false;
        while let Some(b) = bytes.get(end) {
            match b {
                b'_' => {}
                b'.' if radix == 10 && !float => float = true,
                b'e' | b'E' if radix == 10 => {
                    let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
                    if !bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
                        break;
                    }
                    float = true;
                    end += sign;
                }
                b if char::from(*b).is_digit(radix) => {}
                _ => break,
            }
            end += 1;
        }
        let text = rest[..end].replace('_', "");
        let next = rest[end..].chars().next();
        self.at += end;
        if radix == 10
            && matches!(next, Some('j' | 'J'))
            && !self.rest()[1..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
        {
            self.at += 1;
            self.push(PyToken::Imaginary(text.parse().unwrap_or(0.0)), start);
            return Ok(());
        }
        if next.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            let word: String = self.rest().chars().take_while(|c| c.is_alphanumeric()).collect();
            if !["if", "else", "and", "or", "in", "is", "not", "for"].contains(&word.as_str()) {
                return fault("invalid decimal literal", (size(self.at.saturating_sub(1)), size(self.at)));
            }
        }
        let token = if float {
            PyToken::Float(text.parse().unwrap_or(0.0))
        } else {
            let digits = if radix == 10 { text.as_str() } else { &text[2..] };
            if radix == 10 && digits.len() > 1 && digits.starts_with('0') && digits.bytes().any(|b| b != b'0')
            {
                return fault(
                    "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
                    (size(start), size(start + 1)),
                );
            }
            match i64::from_str_radix(digits, radix) {
                Ok(n) => PyToken::Int(n),
                Err(_) => match BigInt::parse_bytes(digits.as_bytes(), radix) {
                    Some(n) => PyToken::Big(n),
                    None => return fault("invalid decimal literal", (size(start), size(self.at))),
                },
            }
        };
        self.push(token, start);
        Ok(())
    }

    fn word(&mut self) -> Result<(), SyntaxFault> {
        let start = self.at;
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        let prefix = word.to_lowercase();
        if rest[end..].starts_with(['"', '\''])
            && ["r", "b", "f", "u", "br", "rb", "fr", "rf"].contains(&prefix.as_str())
        {
            self.at += end;
            return self.text(&prefix, start);
        }
        self.at += end;
        self.push(PyToken::Name(word), start);
        Ok(())
    }

    fn text(&mut self, prefix: &str, start: usize) -> Result<(), SyntaxFault> {
        let rest = self.rest();
        let quote = &rest[..1];
        let triple = rest.starts_with(&quote.repeat(3));
        let mark = if triple { quote.repeat(3) } else { quote.to_owned() };
        let body = self.at + mark.len();
        let bytes = self.source.as_bytes();
        let mut i = body;
        loop {
            match bytes.get(i) {
                None | Some(b'\n') if !triple || i >= bytes.len() => {
                    let before = self.source.get(..i).unwrap_or("");
                    let before = if triple { before.strip_suffix('\n').unwrap_or(before) } else { before };
                    let line = before.matches('\n').count() + 1;
                    let what = if triple {
                        "unterminated triple-quoted string literal"
                    } else {
                        "unterminated string literal"
                    };
                    return fault(
                        format!("{what} (detected at line {line})"),
                        (size(start), size(start + 1)),
                    );
                }
                Some(b'\\') => i += 2,
                Some(_) if self.source.get(i..).is_some_and(|r| r.starts_with(&mark)) => break,
                _ => i += 1,
            }
        }
        let inner = self.source.get(body..i).unwrap_or("").to_owned();
        self.at = i + mark.len();
        self.push(PyToken::Text(prefix.to_owned(), inner, size(body)), start);
        Ok(())
    }

    fn operator(&mut self, c: char) -> Result<(), SyntaxFault> {
        let start = self.at;
        let Some(op) = OPS.iter().find(|op| self.rest().starts_with(**op)) else {
            let end = start + c.len_utf8();
            return if c.is_ascii() {
                fault("invalid syntax", (size(start), size(end)))
            } else {
                fault(format!("invalid character '{c}' (U+{:04X})", u32::from(c)), (size(start), size(end)))
            };
        };
        self.at += op.len();
        match *op {
            "(" | "[" | "{" => {
                if self.open.len() >= MAX_NESTING {
                    return fault("too many nested parentheses", (size(start), size(start + 1)));
                }
                self.open.push((c, start));
            }
            ")" | "]" | "}" => match self.open.pop() {
                None => return fault(format!("unmatched '{c}'"), (size(start), size(start + 1))),
                Some((open, at)) if !matches!((open, c), ('(', ')') | ('[', ']') | ('{', '}')) => {
                    let line = |at: usize| self.source[..at].matches('\n').count() + 1;
                    let tail = if line(at) == line(start) {
                        String::new()
                    } else {
                        format!(" on line {}", line(at))
                    };
                    return fault(
                        format!(
                            "closing parenthesis '{c}' does not match opening parenthesis '{open}'{tail}"
                        ),
                        (size(start), size(start + 1)),
                    );
                }
                Some(_) => {}
            },
            _ => {}
        }
        self.push(PyToken::Op(op), start);
        Ok(())
    }
}

/// Decodes the escapes of a string literal.
pub(crate) fn unescape(body: &str, bytes: bool) -> Result<String, &'static str> {
    if !body.contains('\\') {
        return Ok(body.to_owned());
    }
    let mut out = String::with_capacity(body.len());
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let Some(e) = chars.next() else { break };
        let mut hex = |n: usize| -> Result<char, &'static str> {
            let mut value = 0;
            for _ in 0..n {
                let d = chars
                    .next()
                    .and_then(|c| c.to_digit(16))
                    .ok_or("(unicode error) 'unicodeescape' codec can't decode bytes")?;
                value = value * 16 + d;
            }
            char::from_u32(value).ok_or("(unicode error) illegal Unicode character")
        };
        match e {
            '\n' => {}
            '\\' | '\'' | '"' => out.push(e),
            'a' => out.push('\x07'),
            'b' => out.push('\x08'),
            'f' => out.push('\x0c'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'v' => out.push('\x0b'),
            '0'..='7' => {
                let mut value = e.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    if let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) {
                        value = value * 8 + d;
                        chars.next();
                    }
                }
                out.extend(char::from_u32(value));
            }
            'x' => out.push(hex(2)?),
            'u' if !bytes => out.push(hex(4)?),
            'U' if !bytes => out.push(hex(8)?),
            _ => {
                out.push('\\');
                out.push(e);
            }
        }
    }
    Ok(out)
}
