//! The Markdown of lessons, read into [`Piece`]s: paragraphs, headings, lists, quotes, blocks of code, tables, rules; within a
//! line code, strong and emphasised text, links and images. What looks like HTML is text like any other.
//!
//! A subset of CommonMark with the pipe tables that people know from elsewhere. Left out on purpose: HTML, references,
//! indented code, headings that are underlined. Bounded in depth and in pieces.

use super::inline;
use crate::protocol::{Piece, PieceKind};

/// Lists and quotes within each other.
const MAX_DEPTH: u32 = 4;
/// Lines of one text.
const MAX_LINES: usize = 5_000;

/// Reads a text.
#[must_use]
pub fn read(lines: &[&str]) -> Vec<Piece> {
    blocks(lines.get(..lines.len().min(MAX_LINES)).unwrap_or_default(), 0)
}

/// A piece with others inside.
pub fn piece(kind: PieceKind, inside: Vec<Piece>) -> Piece {
    Piece { kind, inside, ..Piece::default() }
}

/// A piece of text.
pub fn text(kind: PieceKind, text: &str) -> Piece {
    Piece { kind, text: text.to_owned(), ..Piece::default() }
}

fn blocks(mut lines: &[&str], depth: u32) -> Vec<Piece> {
    let mut all = Vec::new();
    while let Some(first) = lines.first() {
        let (taken, made) = block(first.trim_end(), lines, depth);
        all.extend(made);
        lines = lines.get(taken.max(1)..).unwrap_or_default();
    }
    all
}

/// The block at the beginning of these lines, and how many it takes.
fn block(first: &str, lines: &[&str], depth: u32) -> (usize, Option<Piece>) {
    if first.trim().is_empty() {
        return (1, None);
    }
    if let Some(fence) = fence(first) {
        return code(fence, lines);
    }
    if let Some(heading) = heading(first) {
        return (1, Some(piece(PieceKind::Heading, inline::read(heading))));
    }
    if is_rule(first) {
        return (1, Some(piece(PieceKind::Rule, Vec::new())));
    }
    if depth < MAX_DEPTH {
        if first.starts_with('>') {
            return quote(lines, depth);
        }
        if let Some(kind) = marker(first).map(|(kind, _)| kind) {
            return list(kind, lines, depth);
        }
    }
    if is_table(lines) { table(lines) } else { paragraph(lines, depth) }
}

/// The fence that opens a block of code: its backquotes or tildes.
pub fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == mark).count();
    line.get(..length).filter(|fence| fence.len() >= 3)
}

/// Whether a line closes the block that a fence opened.
pub fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim();
    line.len() >= fence.len()
        && line.starts_with(fence)
        && line.trim_start_matches(fence.get(..1).unwrap_or_default()).is_empty()
}

fn code(fence: &str, lines: &[&str]) -> (usize, Option<Piece>) {
    let inside = lines.get(1..).unwrap_or_default();
    let length = inside.iter().position(|line| closes(line, fence)).unwrap_or(inside.len());
    let body = inside.get(..length).unwrap_or_default().join("\n");
    (length + 2, Some(text(PieceKind::Block, &body)))
}

/// `### Text`
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (1..=6).contains(&level).then(|| text.strip_prefix(' ')).flatten().map(str::trim)
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let only = |mark: char| line.chars().all(|c| c == mark || c == ' ');
    line.chars().filter(|c| *c != ' ').count() >= 3 && (only('-') || only('*') || only('_'))
}

fn quote(lines: &[&str], depth: u32) -> (usize, Option<Piece>) {
    let inner: Vec<&str> = lines.iter().map_while(|line| line.strip_prefix('>')).collect();
    let inner: Vec<&str> = inner.into_iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    (inner.len(), Some(piece(PieceKind::Quote, blocks(&inner, depth + 1))))
}

/// The marker of a list's item, and where its text begins.
fn marker(line: &str) -> Option<(PieceKind, usize)> {
    if let Some(rest) = ["- ", "* ", "+ "].iter().find_map(|m| line.strip_prefix(m)) {
        return Some((PieceKind::List, line.len() - rest.trim_start().len()));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).filter(|_| (1..=4).contains(&digits))?;
    let rest = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
    Some((PieceKind::Numbered, line.len() - rest.trim_start().len()))
}

fn list(kind: PieceKind, lines: &[&str], depth: u32) -> (usize, Option<Piece>) {
    let mut items = Vec::new();
    let mut at = 0;
    while let Some((own, width)) = lines.get(at).and_then(|line| marker(line))
        && own == kind
    {
        let rest = lines.get(at + 1..).unwrap_or_default();
        let length = item_length(rest);
        let first = lines.get(at).and_then(|line| line.get(width..)).unwrap_or_default();
        let more = rest.get(..length).unwrap_or_default().iter().map(|line| outdented(line, width));
        let inner: Vec<&str> = std::iter::once(first).chain(more).collect();
        items.push(piece(PieceKind::Item, tight(blocks(&inner, depth + 1))));
        at += 1 + length;
        // Blank lines between two items do not end the list.
        let blank = lines.get(at..).unwrap_or_default().iter().take_while(|l| l.trim().is_empty()).count();
        if lines.get(at + blank).and_then(|line| marker(line)).is_some_and(|(next, _)| next == kind) {
            at += blank;
        }
    }
    (at, Some(piece(kind, items)))
}

/// How many of the lines after an item's first one belong to it: those that are indented, and text that goes on.
fn item_length(lines: &[&str]) -> usize {
    let mut length = 0;
    for (at, line) in lines.iter().enumerate() {
        let blank = line.trim().is_empty();
        let after_blank = at > length;
        if !blank && !line.starts_with(' ') && (after_blank || begins_block(line)) {
            break;
        }
        if !blank {
            length = at + 1;
        }
    }
    length
}

/// A line without up to `width` blanks at its beginning.
fn outdented(line: &str, width: usize) -> &str {
    let blanks = line.bytes().take_while(|b| *b == b' ').count();
    line.get(blanks.min(width)..).unwrap_or_default()
}

/// An item that is one paragraph needs no room around it.
fn tight(mut blocks: Vec<Piece>) -> Vec<Piece> {
    if let Some(first) = blocks.first_mut().filter(|p| p.kind == PieceKind::Paragraph) {
        let inside = std::mem::take(&mut first.inside);
        blocks.splice(..1, inside);
    }
    blocks
}

/// Whether a line begins something else than a paragraph.
fn begins_block(line: &str) -> bool {
    fence(line).is_some()
        || heading(line).is_some()
        || line.starts_with('>')
        || marker(line).is_some()
        || is_rule(line)
}

fn paragraph(lines: &[&str], depth: u32) -> (usize, Option<Piece>) {
    let goes_on = |line: &&&str| !line.trim().is_empty() && (depth >= MAX_DEPTH || !begins_block(line));
    let more = lines.iter().skip(1).take_while(goes_on).count();
    let joined: Vec<&str> = lines.iter().take(1 + more).map(|line| line.trim()).collect();
    (1 + more, Some(piece(PieceKind::Paragraph, inline::read(&joined.join("\n")))))
}

/// A row of cells, then one of dashes.
fn is_table(lines: &[&str]) -> bool {
    let dashes = |line: &&str| line.contains('-') && line.chars().all(|c| "|-: ".contains(c));
    lines.first().is_some_and(|line| line.contains('|')) && lines.get(1).is_some_and(dashes)
}

fn table(lines: &[&str]) -> (usize, Option<Piece>) {
    let row = |line: &&str, kind: PieceKind| {
        let cell = |cell: &str| piece(kind, inline::read(cell.trim()));
        let line = line.trim();
        let line = line.strip_prefix('|').unwrap_or(line);
        let line = line.strip_suffix('|').unwrap_or(line);
        piece(PieceKind::Row, line.split('|').map(cell).collect())
    };
    let length = lines.iter().take_while(|line| line.contains('|')).count();
    let mut rows: Vec<Piece> = lines.iter().take(1).map(|line| row(line, PieceKind::Head)).collect();
    rows.extend(lines.iter().take(length).skip(2).map(|line| row(line, PieceKind::Cell)));
    (length, Some(piece(PieceKind::Table, rows)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As HTML would write it, but for the names of the pieces.
    fn shown(pieces: &[Piece]) -> String {
        let one = |p: &Piece| match p.kind {
            PieceKind::Text => p.text.clone(),
            PieceKind::Code => format!("`{}`", p.text),
            PieceKind::Block => format!("[{}]", p.text),
            PieceKind::Link => format!("Link({})({})", p.to, shown(&p.inside)),
            PieceKind::Image => format!("Image({})({})", p.to, p.text),
            kind => format!("{kind:?}({})", shown(&p.inside)),
        };
        pieces.iter().map(one).collect()
    }

    fn check(text: &str, expected: &str) {
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(shown(&read(&lines)), expected, "{text}");
    }

    #[test]
    fn blocks_of_each_kind() {
        check("one\ntwo\n\nthree", "Paragraph(one\ntwo)Paragraph(three)");
        check("### A *b*\ntext", "Heading(A Emphasis(b))Paragraph(text)");
        check("```sh\necho <b>\n```\nend", "[echo <b>]Paragraph(end)");
        check("```\nnever closed", "[never closed]");
        check("> a\n> b\n\nc", "Quote(Paragraph(a\nb))Paragraph(c)");
        check("a\n\n---\n\nb", "Paragraph(a)Rule()Paragraph(b)");
        check("- a\n- b\n  goes on\n- c", "List(Item(a)Item(b\ngoes on)Item(c))");
        check("1. a\n   - b\n2. c", "Numbered(Item(aList(Item(b)))Item(c))");
        check("- a\n\n  ```\n  x\n  ```\n- b", "List(Item(a[x])Item(b))");
        check("| a | b |\n|---|:-:|\n| 1 | `2` |", "Table(Row(Head(a)Head(b))Row(Cell(1)Cell(`2`)))");
    }

    #[test]
    fn html_is_text() {
        check("<script>alert(1)</script>", "Paragraph(<script>alert(1)</script>)");
        check("a <img src=x onerror=y> b", "Paragraph(a <img src=x onerror=y> b)");
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "> ".repeat(2_000) + "x";
        assert!(shown(&read(&[deep.as_str()])).starts_with("Quote(Quote(Quote(Quote(Paragraph("));
        let list: Vec<String> = (0..200).map(|i| format!("{}- x", "  ".repeat(i))).collect();
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        assert!(!read(&list).is_empty());
    }
}
