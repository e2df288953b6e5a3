//! What operators do to a part of the text or to lines.

use super::insert::Insertion;
use super::normal::{lower, toggled, upper};
use super::parse::ViOperator;
use super::{Register, Vi, ViMode};
use crate::edit::Place;

/// Lines from which on a change of their number is told (`:set report=2`).
const REPORT: usize = 2;

impl Vi {
    /// Stores text in a register, and in the unnamed one. A capital letter appends.
    pub(super) fn store(&mut self, name: Option<char>, text: String, lines: bool) {
        if name == Some('_') {
            return;
        }
        let new = Register { text, lines };
        if let Some(name) = name.filter(|name| *name != '"') {
            match self.registers.get_mut(&name.to_ascii_lowercase()) {
                Some(old) if name.is_ascii_uppercase() => {
                    if old.lines || new.lines {
                        old.text.push('\n');
                    }
                    old.lines |= new.lines;
                    old.text.push_str(&new.text);
                }
                Some(_) | None => drop(self.registers.insert(name.to_ascii_lowercase(), new.clone())),
            }
        }
        self.registers.insert('"', new);
    }

    /// Applies an operator to the characters between two places.
    pub(super) fn apply(&mut self, operator: ViOperator, from: Place, to: Place, register: Option<char>) {
        let text = self.text.between(from, to);
        match operator {
            ViOperator::Yank => {
                self.store(register, text, false);
                self.registers.insert('0', self.registers.get(&'"').cloned().unwrap_or_default());
                self.go(from);
            }
            ViOperator::Delete | ViOperator::Change => {
                if text.is_empty() && operator == ViOperator::Delete {
                    return self.fail();
                }
                self.change();
                self.store(register, text, false);
                self.text.remove(from, to);
                self.go(from);
                if operator == ViOperator::Change {
                    self.mode = ViMode::Insert(Box::new(Insertion::at(from)));
                }
            }
            ViOperator::Left | ViOperator::Right => {
                self.apply_lines(operator, from.row(), to.row(), register)
            }
            ViOperator::Upper | ViOperator::Lower | ViOperator::Toggle => {
                self.change();
                self.map(from, to, case_of(operator));
                self.go(from);
            }
        }
    }

    /// Applies an operator to lines.
    pub(super) fn apply_lines(
        &mut self,
        operator: ViOperator,
        from: usize,
        to: usize,
        register: Option<char>,
    ) {
        let rows: Vec<String> = self.text.lines().iter().take(to + 1).skip(from).cloned().collect();
        let count = rows.len();
        match operator {
            ViOperator::Yank => {
                self.store(register, rows.join("\n"), true);
                self.registers.insert('0', self.registers.get(&'"').cloned().unwrap_or_default());
                if self.cursor.row() != from {
                    let column = self.cursor.col();
                    self.cursor = Place::new(from, column);
                }
                if count > REPORT {
                    self.tell(&format!("{count} lines yanked"));
                }
            }
            ViOperator::Delete => {
                self.change();
                self.store(register, rows.join("\n"), true);
                self.text.replace(from, count, Vec::new());
                self.go(self.first_in(from.min(self.text.last())));
                if self.text.has_none() {
                    self.tell("--No lines in buffer--");
                } else if count > REPORT {
                    self.tell(&format!("{count} fewer lines"));
                }
            }
            ViOperator::Change => {
                self.change();
                self.store(register, rows.join("\n"), true);
                let indent =
                    if self.options.auto_indent { indent_of(self.text.line(from)) } else { String::new() };
                let start = Place::new(from, indent.chars().count());
                self.text.replace(from, count, vec![indent]);
                self.go(start);
                self.mode = ViMode::Insert(Box::new(Insertion::at(start)));
            }
            ViOperator::Left | ViOperator::Right => self.shift(from, to, operator == ViOperator::Right, 1),
            ViOperator::Upper | ViOperator::Lower | ViOperator::Toggle => {
                self.change();
                let column = self.cursor.col();
                self.map(Place::new(from, 0), Place::new(to, usize::MAX), case_of(operator));
                self.go(Place::new(from, if self.cursor.row() == from { column } else { 0 }));
            }
        }
    }
}

fn case_of(operator: ViOperator) -> fn(char) -> char {
    match operator {
        ViOperator::Upper => upper,
        ViOperator::Lower => lower,
        ViOperator::Toggle
        | ViOperator::Delete
        | ViOperator::Change
        | ViOperator::Yank
        | ViOperator::Right
        | ViOperator::Left => toggled,
    }
}

/// The blanks at the start of a line.
pub fn indent_of(line: &str) -> String {
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
}
