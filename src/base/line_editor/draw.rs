//! Drawing of the line editor: prompt, line and cursor over as many rows as needed.

use super::LineEditor;
use crate::width::advance;
use crate::width::char_width;

/// Maximum length of unfinished output that is redrawn with the prompt.
const LEAD: usize = 400;
/// Ends the screen of a program.
const OWN_SCREEN: &str = "\u{1b}[?1049l";

impl LineEditor {
    /// The text before the line: unfinished output, then the prompt or the search.
    fn before(&self) -> String {
        match (&self.search, &self.prompt) {
            (Some(search), Some(_)) => format!("{}(reverse-i-search)`{}': ", self.lead, search.query),
            (_, prompt) => format!("{}{}", self.lead, prompt.as_deref().unwrap_or("")),
        }
    }

    /// Moves to the start of the prompt and clears from there.
    pub(super) fn erase(&mut self) -> String {
        let up = std::mem::take(&mut self.cursor_row);
        let mut out = if up > 0 { format!("\u{1b}[{up}A") } else { String::new() };
        out.push_str("\r\u{1b}[J");
        out
    }

    /// Redraws prompt, line and cursor.
    pub(super) fn redraw(&mut self) -> String {
        let mut out = self.erase();
        let before = self.before();
        let (line, cursor) = match &self.search {
            Some(search) => (self.history.found(search), 0),
            None => (self.text.as_str(), self.cursor),
        };
        let start = advance((0, 0), &before, self.columns);
        let end = advance(start, line, self.columns);
        let at = advance(start, line.get(..cursor).unwrap_or(line), self.columns);
        out.push_str(&before);
        out.push_str(line);
        if end.1 == 0 && end.0 > 0 {
            // The terminal wraps only on the next character.
            out.push_str(" \r");
        }
        if end.0 > at.0 {
            out.push_str(&format!("\u{1b}[{}A", end.0 - at.0));
        }
        if end != at {
            out.push('\r');
            if at.1 > 0 {
                out.push_str(&format!("\u{1b}[{}C", at.1));
            }
        }
        self.cursor_row = at.0;
        out
    }

    /// Draws a character inserted before the cursor; at the end of the line it is simply written.
    pub(super) fn draw_inserted(&mut self, c: char) -> String {
        let start = advance((0, 0), &self.before(), self.columns);
        let (row, column) = advance(start, &self.text, self.columns);
        let simple =
            self.cursor == self.text.len() && char_width(c) == 1 && column > 1 && self.search.is_none();
        if simple && row == self.cursor_row { c.to_string() } else { self.redraw() }
    }

    /// Moves the cursor to the row below the line.
    pub(super) fn leave(&mut self, mark: &str) -> String {
        self.cursor = self.text.len();
        let out = format!("{}{mark}\r\n", self.redraw());
        self.cursor_row = 0;
        self.lead.clear();
        out
    }

    /// Remembers unfinished output on the last row.
    pub(super) fn follow(&mut self, output: &str) {
        match output.rsplit_once('\n') {
            Some((_, last)) => last.clone_into(&mut self.lead),
            None => self.lead.push_str(output),
        }
        // The screen of a program that has ended is gone.
        if let Some(at) = self.lead.rfind(OWN_SCREEN) {
            self.lead.drain(..at + OWN_SCREEN.len());
        }
        if let Some((skip, _)) = self.lead.char_indices().rev().nth(LEAD) {
            self.lead.drain(..skip);
        }
        // After clearing the screen nothing precedes the line.
        if let Some(at) = self.lead.rfind("\u{1b}[2J").or_else(|| self.lead.rfind("\u{1b}[H")) {
            self.lead.drain(..at);
        }
    }
}
