//! Included files: MkDocs' snippets (`--8<-- "file"`, `{!file!}`), MyST's and AsciiDoc's `include`.
//!
//! Depth and total size are bounded. A cycle is reported at the line that closes it.

use super::block::{DocLine, DocPage, PageSource, dedent, indentation, split};

/// Maximum depth of includes.
pub const MAX_DEPTH: usize = 8;
/// Maximum number of lines of a page with its includes.
pub const MAX_LINES: usize = 400_000;

/// Replaces lines that name MkDocs snippets by the snippets.
pub fn markdown(lines: Vec<DocLine>, source: &mut dyn PageSource, page: &mut DocPage) -> Vec<DocLine> {
    expand(lines, source, page, &mut Vec::new(), &|line| {
        let bare = line.trim();
        let quoted = bare.strip_prefix("--8<--").map(str::trim).filter(|rest| rest.len() > 2);
        if let Some(rest) = quoted.filter(|rest| rest.starts_with(['"', '\''])) {
            return Some(rest.trim_matches(['"', '\'']).to_owned());
        }
        let inner = bare.strip_prefix("{!").and_then(|rest| rest.strip_suffix("!}"))?;
        Some(inner.split_whitespace().next()?.to_owned())
    })
}

/// Replaces AsciiDoc's include lines by the files.
pub fn asciidoc(lines: Vec<DocLine>, source: &mut dyn PageSource, page: &mut DocPage) -> Vec<DocLine> {
    expand(lines, source, page, &mut Vec::new(), &|line| {
        let (path, rest) = line.trim().strip_prefix("include::")?.split_once('[')?;
        rest.ends_with(']').then(|| path.to_owned())
    })
}

/// The lines of an included file. Adds a note if it is missing.
pub fn load(
    (line, path): (&DocLine, &str),
    source: &mut dyn PageSource,
    page: &mut DocPage,
) -> Option<(String, Vec<DocLine>)> {
    match source.include(&line.file, path) {
        Ok((found, text)) if text.contains('\0') => {
            page.note(&line.file, line.number, format!("includes {found}, a binary file"));
            None
        }
        Ok((found, text)) => {
            let lines = split(&found, &text, page);
            Some((found, lines))
        }
        Err(why) => {
            page.note(&line.file, line.number, format!("include: {why}"));
            None
        }
    }
}

/// Whether a file may be included here. If not, adds a note.
pub fn may_enter(open: &[String], found: &str, line: &DocLine, page: &mut DocPage) -> bool {
    if open.iter().any(|file| file == found) || *line.file == *found {
        page.note(&line.file, line.number, format!("includes {found}, which includes this file: a cycle"));
        return false;
    }
    if open.len() >= MAX_DEPTH {
        page.note(&line.file, line.number, format!("more than {MAX_DEPTH} files include each other"));
        return false;
    }
    true
}

fn expand(
    lines: Vec<DocLine>,
    source: &mut dyn PageSource,
    page: &mut DocPage,
    open: &mut Vec<String>,
    named: &dyn Fn(&str) -> Option<String>,
) -> Vec<DocLine> {
    let mut out: Vec<DocLine> = Vec::with_capacity(lines.len());
    for line in lines {
        let Some(path) = named(&line.text) else {
            out.push(line);
            continue;
        };
        // `file.md:section` and `file.md:3:9` name parts. The whole file is read.
        let path = match path.split_once(':') {
            Some((file, rest)) if !rest.starts_with("//") => file.to_owned(),
            _ => path,
        };
        let Some((found, inner)) = load((&line, &path), source, page) else { continue };
        if !may_enter(open, &found, &line, page) {
            continue;
        }
        open.push(line.file.to_string());
        let inner = expand(inner, source, page, open, named);
        open.pop();
        if out.len() + inner.len() > MAX_LINES {
            page.note(&line.file, line.number, format!("more than {MAX_LINES} lines with includes"));
            continue;
        }
        let indent = " ".repeat(indentation(&line.text));
        out.extend(
            inner.into_iter().map(|l| DocLine { text: format!("{indent}{}", dedent(&l.text, 0)), ..l }),
        );
    }
    out
}
