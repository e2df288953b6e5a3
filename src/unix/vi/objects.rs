//! Text objects: words, quoted texts, brackets, paragraphs.

use super::words;
use super::{Vi, ViMode};
use crate::edit::Place;

impl Vi {
    /// The first place of an object and the place after it, and whether it is whole lines.
    pub(super) fn object(&self, around: bool, name: char, count: usize) -> Option<(Place, Place, bool)> {
        match name {
            'w' | 'W' => self.word_object(around, name == 'W', count).map(|(from, to)| (from, to, false)),
            '"' | '\'' | '`' => self.quotes(around, name).map(|(from, to)| (from, to, false)),
            '(' | ')' | 'b' => self.brackets(around, '(', ')'),
            '[' | ']' => self.brackets(around, '[', ']'),
            '{' | '}' | 'B' => self.brackets(around, '{', '}'),
            '<' | '>' => self.brackets(around, '<', '>'),
            'p' => Some(self.paragraph_object(around)),
            _ => None,
        }
    }

    /// Selects an object in visual mode.
    pub(super) fn select_object(&mut self, around: bool, name: char, count: Option<usize>) {
        let Some((from, to, whole)) = self.object(around, name, count.unwrap_or(1)) else {
            return self.fail();
        };
        self.mode = ViMode::Visual { anchor: from, lines: whole };
        let to = if whole || to.col() > 0 { to } else { Place::new(to.row().saturating_sub(1), usize::MAX) };
        self.go(Place::new(to.row(), to.col().saturating_sub(1)));
    }

    fn word_object(&self, around: bool, big: bool, count: usize) -> Option<(Place, Place)> {
        let row = self.cursor.row();
        let line: Vec<char> = self.text.line(row).chars().collect();
        let kind = |at: usize| {
            line.get(at).map(|c| match c {
                c if c.is_whitespace() => 0,
                _ if big => 1,
                c if *c == '_' || c.is_alphanumeric() => 2,
                _ => 1,
            })
        };
        // An empty line has no word.
        let own = kind(self.cursor.col())?;
        let run = |from: usize| {
            let own = kind(from);
            (from..line.len()).find(|at| kind(*at) != own).unwrap_or(line.len())
        };
        let mut from = self.cursor.col();
        while from > 0 && kind(from - 1) == Some(own) {
            from -= 1;
        }
        let mut to = from;
        for _ in 0..count {
            if to >= line.len() {
                return None;
            }
            let starts_blank = kind(to) == Some(0);
            to = run(to);
            // With the blanks after it; a blank with the word after it.
            if around && to < line.len() && (starts_blank || kind(to) == Some(0)) {
                to = run(to);
            }
        }
        // Without blanks after it, with those before.
        if around && own != 0 && kind(to.saturating_sub(1)) != Some(0) {
            while from > 0 && kind(from - 1) == Some(0) {
                from -= 1;
            }
        }
        Some((Place::new(row, from), Place::new(row, to)))
    }

    fn quotes(&self, around: bool, quote: char) -> Option<(Place, Place)> {
        let (row, col) = (self.cursor.row(), self.cursor.col());
        let line: Vec<char> = self.text.line(row).chars().collect();
        let mut marks = Vec::new();
        let mut is_escaped = false;
        for (at, c) in line.iter().enumerate() {
            if *c == quote && !is_escaped {
                marks.push(at);
            }
            is_escaped = *c == '\\' && !is_escaped;
        }
        let pairs = marks.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
        let (open, close) = pairs.clone().find(|(_, close)| *close >= col)?;
        if !around {
            return Some((Place::new(row, open + 1), Place::new(row, close)));
        }
        let is_blank = |at: usize| line.get(at).is_some_and(|c| c.is_whitespace());
        let (mut from, mut to) = (open, close + 1);
        while is_blank(to) {
            to += 1;
        }
        if to == close + 1 {
            while from > 0 && is_blank(from - 1) {
                from -= 1;
            }
        }
        Some((Place::new(row, from), Place::new(row, to)))
    }

    fn brackets(&self, around: bool, open: char, close: char) -> Option<(Place, Place, bool)> {
        let (from, to) = words::around(&self.text, self.cursor, open, close)?;
        if around {
            return Some((from, Place::new(to.row(), to.col() + 1), false));
        }
        // What is alone on its lines is whole lines.
        let opens_line = from.row() < to.row() && from.col() + 1 == self.text.length(from.row());
        let closes_line = self.text.line(to.row()).chars().take(to.col()).all(char::is_whitespace);
        if opens_line && closes_line && to.row() > from.row() + 1 {
            return Some((Place::new(from.row() + 1, 0), Place::new(to.row() - 1, 0), true));
        }
        let start =
            if opens_line { Place::new(from.row() + 1, 0) } else { Place::new(from.row(), from.col() + 1) };
        Some((start.min(to), to, false))
    }

    fn paragraph_object(&self, around: bool) -> (Place, Place, bool) {
        let last = self.text.last();
        let is_blank = |row: usize| self.text.line(row).is_empty();
        let own = is_blank(self.cursor.row());
        let (mut from, mut to) = (self.cursor.row(), self.cursor.row());
        while from > 0 && is_blank(from - 1) == own {
            from -= 1;
        }
        while to < last && is_blank(to + 1) == own {
            to += 1;
        }
        if around && to < last {
            let next = is_blank(to + 1);
            while to < last && is_blank(to + 1) == next {
                to += 1;
            }
        } else if around && !own {
            while from > 0 && is_blank(from - 1) {
                from -= 1;
            }
        }
        (Place::new(from, 0), Place::new(to, 0), true)
    }
}
