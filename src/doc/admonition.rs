//! MkDocs' admonitions (`!!! note`), foldable ones (`??? note`) and tabs (`=== "Title"`), and Docusaurus' and MyST's colon
//! fences (`:::note`): their contents are indented or enclosed Markdown.
//!
//! Line numbers are preserved: the header becomes an empty line, and the content loses its indentation.

use super::block::{DocLine, dedent, indentation};

/// The lines as plain Markdown.
pub fn plain(lines: &[DocLine]) -> Vec<DocLine> {
    let mut open: Vec<usize> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut out = Vec::with_capacity(lines.len());
    for line in lines {
        let text = line.text.as_str();
        if text.trim().is_empty() {
            out.push(DocLine { text: String::new(), ..line.clone() });
            continue;
        }
        let width = indentation(text);
        if fence.is_none() {
            while open.last().is_some_and(|top| width < *top) {
                open.pop();
            }
        }
        let top = open.last().copied().unwrap_or(0);
        let body = dedent(text, top);
        let bare = body.trim_start();
        match (fence, run(bare)) {
            (None, Some((mark, count, rest))) if !(mark == '`' && rest.contains('`')) => {
                fence = Some((mark, count));
            }
            (Some((mark, count)), Some((same, most, rest)))
                if same == mark && most >= count && rest.trim().is_empty() =>
            {
                fence = None;
            }
            (None, None) if opens(bare) => {
                open.push(width + 4);
                out.push(DocLine { text: String::new(), ..line.clone() });
                continue;
            }
            (None, None) if bare.starts_with(":::") && !bare.contains("code") => {
                out.push(DocLine { text: String::new(), ..line.clone() });
                continue;
            }
            _ => {}
        }
        out.push(DocLine { text: body.to_owned(), ..line.clone() });
    }
    out
}

/// A fence: its character, its length and the text after it.
pub fn run(text: &str) -> Option<(char, usize, &str)> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let count = text.chars().take_while(|c| *c == mark).count();
    (count >= 3).then(|| (mark, count, text.get(count..).unwrap_or_default()))
}

fn opens(text: &str) -> bool {
    let after = ["!!!", "???+", "???", "===!", "===+", "==="].iter().find_map(|mark| text.strip_prefix(mark));
    match after {
        Some(rest) if text.starts_with('=') => rest.trim_start().starts_with(['"', '\'']),
        // `???- question` is a class name with a hyphen to MkDocs.
        Some(rest) => {
            let rest = rest.trim_start().trim_start_matches('-').trim_start();
            rest.starts_with(|c: char| c.is_alphabetic() || c == '"')
        }
        None => false,
    }
}
