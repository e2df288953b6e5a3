//! From the bytes that a terminal sends to keys. Mirrors the sequences of xterm (ctlseqs) that matter to a line editor.

/// A key as a line editor knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Key {
    Char(char),
    Enter,
    Tab,
    ClearScreen,
    Search,
    Abort,
    Interrupt,
    EndOfFile,
    Suspend,
    Edit(Edit),
}

/// A key that moves in the line or changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Edit {
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

/// The keys in what the terminal sent. Of more than one character without an escape (a paste), tabs are blanks.
#[must_use]
pub fn decode(data: &str) -> Vec<Key> {
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
            // A paste may carry both; they are one line's end.
            '\r' => {
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                keys.push(Key::Enter);
            }
            '\t' if paste => keys.push(Key::Char(' ')),
            c => keys.extend(control(c)),
        }
    }
    keys
}

fn control(c: char) -> Option<Key> {
    Some(match c {
        '\u{1}' => Key::Edit(Edit::Home),
        '\u{2}' => Key::Edit(Edit::Left),
        '\u{3}' => Key::Interrupt,
        '\u{4}' => Key::EndOfFile,
        '\u{5}' => Key::Edit(Edit::End),
        '\u{6}' => Key::Edit(Edit::Right),
        '\u{7}' => Key::Abort,
        '\u{8}' | '\u{7f}' => Key::Edit(Edit::Backspace),
        '\t' => Key::Tab,
        '\n' | '\r' => Key::Enter,
        '\u{b}' => Key::Edit(Edit::KillToEnd),
        '\u{c}' => Key::ClearScreen,
        '\u{e}' => Key::Edit(Edit::Down),
        '\u{10}' => Key::Edit(Edit::Up),
        '\u{12}' => Key::Search,
        '\u{14}' => Key::Edit(Edit::Transpose),
        '\u{15}' => Key::Edit(Edit::KillToStart),
        '\u{17}' => Key::Edit(Edit::KillBlankWordLeft),
        '\u{19}' => Key::Edit(Edit::Yank),
        '\u{1a}' => Key::Suspend,
        c if c.is_control() => return None,
        c => Key::Char(c),
    })
}

/// The key of the escape sequence at the start of `text`, and how many bytes it takes.
fn escape(text: &str) -> (Option<Key>, usize) {
    let body = &text[1..];
    if let Some(after) = body.strip_prefix('[').or_else(|| body.strip_prefix('O')) {
        let Some(end) = after.find(|c: char| ('@'..='~').contains(&c)) else { return (None, text.len()) };
        let final_byte = after[end..].chars().next().unwrap_or(' ');
        return (sequence(&after[..end], final_byte), 2 + end + 1);
    }
    let key = match body.chars().next() {
        Some('b' | 'B') => Some(Key::Edit(Edit::WordLeft)),
        Some('f' | 'F') => Some(Key::Edit(Edit::WordRight)),
        Some('d' | 'D') => Some(Key::Edit(Edit::KillWordRight)),
        Some('\u{7f}' | '\u{8}') => Some(Key::Edit(Edit::KillWordLeft)),
        Some(_) | None => None,
    };
    (key, 1 + body.chars().next().map_or(0, char::len_utf8))
}

fn sequence(parameters: &str, final_byte: char) -> Option<Key> {
    let modified = parameters.split_once(';').is_some_and(|(_, m)| matches!(m, "3" | "5" | "7"));
    Some(match (final_byte, parameters) {
        ('A', _) => Key::Edit(Edit::Up),
        ('B', _) => Key::Edit(Edit::Down),
        ('C', _) if modified => Key::Edit(Edit::WordRight),
        ('C', _) => Key::Edit(Edit::Right),
        ('D', _) if modified => Key::Edit(Edit::WordLeft),
        ('D', _) => Key::Edit(Edit::Left),
        ('H', _) | ('~', "1" | "7") => Key::Edit(Edit::Home),
        ('F', _) | ('~', "4" | "8") => Key::Edit(Edit::End),
        ('~', "3") => Key::Edit(Edit::Delete),
        ('~', "3;5" | "3;3") => Key::Edit(Edit::KillWordRight),
        // Everything else, such as the marks around a bracketed paste, does nothing.
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences() {
        let table: [(&str, &[Key]); 11] = [
            ("a", &[Key::Char('a')]),
            ("é", &[Key::Char('é')]),
            ("\u{1b}[A\u{1b}OB", &[Key::Edit(Edit::Up), Key::Edit(Edit::Down)]),
            ("\u{1b}[1;5D", &[Key::Edit(Edit::WordLeft)]),
            ("\u{1b}b\u{1b}f", &[Key::Edit(Edit::WordLeft), Key::Edit(Edit::WordRight)]),
            ("\u{1b}[3~", &[Key::Edit(Edit::Delete)]),
            ("\u{1b}[200~ls\u{1b}[201~", &[Key::Char('l'), Key::Char('s')]),
            ("a\r\nb\n", &[Key::Char('a'), Key::Enter, Key::Char('b'), Key::Enter]),
            ("a\tb", &[Key::Char('a'), Key::Char(' '), Key::Char('b')]),
            ("\t", &[Key::Tab]),
            ("\u{1b}", &[]),
        ];
        for (data, want) in table {
            assert_eq!(decode(data), want, "{data:?}");
        }
    }
}
