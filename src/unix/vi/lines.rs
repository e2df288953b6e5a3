//! Whole lines: indentation, joining, copies and sorting.

use super::Vi;
use super::operator::indent_of;
use crate::edit::Place;
use crate::edit::screen::column_of;
use crate::edit::text::part;
use base::order::StableSort as _;

impl Vi {
    /// Shifts lines by some shift widths.
    pub(super) fn shift(&mut self, from: usize, to: usize, right: bool, times: usize) {
        self.change();
        for row in from..=to.min(self.text.last()) {
            let line = self.text.line(row).to_owned();
            if line.is_empty() {
                continue;
            }
            let indent = indent_of(&line);
            let width = column_of(&indent, usize::MAX, self.options.tab_stop);
            let step = self.options.shift_width.saturating_mul(times);
            let width = if right { width + step } else { width.saturating_sub(step) };
            let rest = line.get(indent.len()..).unwrap_or_default();
            self.text.set_line(row, format!("{}{rest}", self.indent(width)));
        }
        self.go(self.first_in(from));
        let count = to + 1 - from;
        if count > 2 {
            self.tell(&format!("{count} lines {}ed 1 time", if right { ">" } else { "<" }));
        }
    }

    /// Blanks of this width.
    pub(super) fn indent(&self, width: usize) -> String {
        let tabs = if self.options.expand_tab { 0 } else { width / self.options.tab_stop };
        let spaces = width - tabs * self.options.tab_stop;
        format!("{}{}", "\t".repeat(tabs), " ".repeat(spaces))
    }

    /// Joins lines; with `space`, indents become one space.
    pub(super) fn join(&mut self, row: usize, count: usize, space: bool) {
        let last = self.text.last();
        if row == last {
            return self.fail();
        }
        let end = (row + count - 1).min(last);
        self.change();
        let mut line = self.text.line(row).to_owned();
        let mut at = line.chars().count();
        for next in row + 1..=end {
            let next = self.text.line(next);
            let next = if space { next.trim_start_matches([' ', '\t']) } else { next };
            at = line.chars().count();
            if space && !next.is_empty() && !next.starts_with(')') && !line.is_empty() && !line.ends_with(' ')
            {
                line.push(' ');
            }
            line.push_str(next);
        }
        self.text.replace(row, end + 1 - row, vec![line]);
        self.go(Place::new(row, at));
    }

    /// `:copy` and `:move`: lines below another; `to` counts from 1, and 0 is above the first.
    pub(super) fn copy_lines(&mut self, from: usize, to: usize, below: usize, moves: bool) {
        let rows: Vec<String> = self.text.lines().iter().take(to + 1).skip(from).cloned().collect();
        if moves && below > from && below <= to {
            return self.complain("E134: Cannot move a range of lines into itself");
        }
        self.change();
        let count = rows.len();
        let mut below = below;
        if moves {
            self.text.replace(from, count, Vec::new());
            if below > to {
                below -= count;
            }
        }
        self.text.replace(below, 0, rows);
        self.go(self.first_in((below + count).saturating_sub(1)));
    }

    /// `:sort`: `u` keeps one of equal lines, `n` compares numbers, `i` ignores case.
    pub(super) fn sort(&mut self, from: usize, to: usize, flags: &str, reverse: bool) {
        let mut rows: Vec<String> = self.text.lines().iter().take(to + 1).skip(from).cloned().collect();
        let count = rows.len();
        let by_number = flags.contains('n');
        let key = |line: &String| {
            let digits: String =
                line.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
            let number = if by_number { digits.parse::<i64>().unwrap_or(i64::MIN) } else { 0 };
            let text = match (by_number, flags.contains('i')) {
                (true, _) => String::new(),
                (false, true) => line.to_lowercase(),
                (false, false) => line.clone(),
            };
            (number, text)
        };
        rows.order_by_key(key);
        if reverse {
            rows.reverse();
        }
        if flags.contains('u') {
            rows.dedup_by_key(|line| key(line));
        }
        self.change();
        self.text.replace(from, count, rows);
        self.go(self.first_in(from.min(self.text.last())));
    }

    /// The part of a line before and after a place.
    pub(super) fn halves(&self, place: Place) -> (String, String) {
        let line = self.text.line(place.row());
        (part(line, 0, place.col()).to_owned(), part(line, place.col(), usize::MAX).to_owned())
    }
}
