//! The bytes of a terminal as keys. Mirrors the sequences of xterm (ctlseqs).

use serde::{Deserialize, Serialize};

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the keys say it")]
pub enum EditorKey {
    Char(char),
    /// With Ctrl; the letter is in lower case.
    Ctrl(char),
    /// With Alt, or after Escape.
    Alt(char),
    Enter,
    Tab,
    BackTab,
    Escape,
    Backspace,
    Delete,
    Insert,
    Up,
    Down,
    Left,
    Right,
    WordLeft,
    WordRight,
    Home,
    End,
    /// To the start of the text.
    First,
    /// To the end of the text.
    Last,
    PageUp,
    PageDown,
    Function(u8),
}

impl EditorKey {
    /// The character that it adds to a line.
    #[must_use]
    pub const fn character(self) -> Option<char> {
        match self {
            Self::Char(c) => Some(c),
            Self::Tab => Some('\t'),
            _ => None,
        }
    }
}

/// Takes the first key from `bytes`, and returns it with its length. With `alt`, Escape before a character is Alt; otherwise
/// only its own key. None if a character is incomplete.
///
/// Nothing more may follow soon: a sequence comes in one piece, so an Escape at the end is the key.
#[must_use]
pub fn next_key(bytes: &[u8], alt: bool) -> Option<(EditorKey, usize)> {
    let first = *bytes.first()?;
    let key = match first {
        27 => return Some(escaped(bytes, alt)),
        b'\r' | b'\n' => EditorKey::Enter,
        b'\t' => EditorKey::Tab,
        8 | 127 => EditorKey::Backspace,
        0 => EditorKey::Ctrl('@'),
        1..=26 => EditorKey::Ctrl(char::from(first + b'a' - 1)),
        28..=31 => EditorKey::Ctrl(char::from(first + b'@')),
        _ => return character(bytes),
    };
    Some((key, 1))
}

/// A character of UTF-8. A byte that belongs to none is replaced.
fn character(bytes: &[u8]) -> Option<(EditorKey, usize)> {
    let head = bytes.get(..bytes.len().min(4))?;
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            std::str::from_utf8(head.get(..error.valid_up_to())?).unwrap_or_default()
        }
        Err(error) if error.error_len().is_none() && bytes.len() < 4 => return None,
        Err(_) => return Some((EditorKey::Char(char::REPLACEMENT_CHARACTER), 1)),
    };
    let c = text.chars().next()?;
    Some((EditorKey::Char(c), c.len_utf8()))
}

fn escaped(bytes: &[u8], alt: bool) -> (EditorKey, usize) {
    match bytes.get(1) {
        Some(b'[' | b'O') => {
            let rest = bytes.get(2..).unwrap_or_default();
            let end = rest.iter().position(|byte| matches!(byte, 64..=126));
            let known = end.and_then(|end| {
                let parameters = std::str::from_utf8(rest.get(..end)?).ok()?;
                Some((sequence(parameters, *rest.get(end)?)?, end + 3))
            });
            known.unwrap_or((EditorKey::Escape, 1))
        }
        Some(byte) if alt && *byte != 27 => match next_key(bytes.get(1..).unwrap_or_default(), false) {
            Some((EditorKey::Char(c), length)) => (EditorKey::Alt(c.to_ascii_lowercase()), length + 1),
            Some(_) | None => (EditorKey::Escape, 1),
        },
        Some(_) | None => (EditorKey::Escape, 1),
    }
}

fn sequence(parameters: &str, last: u8) -> Option<EditorKey> {
    let (number, modifier) = parameters.split_once(';').unwrap_or((parameters, ""));
    let with_control = matches!(modifier, "3" | "5" | "7");
    Some(match (last, number) {
        (b'A', _) => EditorKey::Up,
        (b'B', _) => EditorKey::Down,
        (b'C', _) if with_control => EditorKey::WordRight,
        (b'C', _) => EditorKey::Right,
        (b'D', _) if with_control => EditorKey::WordLeft,
        (b'D', _) => EditorKey::Left,
        (b'H', _) | (b'~', "1" | "7") if with_control => EditorKey::First,
        (b'F', _) | (b'~', "4" | "8") if with_control => EditorKey::Last,
        (b'H', _) | (b'~', "1" | "7") => EditorKey::Home,
        (b'F', _) | (b'~', "4" | "8") => EditorKey::End,
        (b'Z', _) => EditorKey::BackTab,
        (b'~', "2") => EditorKey::Insert,
        (b'~', "3") => EditorKey::Delete,
        (b'~', "5") => EditorKey::PageUp,
        (b'~', "6") => EditorKey::PageDown,
        (b'P'..=b'S', _) => EditorKey::Function(last - b'P' + 1),
        (b'~', number) => match number.parse().ok()? {
            code @ 11..=15_u8 => EditorKey::Function(code - 10),
            code @ 17..=21 => EditorKey::Function(code - 11),
            code @ 23..=24 => EditorKey::Function(code - 12),
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(mut bytes: &[u8], alt: bool) -> Vec<EditorKey> {
        let mut all = Vec::new();
        while let Some((key, length)) = next_key(bytes, alt) {
            all.push(key);
            bytes = &bytes[length..];
        }
        all
    }

    #[test]
    fn sequences_are_keys_and_an_escape_alone_is_one_too() {
        use EditorKey::{Alt, Char, Ctrl, Down, Enter, Escape, Function, PageUp, Up, WordLeft};
        assert_eq!(keys(b"\x1b[A\x1bOBx\x1b", false), [Up, Down, Char('x'), Escape]);
        assert_eq!(keys(b"\x1bu\x1b[5~\x1b[1;5D", true), [Alt('u'), PageUp, WordLeft]);
        assert_eq!(keys(b"\x1bu", false), [Escape, Char('u')]);
        assert_eq!(keys(b"\x18\n\x1b[17~\x1f", false), [Ctrl('x'), Enter, Function(6), Ctrl('_')]);
        assert_eq!(keys("é\u{65e5}".as_bytes(), false), [Char('é'), Char('日')]);
        // A cut character waits for its rest.
        assert_eq!(keys(&"é".as_bytes()[..1], false), []);
        assert_eq!(keys(b"\x1b[99", false), [Escape, Char('['), Char('9'), Char('9')]);
    }
}
