//! reStructuredText: literal blocks after `::`, code directives, `literalinclude` and `include`.
//!
//! Blocks are found at any indentation, so lists, tabs and admonitions need no special handling.

use super::block::{DocBlock, DocLine, DocPage, PageSource, dedent, indentation};
use super::format::is_mark;
use super::include::{MAX_LINES, load, may_enter};

/// Directives whose content is code.
const CODE: &[&str] = &[
    "code-block",
    "code",
    "sourcecode",
    "prompt",
    "parsed-literal",
    "highlight-block",
    "code-include",
    "terminal",
];

/// Adds the code blocks of these lines.
pub fn read(lines: Vec<DocLine>, source: &mut dyn PageSource, page: &mut DocPage) {
    let lines = expand(lines, source, page, &mut Vec::new());
    let mut language = String::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let bare = line.text.trim();
        let width = indentation(&line.text);
        let directive = bare.strip_prefix(".. ").and_then(|rest| rest.trim_start().split_once("::"));
        at += 1;
        match directive {
            Some(("highlight", argument)) => language = argument.trim().to_ascii_lowercase(),
            Some(("literalinclude", path)) => literal_include(&lines, at - 1, path.trim(), source, page),
            Some((name, argument)) if CODE.contains(&name) => {
                let end = extent(&lines, at, width);
                let mut block =
                    DocBlock { language: argument.trim().to_ascii_lowercase(), ..DocBlock::default() };
                if name == "prompt" {
                    block.language = "console".to_owned();
                }
                let start = options(&lines, at, end, &mut block);
                finish(&lines, at - 1, (start, end), block, page);
                at = end;
            }
            Some(_) => {}
            // A comment with its content.
            None if bare.starts_with(".. ")
                && !bare.starts_with(".. _")
                && !bare.starts_with(".. [")
                && !bare.starts_with(".. |")
                && !is_mark(bare, "ignore") =>
            {
                at = extent(&lines, at, width);
            }
            None if bare.ends_with("::") && !bare.starts_with("..") => {
                let end = extent(&lines, at, width);
                let block = DocBlock { language: language.clone(), ..DocBlock::default() };
                finish(&lines, at, (at, end), block, page);
                at = end;
            }
            None => {}
        }
    }
}

/// The index after the lines that are indented more than `width`.
fn extent(lines: &[DocLine], from: usize, width: usize) -> usize {
    let mut end = from;
    for (i, line) in lines.iter().enumerate().skip(from) {
        if line.text.trim().is_empty() {
            continue;
        }
        if indentation(&line.text) <= width {
            break;
        }
        end = i + 1;
    }
    end
}

/// A directive's options; returns where its content begins.
fn options(lines: &[DocLine], from: usize, end: usize, block: &mut DocBlock) -> usize {
    let mut at = from;
    while let Some(line) = lines.get(at).filter(|_| at < end) {
        let bare = line.text.trim();
        let Some((name, value)) = bare.strip_prefix(':').and_then(|rest| rest.split_once(':')) else { break };
        match name {
            "caption" | "filename" => block.caption = Some(value.trim().to_owned()),
            "name" if block.caption.is_none() => block.caption = Some(value.trim().to_owned()),
            "language" => block.language = value.trim().to_ascii_lowercase(),
            _ => {}
        }
        at += 1;
    }
    at
}

fn finish(
    lines: &[DocLine],
    head: usize,
    (start, end): (usize, usize),
    mut block: DocBlock,
    page: &mut DocPage,
) {
    let mut content: Vec<DocLine> = lines.get(start..end).unwrap_or_default().to_vec();
    let blank = |l: &DocLine| l.text.trim().is_empty();
    while content.first().is_some_and(blank) {
        content.remove(0);
    }
    // A later line with less indentation does not indent a script's first lines.
    let script = content.first().filter(|l| l.text.trim_start().starts_with("#!"));
    let least = || content.iter().filter(|l| !blank(l)).map(|l| indentation(&l.text)).min();
    let width = script.map(|l| indentation(&l.text)).or_else(least).unwrap_or(0);
    if lines.get(head..start).unwrap_or_default().iter().any(|l| l.text.trim() == ":substitutions:") {
        substitute(lines, &mut content);
    }
    for line in &mut content {
        line.text = dedent(&line.text, width).to_owned();
    }
    super::markdown::before(lines, head, &mut block);
    super::markdown::after(lines, end, &mut block);
    block.lines = content;
    if !block.lines.is_empty() {
        page.blocks.push(block);
    }
}

/// Replaces `|name|` by its `.. |name| replace:: text`, and by `<name>` if the page has none.
fn substitute(lines: &[DocLine], content: &mut [DocLine]) {
    let value = |name: &str| {
        lines.iter().find_map(|line| {
            let rest = line.text.trim_start().strip_prefix(".. |")?.strip_prefix(name)?;
            Some(rest.strip_prefix("| replace::")?.trim().to_owned())
        })
    };
    for line in content {
        let parts: Vec<&str> = line.text.split('|').collect();
        let mut text = String::new();
        let mut at = 0;
        while let Some(part) = parts.get(at) {
            text.push_str(part);
            let is_name = |name: &&&str| {
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
            };
            match parts.get(at + 1).filter(is_name).filter(|_| at + 2 < parts.len()) {
                Some(name) => {
                    text.push_str(&value(name).unwrap_or_else(|| format!("<{name}>")));
                    at += 2;
                }
                None => {
                    if at + 1 < parts.len() {
                        text.push('|');
                    }
                    at += 1;
                }
            }
        }
        line.text = text;
    }
}

fn literal_include(
    lines: &[DocLine],
    head: usize,
    path: &str,
    source: &mut dyn PageSource,
    page: &mut DocPage,
) {
    let Some(line) = lines.get(head) else { return };
    let end = extent(lines, head + 1, indentation(&line.text));
    let mut block = DocBlock::default();
    options(lines, head + 1, end, &mut block);
    let Some((found, mut content)) = load((line, path), source, page) else { return };
    for option in lines.get(head + 1..end).unwrap_or_default() {
        if let Some(ranges) = option.text.trim().strip_prefix(":lines:") {
            content = selected(content, ranges.trim());
        }
    }
    block.caption.get_or_insert_with(|| found.rsplit('/').next().unwrap_or_default().to_owned());
    super::markdown::before(lines, head, &mut block);
    block.lines = content;
    if !block.lines.is_empty() {
        page.blocks.push(block);
    }
}

/// The lines of `1-3,7,9-`.
fn selected(content: Vec<DocLine>, ranges: &str) -> Vec<DocLine> {
    let inside = |number: u32| {
        ranges.split(',').any(|range| {
            let (from, to) = range.trim().split_once('-').unwrap_or((range.trim(), range.trim()));
            let from = from.parse().unwrap_or(1);
            let to = to.parse().unwrap_or(u32::MAX);
            (from..=to).contains(&number)
        })
    };
    content.into_iter().filter(|l| inside(l.number)).collect()
}

fn expand(
    lines: Vec<DocLine>,
    source: &mut dyn PageSource,
    page: &mut DocPage,
    open: &mut Vec<String>,
) -> Vec<DocLine> {
    let mut out: Vec<DocLine> = Vec::with_capacity(lines.len());
    for line in lines {
        let path = line.text.trim().strip_prefix(".. include::").map(|p| p.trim().to_owned());
        let Some(path) = path.filter(|p| !p.is_empty() && !p.starts_with('<')) else {
            out.push(line);
            continue;
        };
        let Some((found, inner)) = load((&line, &path), source, page) else { continue };
        if !may_enter(open, &found, &line, page) {
            continue;
        }
        open.push(line.file.to_string());
        let inner = expand(inner, source, page, open);
        open.pop();
        if out.len() + inner.len() > MAX_LINES {
            page.note(&line.file, line.number, format!("more than {MAX_LINES} lines with includes"));
            continue;
        }
        let indent = " ".repeat(indentation(&line.text));
        out.extend(inner.into_iter().map(|l| DocLine { text: format!("{indent}{}", l.text), ..l }));
    }
    out
}
