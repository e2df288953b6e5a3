//! Widths in the cells of a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji, 1 otherwise.
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
}
