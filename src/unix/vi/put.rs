//! `p` and `P`: text of a register back into the text.

use super::parse::ViOperator;
use super::{Register, Vi};
use crate::edit::Place;

/// Maximum bytes that one `p` inserts.
const MAX_PUT: usize = 4 << 20;

impl Vi {
    pub(super) fn put(&mut self, after: bool, times: usize, register: Option<char>) {
        let name = register.unwrap_or('"').to_ascii_lowercase();
        let Some(Register { text, lines }) = self.registers.get(&name).cloned() else {
            return self.complain(&match register {
                Some(name) => format!("E353: Nothing in register {name}"),
                None => "E353: Nothing in register \"".to_owned(),
            });
        };
        if text.len().saturating_mul(times) > MAX_PUT {
            return self.complain("E342: Out of memory!  (sandbatch edits up to 4 MiB)");
        }
        self.change();
        if lines {
            let row = self.cursor.row() + usize::from(after);
            let rows: Vec<String> = text.split('\n').map(str::to_owned).collect();
            let count = rows.len() * times;
            self.text.replace(row, 0, rows.into_iter().cycle().take(count).collect());
            self.go(self.first_in(row));
            if count > 2 {
                self.tell(&format!("{count} more lines"));
            }
            return;
        }
        let row = self.cursor.row();
        let length = self.text.length(row);
        let col = if after { (self.cursor.col() + 1).min(length) } else { self.cursor.col() };
        let start = Place::new(row, col);
        let end = self.text.insert(start, &text.repeat(times));
        // The last character that was put; the first, if there are several lines.
        let to = if text.contains('\n') { start } else { Place::new(end.row(), end.col().saturating_sub(1)) };
        self.go(to);
    }

    /// Puts a register in place of the selection.
    pub(super) fn put_over(&mut self, from: Place, to: Place, whole: bool, register: Option<char>) {
        let name = register.unwrap_or('"').to_ascii_lowercase();
        let Some(put) = self.registers.get(&name).cloned() else {
            return match whole {
                true => self.apply_lines(ViOperator::Delete, from.row(), to.row(), None),
                false => self.apply(ViOperator::Delete, from, to, None),
            };
        };
        self.change();
        if whole {
            let count = to.row() + 1 - from.row();
            let old: Vec<String> =
                self.text.lines().iter().take(to.row() + 1).skip(from.row()).cloned().collect();
            let rows: Vec<String> = put.text.split('\n').map(str::to_owned).collect();
            self.text.replace(from.row(), count, rows);
            self.store(None, old.join("\n"), true);
            return self.go(self.first_in(from.row()));
        }
        let old = self.text.remove(from, to);
        let text = if put.lines { format!("\n{}\n", put.text) } else { put.text };
        let end = self.text.insert(from, &text);
        self.store(None, old, false);
        let to = match (put.lines, text.contains('\n')) {
            (true, _) => Place::new(from.row() + 1, 0),
            (false, true) => from,
            (false, false) => Place::new(end.row(), end.col().saturating_sub(1)),
        };
        self.go(to);
    }
}
