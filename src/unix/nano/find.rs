//! Search and replace.

use super::Nano;
use super::prompt::PromptKind;
use crate::edit::Place;
use crate::edit::text::part;
use base::regex::{Flags, Groups, Regex, Syntax};

impl Nano {
    /// The pattern of the last search.
    fn pattern(&mut self) -> Option<Regex> {
        let syntax = if self.regex { Syntax::Extended } else { Syntax::Fixed };
        let flags = Flags { icase: !self.case_sensitive, lines: false };
        match Regex::new(&self.search, syntax, flags) {
            Ok(regex) => Some(regex),
            Err(why) => {
                self.tell(&format!("Bad regex \"{}\": {why}", self.search.clone()));
                None
            }
        }
    }

    /// The next match after a place and the place after it, and whether the end of the text was passed.
    pub(super) fn find(
        &self,
        regex: &Regex,
        from: Place,
        forward: bool,
        here: bool,
    ) -> Option<(Place, Groups, bool)> {
        let count = self.text.count();
        for step in 0..=count {
            let row =
                if forward { (from.row() + step) % count } else { (from.row() + 2 * count - step) % count };
            let wraps = if forward { from.row() + step >= count } else { step > from.row() };
            let line = self.text.line(row);
            let mut found = None;
            let mut at = 0;
            while let Some(groups) = regex.groups_at(line, at) {
                let (start, end) = groups.first().copied().flatten()?;
                let col = line.get(..start).map_or(0, |before| before.chars().count());
                let fits = match (forward, step == 0, step == count) {
                    (true, true, _) => col > from.col() || here && col == from.col(),
                    (false, true, _) => col < from.col(),
                    (true, false, true) => col <= from.col(),
                    (false, false, true) => col >= from.col(),
                    (_, false, false) => true,
                };
                if fits {
                    found = Some((Place::new(row, col), groups, wraps));
                    if forward {
                        break;
                    }
                }
                let next = if end > start { end } else { start + 1 };
                at = (next..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len() + 1);
                if at > line.len() {
                    break;
                }
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Searches for the last text again.
    pub(super) fn search_again(&mut self, forward: bool) {
        if self.search.is_empty() {
            return self.tell("No current search pattern");
        }
        let Some(regex) = self.pattern() else { return };
        match self.find(&regex, self.cursor, forward, false) {
            Some((place, ..)) if place == self.cursor => self.tell("This is the only occurrence"),
            Some((place, _, wraps)) => {
                self.go(place);
                if wraps {
                    self.tell("Search Wrapped");
                }
            }
            None => self.tell(&format!("\"{}\" not found", self.search.clone())),
        }
    }

    /// Begins to replace: goes to the first match, and asks.
    pub(super) fn start_replace(&mut self) {
        let Some(regex) = self.pattern() else { return };
        let begin = self.cursor;
        match self.find(&regex, begin, true, true) {
            Some((place, _, wraps)) => {
                self.go(place);
                let kind = PromptKind::Replacing { begin, wrapped: wraps, count: 0 };
                self.ask(kind, "");
            }
            None => self.tell(&format!("\"{}\" not found", self.search.clone())),
        }
    }

    /// Replaces the match at the cursor.
    fn replace_here(&mut self) {
        let Some(regex) = self.pattern() else { return };
        let Some((place, groups, _)) = self.find(&regex, self.cursor, true, true) else { return };
        let line = self.text.line(place.row()).to_owned();
        let Some((start, end)) = groups.first().copied().flatten() else { return };
        let found = line.get(start..end).unwrap_or_default().to_owned();
        let mut new = String::new();
        let mut chars = self.replacement.chars();
        while let Some(c) = chars.next() {
            let digit = if c == '\\' && self.regex {
                chars.clone().next().and_then(|c| c.to_digit(10))
            } else {
                None
            };
            match digit.filter(|digit| *digit > 0) {
                Some(digit) => {
                    chars.next();
                    let group = groups.get(digit as usize).copied().flatten();
                    new.push_str(group.and_then(|(from, to)| line.get(from..to)).unwrap_or_default());
                }
                None => new.push(c),
            }
        }
        self.text.begin(self.cursor, self.now);
        let to = Place::new(place.row(), place.col() + found.chars().count());
        self.text.remove(place, to);
        let end = self.text.insert(place, &new);
        self.text.end();
        self.cursor = end;
    }

    /// An answer to "Replace this instance?".
    pub(super) fn answer_replace(&mut self, begin: Place, wrapped: bool, count: usize, answer: char) {
        let (mut wrapped, mut count) = (wrapped, count);
        let mut here = true;
        loop {
            if answer == 'n' {
                here = false;
            } else {
                self.replace_here();
                count += 1;
                here |= true;
            }
            let Some(regex) = self.pattern() else { break };
            // After a replacement the next match may begin at the cursor.
            let from = self.cursor;
            let is_empty = self.replacement.is_empty()
                && part(self.text.line(from.row()), from.col(), usize::MAX).is_empty();
            let found = self.find(&regex, from, true, here && !is_empty);
            let Some((place, _, wraps)) = found else { break };
            wrapped |= wraps;
            // Once around.
            if wrapped && place >= begin {
                break;
            }
            self.go(place);
            if answer != 'a' || count >= MAX_REPLACED {
                return self.ask(PromptKind::Replacing { begin, wrapped, count }, "");
            }
        }
        self.go(begin);
        self.tell(&format!("Replaced {count} occurrence{}", if count == 1 { "" } else { "s" }));
    }

    /// M-]: the bracket that belongs to this one.
    pub(super) fn go_to_bracket(&mut self) {
        const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];
        let own = self.text.at(self.cursor);
        let pair = BRACKETS.iter().find(|(open, close)| own == Some(*open) || own == Some(*close));
        let Some((open, close)) = pair else { return self.tell("Not a bracket") };
        let forward = own == Some(*open);
        let (mut at, mut depth) = (self.cursor, 0_i64);
        loop {
            match self.text.at(at) {
                Some(c) if c == *open => depth += 1,
                Some(c) if c == *close => depth -= 1,
                Some(_) | None => {}
            }
            if depth == 0 {
                return self.go(at);
            }
            let next = if forward { self.after(at) } else { self.before(at) };
            if next == at {
                return self.tell("No matching bracket");
            }
            at = next;
        }
    }
}

/// Matches that one answer replaces.
const MAX_REPLACED: usize = 100_000;
