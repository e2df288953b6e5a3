//! The picture: lines that wrap, `~` below the text, and the last row with messages and the ruler.

use super::{Vi, ViMode};
use crate::Cx;
use crate::edit::Place;
use crate::edit::screen::{Picture, shown};
use base::pad;
use base::width::{pad_right, text_width};
use std::fmt::Write as _;

/// Columns of the ruler.
const RULER: usize = 18;

impl Vi {
    /// Sets the rows of text to the terminal's.
    pub(super) fn measure(&mut self, cx: &Cx) {
        self.options.rows = usize::from(self.terminal.size(cx).1).saturating_sub(1);
    }

    /// Columns of the line numbers.
    fn margin(&self) -> usize {
        if self.options.number { self.text.count().to_string().len().max(3) + 1 } else { 0 }
    }

    /// The rows of a line on the screen: the characters of each, and their first columns.
    fn wrapped(&self, row: usize, columns: usize) -> Vec<Vec<(String, usize)>> {
        let mut rows = vec![Vec::new()];
        let mut start = 0;
        for (text, column) in shown(self.text.line(row), self.options.tab_stop) {
            if text.is_empty() {
                break;
            }
            // A tab may reach over the end of a row.
            if column + text_width(&text).min(columns) > start + columns {
                start += columns;
                rows.push(Vec::new());
            }
            if let Some(last) = rows.last_mut() {
                last.push((text, column - start));
            }
        }
        rows
    }

    fn height(&self, row: usize, columns: usize) -> usize {
        self.wrapped(row, columns).len()
    }

    /// Moves the top so that the cursor's line is shown.
    fn show_cursor(&mut self, columns: usize) {
        let (rows, row) = (self.options.rows, self.cursor.row());
        let mut top = (self.top as usize).min(self.text.last());
        if row < top {
            top = if top - row > rows { row.saturating_sub(rows / 2) } else { row };
        } else {
            let far = row - top > 2 * rows || {
                let needed: usize = (top..=row).map(|line| self.height(line, columns)).sum();
                needed > rows + rows / 2
            };
            top = if far { self.centred(row, columns) } else { self.lowered(top, columns) };
        }
        self.top = u32::try_from(top).unwrap_or(0);
    }

    /// The top at which the cursor's line is the last, if it is not shown.
    fn lowered(&self, mut top: usize, columns: usize) -> usize {
        let row = self.cursor.row();
        let mut needed: usize = (top..=row).map(|line| self.height(line, columns)).sum();
        while needed > self.options.rows && top < row {
            needed -= self.height(top, columns);
            top += 1;
        }
        top
    }

    /// The top that puts a line into the middle; the end of the text stays at the bottom.
    fn centred(&self, row: usize, columns: usize) -> usize {
        let rows = self.options.rows;
        let (mut above, mut top) = (0, row);
        while top > 0 && above + self.height(top - 1, columns) <= rows / 2 {
            top -= 1;
            above += self.height(top, columns);
        }
        let mut below: usize =
            (top..self.text.count()).take(rows).map(|line| self.height(line, columns)).sum();
        while top > 0 && below + self.height(top - 1, columns) <= rows {
            top -= 1;
            below += self.height(top, columns);
        }
        top
    }

    pub(super) fn picture(&mut self, cx: &Cx) -> Picture {
        self.measure(cx);
        let (width, rows) = (usize::from(self.terminal.size(cx).0), self.options.rows);
        let margin = self.margin();
        let columns = width.saturating_sub(margin).max(1);
        self.show_cursor(columns);
        let selected = self.selected();
        let mut picture = Picture::default();
        let mut line = self.top as usize;
        while picture.rows.len() < rows && line < self.text.count() {
            let wrapped = self.wrapped(line, columns);
            let room = rows - picture.rows.len();
            if wrapped.len() > room && line != self.cursor.row() {
                // A line that does not fit.
                picture.rows.resize(rows, "@".to_owned());
                break;
            }
            let own = (line == self.cursor.row()).then(|| self.cursor_in(&wrapped));
            // Of a line that is higher than the screen, the part with the cursor.
            let skip = own.map_or(0, |(at, _)| (at + 1).saturating_sub(room));
            if let Some((at, column)) = own {
                picture.cursor = (picture.rows.len() + at - skip, (margin + column).min(width - 1));
            }
            let mut col: usize = wrapped.iter().take(skip).map(Vec::len).sum();
            for (at, cells) in wrapped.iter().enumerate().skip(skip).take(room) {
                let mut text = String::new();
                if margin > 0 {
                    let number = if at == 0 { (line + 1).to_string() } else { String::new() };
                    let _ = write!(text, "\x1b[33m{} \x1b[m", pad::right(number, margin - 1));
                }
                self.draw_cells(&mut text, cells, line, col, selected);
                col += cells.len();
                picture.rows.push(text);
            }
            line += 1;
        }
        picture.rows.resize(rows, "\x1b[34m~\x1b[m".to_owned());
        let (last, column) = self.last_row(width, line);
        picture.rows.push(last);
        if let Some(column) = column {
            picture.cursor = (rows, column.min(width - 1));
        }
        picture
    }

    /// The characters of a row; the selected ones are marked.
    fn draw_cells(
        &self,
        out: &mut String,
        cells: &[(String, usize)],
        row: usize,
        first: usize,
        selected: Option<(Place, Place, bool)>,
    ) {
        let is_selected = |col: usize| {
            let place = Place::new(row, col);
            selected.is_some_and(|(from, to, lines)| {
                if lines { (from.row()..=to.row()).contains(&row) } else { from <= place && place <= to }
            })
        };
        let mut marked = false;
        for (at, (text, _)) in cells.iter().enumerate() {
            let marks = is_selected(first + at);
            if marks != marked {
                out.push_str(if marks { "\x1b[7m" } else { "\x1b[m" });
                marked = marks;
            }
            out.push_str(text);
        }
        if cells.is_empty() && is_selected(first) {
            out.push_str("\x1b[7m \x1b[m");
        } else if marked {
            out.push_str("\x1b[m");
        }
    }

    /// The row and the column of the cursor in its line.
    fn cursor_in(&self, wrapped: &[Vec<(String, usize)>]) -> (usize, usize) {
        let mut col = self.cursor.col();
        for (at, cells) in wrapped.iter().enumerate() {
            if let Some((text, column)) = cells.get(col) {
                // On a tab, the cursor is at its end.
                let is_tab = text.len() > 1 && text.starts_with(' ');
                let at_end = is_tab && !matches!(self.mode, ViMode::Insert(_));
                return (at, if at_end { column + text.len() - 1 } else { *column });
            }
            if at + 1 == wrapped.len() {
                let end = cells.last().map_or(0, |(text, column)| column + text_width(text));
                return (at, end);
            }
            col -= cells.len();
        }
        (0, 0)
    }

    /// The last row, and the cursor's column if it is there.
    fn last_row(&self, width: usize, shown_to: usize) -> (String, Option<usize>) {
        if let Some(text) = self.prompt_text() {
            let text: String = text.chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
            let column = text_width(&text);
            // The end of a long line.
            let skip = column.saturating_sub(width - 1);
            return (text.chars().skip(skip).collect(), Some(column - skip));
        }
        let left = match &self.mode {
            _ if !self.message.is_empty() => self.message.clone(),
            ViMode::Insert(insertion) if insertion.replaces() => "-- REPLACE --".to_owned(),
            ViMode::Insert(_) => "-- INSERT --".to_owned(),
            ViMode::Visual { lines: true, .. } => "-- VISUAL LINE --".to_owned(),
            ViMode::Visual { .. } => "-- VISUAL --".to_owned(),
            ViMode::Normal => String::new(),
        };
        let room = width.saturating_sub(RULER + 11);
        let is_long = text_width(&left) > room;
        let left: String =
            left.chars().map(|c| if c.is_control() { '?' } else { c }).take(width - 1).collect();
        if is_long || room == 0 {
            return (self.coloured(&left), None);
        }
        let keys: String = self.pending.iter().filter_map(|key| key.character()).collect();
        let is_bold = self.message.is_empty() && !left.is_empty();
        let left = pad_right(&left, room);
        let left = if is_bold { format!("\x1b[1m{left}\x1b[m") } else { self.coloured(&left) };
        (format!("{left}{}{}", pad_right(&keys, 11), self.ruler(shown_to)), None)
    }

    fn coloured(&self, text: &str) -> String {
        if self.is_error { format!("\x1b[31m{text}\x1b[m") } else { text.to_owned() }
    }

    /// `12,5          40%`
    fn ruler(&self, shown_to: usize) -> String {
        let line = self.text.line(self.cursor.row());
        let bytes = line.char_indices().nth(self.cursor.col()).map_or(line.len(), |(at, _)| at) + 1;
        let column = crate::edit::screen::column_of(line, self.cursor.col(), self.options.tab_stop);
        let at = match (line.is_empty(), self.text.at(self.cursor)) {
            (true, _) => "0-1".to_owned(),
            (false, Some('\t')) if !matches!(self.mode, ViMode::Insert(_)) => {
                let tab = self.options.tab_stop;
                format!("{bytes}-{}", column / tab * tab + tab)
            }
            (false, _) if bytes == column + 1 => bytes.to_string(),
            (false, _) => format!("{bytes}-{}", column + 1),
        };
        let row = if self.text.has_none() { 0 } else { self.cursor.row() + 1 };
        let top = self.top as usize;
        let place = match (top == 0, shown_to >= self.text.count()) {
            (true, true) => "All".to_owned(),
            (true, false) => "Top".to_owned(),
            (false, true) => "Bot".to_owned(),
            (false, false) => {
                let hidden = top + self.text.count() - shown_to;
                format!("{}%", top * 100 / hidden.max(1))
            }
        };
        format!("{}{place}", pad::left(format!("{row},{at}"), 14))
    }
}
