//! Here-documents: their bodies are read, after the end of the line, as soon as `<<` is parsed.

use super::scan::is_meta;
use super::word::{Word, WordContext, WordPiece};
use super::{ErrorKind, HereBodies, LowerResult, SourceParser};

impl SourceParser<'_> {
    /// The body of a here-document, after its `<<` or `<<-`.
    pub(super) fn here_document(&mut self, strip: bool) -> LowerResult<Word> {
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
            return Ok(vec![WordPiece::Lit(body, true)]);
        }
        let line = self.line + lines_before + 1;
        self.deeper(|reader| {
            let mut inner = SourceParser::new(&body, line, reader.depth, reader.options);
            inner.pieces(WordContext::Here)
        })
    }

    /// The word after `<<` without quotes, and whether it was quoted.
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

    /// The end of the current line, ignoring newlines in quotes.
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

    /// The lines up to the delimiter, the position after it, and the number of lines.
    fn here_body(&mut self, start: usize, tag: &str, strip: bool) -> LowerResult<(String, usize, u32)> {
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
        // In a complete text, end of file ends the last here-document, as in bash; the caller warns.
        if !self.options.whole {
            return self.fail(ErrorKind::Eof);
        }
        self.unended = Some((self.line, tag.to_owned()));
        Ok((body, at, lines))
    }
}
