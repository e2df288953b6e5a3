//! The screen of a window: a terminal emulator for what the simulated programs and the line editor print.
//!
//! Mirrors the xterm sequences (ctlseqs) for the cursor, erasing, scrolling, colours and the alternate screen; others are
//! skipped. Lines that leave the screen at the top are kept as text, up to [`MAX_HISTORY`].

#[cfg(test)]
mod tests;

use base::width::char_width;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt::Write as _;

/// Lines above the screen.
const MAX_HISTORY: usize = 500;
/// Maximum length of an escape sequence that is not complete.
const MAX_SEQUENCE: usize = 4096;

/// Colours and attributes of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct CellStyle {
    /// 0: the default; up to 256: a colour of the palette, plus one; with bit 24: red, green and blue.
    foreground: u32,
    background: u32,
    /// Bit N stands for the attribute N of `CSI m`.
    attributes: u16,
}

/// A character, and how it looks. The right half of a wide character is `\0`.
type Cell = (char, CellStyle);
/// A row, up to its last character.
type GridRow = Vec<Cell>;

/// The screen of a window.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Grid {
    columns: usize,
    /// Each row up to its last character.
    rows: Vec<GridRow>,
    /// Row and column. The column behind the last one: the next character wraps.
    cursor: (usize, usize),
    /// With the style of that moment.
    saved_cursor: ((usize, usize), CellStyle),
    style: CellStyle,
    hides_cursor: bool,
    /// The first and the last row that scroll.
    region: (usize, usize),
    /// The rows and the cursor of the main screen, while a program uses the alternate one.
    main: Option<(Vec<GridRow>, (usize, usize))>,
    history: VecDeque<String>,
    /// The beginning of an escape sequence.
    sequence: String,
}

impl Grid {
    /// An empty screen.
    #[must_use]
    pub fn new(columns: u16, rows: u16) -> Self {
        let rows = usize::from(rows.max(1));
        Self {
            columns: usize::from(columns.max(2)),
            rows: vec![Vec::new(); rows],
            region: (0, rows - 1),
            ..Self::default()
        }
    }

    /// Changes the size. Rows are cut, not wrapped again.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        let (columns, count) = (usize::from(columns.max(2)), usize::from(rows.max(1)));
        self.region = (0, self.rows.len() - 1);
        while self.rows.len() > count {
            if self.cursor.0 + 1 < self.rows.len() {
                self.rows.pop();
            } else {
                self.scroll_up();
                self.rows.pop();
                self.cursor.0 = self.cursor.0.saturating_sub(1);
            }
        }
        self.columns = columns;
        self.rows.resize(count, Vec::new());
        self.rows.iter_mut().for_each(|row| row.truncate(columns));
        if let Some((rows, cursor)) = &mut self.main {
            rows.resize(count, Vec::new());
            rows.iter_mut().for_each(|row| row.truncate(columns));
            cursor.0 = cursor.0.min(count - 1);
        }
        self.region = (0, count - 1);
        self.cursor = (self.cursor.0.min(count - 1), self.cursor.1.min(columns));
    }

    /// Row and column of the cursor.
    #[must_use]
    pub fn cursor(&self) -> (usize, usize) {
        (self.cursor.0, self.cursor.1.min(self.columns - 1))
    }

    /// Whether a program has hidden the cursor.
    #[must_use]
    pub const fn hides_cursor(&self) -> bool {
        self.hides_cursor
    }

    /// The lines above the screen, oldest first.
    #[must_use]
    pub const fn history(&self) -> &VecDeque<String> {
        &self.history
    }

    /// The text of each row, without blanks at the ends.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(|row| text_of(row))
    }

    /// Each row with its colours.
    pub fn drawn(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(|row| drawn_row(row))
    }

    /// Removes the lines above the screen.
    pub fn clear_history(&mut self) {
        self.history.clear();
    }

    /// Bytes that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let main = self.main.iter().flat_map(|(rows, _)| rows);
        let cells: usize = self.rows.iter().chain(main).map(Vec::len).sum();
        cells * size_of::<Cell>() + self.history.iter().map(String::len).sum::<usize>()
    }

    /// Takes output.
    pub fn feed(&mut self, text: &str) {
        for c in text.chars() {
            if self.sequence.is_empty() {
                self.plain(c);
                continue;
            }
            self.sequence.push(c);
            if self.is_complete() || self.sequence.len() > MAX_SEQUENCE {
                let sequence = std::mem::take(&mut self.sequence);
                self.escape(&sequence);
            }
        }
    }

    /// Whether the escape sequence ends here.
    fn is_complete(&self) -> bool {
        let body = &self.sequence[1..];
        match body.chars().next() {
            Some('[') => body.len() > 1 && body.ends_with(|c| ('@'..='~').contains(&c)),
            // Texts such as titles.
            Some(']' | 'k' | 'P' | '_' | '^') => body.ends_with('\x07') || body.ends_with("\x1b\\"),
            Some('(' | ')' | '#') => body.len() > 1,
            Some(_) => true,
            None => false,
        }
    }

    fn plain(&mut self, c: char) {
        match c {
            '\x1b' => self.sequence.push(c),
            // The page's terminal moves to the start of the next line, too.
            '\n' | '\x0b' | '\x0c' => {
                self.line_feed();
                self.cursor.1 = 0;
            }
            '\r' => self.cursor.1 = 0,
            '\x08' => self.cursor.1 = self.cursor().1.saturating_sub(1),
            '\t' => self.cursor.1 = ((self.cursor.1 / 8 + 1) * 8).min(self.columns - 1),
            c if c.is_control() => {}
            c => self.put(c),
        }
    }

    fn put(&mut self, c: char) {
        let width = usize::from(char_width(c));
        if width == 0 {
            return;
        }
        if self.cursor.1 + width > self.columns {
            self.line_feed();
            self.cursor.1 = 0;
        }
        let (style, column) = (self.style, self.cursor.1);
        let row = self.row();
        let end = (column + width).max(row.len());
        row.resize(end, (' ', CellStyle::default()));
        // The other half of a wide character becomes a blank.
        if row[column].0 == '\0' {
            row[column - 1].0 = ' ';
        }
        if let Some((half @ '\0', _)) = row.get_mut(column + width) {
            *half = ' ';
        }
        row[column] = (c, style);
        if width == 2 {
            row[column + 1] = ('\0', style);
        }
        self.cursor.1 += width;
    }

    fn row(&mut self) -> &mut GridRow {
        &mut self.rows[self.cursor.0]
    }

    fn line_feed(&mut self) {
        if self.cursor.0 == self.region.1 {
            self.scroll_up();
        } else if self.cursor.0 + 1 < self.rows.len() {
            self.cursor.0 += 1;
        }
    }

    fn scroll_up(&mut self) {
        let row = self.rows.remove(self.region.0);
        self.rows.insert(self.region.1, Vec::new());
        if self.region.0 == 0 && self.main.is_none() {
            if self.history.len() >= MAX_HISTORY {
                self.history.pop_front();
            }
            self.history.push_back(text_of(&row));
        }
    }

    fn scroll_down(&mut self) {
        self.rows.remove(self.region.1);
        self.rows.insert(self.region.0, Vec::new());
    }

    fn escape(&mut self, sequence: &str) {
        let body = &sequence[1..];
        if let Some(parameters) = body.strip_prefix('[') {
            let end = parameters.len().saturating_sub(1);
            if let Some((parameters, action)) = parameters.split_at_checked(end) {
                self.control(parameters, action);
            }
            return;
        }
        match body {
            "7" => self.saved_cursor = (self.cursor, self.style),
            "8" => (self.cursor, self.style) = self.saved_cursor,
            "D" => self.line_feed(),
            "M" if self.cursor.0 == self.region.0 => self.scroll_down(),
            "M" => self.cursor.0 = self.cursor.0.saturating_sub(1),
            "c" => {
                let history = std::mem::take(&mut self.history);
                let rows = vec![Vec::new(); self.rows.len()];
                *self = Self {
                    columns: self.columns,
                    region: (0, rows.len() - 1),
                    rows,
                    history,
                    ..Self::default()
                };
            }
            _ => {}
        }
    }

    /// A control sequence (`CSI`).
    fn control(&mut self, parameters: &str, action: &str) {
        if let Some(modes) = parameters.strip_prefix('?') {
            return modes.split(';').for_each(|mode| self.mode(mode, action == "h"));
        }
        let numbers: Vec<usize> =
            parameters.split([';', ':']).map(|number| number.parse().unwrap_or(0)).collect();
        let first = numbers.first().copied().unwrap_or(0);
        // Counts are limited by the size of the screen.
        let count = first.clamp(1, self.columns.max(self.rows.len()));
        let second = numbers.get(1).copied().unwrap_or(0);
        let last = (self.rows.len() - 1, self.columns - 1);
        // Within the region that scrolls, the cursor stays there.
        let top = if self.cursor.0 < self.region.0 { 0 } else { self.region.0 };
        let bottom = if self.cursor.0 > self.region.1 { last.0 } else { self.region.1 };
        match action {
            "A" => self.cursor.0 = self.cursor.0.saturating_sub(count).max(top),
            "B" | "e" => self.cursor.0 = (self.cursor.0 + count).min(bottom),
            "C" | "a" => self.cursor.1 = (self.cursor.1 + count).min(last.1),
            "D" => self.cursor.1 = self.cursor().1.saturating_sub(count),
            "E" => self.cursor = ((self.cursor.0 + count).min(bottom), 0),
            "F" => self.cursor = (self.cursor.0.saturating_sub(count).max(top), 0),
            "G" | "`" => self.cursor.1 = (first.max(1) - 1).min(last.1),
            "d" => self.cursor.0 = (first.max(1) - 1).min(last.0),
            "H" | "f" => {
                self.cursor = ((first.max(1) - 1).min(last.0), (second.max(1) - 1).min(last.1));
            }
            "J" => self.erase_screen(first),
            "K" => self.erase_line(first),
            "L" | "M" | "S" | "T" => self.scroll(action, count),
            "P" => {
                let (column, row) = (self.cursor.1, self.row());
                row.drain(column.min(row.len())..(column + count).min(row.len()));
                mend(row);
            }
            "@" => {
                let (column, columns) = (self.cursor.1, self.columns);
                let row = self.row();
                if column < row.len() {
                    row.splice(column..column, std::iter::repeat_n((' ', CellStyle::default()), count));
                    row.truncate(columns);
                    mend(row);
                }
            }
            "X" => self.blank(self.cursor.1, self.cursor.1 + count),
            "m" => self.colour(&numbers),
            "r" => {
                let bottom = if second == 0 { last.0 } else { (second - 1).min(last.0) };
                let top = first.max(1) - 1;
                if top < bottom {
                    (self.region, self.cursor) = ((top, bottom), (0, 0));
                }
            }
            "s" => self.saved_cursor = (self.cursor, self.style),
            "u" => (self.cursor, self.style) = self.saved_cursor,
            _ => {}
        }
    }

    /// Inserts or deletes rows at the cursor, or scrolls.
    fn scroll(&mut self, action: &str, count: usize) {
        let region = self.region;
        if matches!(action, "L" | "M") {
            if !(region.0..=region.1).contains(&self.cursor.0) {
                return;
            }
            self.region.0 = self.cursor.0;
        }
        for _ in 0..count {
            match action {
                "L" | "T" => self.scroll_down(),
                _ => {
                    self.rows.remove(self.region.0);
                    self.rows.insert(self.region.1, Vec::new());
                }
            }
        }
        self.region = region;
    }

    /// `CSI ? h` and `CSI ? l`.
    fn mode(&mut self, mode: &str, is_set: bool) {
        match (mode, is_set) {
            ("25", _) => self.hides_cursor = !is_set,
            ("47" | "1047" | "1049", true) => {
                let blank = vec![Vec::new(); self.rows.len()];
                let shown = std::mem::replace(&mut self.rows, blank);
                self.main.get_or_insert((shown, self.cursor));
            }
            ("47" | "1047" | "1049", false) => {
                if let Some((rows, cursor)) = self.main.take() {
                    (self.rows, self.cursor) = (rows, cursor);
                    self.region = (0, self.rows.len() - 1);
                }
            }
            _ => {}
        }
    }

    /// `CSI J`
    fn erase_screen(&mut self, what: usize) {
        let row = self.cursor.0;
        let blanks = match what {
            0 => row + 1..self.rows.len(),
            1 => 0..row,
            2 => 0..self.rows.len(),
            _ => {
                self.history.clear();
                return;
            }
        };
        self.rows[blanks].iter_mut().for_each(Vec::clear);
        if what < 2 {
            self.erase_line(what);
        }
    }

    /// `CSI K`
    fn erase_line(&mut self, what: usize) {
        let column = self.cursor().1;
        match what {
            // Behind a whole row there is nothing to erase.
            0 => self.blank(self.cursor.1, self.columns),
            1 => self.blank(0, column + 1),
            _ => self.blank(0, self.columns),
        }
    }

    /// Blanks cells of the cursor's row, with the background.
    fn blank(&mut self, from: usize, to: usize) {
        let to = to.min(self.columns);
        let style = CellStyle { background: self.style.background, ..CellStyle::default() };
        let row = self.row();
        if style == CellStyle::default() && to >= row.len() {
            row.truncate(from);
            return mend(row);
        }
        let end = to.max(row.len());
        row.resize(end, (' ', CellStyle::default()));
        row[from.min(to)..to].fill((' ', style));
        mend(row);
    }

    /// `CSI m`
    fn colour(&mut self, numbers: &[usize]) {
        let mut rest = numbers.iter().copied();
        while let Some(number) = rest.next() {
            let palette = |first: usize, number: usize| u32::try_from(number - first + 1).unwrap_or(0);
            match number {
                0 => self.style = CellStyle::default(),
                1..=9 => self.style.attributes |= 1 << number,
                22 => self.style.attributes &= !(1 << 1 | 1 << 2),
                23..=29 => self.style.attributes &= !(1 << (number - 20)),
                30..=37 => self.style.foreground = palette(30, number),
                40..=47 => self.style.background = palette(40, number),
                90..=97 => self.style.foreground = palette(82, number),
                100..=107 => self.style.background = palette(92, number),
                39 => self.style.foreground = 0,
                49 => self.style.background = 0,
                38 | 48 => {
                    let colour = match rest.next() {
                        Some(5) => rest.next().map(|index| palette(0, index.min(255))),
                        Some(2) => {
                            let mut part = || u32::try_from(rest.next().unwrap_or(0).min(255)).unwrap_or(0);
                            Some(1 << 24 | part() << 16 | part() << 8 | part())
                        }
                        Some(_) | None => None,
                    };
                    let Some(colour) = colour else { return };
                    if number == 38 {
                        self.style.foreground = colour;
                    } else {
                        self.style.background = colour;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Blanks the halves of wide characters whose other half is gone.
fn mend(row: &mut [Cell]) {
    for at in 0..row.len() {
        let is_wide = char_width(row[at].0) == 2;
        let follows = row.get(at + 1).is_some_and(|(c, _)| *c == '\0');
        if is_wide != follows {
            let orphan = if is_wide { at } else { at + 1 };
            row[orphan].0 = ' ';
        }
    }
    if let Some((first @ '\0', _)) = row.first_mut() {
        *first = ' ';
    }
}

fn text_of(row: &[Cell]) -> String {
    let text: String = row.iter().map(|(c, _)| *c).filter(|c| *c != '\0').collect();
    text.trim_end().to_owned()
}

/// The row with its colours, which are the default again at its end.
fn drawn_row(row: &[Cell]) -> String {
    let (mut out, mut style) = (String::new(), CellStyle::default());
    for (c, of) in row.iter().filter(|(c, _)| *c != '\0') {
        if *of != style {
            style = *of;
            out.push_str("\x1b[0");
            for attribute in (1..=9).filter(|bit| style.attributes & (1 << bit) != 0) {
                let _ = write!(out, ";{attribute}");
            }
            for (first, colour) in [(38, style.foreground), (48, style.background)] {
                let _ = match colour {
                    0 => Ok(()),
                    1..=256 => write!(out, ";{first};5;{}", colour - 1),
                    _ => write!(
                        out,
                        ";{first};2;{};{};{}",
                        colour >> 16 & 255,
                        colour >> 8 & 255,
                        colour & 255
                    ),
                };
            }
            out.push('m');
        }
        out.push(*c);
    }
    if style != CellStyle::default() {
        out.push_str("\x1b[m");
    }
    out
}
