//! Drawing on a terminal: only the rows that differ from the last picture are sent.
//!
//! The whole picture is sent again when the size has changed, and from time to time, because a page that is loaded again
//! shows the last 64 KiB of output.

use base::width::char_width;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

const OTHER_SCREEN: &str = "\x1b[?1049h\x1b[H\x1b[2J";
/// Bytes after which the whole picture is sent again.
const REFRESH: usize = 24 << 10;

/// What the terminal shows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EditorScreen {
    rows: Vec<String>,
    size: (u16, u16),
    sent: u32,
}

/// A picture: a string for each row, which may contain colours, and the place of the cursor.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The rows.
    pub rows: Vec<String>,
    /// Row and column of the cursor.
    pub cursor: (usize, usize),
}

impl EditorScreen {
    /// Forgets what the terminal shows.
    pub fn forget(&mut self) {
        self.rows.clear();
    }

    /// Whether there is a picture.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        !self.rows.is_empty()
    }

    /// The bytes that turn the last picture into this one.
    pub fn draw(&mut self, picture: Picture, size: (u16, u16)) -> String {
        let mut out = String::new();
        let is_new = self.rows.len() != picture.rows.len() || self.size != size;
        if is_new || self.sent as usize > REFRESH {
            out.push_str(OTHER_SCREEN);
            self.rows = vec![String::new(); picture.rows.len()];
            (self.size, self.sent) = (size, 0);
        }
        for (at, (row, last)) in picture.rows.iter().zip(&self.rows).enumerate() {
            if row != last {
                let _ = write!(out, "\x1b[{};1H{row}\x1b[K", at + 1);
            }
        }
        let _ = write!(out, "\x1b[{};{}H", picture.cursor.0 + 1, picture.cursor.1 + 1);
        self.rows = picture.rows;
        self.sent = self.sent.saturating_add(u32::try_from(out.len()).unwrap_or(u32::MAX));
        out
    }
}

/// Cells of a character at a column: a tab reaches to the next multiple of `tab`, and control characters are shown as `^A`.
#[must_use]
pub fn cells(c: char, column: usize, tab: usize) -> usize {
    match c {
        '\t' => tab - column % tab.max(1),
        c if c.is_control() => 2,
        c => usize::from(char_width(c)),
    }
}

/// A line as it is shown, with the column of each character; the last is the line's width.
#[must_use]
pub fn shown(line: &str, tab: usize) -> Vec<(String, usize)> {
    let mut column = 0;
    let mut all: Vec<(String, usize)> = Vec::new();
    for c in line.chars() {
        let width = cells(c, column, tab);
        let text = match c {
            '\t' => " ".repeat(width),
            '\x7f' => "^?".to_owned(),
            c if c.is_ascii_control() => format!("^{}", char::from((c as u8) | 64)),
            c if c.is_control() => "~?".to_owned(),
            c => c.to_string(),
        };
        all.push((text, column));
        column += width;
    }
    all.push((String::new(), column));
    all
}

/// The width of the first `col` characters of a line.
#[must_use]
pub fn column_of(line: &str, col: usize, tab: usize) -> usize {
    line.chars().take(col).fold(0, |column, c| column + cells(c, column, tab))
}

/// The character of a line that is at a column, or the last before it.
#[must_use]
pub fn col_at(line: &str, column: usize, tab: usize) -> usize {
    let mut at = 0;
    for (col, c) in line.chars().enumerate() {
        at += cells(c, at, tab);
        if at > column {
            return col;
        }
    }
    line.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_that_differ_are_sent() {
        let mut screen = EditorScreen::default();
        let picture = |a: &str, b: &str| Picture { rows: vec![a.to_owned(), b.to_owned()], cursor: (1, 2) };
        assert!(screen.draw(picture("one", "two"), (80, 2)).starts_with(OTHER_SCREEN));
        assert_eq!(screen.draw(picture("one", "2"), (80, 2)), "\x1b[2;1H2\x1b[K\x1b[2;3H");
        assert!(screen.draw(picture("one", "2"), (70, 2)).starts_with(OTHER_SCREEN));
    }

    #[test]
    fn tabs_and_wide_characters_have_columns() {
        assert_eq!(column_of("a\tb", 2, 8), 8);
        assert_eq!((col_at("a\tb", 5, 8), col_at("a\tb", 8, 8), col_at("a\tb", 99, 8)), (1, 2, 3));
        assert_eq!(shown("日\x01", 8).iter().map(|(_, at)| *at).collect::<Vec<_>>(), [0, 2, 4]);
    }
}
