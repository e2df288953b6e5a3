//! Character widths in a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji, 1 otherwise. The
//! ranges are the large blocks of Unicode's EastAsianWidth, as used by xterm.js.

/// Zero-width ranges.
const ZERO: [(u32, u32); 8] = [
    (0x0300, 0x036f),
    (0x0483, 0x0489),
    (0x0591, 0x05bd),
    (0x064b, 0x065f),
    (0x200b, 0x200f),
    (0x20d0, 0x20f0),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
];

/// Double-width ranges.
const WIDE: [(u32, u32); 10] = [
    (0x1100, 0x115f),
    (0x2e80, 0x303e),
    (0x3041, 0xa4cf),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff00, 0xff60),
    (0xffe0, 0xffe6),
    (0x1f300, 0x1f64f),
    (0x20000, 0x3fffd),
];

/// Width of a character; control characters have none.
#[must_use]
pub fn char_width(c: char) -> u16 {
    let code = u32::from(c);
    let within = |ranges: &[(u32, u32)]| ranges.iter().any(|(from, to)| (*from..=*to).contains(&code));
    if c.is_control() || within(&ZERO) {
        0
    } else if within(&WIDE) {
        2
    } else {
        1
    }
}

/// Cursor position after writing `text` from row and column `from` in a terminal of this many columns.
///
/// Lines wrap as in a terminal. Escape sequences have no width.
#[must_use]
pub fn advance(from: (u16, u16), text: &str, columns: u16) -> (u16, u16) {
    let columns = columns.max(2);
    let (mut row, mut column) = from;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\n' => (row, column) = (row.saturating_add(1), 0),
            '\r' => column = 0,
            '\u{8}' => column = column.saturating_sub(1),
            '\t' => column = ((column / 8 + 1) * 8).min(columns - 1),
            '\u{1b}' => skip_escape(&mut chars),
            c => {
                let width = char_width(c);
                if column + width > columns {
                    (row, column) = (row.saturating_add(1), 0);
                }
                column += width;
            }
        }
    }
    if column >= columns { (row.saturating_add(1), 0) } else { (row, column) }
}

/// Skips the rest of an escape sequence: CSI up to its final byte, OSC up to BEL, otherwise one character.
fn skip_escape(chars: &mut std::str::Chars<'_>) {
    match chars.next() {
        Some('[') => {
            chars.find(|c| ('@'..='~').contains(c));
        }
        Some(']') => {
            chars.find(|c| *c == '\u{7}' || *c == '\\');
        }
        Some(_) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_after_text() {
        let table = [
            ("abc", 10, (0, 3)),
            ("0123456789", 10, (1, 0)),
            ("0123456789a", 10, (1, 1)),
            ("\u{1b}[1;32malice\u{1b}[0m$ ", 10, (0, 7)),
            ("\u{1b}]0;title\u{7}ab", 10, (0, 2)),
            ("a\tb", 20, (0, 9)),
            ("日本", 10, (0, 4)),
            ("日本語", 5, (1, 2)),
            ("e\u{301}", 10, (0, 1)),
            ("50%\r100%", 10, (0, 4)),
            ("a\nbc", 10, (1, 2)),
        ];
        for (text, columns, want) in table {
            assert_eq!(advance((0, 0), text, columns), want, "{text:?} in {columns}");
        }
    }
}
