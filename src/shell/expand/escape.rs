//! Backslash escapes: `$'...'`, `echo -e`, `printf`.

/// The syntax of escapes; dialects differ in octal escapes and `\c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `$'...'`: `\nnn`, `\cx` is a control character.
    Quote,
    /// `echo -e` and `printf %b`: `\0nnn`, `\c` ends all output.
    Echo,
    /// The format of `printf`: `\nnn`, no `\c`.
    Format,
}

/// Replaces escapes; the flag is true after `\c`.
#[must_use]
pub fn ansi(text: &str, dialect: Dialect) -> (String, bool) {
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let Some(e) = chars.next() else {
            bytes.push(b'\\');
            break;
        };
        match e {
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'e' | 'E' => bytes.push(27),
            'f' => bytes.push(12),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'v' => bytes.push(11),
            '\\' => bytes.push(b'\\'),
            '\'' | '"' | '?' if dialect != Dialect::Echo => bytes.push(e as u8),
            'x' => match number(&mut chars, 16, 2) {
                Some(n) => bytes.push(n as u8),
                None => bytes.extend(b"\\x"),
            },
            'u' | 'U' => match number(&mut chars, 16, if e == 'u' { 4 } else { 8 }) {
                Some(n) => {
                    let c = char::from_u32(n).unwrap_or(char::REPLACEMENT_CHARACTER);
                    bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                None => bytes.extend([b'\\', e as u8]),
            },
            'c' if dialect == Dialect::Echo => return (lossy(bytes), true),
            'c' if dialect == Dialect::Quote => {
                if let Some(c) = chars.next() {
                    bytes.push((c as u32 as u8) & 0x1f);
                }
            }
            '0' if dialect == Dialect::Echo => bytes.push(number(&mut chars, 8, 3).unwrap_or(0) as u8),
            '0'..='7' => {
                let first = e.to_digit(8).unwrap_or(0);
                let mut n = first;
                for _ in 0..2 {
                    match chars.peek().and_then(|c| c.to_digit(8)) {
                        Some(d) => {
                            n = n * 8 + d;
                            chars.next();
                        }
                        None => break,
                    }
                }
                bytes.push(n as u8);
            }
            other => {
                bytes.push(b'\\');
                bytes.extend(other.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
    (lossy(bytes), false)
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

fn number(chars: &mut std::iter::Peekable<std::str::Chars>, radix: u32, most: u32) -> Option<u32> {
    let mut n = None;
    for _ in 0..most {
        let Some(d) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        n = Some(n.unwrap_or(0_u32).wrapping_mul(radix).wrapping_add(d));
        chars.next();
    }
    n
}

/// Quotes a text so that a shell reads it back unchanged (`${x@Q}`, `set -x`).
#[must_use]
pub fn quote(text: &str) -> String {
    if text.is_empty() {
        return "''".into();
    }
    if text.chars().any(char::is_control) {
        let mut out = String::from("$'");
        for c in text.chars() {
            match c {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                '\x07' => out.push_str("\\a"),
                '\x08' => out.push_str("\\b"),
                '\x0b' => out.push_str("\\v"),
                '\x0c' => out.push_str("\\f"),
                '\x1b' => out.push_str("\\E"),
                '\'' | '\\' => out.extend(['\\', c]),
                c if c.is_control() => out.push_str(&format!("\\{:03o}", u32::from(c))),
                c => out.push(c),
            }
        }
        out.push('\'');
        return out;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The text, or `$'...'` if it contains invisible characters: how messages show a name.
#[must_use]
pub fn visible(text: &str) -> String {
    if text.chars().any(char::is_control) { quote(text) } else { text.to_owned() }
}

/// Quotes a text only if necessary.
#[must_use]
pub fn quote_if_needed(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "%+,-./:=@_".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.into() } else { quote(text) }
}

/// A word as `set -x` shows it: quoted if a shell would split it, else with invisible characters escaped.
#[must_use]
pub fn traced(text: &str) -> String {
    let meta = |c: char| " \t\n'\"\\|&;()<>!{}*[?]^$`#~".contains(c);
    if text.contains(meta) { format!("'{}'", text.replace('\'', "'\\''")) } else { quote_if_needed(text) }
}

/// Quotes with backslashes, as `printf %q` does.
#[must_use]
pub fn backslashed(text: &str) -> String {
    if text.is_empty() || text.chars().any(char::is_control) {
        return quote(text);
    }
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        let special = " !\"$&'()*,;<>?[\\]^`{|}".contains(c) || (i == 0 && "~#".contains(c));
        if special {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Quotes with double quotes, as `declare -p` does.
#[must_use]
pub fn double_quoted(text: &str) -> String {
    if text.chars().any(char::is_control) {
        return quote(text);
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}
