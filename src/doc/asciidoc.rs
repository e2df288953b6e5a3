//! AsciiDoc: listing (`----`) and literal (`....`) blocks with their language and title, and Markdown's fences.

use super::admonition;
use super::block::{DocBlock, DocLine, DocPage};

/// Adds the code blocks of these lines.
pub fn read(lines: &[DocLine], page: &mut DocPage) {
    let mut block = DocBlock::default();
    let mut head = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let bare = line.text.trim();
        if let Some(inner) = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let mut parts = inner.split(',').map(str::trim);
            if parts.next().is_some_and(|first| first.is_empty() || first.starts_with("source")) {
                block.language = parts.next().unwrap_or_default().to_ascii_lowercase();
            }
            head.get_or_insert(at);
        } else if let Some(title) =
            bare.strip_prefix('.').filter(|t| t.starts_with(|c: char| c.is_alphanumeric()))
        {
            block.caption = Some(title.to_owned());
            head.get_or_insert(at);
        } else if is_delimiter(bare) || admonition::run(bare).is_some() {
            let delimiter = admonition::run(bare).map_or(bare, |(_, count, _)| &bare[..count]);
            let end = lines.iter().skip(at + 1).position(|l| l.text.trim() == delimiter).map(|n| at + 1 + n);
            if end.is_none() {
                page.note(&line.file, line.number, "a block that is not closed");
            }
            let end = end.unwrap_or(lines.len());
            let mut done = std::mem::take(&mut block);
            super::markdown::before(lines, head.take().unwrap_or(at), &mut done);
            super::markdown::after(lines, end + 1, &mut done);
            done.lines = lines.get(at + 1..end).unwrap_or_default().to_vec();
            if !done.lines.is_empty() {
                page.blocks.push(done);
            }
            at = end;
        } else if !bare.is_empty() {
            block = DocBlock::default();
            head = None;
        }
        at += 1;
    }
}

fn is_delimiter(text: &str) -> bool {
    text.len() >= 4 && (text.bytes().all(|b| b == b'-') || text.bytes().all(|b| b == b'.'))
}
