//! The lines typed before: walking through them, and searching them backwards as readline's Ctrl-R does.

/// Most lines kept.
const KEPT: usize = 1000;

/// Lines typed before, and where a walk through them stands.
#[derive(Clone, Debug, Default)]
pub struct History {
    lines: Vec<String>,
    /// Index of the line shown; none: the one being written.
    at: Option<usize>,
    /// The line being written, while an older one is shown.
    unfinished: String,
}

/// A backward search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// What is searched for.
    pub query: String,
    /// Index of the line found.
    pub found: Option<usize>,
}

impl History {
    /// With lines from an earlier visit.
    #[must_use]
    pub fn new(lines: Vec<String>) -> Self {
        Self { lines, at: None, unfinished: String::new() }
    }

    /// The lines, oldest first.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// A line was sent. Empty lines and repetitions are not kept.
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

    /// The line before the one shown.
    pub fn older(&mut self, shown: &str) -> Option<String> {
        let at = self.at.unwrap_or(self.lines.len()).checked_sub(1)?;
        if self.at.is_none() {
            shown.clone_into(&mut self.unfinished);
        }
        self.at = Some(at);
        self.lines.get(at).cloned()
    }

    /// The line after the one shown, at the end the one being written.
    pub fn newer(&mut self) -> Option<String> {
        let next = self.at? + 1;
        if let Some(line) = self.lines.get(next) {
            self.at = Some(next);
            return Some(line.clone());
        }
        self.at = None;
        Some(std::mem::take(&mut self.unfinished))
    }

    /// The walk is over: the line shown is the one being written.
    pub fn settle(&mut self) {
        self.at = None;
    }

    /// Looks for the query, from the line found so far (`again`: before it) backwards.
    pub fn search(&self, search: &mut Search, again: bool) {
        let end = match (search.found, again) {
            (Some(found), true) => found,
            (Some(found), false) => found + 1,
            (None, _) => self.lines.len(),
        };
        let hit = self.lines.iter().take(end).rposition(|line| line.contains(&search.query));
        search.found = hit.or(if again { search.found } else { None });
    }

    /// The line a search found.
    #[must_use]
    pub fn found(&self, search: &Search) -> &str {
        search.found.and_then(|i| self.lines.get(i)).map_or("", String::as_str)
    }
}
