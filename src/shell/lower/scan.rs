//! Scans the text: blanks, comments, keywords, and ends of constructs without parsing their content.

use super::{HereBodies, SourceParser};

/// Characters that end a plain word.
pub(super) const fn is_meta(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
}

/// Whether the character is valid in a name.
pub(super) const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name at the start of `text`; may be empty.
pub(crate) fn name_prefix(text: &str) -> &str {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return "";
    }
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    &text[..end]
}

const KEYWORDS: [&str; 22] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while", "{", "}", "]]",
];

impl SourceParser<'_> {
    pub(super) fn rest(&self) -> &str {
        self.src.get(self.pos..).unwrap_or("")
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.src.len()
    }

    pub(super) fn looking_at(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// Consumes a character and counts lines.
    pub(super) fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        self.line += u32::from(c == '\n');
        Some(c)
    }

    /// Consumes `text` if it is next.
    pub(super) fn accept(&mut self, text: &str) -> bool {
        let found = self.looking_at(text);
        if found {
            self.pos += text.len();
        }
        found
    }

    /// Skips blanks, line continuations and a comment.
    pub(super) fn blanks(&mut self) {
        loop {
            if self.looking_at("\\\n") {
                self.pos += 2;
                self.line += 1;
            } else if matches!(self.peek(), Some(' ' | '\t')) {
                self.pos += 1;
            } else {
                break;
            }
        }
        let behind_blank = self.src[..self.pos].chars().next_back().is_none_or(is_meta);
        if self.peek() == Some('#') && behind_blank {
            self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Consumes a newline and the here-documents after it.
    pub(super) fn newline(&mut self) {
        match self.here.take() {
            Some(HereBodies { newline, resume, lines }) if newline == self.pos => {
                self.pos = resume;
                self.line += lines + 1;
            }
            other => {
                self.here = other;
                self.pos += 1;
                self.line += 1;
            }
        }
    }

    /// Skips blanks, comments and newlines.
    pub(super) fn newlines(&mut self) {
        loop {
            self.blanks();
            if self.peek() != Some('\n') {
                break;
            }
            self.newline();
        }
    }

    /// The plain text up to the next metacharacter.
    pub(super) fn plain(&self) -> &str {
        let rest = self.rest();
        &rest[..rest.find(is_meta).unwrap_or(rest.len())]
    }

    /// The reserved word at this position.
    pub(super) fn keyword(&self) -> Option<&'static str> {
        let plain = self.plain();
        KEYWORDS.iter().copied().find(|k| *k == plain)
    }

    /// Consumes a reserved word if it is next.
    pub(super) fn accept_keyword(&mut self, keyword: &str) -> bool {
        let found = self.keyword() == Some(keyword);
        if found {
            self.pos += keyword.len();
        }
        found
    }

    /// bash's name for the token at this position.
    pub(super) fn token_text(&self) -> String {
        const OPERATORS: [&str; 21] = [
            "&>>", ";;&", "<<<", "<<-", "&&", "||", ";;", ";&", "|&", "<<", ">>", "<&", ">&", "<>", ">|",
            "&>", ";", "&", "|", "<", ">",
        ];
        match self.peek() {
            None => return String::new(),
            Some('\n') => return "newline".into(),
            Some(c @ ('(' | ')')) => return c.into(),
            Some(_) => {}
        }
        if let Some(operator) = OPERATORS.iter().find(|o| self.looking_at(o)) {
            return (*operator).into();
        }
        let word: String = self.rest().chars().take_while(|c| !is_meta(*c)).take(200).collect();
        crate::expand::escape::visible(&word)
    }

    /// The position after the character that closes what was opened before `from`; skips quotes without
    /// parsing.
    pub(super) fn find_close(&self, from: usize, open: char, close: char) -> Option<usize> {
        let mut depth = 1_u32;
        let mut chars = self.src.get(from..)?.char_indices();
        let mut quote: Option<char> = None;
        while let Some((at, c)) = chars.next() {
            match (quote, c) {
                (Some(q), c) if q == c => quote = None,
                (Some('\''), _) => {}
                (_, '\\') => {
                    chars.next();
                }
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, c) if c == close => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(from + at + c.len_utf8());
                    }
                }
                (None, c) if c == open => depth += 1,
                (None, _) => {}
            }
        }
        None
    }
}
