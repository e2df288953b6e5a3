//! Widths in the cells of a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji, 1 otherwise. And where
//! the cursor is after a text, in a terminal that wraps its lines.
//!
//! Programs that align columns, the line editor and the terminal itself all use these widths, so columns line up
//! and the cursor is where the line editor expects it. As in wcwidth(3), each character is measured on its own.

use unicode_width::UnicodeWidthChar as _;

/// Width of a character in cells: 0 to 2. Control characters have width 0.
#[must_use]
pub fn char_width(c: char) -> u16 {
    // A font's ligatures (Arabic, Lisu) do not affect a single character, and no character is wider than two cells.
    c.width().map_or(0, |cells| if cells >= 2 { 2 } else { u16::from(cells == 1) })
}

/// Width of a text without control characters, in cells.
#[must_use]
pub fn text_width(text: &str) -> usize {
    text.chars().map(|c| usize::from(char_width(c))).sum()
}

/// Pads a text with spaces on the right to this many cells.
#[must_use]
pub fn pad_right(text: &str, cells: usize) -> String {
    let mut padded = text.to_owned();
    padded.extend(std::iter::repeat_n(' ', cells.saturating_sub(text_width(text))));
    padded
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
    fn widths() {
        let table = [
            ("abc", 3),
            ("é", 1),
            ("e\u{301}", 1),
            ("日本", 4),
            ("🚀", 2),
            ("🧪✓", 3),
            ("\u{200b}", 0),
            ("…", 1),
            ("", 0),
        ];
        for (text, cells) in table {
            assert_eq!(text_width(text), cells, "{text:?}");
        }
        assert_eq!(char_width('\u{7}'), 0);
        assert_eq!(pad_right("🚀", 4), "🚀  ");
        assert_eq!(pad_right("long", 2), "long");
    }

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
            ("🧪🚀", 10, (0, 4)),
            ("ab🚀", 3, (1, 2)),
            ("e\u{301}", 10, (0, 1)),
            ("50%\r100%", 10, (0, 4)),
            ("a\nbc", 10, (1, 2)),
        ];
        for (text, columns, want) in table {
            assert_eq!(advance((0, 0), text, columns), want, "{text:?} in {columns}");
        }
    }
}
