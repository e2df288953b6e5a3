//! Parses string literals and f-strings.

use super::ast::*;
use super::lexer::{PyToken, SyntaxFault, unescape};
use super::parse_expr::make;
use super::parser::{Parsed, PyParser};

impl PyParser {
    /// Adjacent string literals.
    pub(super) fn texts(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        let mut parts: Vec<FPart> = Vec::new();
        let mut bytes: Option<Vec<u8>> = None;
        while let PyToken::Text(prefix, body, offset) = self.peek().clone() {
            let at = self.span();
            self.advance();
            let raw = prefix.contains('r');
            let decoded =
                |text: &str| if raw { Ok(text.to_owned()) } else { unescape(text, prefix.contains('b')) };
            let wrong = |message: &str| SyntaxFault { class: "SyntaxError", message: message.into(), at };
            if prefix.contains('b') {
                let text = decoded(&body).map_err(wrong)?;
                bytes
                    .get_or_insert_default()
                    .extend(text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')));
            } else if prefix.contains('f') {
                let found = self.deeper(|p| p.f_parts(&body, offset + p.offset, raw, at))?;
                parts.extend(found);
            } else {
                let text = decoded(&body).map_err(wrong)?;
                match parts.last_mut() {
                    Some(FPart::Text(last)) => *last += &text,
                    _ => parts.push(FPart::Text(text)),
                }
            }
        }
        let at = self.since(start);
        Ok(match (bytes, parts.as_slice()) {
            (Some(bytes), []) => make(at, ExprKind::Bytes(bytes)),
            (Some(_), _) => return self.fail_at("cannot mix bytes and nonbytes literals", at),
            (None, []) => make(at, ExprKind::Text(String::new())),
            (None, [FPart::Text(text)]) => make(at, ExprKind::Text(text.clone())),
            (None, _) => make(at, ExprKind::Format(parts)),
        })
    }

    pub(super) fn f_parts(
        &mut self,
        body: &str,
        offset: u32,
        raw: bool,
        at: SourceSpan,
    ) -> Parsed<Vec<FPart>> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut i = 0;
        let plain = |text: &mut String, parts: &mut Vec<FPart>| -> Parsed<()> {
            if !text.is_empty() {
                let decoded = if raw { Ok(text.clone()) } else { unescape(text, false) };
                parts.push(FPart::Text(decoded.map_err(|m| SyntaxFault {
                    class: "SyntaxError",
                    message: m.into(),
                    at,
                })?));
                text.clear();
            }
            Ok(())
        };
        while let Some(c) = body.get(i..).and_then(|b| b.chars().next()) {
            let next = body.get(i + 1..).unwrap_or("");
            if (c == '{' || c == '}') && next.starts_with(c) {
                text.push(c);
                i += 2;
            } else if c == '}' {
                return self.fail_at("f-string: single '}' is not allowed", at);
            } else if c == '{' {
                plain(&mut text, &mut parts)?;
                i = self.f_value(body, i + 1, offset, raw, at, &mut parts)?;
            } else {
                text.push(c);
                i += c.len_utf8();
            }
        }
        plain(&mut text, &mut parts)?;
        Ok(parts)
    }

    /// `{expression!r:format}`; returns the position after it.
    pub(super) fn f_value(
        &mut self,
        body: &str,
        from: usize,
        offset: u32,
        raw: bool,
        at: SourceSpan,
        parts: &mut Vec<FPart>,
    ) -> Parsed<usize> {
        let (mut depth, mut quote, mut end) = (0_i32, None, None);
        let bytes = body.as_bytes();
        let mut i = from;
        while let Some(b) = bytes.get(i) {
            match (*b, quote) {
                (b, Some(q)) if b == q => quote = None,
                (_, Some(_)) => {}
                (b @ (b'"' | b'\''), None) => quote = Some(b),
                (b'(' | b'[' | b'{', None) => depth += 1,
                (b'}', None) if depth == 0 => end = Some(i),
                (b')' | b']' | b'}', None) => depth -= 1,
                (b'!', None) if depth == 0 && bytes.get(i + 1) != Some(&b'=') => end = Some(i),
                (b':', None) if depth == 0 => end = Some(i),
                _ => {}
            }
            if end.is_some() {
                break;
            }
            i += 1;
        }
        let Some(end) = end else { return self.fail_at("f-string: expecting '}'", at) };
        let mut source = body.get(from..end).unwrap_or("");
        if source.trim().is_empty() {
            return self.fail_at("f-string: empty expression not allowed", at);
        }
        let trimmed = source.trim_end();
        let shown = trimmed.ends_with('=')
            && !trimmed.ends_with("==")
            && !trimmed.ends_with("!=")
            && !trimmed.ends_with("<=")
            && !trimmed.ends_with(">=");
        if shown {
            parts.push(FPart::Text(source.to_owned()));
            source = &trimmed[..trimmed.len() - 1];
        }
        let lead = source.len() - source.trim_start().len();
        let start = offset + u32::try_from(from + lead).unwrap_or(0);
        // As if in parentheses: newlines do not count.
        let inside = format!("({})", source.trim());
        let mut inner = Self::new(&inside, start.saturating_sub(1))?;
        inner.depth = self.depth;
        let value = inner.expr_list()?;
        if *inner.peek() != PyToken::Newline && *inner.peek() != PyToken::End {
            return self.fail_at("f-string: invalid syntax", at);
        }
        let mut i = end;
        let mut conversion = None;
        if bytes.get(i) == Some(&b'!') {
            conversion = body.get(i + 1..).and_then(|b| b.chars().next());
            if !matches!(conversion, Some('r' | 's' | 'a')) {
                return self.fail_at("f-string: invalid conversion character: expected 's', 'r', or 'a'", at);
            }
            i += 2;
        }
        let mut format = Vec::new();
        if bytes.get(i) == Some(&b':') {
            let start = i + 1;
            let mut depth = 0;
            i = start;
            while let Some(b) = bytes.get(i) {
                match b {
                    b'{' => depth += 1,
                    b'}' if depth == 0 => break,
                    b'}' => depth -= 1,
                    _ => {}
                }
                i += 1;
            }
            let spec = body.get(start..i).unwrap_or("");
            format = self.deeper(|p| p.f_parts(spec, offset + u32::try_from(start).unwrap_or(0), raw, at))?;
        }
        if bytes.get(i) != Some(&b'}') {
            return self.fail_at("f-string: expecting '}'", at);
        }
        if shown && conversion.is_none() && format.is_empty() {
            conversion = Some('r');
        }
        parts.push(FPart::Value(value, conversion, format));
        Ok(i + 1)
    }
}
