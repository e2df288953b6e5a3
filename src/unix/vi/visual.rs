//! Visual mode: the selection and what is done to it.

use super::parse::ViOperator;
use super::{Vi, ViMode};
use crate::edit::{EditorKey, Place};

impl Vi {
    /// The first place of the selection and the last, and whether it is whole lines.
    pub(super) fn selected(&self) -> Option<(Place, Place, bool)> {
        let ViMode::Visual { anchor, lines } = &self.mode else { return None };
        Some(((*anchor).min(self.cursor), (*anchor).max(self.cursor), *lines))
    }

    /// Remembers the selection for `'<`, `'>` and `gv`.
    pub(super) fn keep_selection(&mut self) {
        if let Some((from, to, lines)) = self.selected() {
            let to = if lines { Place::new(to.row(), usize::MAX) } else { to };
            self.selection = Some((from, to, lines));
        }
    }

    pub(super) fn end_selection(&mut self) {
        self.keep_selection();
        self.mode = ViMode::Normal;
    }

    pub(super) fn select_again(&mut self) {
        match self.selection {
            Some((from, to, lines)) => {
                self.mode = ViMode::Visual { anchor: from, lines };
                self.go(to);
                self.clamp();
            }
            None => self.fail(),
        }
    }

    pub(super) fn operate_on_selection(
        &mut self,
        operator: ViOperator,
        count: Option<usize>,
        register: Option<char>,
    ) {
        let Some((from, to, lines)) = self.selected() else { return };
        self.end_selection();
        self.cursor = from;
        let rows = to.row() + 1 - from.row();
        if matches!(operator, ViOperator::Left | ViOperator::Right) {
            self.shift(from.row(), to.row(), operator == ViOperator::Right, count.unwrap_or(1));
            return self.repeat_as(rows, operator, true);
        }
        if lines {
            let column = from.col();
            self.apply_lines(operator, from.row(), to.row(), register);
            if matches!(operator, ViOperator::Upper | ViOperator::Lower | ViOperator::Toggle) {
                self.go(Place::new(from.row(), column));
            }
            return self.repeat_as(rows, operator, true);
        }
        let length = self.text.length(to.row());
        // The selection may include the end of a line.
        let end = if to.col() >= length && to.row() < self.text.last() && operator != ViOperator::Change {
            Place::new(to.row() + 1, 0)
        } else {
            Place::new(to.row(), (to.col() + 1).min(length))
        };
        self.apply(operator, from, end, register);
        if rows == 1 {
            self.repeat_as(to.col() + 1 - from.col(), operator, false);
        }
    }

    /// Lets `.` do the same to as many lines or characters.
    fn repeat_as(&mut self, count: usize, operator: ViOperator, lines: bool) {
        let letters = match operator {
            ViOperator::Delete => "d",
            ViOperator::Change => "c",
            ViOperator::Right => ">",
            ViOperator::Left => "<",
            ViOperator::Upper => "gU",
            ViOperator::Lower => "gu",
            ViOperator::Toggle => "g~",
            ViOperator::Yank => return,
        };
        let last = letters.chars().last().unwrap_or('d');
        let text = format!("{count}{letters}{}", if lines { last } else { ' ' });
        self.record = text.chars().map(EditorKey::Char).collect();
    }

    /// The other keys of visual mode.
    pub(super) fn visual_key(
        &mut self,
        key: EditorKey,
        argument: Option<char>,
        count: Option<usize>,
        register: Option<char>,
    ) {
        let Some((from, to, lines)) = self.selected() else { return };
        let ViMode::Visual { anchor, .. } = self.mode else { return };
        let whole = |vi: &mut Self, operator| {
            vi.mode = ViMode::Visual { anchor: from, lines: true };
            vi.go(to);
            vi.operate_on_selection(operator, count, register);
        };
        match (key, argument) {
            (EditorKey::Char('v' | 'V'), _) => {
                let wants = key == EditorKey::Char('V');
                if wants == lines {
                    self.end_selection();
                } else {
                    self.mode = ViMode::Visual { anchor, lines: wants };
                }
            }
            (EditorKey::Char('o' | 'O'), _) => {
                self.mode = ViMode::Visual { anchor: self.cursor, lines };
                self.go(anchor);
            }
            (EditorKey::Char('J'), _) => {
                self.end_selection();
                self.join(from.row(), (to.row() + 1 - from.row()).max(2), true);
            }
            (EditorKey::Char('p' | 'P'), _) => {
                self.end_selection();
                let end = Place::new(to.row(), (to.col() + 1).min(self.text.length(to.row())));
                self.put_over(from, end, lines, register);
            }
            (EditorKey::Char('D' | 'X'), _) => whole(self, ViOperator::Delete),
            (EditorKey::Char('C' | 'S' | 'R'), _) => whole(self, ViOperator::Change),
            (EditorKey::Char('Y'), _) => whole(self, ViOperator::Yank),
            (EditorKey::Char('r'), Some(c)) => {
                self.end_selection();
                self.change();
                for row in from.row()..=to.row() {
                    let length = self.text.length(row);
                    let start = if row == from.row() && !lines { from.col() } else { 0 };
                    let end = if row == to.row() && !lines { (to.col() + 1).min(length) } else { length };
                    let line = self.text.line(row).to_owned();
                    let changed = line
                        .chars()
                        .enumerate()
                        .map(|(at, old)| if (start..end).contains(&at) { c } else { old });
                    let changed: String = changed.collect();
                    self.text.set_line(row, changed);
                }
                self.go(from);
            }
            (EditorKey::Char('m'), Some(name)) => drop(self.marks.insert(name, self.cursor)),
            (EditorKey::Ctrl('v'), _) => self.complain("not simulated in sandbatch: blockwise selection"),
            _ => self.scroll(key, argument, count),
        }
    }
}
