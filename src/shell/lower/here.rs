//! Here-documents: their bodies are looked up as soon as `<<` is read, behind the end of the line.

use super::scan::is_meta;
use super::word::{Context, Piece, Word};
use super::{ErrorKind, HereBodies, Reader, Result};

impl Reader<'_> {
    /// The body of a here-document whose `<<` or `<<-` was read.
    pub(super) fn here_document(&mut self, strip: bool) -> Result<Word> {
        self.blanks();
        let (tag, quoted) = self.here_tag();
        if tag.is_empty() && !quoted {
            return self.unexpected();
        }
        let newline = match self.here {
            Some(bodies) if bodies.newline >= self.pos => bodies.newline,
            Some(_) | None => self.end_of_line(),
        };
        let (start, lines_before) = match self.here {
            Some(bodies) if bodies.newline == newline => (bodies.resume, bodies.lines),
            Some(_) | None => ((newline + 1).min(self.src.len()), 0),
        };
        let (body, resume, lines) = self.here_body(start, &tag, strip)?;
        self.here = Some(HereBodies { newline, resume, lines: lines_before + lines });
        if quoted {
            return Ok(vec![Piece::Lit(body, true)]);
        }
        let line = self.line + lines_before + 1;
        self.deeper(|reader| {
            let mut inner = Reader::new(&body, line, reader.depth, reader.options);
            inner.pieces(Context::Here)
        })
    }

    /// The word behind `<<` with its quotes removed, and whether there were any.
    fn here_tag(&mut self) -> (String, bool) {
        let (mut tag, mut quoted, mut quote) = (String::new(), false, None);
        while let Some(c) = self.peek() {
            if quote.is_none() && is_meta(c) || c == '\n' {
                break;
            }
            self.pos += c.len_utf8();
            match (quote, c) {
                (Some(q), c) if q == c => quote = None,
                (None, '\'' | '"') => (quoted, quote) = (true, Some(c)),
                (None, '\\') => {
                    quoted = true;
                    tag.extend(self.take());
                }
                (_, c) => tag.push(c),
            }
        }
        (tag, quoted)
    }

    /// The end of the current line, line breaks in quotes not counted.
    fn end_of_line(&self) -> usize {
        let mut quote: Option<char> = None;
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match (quote, c) {
                (None, '\n') => return self.pos + at,
                (Some(q), c) if q == c => quote = None,
                (Some('\''), _) => {}
                (_, '\\') => {
                    chars.next();
                }
                (None, '\'' | '"') => quote = Some(c),
                (_, _) => {}
            }
        }
        self.src.len()
    }

    /// The lines up to the tag, where to go on, and how many lines that were.
    fn here_body(&mut self, start: usize, tag: &str, strip: bool) -> Result<(String, usize, u32)> {
        let mut body = String::new();
        let (mut at, mut lines) = (start, 0);
        while let Some(rest) = self.src.get(at..).filter(|r| !r.is_empty()) {
            let length = rest.find('\n').map_or(rest.len(), |n| n + 1);
            let line = &rest[..length];
            let text = if strip { line.trim_start_matches('\t') } else { line };
            at += length;
            lines += 1;
            if text.strip_suffix('\n').unwrap_or(text) == tag {
                return Ok((body, at, lines));
            }
            body.push_str(text);
        }
        // A text that is known to be whole ends its last here-document, as in bash; the caller warns.
        if !self.options.whole {
            return self.fail(ErrorKind::Eof);
        }
        self.unended = Some((self.line, tag.to_owned()));
        Ok((body, at, lines))
    }
}
