//! The picture: the title, the text, the status or a question, and two rows of keys.

use super::Nano;
use super::prompt::PromptKind;
use crate::Cx;
use crate::edit::Place;
use crate::edit::screen::{Picture, column_of, shown};
use base::pad;
use base::width::{pad_right, text_width};

/// The keys below the text, in columns.
const KEYS: [[(&str, &str); 6]; 2] = [
    [
        ("^G", "Help"),
        ("^O", "Write Out"),
        ("^W", "Where Is"),
        ("^K", "Cut"),
        ("M-U", "Undo"),
        ("^C", "Location"),
    ],
    [
        ("^X", "Exit"),
        ("^R", "Read File"),
        ("^\\", "Replace"),
        ("^U", "Paste"),
        ("M-E", "Redo"),
        ("^/", "Go To Line"),
    ],
];

const HELP: &str = "\
Main nano help text

 The nano of sandbatch edits as GNU nano does. ^X means Ctrl-X, M-U means Alt-U or Esc U.

 ^X   (F2)   Leave, after a question if the text was changed
 ^O   (F3)   Write the file under a name; ^S saves it at once
 ^R   (F5)   Insert another file
 ^W   (F6)   Search; ^Q searches backwards, M-W and M-Q repeat it.
             In the question M-C matches case, M-R takes a regular expression.
 ^\\          Search and replace
 ^K   ^U     Cut the line or the marked text, and paste it; M-6 copies, M-T cuts the rest
 M-A  (^6)   Start or end marking
 M-U  M-E    Undo, redo
 ^C   (F11)  Show the cursor's place
 ^/   M-G    Go to a line
 ^A   ^E     Start and end of the line (Home, End)
 ^Y   ^V     Page up and down
 M-\\  M-/    First and last line
 M-]         Go to the matching bracket
 M-{  M-}    Take an indent away, add one
 M-N  M-I    Switch line numbers, automatic indents
 M-D         Count lines, words and characters
 ^T^Z        Suspend (fg continues)

 In a browser, Ctrl-W, Ctrl-T and Ctrl-N belong to the browser: use F6 for ^W.";

impl Nano {
    /// Rows of the text.
    pub(super) fn measure(&mut self, cx: &Cx) {
        let rows = u32::from(self.terminal.size(cx).1);
        self.rows = rows.saturating_sub(if self.has_keys(cx) { 4 } else { 2 }).max(1);
    }

    fn has_keys(&self, cx: &Cx) -> bool {
        self.options.help && self.terminal.size(cx).1 >= 8
    }

    pub(super) fn picture(&mut self, cx: &Cx) -> Picture {
        self.measure(cx);
        let width = usize::from(self.terminal.size(cx).0);
        let rows = self.rows as usize;
        let mut picture = Picture::default();
        picture.rows.push(self.title(width));
        if let Some(top) = self.help {
            let lines: Vec<&str> = HELP.lines().collect();
            let top = (top as usize).min(lines.len().saturating_sub(1));
            self.help = u32::try_from(top).ok();
            picture
                .rows
                .extend(lines.iter().skip(top).take(rows).map(|line| line.chars().take(width).collect()));
            picture.rows.resize(rows + 1, String::new());
            picture.rows.push("\x1b[7m[ ^X closes the help ]\x1b[m".to_owned());
            picture.cursor = (rows + 1, 0);
        } else {
            self.draw_text(&mut picture, width, rows);
            self.draw_status(&mut picture, width, rows);
        }
        if self.has_keys(cx) {
            picture.rows.extend(self.key_rows(width));
        }
        picture
    }

    fn title(&self, width: usize) -> String {
        let left = "  GNU nano 7.2";
        let name = if self.name.is_empty() { "New Buffer" } else { &self.name };
        let right = if self.options.view {
            "View  "
        } else if self.text.is_modified() {
            "Modified  "
        } else {
            ""
        };
        let room = width.saturating_sub(left.len() + right.len() + 2);
        let name: String = if text_width(name) > room {
            let skip = name.chars().count().saturating_sub(room.saturating_sub(3));
            format!("...{}", name.chars().skip(skip).collect::<String>())
        } else {
            name.to_owned()
        };
        let start = (width.saturating_sub(text_width(&name)) / 2).max(left.len() + 1);
        let line = format!("{}{name}", pad::left(left, start));
        let line = pad_right(&line, width.saturating_sub(right.len()));
        format!("\x1b[7m{line}{right}\x1b[m")
    }

    fn margin(&self) -> usize {
        if self.options.numbers { self.text.count().to_string().len().max(1) + 2 } else { 0 }
    }

    fn draw_text(&mut self, picture: &mut Picture, width: usize, rows: usize) {
        let row = self.cursor.row();
        let mut top = (self.top as usize).min(self.text.last());
        if row < top {
            top = if top - row > 1 { row.saturating_sub(rows / 2) } else { row };
        } else if row >= top + rows {
            top = if row > top + rows { row.saturating_sub(rows / 2) } else { row + 1 - rows };
        }
        self.top = u32::try_from(top).unwrap_or(0);
        let margin = self.margin();
        let columns = width.saturating_sub(margin).max(9);
        let column = column_of(self.text.line(row), self.cursor.col(), self.tab());
        let left = if column < columns { 0 } else { column - 7 - (column - 7) % (columns - 8) };
        for line in top..(top + rows).min(self.text.count()) {
            let from = if line == row { left } else { 0 };
            let mut text = String::new();
            if margin > 0 {
                text = format!("\x1b[7m{} \x1b[m", pad::right(line + 1, margin - 1));
            }
            self.draw_line(&mut text, line, from, columns);
            picture.rows.push(text);
        }
        picture.rows.resize(rows + 1, String::new());
        picture.cursor = (1 + row - top, (margin + column - left).min(width - 1));
    }

    /// A line from a column on. `<` and `>` show that there is more.
    fn draw_line(&self, out: &mut String, line: usize, left: usize, columns: usize) {
        let cells = shown(self.text.line(line), self.tab());
        let end = cells.last().map_or(0, |(_, column)| *column);
        let is_more = end > left + columns;
        let marked = self.marked();
        let mut is_marked = false;
        if left > 0 {
            out.push('<');
        }
        for (col, (text, column)) in cells.iter().enumerate() {
            let stop = column + text_width(text);
            if *column < left + usize::from(left > 0) {
                continue;
            }
            if stop > left + columns - usize::from(is_more) {
                break;
            }
            let place = Place::new(line, col);
            let marks = marked.is_some_and(|(from, to)| from <= place && place < to);
            if marks != is_marked {
                out.push_str(if marks { "\x1b[7m" } else { "\x1b[m" });
                is_marked = marks;
            }
            out.push_str(text);
        }
        if is_marked {
            out.push_str("\x1b[m");
        }
        if is_more {
            out.push('>');
        }
    }

    /// The row of the status or of a question.
    fn draw_status(&self, picture: &mut Picture, width: usize, rows: usize) {
        let Some(prompt) = &self.prompt else {
            let text: String = self.status.chars().take(width.saturating_sub(4)).collect();
            let text = if text.is_empty() { text } else { format!("[ {text} ]") };
            let start = width.saturating_sub(text_width(&text)) / 2;
            let shown =
                if text.is_empty() { text } else { format!("{}\x1b[7m{text}\x1b[m", " ".repeat(start)) };
            picture.rows.push(shown);
            return;
        };
        let question = self.question(prompt);
        let before: String = prompt.answer.chars().take(prompt.at as usize).collect();
        let text = format!("{question}{}", prompt.answer);
        let column = text_width(&question) + text_width(&before);
        let skip = column.saturating_sub(width - 1);
        let text: String = text.chars().skip(skip).take(width).collect();
        picture.rows.push(format!("\x1b[7m{}\x1b[m", pad_right(&text, width)));
        picture.cursor = (rows + 1, column - skip);
    }

    fn key_rows(&self, width: usize) -> Vec<String> {
        let keys: [Vec<(&str, &str)>; 2] = match self.prompt.as_ref().map(|prompt| &prompt.kind) {
            None => KEYS.map(|row| row.to_vec()),
            Some(PromptKind::SaveFirst | PromptKind::Overwrite { .. }) => {
                [vec![(" Y", "Yes")], vec![(" N", "No"), ("^C", "Cancel")]]
            }
            Some(PromptKind::Replacing { .. }) => {
                [vec![(" Y", "Yes"), (" A", "All")], vec![(" N", "No"), ("^C", "Cancel")]]
            }
            Some(PromptKind::Search { .. } | PromptKind::Replace) => [
                vec![("M-C", "Case Sens"), ("M-B", "Backwards")],
                vec![("^C", "Cancel"), ("M-R", "Reg.exp."), ("^R", "Replace")],
            ],
            Some(_) => [vec![], vec![("^C", "Cancel")]],
        };
        let each = width / 6;
        let row = |keys: &Vec<(&str, &str)>| {
            let cells = keys.iter().map(|(key, what)| {
                let what: String = what.chars().take(each.saturating_sub(key.len() + 2)).collect();
                let rest = each.saturating_sub(key.len() + 1);
                format!("\x1b[7m{key}\x1b[m {}", pad::left(what, rest))
            });
            cells.collect::<String>().trim_end().to_owned()
        };
        keys.iter().map(row).collect()
    }
}
