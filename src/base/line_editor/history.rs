//! Command history, with stepping and readline's backward search (Ctrl-R).

use serde::{Deserialize, Serialize};

/// Maximum number of lines.
const KEPT: usize = 1000;

/// The history and the current position in it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct History {
    lines: Vec<String>,
    /// Index of the shown line; `None` for the line being edited.
    at: Option<usize>,
    /// The line being edited, while an older one is shown.
    unfinished: String,
}

/// A backward search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct HistorySearch {
    /// Search text.
    pub query: String,
    /// Index of the match.
    pub found: Option<usize>,
}

impl History {
    /// A history with lines from an earlier visit.
    #[must_use]
    pub fn new(lines: Vec<String>) -> Self {
        Self { lines, at: None, unfinished: String::new() }
    }

    /// The lines, oldest first.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Adds a sent line. Empty lines and repetitions are skipped.
    pub fn push(&mut self, line: &str) {
        self.at = None;
        if line.trim().is_empty() || self.lines.last().is_some_and(|last| last == line) {
            return;
        }
        self.lines.push(line.to_owned());
        if self.lines.len() > KEPT {
            self.lines.remove(0);
        }
    }

    /// Steps to the previous line.
    pub fn older(&mut self, shown: &str) -> Option<String> {
        let at = self.at.unwrap_or(self.lines.len()).checked_sub(1)?;
        if self.at.is_none() {
            shown.clone_into(&mut self.unfinished);
        }
        self.at = Some(at);
        self.lines.get(at).cloned()
    }

    /// Steps to the next line, at the end to the line being edited.
    pub fn newer(&mut self) -> Option<String> {
        let next = self.at? + 1;
        if let Some(line) = self.lines.get(next) {
            self.at = Some(next);
            return Some(line.clone());
        }
        self.at = None;
        Some(std::mem::take(&mut self.unfinished))
    }

    /// Ends stepping: the shown line becomes the one being edited.
    pub fn settle(&mut self) {
        self.at = None;
    }

    /// Searches backwards from the match (`again`: before it).
    pub fn search(&self, search: &mut HistorySearch, again: bool) {
        let end = match (search.found, again) {
            (Some(found), true) => found,
            (Some(found), false) => found + 1,
            (None, _) => self.lines.len(),
        };
        let hit = self.lines.iter().take(end).rposition(|line| line.contains(&search.query));
        search.found = hit.or(if again { search.found } else { None });
    }

    /// The matched line.
    #[must_use]
    pub fn found(&self, search: &HistorySearch) -> &str {
        search.found.and_then(|i| self.lines.get(i)).map_or("", String::as_str)
    }
}
