//! Runs the commands of normal and visual mode.

use super::parse::{Command, Motion, ViAction, ViOperator, ViTarget};
use super::{Vi, ViMode};
use crate::Cx;
use crate::edit::EditorKey::{self, Char, Ctrl};
use crate::edit::Place;
use crate::edit::text::{Undone, part};
use base::time::Time;

impl Vi {
    pub(super) fn run(&mut self, cx: &mut Cx, command: &Command) {
        let count = command.count;
        match &command.action {
            ViAction::Move(motion) => match self.motion(motion, count, None) {
                Some(moved) => {
                    self.cursor = moved.to;
                    if !moved.keeps_column {
                        self.wanted = moved.to_end.then_some(u32::MAX);
                    }
                }
                None => self.fail(),
            },
            ViAction::Operate(operator, target) => self.operate(*operator, target, count, command.register),
            ViAction::Select { around, name } => self.select_object(*around, *name, count),
            ViAction::Line(line) => {
                let line = line.clone();
                if matches!(self.mode, ViMode::Visual { .. }) {
                    self.end_selection();
                }
                self.run_line(cx, &line);
            }
            ViAction::Key(key, argument) if matches!(self.mode, ViMode::Visual { .. }) => {
                self.visual_key(*key, *argument, count, command.register);
            }
            ViAction::Key(key, argument) => self.key(cx, *key, *argument, count, command.register),
        }
    }

    fn key(
        &mut self,
        cx: &mut Cx,
        key: EditorKey,
        argument: Option<char>,
        count: Option<usize>,
        register: Option<char>,
    ) {
        let times = count.unwrap_or(1);
        match (key, argument) {
            (Char('i' | 'I' | 'a' | 'A' | 'o' | 'O' | 'R') | EditorKey::Insert, _) => {
                self.start_insert(key, times)
            }
            (Char('g'), Some('i')) => {
                self.cursor = self.marks.get(&'^').copied().unwrap_or(self.cursor);
                self.start_insert(Char('i'), times);
            }
            (Char('g'), Some('v')) => self.select_again(),
            (Char('g'), Some('J')) => self.join(self.cursor.row(), times.max(2), false),
            (Char('J'), _) => self.join(self.cursor.row(), times.max(2), true),
            (Char('p' | 'P'), _) => self.put(key == Char('p'), times, register),
            (Char('u' | 'U'), _) => self.undo(times),
            (Ctrl('r'), _) => self.redo(times),
            (Char('.'), _) => self.repeat(count),
            (Char('~'), _) => self.toggle(times),
            (Char('v' | 'V'), _) => {
                self.mode = ViMode::Visual { anchor: self.cursor, lines: key == Char('V') };
            }
            (Char('&'), _) => self.run_line(cx, "s"),
            (Char('r'), Some(c)) => self.replace_characters(c, times),
            (Char('m'), Some(name)) => drop(self.marks.insert(name, self.cursor)),
            (Char('Z'), Some('Z')) => self.run_line(cx, "x"),
            (Char('Z'), Some('Q')) => self.run_line(cx, "q!"),
            (Char('q'), _) | (Char('@'), _) => self.complain("not simulated in sandbatch: macros"),
            (Ctrl('v'), _) => self.complain("not simulated in sandbatch: blockwise selection"),
            (Ctrl('w'), _) => self.complain("not simulated in sandbatch: windows"),
            (Ctrl('g'), _) => self.tell_file(),
            (Ctrl('l'), _) => self.terminal.redraw(),
            (Ctrl('a' | 'x'), _) => self.add(key == Ctrl('a'), times),
            _ => self.scroll(key, argument, count),
        }
    }

    /// Ctrl-F, Ctrl-D, `zz` and the like.
    pub(super) fn scroll(&mut self, key: EditorKey, argument: Option<char>, count: Option<usize>) {
        let rows = self.options.rows;
        let (top, row, last) = (self.top as usize, self.cursor.row(), self.text.last());
        let times = count.unwrap_or(1);
        let page = rows.saturating_sub(2).max(1).saturating_mul(times);
        let half = count.unwrap_or(rows / 2).max(1);
        let (top, row) = match (key, argument) {
            (Ctrl('f') | EditorKey::PageDown, _) => {
                let top = (top + page).min(last);
                (top, row.max(top))
            }
            (Ctrl('b') | EditorKey::PageUp, _) => {
                let top = top.saturating_sub(page);
                (top, row.min(top + rows.saturating_sub(1)))
            }
            (Ctrl('d'), _) => ((top + half).min(last), (row + half).min(last)),
            (Ctrl('u'), _) => (top.saturating_sub(half), row.saturating_sub(half)),
            (Ctrl('e'), _) => {
                let top = (top + times).min(last);
                (top, row.max(top))
            }
            (Ctrl('y'), _) => {
                let top = top.saturating_sub(times);
                (top, row.min(top + rows.saturating_sub(1)))
            }
            (Char('z'), Some(place)) => {
                let row = count.map_or(row, |line| line.saturating_sub(1).min(last));
                match place {
                    't' | '\n' => (row, row),
                    'z' | '.' => (row.saturating_sub(rows / 2), row),
                    'b' | '-' => ((row + 1).saturating_sub(rows), row),
                    _ => return self.fail(),
                }
            }
            _ => return self.fail(),
        };
        self.top = u32::try_from(top).unwrap_or(u32::MAX);
        if row != self.cursor.row() || matches!(argument, Some('\n' | '.' | '-')) {
            self.go(self.first_in(row.min(last)));
        }
    }

    /// `:undo` and `:redo`
    pub(super) fn take_back(&mut self, is_undo: bool) {
        if is_undo { self.undo(1) } else { self.redo(1) }
    }

    fn undo(&mut self, times: usize) {
        for _ in 0..times {
            match self.text.undo() {
                Some(undone) => self.show_undone(&undone, "before"),
                None => return self.complain("Already at oldest change"),
            }
        }
    }

    fn redo(&mut self, times: usize) {
        for _ in 0..times {
            match self.text.redo() {
                Some(undone) => self.show_undone(&undone, "after"),
                None => return self.complain("Already at newest change"),
            }
        }
    }

    fn show_undone(&mut self, undone: &Undone, side: &str) {
        let place = undone.place;
        let to = if undone.is_exact { place } else { self.first_in(place.row()) };
        self.go(to);
        let what = match undone.more_lines {
            1 => "1 more line".to_owned(),
            -1 => "1 line less".to_owned(),
            0 if undone.changes == 1 => "1 change".to_owned(),
            0 => format!("{} changes", undone.changes),
            more if more > 0 => format!("{more} more lines"),
            fewer => format!("{} fewer lines", -fewer),
        };
        let when = age(undone.time, self.now);
        self.tell(&format!("{what}; {side} #{}  {when}", undone.number));
    }

    fn toggle(&mut self, times: usize) {
        let (row, col) = (self.cursor.row(), self.cursor.col());
        let length = self.text.length(row);
        if length == 0 {
            return self.fail();
        }
        let to = (col + times).min(length);
        self.change();
        self.map(Place::new(row, col), Place::new(row, to), toggled);
        self.go(Place::new(row, to.min(length.saturating_sub(1))));
    }

    /// Applies a function to the characters between two places.
    pub(super) fn map(&mut self, from: Place, to: Place, f: fn(char) -> char) {
        for row in from.row()..=to.row().min(self.text.last()) {
            let start = if row == from.row() { from.col() } else { 0 };
            let end = if row == to.row() { to.col() } else { usize::MAX };
            let line: String = self
                .text
                .line(row)
                .chars()
                .enumerate()
                .map(|(at, c)| if (start..end).contains(&at) { f(c) } else { c })
                .collect();
            if line != self.text.line(row) {
                self.text.set_line(row, line);
            }
        }
    }

    fn replace_characters(&mut self, c: char, times: usize) {
        let (row, col) = (self.cursor.row(), self.cursor.col());
        let line = self.text.line(row).to_owned();
        if col + times > line.chars().count() {
            return self.fail();
        }
        self.change();
        let (before, after) = (part(&line, 0, col), part(&line, col + times, usize::MAX));
        if c == '\n' {
            let end = self.text.insert(Place::new(row, col), "\n");
            self.text.remove(end, Place::new(end.row(), times));
            return self.go(self.first_in(end.row()));
        }
        let new: String = std::iter::repeat_n(c, times).collect();
        self.text.set_line(row, format!("{before}{new}{after}"));
        self.go(Place::new(row, col + times - 1));
    }

    /// Ctrl-A and Ctrl-X: adds to the number at or after the cursor.
    fn add(&mut self, up: bool, times: usize) {
        let (row, col) = (self.cursor.row(), self.cursor.col());
        let line: Vec<char> = self.text.line(row).chars().collect();
        let is_digit = |at: usize| line.get(at).is_some_and(char::is_ascii_digit);
        let mut start = col;
        if is_digit(start) {
            while start > 0 && is_digit(start - 1) {
                start -= 1;
            }
        } else {
            match (col..line.len()).find(|at| is_digit(*at)) {
                Some(at) => start = at,
                None => return self.fail(),
            }
        }
        let end = (start..line.len()).find(|at| !is_digit(*at)).unwrap_or(line.len());
        if start > 0 && line.get(start - 1) == Some(&'-') {
            start -= 1;
        }
        let digits: String = line.iter().skip(start).take(end - start).collect();
        let Ok(number) = digits.parse::<i64>() else { return self.fail() };
        let step = i64::try_from(times).unwrap_or(1);
        let number = if up { number.saturating_add(step) } else { number.saturating_sub(step) }.to_string();
        self.change();
        let (from, to) = (Place::new(row, start), Place::new(row, end));
        self.text.remove(from, to);
        let end = self.text.insert(from, &number);
        self.go(Place::new(row, end.col().saturating_sub(1)));
    }

    fn operate(
        &mut self,
        operator: ViOperator,
        target: &ViTarget,
        count: Option<usize>,
        register: Option<char>,
    ) {
        match target {
            ViTarget::Lines => {
                let row = self.cursor.row();
                let end = row + count.unwrap_or(1) - 1;
                if end > self.text.last() && row == self.text.last() {
                    return self.fail();
                }
                let end = end.min(self.text.last());
                self.apply_lines(operator, row, end, register);
            }
            ViTarget::Selection => self.operate_on_selection(operator, count, register),
            ViTarget::Object { around, name } => match self.object(*around, *name, count.unwrap_or(1)) {
                Some((from, to, true)) => self.apply_lines(operator, from.row(), to.row(), register),
                Some((from, to, false)) => self.apply(operator, from, to, register),
                None => self.fail(),
            },
            ViTarget::Motion(motion) => self.operate_to(operator, motion, count, register),
        }
    }

    fn operate_to(
        &mut self,
        operator: ViOperator,
        motion: &Motion,
        count: Option<usize>,
        register: Option<char>,
    ) {
        let Some(moved) = self.motion(motion, count, Some(operator)) else { return self.fail() };
        let (from, mut to) = (self.cursor.min(moved.to), self.cursor.max(moved.to));
        if moved.is_lines {
            if matches!(operator, ViOperator::Yank) && from.row() == moved.to.row() {
                self.cursor = moved.to;
            }
            return self.apply_lines(operator, from.row(), to.row(), register);
        }
        if moved.is_inclusive {
            to = Place::new(to.row(), to.col() + 1);
        } else if to.col() == 0 && to.row() > from.row() {
            // An exclusive motion to the start of a line ends with the line before. From its first word on, it is that of lines.
            to = Place::new(to.row() - 1, self.text.length(to.row() - 1));
            let starts = part(self.text.line(from.row()), 0, from.col()).trim().is_empty();
            if starts {
                return self.apply_lines(operator, from.row(), to.row(), register);
            }
        }
        // As vi does: what begins in an indent and ends with a line is whole lines.
        if matches!(operator, ViOperator::Delete)
            && to.row() > from.row()
            && part(self.text.line(from.row()), 0, from.col()).trim().is_empty()
            && part(self.text.line(to.row()), to.col(), usize::MAX).trim().is_empty()
        {
            return self.apply_lines(operator, from.row(), to.row(), register);
        }
        self.apply(operator, from, to, register);
    }
}

/// How long ago a change was made, as vim says it.
fn age(then: Time, now: Time) -> String {
    match (now - then).secs() {
        1 => "1 second ago".to_owned(),
        seconds if seconds < 100 => format!("{} seconds ago", seconds.max(0)),
        _ => then.strftime("%H:%M:%S"),
    }
}

/// The other case.
pub fn toggled(c: char) -> char {
    if c.is_lowercase() { upper(c) } else { lower(c) }
}

/// The upper case, if that is one character.
pub fn upper(c: char) -> char {
    let mut all = c.to_uppercase();
    if all.len() == 1 { all.next().unwrap_or(c) } else { c }
}

/// The lower case, if that is one character.
pub fn lower(c: char) -> char {
    let mut all = c.to_lowercase();
    if all.len() == 1 { all.next().unwrap_or(c) } else { c }
}
