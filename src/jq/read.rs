//! Reads JSON texts one after another, with jq's messages.
//!
//! The parser's stack is explicit, so deep nesting cannot overflow the native stack. The position survives between
//! slices: a [`Position`] is plain data, and reading continues at the start of the next value.

use crate::bound::MAX_DEPTH;
use crate::value::{Json, JsonFields};
use crate::write::literal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where reading continues.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Position {
    /// Offset in the text.
    pub at: u64,
    line: u64,
    column: u64,
}

impl Default for Position {
    fn default() -> Self {
        Self { at: 0, line: 1, column: 0 }
    }
}

/// An array or object that is not closed.
enum Open {
    Array(Vec<Json>),
    Object(JsonFields),
    /// A key whose value is not complete.
    Key(Arc<str>),
}

/// Reads values from a text.
pub struct JsonReader<'a> {
    text: &'a [u8],
    /// Whether the input ends with this text.
    last: bool,
    position: Position,
    stack: Vec<Open>,
    next: Option<Json>,
}

type ReadResult = Result<(), &'static str>;

impl<'a> JsonReader<'a> {
    /// Continues at a position.
    pub const fn new(text: &'a [u8], last: bool, position: Position) -> Self {
        Self { text, last, position, stack: Vec::new(), next: None }
    }

    /// The current position.
    pub const fn position(&self) -> Position {
        self.position
    }

    /// The next value. `None` at the end of the text, or if the text ends within the value and more may follow. In
    /// that case the position is unchanged.
    pub fn value(&mut self) -> Option<Result<Json, String>> {
        let start = self.position;
        let found = self.read();
        let Position { line, column, .. } = self.position;
        match found {
            Ok(Some(value)) => Some(Ok(value)),
            Ok(None) if !self.last => {
                self.position = start;
                (self.stack, self.next) = (Vec::new(), None);
                None
            }
            Ok(None) if self.stack.is_empty() => None,
            Ok(None) => Some(Err(format!("Unfinished JSON term at EOF at line {line}, column {column}"))),
            Err((text, false)) => Some(Err(format!("{text} at line {line}, column {column}"))),
            Err((text, true)) => Some(Err(format!("{text} at EOF at line {line}, column {column}"))),
        }
    }

    fn byte(&self) -> Option<u8> {
        usize::try_from(self.position.at).ok().and_then(|at| self.text.get(at).copied())
    }

    fn advance(&mut self) {
        self.position.column += 1;
        if self.byte() == Some(b'\n') {
            self.position.line += 1;
            self.position.column = 0;
        }
        self.position.at += 1;
    }

    fn read(&mut self) -> Result<Option<Json>, (&'static str, bool)> {
        loop {
            if self.stack.is_empty()
                && let Some(value) = self.next.take()
            {
                return Ok(Some(value));
            }
            let Some(byte) = self.byte() else { return Ok(None) };
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.advance(),
                b'"' => {
                    if !self.string()? {
                        return Ok(None);
                    }
                }
                b'[' | b']' | b'{' | b'}' | b',' | b':' => {
                    self.advance();
                    self.structure(byte).map_err(|text| (text, false))?;
                }
                _ => {
                    if !self.word()? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    fn put(&mut self, value: Json) -> ReadResult {
        if self.next.is_some() {
            return Err("Expected separator between values");
        }
        self.next = Some(value);
        Ok(())
    }

    fn push(&mut self, open: Open) -> ReadResult {
        if self.stack.len() >= MAX_DEPTH as usize {
            return Err("Exceeds depth limit for parsing");
        }
        if self.next.is_some() {
            return Err("Expected separator between values");
        }
        self.stack.push(open);
        Ok(())
    }

    /// Stores the completed value of a key.
    fn close_key(&mut self, value: Json) -> ReadResult {
        let (Some(Open::Key(key)), Some(Open::Object(fields))) = (self.stack.pop(), self.stack.last_mut())
        else {
            return Err("Objects must consist of key:value pairs");
        };
        fields.insert(key, value);
        Ok(())
    }

    fn structure(&mut self, byte: u8) -> ReadResult {
        match byte {
            b'[' => self.push(Open::Array(Vec::new())),
            b'{' => self.push(Open::Object(JsonFields::default())),
            b':' => {
                let value = self.next.take().ok_or("Expected string key before ':'")?;
                if !matches!(self.stack.last(), Some(Open::Object(_))) {
                    return Err("':' not as part of an object");
                }
                let Json::Text(key) = value else { return Err("Object keys must be strings") };
                self.stack.push(Open::Key(key));
                Ok(())
            }
            b',' => {
                let value = self.next.take().ok_or("Expected value before ','")?;
                match self.stack.last_mut() {
                    None => Err("',' not as part of an object or array"),
                    Some(Open::Array(items)) => {
                        items.push(value);
                        Ok(())
                    }
                    Some(Open::Key(_)) => self.close_key(value),
                    Some(Open::Object(_)) => Err("Objects must consist of key:value pairs"),
                }
            }
            b']' => {
                let Some(Open::Array(mut items)) = self.stack.pop() else { return Err("Unmatched ']'") };
                match self.next.take() {
                    Some(value) => items.push(value),
                    None if !items.is_empty() => return Err("Expected another array element"),
                    None => {}
                }
                self.next = Some(Json::array(items));
                Ok(())
            }
            _ => {
                if self.stack.is_empty() {
                    return Err("Unmatched '}'");
                }
                if let Some(value) = self.next.take() {
                    if !matches!(self.stack.last(), Some(Open::Key(_))) {
                        return Err("Objects must consist of key:value pairs");
                    }
                    self.close_key(value)?;
                } else {
                    match self.stack.last() {
                        Some(Open::Object(fields)) if fields.is_empty() => {}
                        Some(Open::Object(_)) => return Err("Expected another key-value pair"),
                        _ => return Err("Unmatched '}'"),
                    }
                }
                let Some(Open::Object(fields)) = self.stack.pop() else { return Err("Unmatched '}'") };
                self.next = Some(Json::object(fields));
                Ok(())
            }
        }
    }

    /// A string. False if it is incomplete and more text may follow.
    fn string(&mut self) -> Result<bool, (&'static str, bool)> {
        self.advance();
        let mut raw = Vec::new();
        loop {
            let Some(byte) = self.byte() else {
                return if self.last { Err(("Unfinished string", true)) } else { Ok(false) };
            };
            self.advance();
            match byte {
                b'"' => break,
                b'\\' => {
                    raw.push(byte);
                    if let Some(next) = self.byte() {
                        raw.push(next);
                        self.advance();
                    }
                }
                _ => raw.push(byte),
            }
        }
        let text = unescaped(&raw).map_err(|text| (text, false))?;
        self.put(Json::text(text)).map_err(|text| (text, false))?;
        Ok(true)
    }

    /// A number or a name. False if it may continue in the text that follows.
    fn word(&mut self) -> Result<bool, (&'static str, bool)> {
        let mut word = Vec::new();
        while let Some(byte) = self.byte() {
            if b" \t\r\n\"[]{},:".contains(&byte) {
                break;
            }
            word.push(byte);
            self.advance();
        }
        let at_end = self.byte().is_none();
        if at_end && !self.last {
            return Ok(false);
        }
        let value = match word.first() {
            Some(b't') if word == b"true" => Ok(Json::Bool(true)),
            Some(b'f') if word == b"false" => Ok(Json::Bool(false)),
            Some(b'n') if word == b"null" => Ok(Json::Null),
            Some(b't' | b'f') => Err("Invalid literal"),
            Some(b'n') if word.get(1) == Some(&b'u') => Err("Invalid literal"),
            _ => number(&word).ok_or("Invalid numeric literal"),
        };
        match value.and_then(|value| self.put(value)) {
            Ok(()) => Ok(true),
            Err(text) => {
                // jq reports an invalid word at the character after it.
                if !at_end {
                    self.advance();
                }
                Err((text, at_end))
            }
        }
    }
}

/// A number as jq accepts it, `nan` included.
fn number(word: &[u8]) -> Option<Json> {
    let text = std::str::from_utf8(word).ok()?;
    let plain = text.strip_prefix(['-', '+']).unwrap_or(text);
    if plain.eq_ignore_ascii_case("nan") {
        return Some(Json::Number(f64::NAN));
    }
    if plain.eq_ignore_ascii_case("infinity") || plain.eq_ignore_ascii_case("inf") {
        return Some(Json::Number(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    let value: f64 = text.parse().ok()?;
    // A number that prints as it was written needs no literal.
    Some(match literal(text) {
        text if text == super::write::number(value) => Json::Number(value),
        text => Json::Literal(value, text.into()),
    })
}

/// Resolves the escapes of a string.
fn unescaped(raw: &[u8]) -> Result<String, &'static str> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte < 0x20 {
            return Err("Invalid string: control characters from U+0000 through U+001F must be escaped");
        }
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some((&letter, after)) = rest.split_first() else {
            return Err("Expected escape character at end of string");
        };
        rest = after;
        match letter {
            b'\\' | b'"' | b'/' => out.push(letter),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b't' => out.push(b'\t'),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b'u' => {
                let first = hex(rest)?;
                rest = &rest[4..];
                let mut code = first;
                if (0xD800..=0xDBFF).contains(&first) {
                    const BAD: &str = "Invalid \\uXXXX\\uXXXX surrogate pair escape";
                    let second = rest.strip_prefix(b"\\u").and_then(|rest| hex(rest).ok()).ok_or(BAD)?;
                    if !(0xDC00..=0xDFFF).contains(&second) {
                        return Err(BAD);
                    }
                    rest = &rest[6..];
                    code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                }
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => return Err("Invalid escape"),
        }
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Four hexadecimal digits.
fn hex(text: &[u8]) -> Result<u32, &'static str> {
    let digits = text.get(..4).ok_or("Invalid \\uXXXX escape")?;
    let digits = std::str::from_utf8(digits).ok().filter(|t| t.bytes().all(|b| b.is_ascii_hexdigit()));
    digits.and_then(|t| u32::from_str_radix(t, 16).ok()).ok_or("Invalid characters in \\uXXXX escape")
}

/// The only value of a text, for `fromjson` and options. `None` if the text is empty.
pub fn only(text: &str) -> Result<Option<Json>, String> {
    let mut reader = JsonReader::new(text.as_bytes(), true, Position::default());
    let value = reader.value().transpose()?;
    match reader.value() {
        None => Ok(value),
        Some(Ok(_)) => Err("Unexpected extra JSON values".to_owned()),
        Some(Err(text)) => Err(text),
    }
}

/// A value as `--stream` reads it: each leaf with its path, and the end of each array and object.
pub fn events(value: &Json) -> Vec<Json> {
    fn walk(out: &mut Vec<Json>, path: &mut Vec<Json>, value: &Json) {
        let children: Vec<(Json, &Json)> = match value {
            Json::Array(items) => items.iter().enumerate().map(|(at, item)| (Json::int(at), item)).collect(),
            Json::Object(fields) => {
                fields.iter().map(|(key, item)| (Json::Text(key.clone()), item)).collect()
            }
            _ => Vec::new(),
        };
        let Some(last) = children.last().map(|(key, _)| key.clone()) else {
            out.push(Json::array(vec![Json::array(path.clone()), value.clone()]));
            return;
        };
        for (key, child) in children {
            path.push(key);
            walk(out, path, child);
            path.pop();
        }
        path.push(last);
        out.push(Json::array(vec![Json::array(path.clone())]));
        path.pop();
    }
    let mut out = Vec::new();
    walk(&mut out, &mut Vec::new(), value);
    out
}
