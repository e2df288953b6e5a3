//! Markdown within a line: `code`, **strong**, *emphasis*, [links](to), ![images](at), \escapes.

use super::markdown::{piece, text};
use crate::protocol::{Piece, PieceKind};

/// Strong within emphasis within a link: no deeper.
const MAX_DEPTH: u32 = 4;
/// Bytes of one paragraph that are looked at.
const MAX_BYTES: usize = 8_000;

/// Reads a line's pieces.
#[must_use]
pub fn read(line: &str) -> Vec<Piece> {
    let end = (0..=line.len().min(MAX_BYTES)).rev().find(|i| line.is_char_boundary(*i)).unwrap_or(0);
    spans(line.get(..end).unwrap_or_default(), 0)
}

fn spans(line: &str, depth: u32) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    let mut plain = String::new();
    let mut rest = line;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let found = if depth < MAX_DEPTH { special(rest, before, depth) } else { None };
        if let Some((length, made)) = found {
            flush(&mut plain, &mut all);
            all.push(made);
            rest = rest.get(length..).unwrap_or_default();
            before = 'x';
            continue;
        }
        let escaped =
            rest.strip_prefix('\\').and_then(|r| r.chars().next()).filter(char::is_ascii_punctuation);
        let shown = escaped.unwrap_or(c);
        plain.push(shown);
        let width = c.len_utf8() + escaped.map_or(0, char::len_utf8);
        rest = rest.get(width..).unwrap_or_default();
        before = shown;
    }
    flush(&mut plain, &mut all);
    all
}

fn flush(plain: &mut String, all: &mut Vec<Piece>) {
    if !plain.is_empty() {
        all.push(text(PieceKind::Text, plain));
        plain.clear();
    }
}

/// What begins here, and its length; none: text.
fn special(rest: &str, before: char, depth: u32) -> Option<(usize, Piece)> {
    match rest.as_bytes().first()? {
        b'`' => code(rest),
        b'*' | b'_' => {
            let mark = rest.get(..1)?;
            // `snake_case` has no emphasis.
            if mark == "_" && before.is_alphanumeric() {
                return None;
            }
            let double = mark.repeat(2);
            around(rest, &double, PieceKind::Strong, depth)
                .or_else(|| around(rest, mark, PieceKind::Emphasis, depth))
        }
        b'!' => {
            let (length, label, to) = link(rest.strip_prefix('!')?)?;
            let image = Piece { to: to.to_owned(), ..text(PieceKind::Image, label) };
            Some((length + 1, image))
        }
        b'[' => {
            let (length, label, to) = link(rest)?;
            let inside = spans(label, depth + 1);
            Some((length, Piece { to: to.to_owned(), ..piece(PieceKind::Link, inside) }))
        }
        b'<' => {
            let inner = rest.get(1..rest.find('>')?)?;
            let is_address = inner.starts_with("http://") || inner.starts_with("https://");
            let to = address(inner).filter(|_| is_address)?;
            let inside = vec![text(PieceKind::Text, to)];
            Some((inner.len() + 2, Piece { to: to.to_owned(), ..piece(PieceKind::Link, inside) }))
        }
        _ => None,
    }
}

fn code(rest: &str) -> Option<(usize, Piece)> {
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    let fence = rest.get(..ticks)?;
    let inner = rest.get(ticks..)?;
    let end = inner.find(fence)?;
    let body = inner.get(..end)?;
    let padded = body.len() > 2 && body.starts_with(' ') && body.ends_with(' ');
    let body = if padded { body.get(1..body.len() - 1)? } else { body };
    Some((end + 2 * ticks, text(PieceKind::Code, body)))
}

/// Text between two marks that stand close to it.
fn around(rest: &str, mark: &str, kind: PieceKind, depth: u32) -> Option<(usize, Piece)> {
    let inner = rest.strip_prefix(mark)?;
    if inner.starts_with(char::is_whitespace) {
        return None;
    }
    let mut from = 0;
    loop {
        let end = from + inner.get(from..)?.find(mark)?;
        let (body, after) = (inner.get(..end)?, inner.get(end + mark.len()..)?);
        let follows = after.chars().next().unwrap_or(' ');
        let word = mark.starts_with('_') && follows.is_alphanumeric();
        let longer = mark.len() == 1 && after.starts_with(mark);
        if !body.is_empty() && !body.ends_with(char::is_whitespace) && !word && !longer {
            return Some((end + 2 * mark.len(), piece(kind, spans(body, depth + 1))));
        }
        from = end + mark.len() * if longer { 2 } else { 1 };
    }
}

/// `[label](address)`: its length, label and address.
fn link(rest: &str) -> Option<(usize, &str, &str)> {
    let inner = rest.strip_prefix('[')?;
    let mut depth = 0_u32;
    let close = inner.char_indices().find_map(|(at, c)| {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
        None
    })?;
    let (label, after) = (inner.get(..close)?, inner.get(close + 1..)?);
    let target = after.strip_prefix('(')?;
    let target = target.get(..target.find(')')?)?;
    Some((close + target.len() + 4, label, address(target.trim())?))
}

/// An address that a page may lead to: http, https, mailto, or relative.
fn address(to: &str) -> Option<&str> {
    let plain = to.chars().all(|c| !c.is_control() && !c.is_whitespace() && !"\"<>\\".contains(c));
    let before = to.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = before.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let known = scheme.is_none_or(|s| ["http", "https", "mailto"].contains(&s.as_str()));
    Some(to).filter(|_| plain && known && !to.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        let one = |p: &Piece| match p.kind {
            PieceKind::Text => p.text.clone(),
            PieceKind::Code => format!("`{}`", p.text),
            PieceKind::Link | PieceKind::Image => format!("<{}|{}{}>", p.to, p.text, shown(&p.inside)),
            kind => format!("{kind:?}({})", shown(&p.inside)),
        };
        pieces.iter().map(one).collect()
    }

    #[test]
    fn marks() {
        for (line, expected) in [
            ("a **b** c", "a Strong(b) c"),
            ("*a **b** c*", "Emphasis(a Strong(b) c)"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("snake_case_name _x_", "snake_case_name Emphasis(x)"),
            ("`a*b*` ``c`d``", "`a*b*` `c`d`"),
            ("\\*a\\* `x", "*a* `x"),
            ("[a `b`](https://x.org/?q=1)", "<https://x.org/?q=1|a `b`>"),
            ("![tile](img/a.png)", "<img/a.png|tile>"),
            ("<https://slurm.schedmd.com>", "<https://slurm.schedmd.com|https://slurm.schedmd.com>"),
            ("**open", "**open"),
        ] {
            assert_eq!(shown(&read(line)), expected, "{line}");
        }
    }

    #[test]
    fn no_address_runs_anything() {
        for to in
            ["javascript:alert(1)", "JavaScript:x", "data:text/html,x", "vbscript:x", "a\tb", "x\"y", ""]
        {
            let line = format!("[a]({to})");
            assert!(!shown(&read(&line)).contains('<'), "{line}");
        }
        assert_eq!(shown(&read("[a](x/y:z)")), "<x/y:z|a>");
    }

    #[test]
    fn hostile_lines_take_no_time() {
        for line in ["[".repeat(20_000), "*a".repeat(10_000), "`".repeat(20_000), "![](".repeat(5_000)] {
            assert!(!read(&line).is_empty());
        }
    }
}
