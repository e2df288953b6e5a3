//! Parses terminal input into keys. Mirrors the xterm sequences (ctlseqs) that a line editor needs.

use serde::{Deserialize, Serialize};

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineKey {
    Char(char),
    Enter,
    Tab,
    ClearScreen,
    Search,
    Abort,
    Interrupt,
    EndOfFile,
    Suspend,
    Edit(EditKey),
}

/// A key that moves the cursor or edits the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EditKey {
    Backspace,
    Delete,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    WordLeft,
    WordRight,
    KillWordLeft,
    KillBlankWordLeft,
    KillWordRight,
    KillToStart,
    KillToEnd,
    Yank,
    Transpose,
}

/// Parses terminal input. In a paste (several characters without an escape), tabs become blanks.
#[must_use]
pub fn decode(data: &str) -> Vec<LineKey> {
    let paste = data.chars().nth(1).is_some() && !data.starts_with('\u{1b}');
    let mut keys = Vec::new();
    let mut rest = data;
    while let Some(c) = rest.chars().next() {
        if c == '\u{1b}' {
            let (key, used) = escape(rest);
            keys.extend(key);
            rest = rest.get(used..).unwrap_or("");
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            // A paste may contain both; together they end one line.
            '\r' => {
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                keys.push(LineKey::Enter);
            }
            '\t' if paste => keys.push(LineKey::Char(' ')),
            c => keys.extend(control(c)),
        }
    }
    keys
}

fn control(c: char) -> Option<LineKey> {
    Some(match c {
        '\u{1}' => LineKey::Edit(EditKey::Home),
        '\u{2}' => LineKey::Edit(EditKey::Left),
        '\u{3}' => LineKey::Interrupt,
        '\u{4}' => LineKey::EndOfFile,
        '\u{5}' => LineKey::Edit(EditKey::End),
        '\u{6}' => LineKey::Edit(EditKey::Right),
        '\u{7}' => LineKey::Abort,
        '\u{8}' | '\u{7f}' => LineKey::Edit(EditKey::Backspace),
        '\t' => LineKey::Tab,
        '\n' | '\r' => LineKey::Enter,
        '\u{b}' => LineKey::Edit(EditKey::KillToEnd),
        '\u{c}' => LineKey::ClearScreen,
        '\u{e}' => LineKey::Edit(EditKey::Down),
        '\u{10}' => LineKey::Edit(EditKey::Up),
        '\u{12}' => LineKey::Search,
        '\u{14}' => LineKey::Edit(EditKey::Transpose),
        '\u{15}' => LineKey::Edit(EditKey::KillToStart),
        '\u{17}' => LineKey::Edit(EditKey::KillBlankWordLeft),
        '\u{19}' => LineKey::Edit(EditKey::Yank),
        '\u{1a}' => LineKey::Suspend,
        c if c.is_control() => return None,
        c => LineKey::Char(c),
    })
}

/// Parses the escape sequence at the start of `text`; returns the key and its length in bytes.
fn escape(text: &str) -> (Option<LineKey>, usize) {
    let body = &text[1..];
    if let Some(after) = body.strip_prefix('[').or_else(|| body.strip_prefix('O')) {
        let Some(end) = after.find(|c: char| ('@'..='~').contains(&c)) else { return (None, text.len()) };
        let final_byte = after[end..].chars().next().unwrap_or(' ');
        return (sequence(&after[..end], final_byte), 2 + end + 1);
    }
    let key = match body.chars().next() {
        Some('b' | 'B') => Some(LineKey::Edit(EditKey::WordLeft)),
        Some('f' | 'F') => Some(LineKey::Edit(EditKey::WordRight)),
        Some('d' | 'D') => Some(LineKey::Edit(EditKey::KillWordRight)),
        Some('\u{7f}' | '\u{8}') => Some(LineKey::Edit(EditKey::KillWordLeft)),
        Some(_) | None => None,
    };
    (key, 1 + body.chars().next().map_or(0, char::len_utf8))
}

fn sequence(parameters: &str, final_byte: char) -> Option<LineKey> {
    let modified = parameters.split_once(';').is_some_and(|(_, m)| matches!(m, "3" | "5" | "7"));
    Some(match (final_byte, parameters) {
        ('A', _) => LineKey::Edit(EditKey::Up),
        ('B', _) => LineKey::Edit(EditKey::Down),
        ('C', _) if modified => LineKey::Edit(EditKey::WordRight),
        ('C', _) => LineKey::Edit(EditKey::Right),
        ('D', _) if modified => LineKey::Edit(EditKey::WordLeft),
        ('D', _) => LineKey::Edit(EditKey::Left),
        ('H', _) | ('~', "1" | "7") => LineKey::Edit(EditKey::Home),
        ('F', _) | ('~', "4" | "8") => LineKey::Edit(EditKey::End),
        ('~', "3") => LineKey::Edit(EditKey::Delete),
        ('~', "3;5" | "3;3") => LineKey::Edit(EditKey::KillWordRight),
        // Anything else, such as bracketed-paste marks, is ignored.
        _ => return None,
    })
}

/// What a key sends with Ctrl held: Ctrl-C for `c`. Keys without such a meaning are unchanged.
#[must_use]
pub fn with_control(data: &str) -> String {
    let mut rest = data.chars();
    match rest.next() {
        Some(c @ ('a'..='z' | 'A'..='Z' | '[' | '\\' | ']' | '_')) => {
            char::from(c as u8 & 0x1f).to_string() + rest.as_str()
        }
        Some(_) | None => data.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences() {
        let table: [(&str, &[LineKey]); 11] = [
            ("a", &[LineKey::Char('a')]),
            ("é", &[LineKey::Char('é')]),
            ("\u{1b}[A\u{1b}OB", &[LineKey::Edit(EditKey::Up), LineKey::Edit(EditKey::Down)]),
            ("\u{1b}[1;5D", &[LineKey::Edit(EditKey::WordLeft)]),
            ("\u{1b}b\u{1b}f", &[LineKey::Edit(EditKey::WordLeft), LineKey::Edit(EditKey::WordRight)]),
            ("\u{1b}[3~", &[LineKey::Edit(EditKey::Delete)]),
            ("\u{1b}[200~ls\u{1b}[201~", &[LineKey::Char('l'), LineKey::Char('s')]),
            ("a\r\nb\n", &[LineKey::Char('a'), LineKey::Enter, LineKey::Char('b'), LineKey::Enter]),
            ("a\tb", &[LineKey::Char('a'), LineKey::Char(' '), LineKey::Char('b')]),
            ("\t", &[LineKey::Tab]),
            ("\u{1b}", &[]),
        ];
        for (data, want) in table {
            assert_eq!(decode(data), want, "{data:?}");
        }
    }

    #[test]
    fn keys_with_control() {
        for (data, want) in [
            ("c", "\u{3}"),
            ("D", "\u{4}"),
            ("rest", "\u{12}est"),
            ("é", "é"),
            ("\u{1b}[A", "\u{1b}[A"),
            ("", ""),
        ] {
            assert_eq!(with_control(data), want, "{data:?}");
        }
    }
}
