//! A terminal as a picture of letters, computed from its output: for terminals that are looked at, not used. It knows the
//! control sequences that move the cursor and erase, as in ECMA-48; colours are left out.

/// Largest width and height of a picture.
const MAX_CELLS: u16 = 300;
/// Width of a tab.
const TAB: usize = 8;

/// The letters on the screen, and the cursor.
struct TerminalPicture {
    lines: Vec<Vec<char>>,
    columns: usize,
    row: usize,
    column: usize,
}

/// The lines of a terminal of this size after this output, without spaces at their ends. Lines below the last text are left out.
#[must_use]
pub fn lines(output: &[u8], columns: u16, rows: u16) -> Vec<String> {
    let columns = usize::from(columns.clamp(1, MAX_CELLS));
    let rows = usize::from(rows.clamp(1, MAX_CELLS));
    let mut picture = TerminalPicture { lines: vec![Vec::new(); rows], columns, row: 0, column: 0 };
    let text = String::from_utf8_lossy(output);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\x1b' => picture.escape(&mut rest),
            '\r' => picture.column = 0,
            '\n' => {
                picture.column = 0;
                picture.down();
            }
            '\x08' => picture.column = picture.column.saturating_sub(1),
            '\t' => picture.column = ((picture.column / TAB + 1) * TAB).min(columns - 1),
            // What was cut in the middle of a letter, and controls without a picture.
            '\u{fffd}' => {}
            c if c.is_control() => {}
            c => picture.put(c),
        }
    }
    let mut lines: Vec<String> =
        picture.lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

impl TerminalPicture {
    fn put(&mut self, c: char) {
        if self.column >= self.columns {
            self.column = 0;
            self.down();
        }
        let column = self.column;
        if let Some(line) = self.lines.get_mut(self.row) {
            if line.len() <= column {
                line.resize(column + 1, ' ');
            }
            line[column] = c;
        }
        self.column += 1;
    }

    /// A line further down. At the lower end everything moves up.
    fn down(&mut self) {
        if self.row + 1 < self.lines.len() {
            self.row += 1;
        } else {
            self.lines.remove(0);
            self.lines.push(Vec::new());
        }
    }

    /// What follows an escape.
    fn escape(&mut self, rest: &mut std::str::Chars) {
        match rest.next() {
            Some('[') => {
                let mut parameters = String::new();
                for c in rest {
                    if ('\x40'..='\x7e').contains(&c) {
                        self.control(&parameters, c);
                        return;
                    }
                    parameters.push(c);
                }
            }
            // A title: up to a bell, or to an escape and a backslash.
            Some(']') => {
                while let Some(c) = rest.next() {
                    if c == '\x07' || (c == '\x1b' && rest.next().is_some()) {
                        return;
                    }
                }
            }
            Some(_) | None => {}
        }
    }

    fn control(&mut self, parameters: &str, last: char) {
        let numbers: Vec<usize> = parameters.split(';').map(|n| n.parse().unwrap_or(0)).collect();
        let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
        let (by, bottom, right) = (number(0).max(1), self.lines.len() - 1, self.columns - 1);
        match last {
            'A' => self.row = self.row.saturating_sub(by),
            'B' => self.row = self.row.saturating_add(by).min(bottom),
            'C' => self.column = self.column.saturating_add(by).min(right),
            'D' => self.column = self.column.saturating_sub(by),
            'G' => self.column = (by - 1).min(right),
            'd' => self.row = (by - 1).min(bottom),
            'H' | 'f' => (self.row, self.column) = ((by - 1).min(bottom), (number(1).max(1) - 1).min(right)),
            'J' => self.erase_below(number(0)),
            'K' => self.erase_line(number(0)),
            // Another screen, or back from it: the program draws it again.
            'h' | 'l' if parameters == "?1049" => {
                self.erase_below(2);
                (self.row, self.column) = (0, 0);
            }
            _ => {}
        }
    }

    /// Erases from the cursor to the end (0), from the start to the cursor (1), or everything.
    fn erase_below(&mut self, what: usize) {
        let row = self.row;
        for (at, line) in self.lines.iter_mut().enumerate() {
            if what >= 2 || (what == 0 && at > row) || (what == 1 && at < row) {
                line.clear();
            }
        }
        self.erase_line(what);
    }

    fn erase_line(&mut self, what: usize) {
        let column = self.column;
        let Some(line) = self.lines.get_mut(self.row) else { return };
        match what {
            0 => line.truncate(column),
            1 => line.iter_mut().take(column + 1).for_each(|c| *c = ' '),
            _ => line.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(output: &str) -> String {
        lines(output.as_bytes(), 10, 3).join("\n")
    }

    #[test]
    fn text_wraps_and_scrolls() {
        assert_eq!(shown("one\ntwo\nthree\nfour"), "two\nthree\nfour");
        assert_eq!(shown("0123456789ab"), "0123456789\nab");
        assert_eq!(shown("a\tb\rc"), "c       b");
        assert_eq!(shown("ab\x08c\x07"), "ac");
        assert_eq!(shown(""), "");
    }

    #[test]
    fn cursors_move_and_erase() {
        assert_eq!(shown("\x1b[31mred\x1b[m"), "red");
        assert_eq!(shown("aaa\nbbb\nccc\x1b[2;2HX"), "aaa\nbXb\nccc");
        assert_eq!(shown("aaa\nbbb\x1b[A\x1b[2D\x1b[K"), "a\nbbb");
        assert_eq!(shown("aaa\nbbb\nccc\x1b[2;2H\x1b[J"), "aaa\nb");
        assert_eq!(shown("aaa\nbbb\x1b[2J\x1b[Hz"), "z");
        assert_eq!(shown("aaa\x1b[?1049h\x1b[3;1H--\x1b[?1049l$ "), "$");
        assert_eq!(shown("\x1b]0;title\x07a\x1b]0;t\x1b\\b"), "ab");
        assert_eq!(shown("a\x1b[99;99Hb"), "a\n\n         b");
    }

    #[test]
    fn any_bytes_give_lines_within_the_size() {
        let marks = b"\x1b[]0;5999HJKABCDGdf?hlm\r\n\t\x08\x07ab\xc3\xa9";
        let mut state = 1_u64;
        for _ in 0..300 {
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                marks[(state >> 33) as usize % marks.len()]
            };
            let bytes: Vec<u8> = (0..200).map(|_| next()).collect();
            let lines = lines(&bytes, 7, 4);
            assert!(lines.len() <= 4 && lines.iter().all(|line| line.chars().count() <= 7), "{bytes:?}");
        }
    }
}
