//! Markdown: CommonMark code blocks, found with `pulldown-cmark` after the extensions of site generators were converted
//! to plain Markdown.
//!
//! MkDocs' admonitions and tabs, MyST's directives (`{code-block}`, `{note}`, `{tab-set}`), Docusaurus' titles, Jekyll's
//! `highlight` tags and the classes that kramdown writes below a block.

use super::admonition;
use super::block::{DocBlock, DocLine, DocPage};
use super::format::is_mark;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Maximum depth of directives in directives.
const MAX_DEPTH: usize = 8;

/// MyST's directives whose content is code.
const CODE: &[&str] =
    &["code-block", "code", "code-cell", "sourcecode", "literalinclude", "parsed-literal", "prompt"];

/// Adds the code blocks of these lines.
pub fn read(lines: &[DocLine], page: &mut DocPage, depth: usize) {
    let lines = jekyll(&admonition::plain(lines));
    let mut text = String::new();
    let mut starts = Vec::with_capacity(lines.len());
    for line in &lines {
        starts.push(text.len());
        text.push_str(&line.text);
        text.push('\n');
    }
    // The index of the line that contains a byte.
    let row = |at: usize| starts.partition_point(|start| *start <= at).saturating_sub(1);
    // The first line, what follows the fence (none for an indented block), and the content.
    let mut open: Option<(usize, Option<String>, Vec<DocLine>)> = None;
    for (event, range) in Parser::new_ext(&text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => Some(info.to_string()),
                    CodeBlockKind::Indented => None,
                };
                open = Some((row(range.start), info, Vec::new()));
            }
            Event::Text(piece) => {
                if let Some((_, _, content)) = &mut open {
                    let first = row(range.start);
                    for (i, part) in piece.lines().enumerate() {
                        if let Some(line) = lines.get(first + i) {
                            add(content, line, part);
                        }
                    }
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((first, info, content)) = open.take() {
                    let last = row(range.end.saturating_sub(1));
                    finish((&lines, first, last), info.as_deref(), content, page, depth);
                }
            }
            _ => {}
        }
    }
}

/// Adds a part of a line. The parser may deliver a line in several parts.
fn add(content: &mut Vec<DocLine>, line: &DocLine, part: &str) {
    match content.last_mut() {
        Some(last) if last.number == line.number && last.file == line.file => last.text.push_str(part),
        _ => content.push(DocLine { text: part.to_owned(), ..line.clone() }),
    }
}

fn finish(
    (lines, first, last): (&[DocLine], usize, usize),
    info: Option<&str>,
    content: Vec<DocLine>,
    page: &mut DocPage,
    depth: usize,
) {
    let bare = info.unwrap_or_default().trim();
    if info.is_none() {
        // An indented block that contains fences: a list whose items are indented more than CommonMark allows.
        let inner = content.iter().find(|l| !l.text.trim().is_empty());
        if depth < MAX_DEPTH && inner.is_some_and(|l| admonition::run(l.text.trim_start()).is_some()) {
            read(&unindented(content), page, depth + 1);
            return;
        }
    } else {
        let closed = lines.get(last).is_some_and(|l| {
            admonition::run(l.text.trim_start_matches(['>', ' ']))
                .is_some_and(|(_, _, rest)| rest.trim().is_empty())
        });
        if !(closed && last > first)
            && let Some(line) = lines.get(first)
        {
            page.note(&line.file, line.number, "a fence that is not closed");
        }
    }
    let mut content = content;
    let mut block = DocBlock::default();
    let directive = bare.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    let directive =
        directive.filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || "-_:".contains(c)));
    match directive {
        Some((name, argument)) if CODE.contains(&name) => {
            block.language = argument.trim().to_ascii_lowercase();
            options(&mut content, &mut block);
        }
        Some((name, _)) if name.starts_with(|c: char| c.is_lowercase()) && !is_language(name) => {
            if depth < MAX_DEPTH {
                read(&content, page, depth + 1);
            } else if let Some(line) = lines.get(first) {
                page.note(&line.file, line.number, format!("more than {MAX_DEPTH} directives in each other"));
            }
            return;
        }
        _ => attributes(bare, &mut block),
    }
    if let Some(class) =
        lines.get(last + 1).and_then(|l| l.text.trim_start_matches(['>', ' ']).strip_prefix("{:"))
    {
        let classes =
            class.trim_end_matches(['}', ' ']).split_whitespace().filter_map(|w| w.strip_prefix('.'));
        for class in classes {
            block.language = class.trim_start_matches("language-").to_ascii_lowercase();
        }
    }
    before(lines, first, &mut block);
    after(lines, last + 1, &mut block);
    block.lines = content;
    if !block.lines.is_empty() {
        page.blocks.push(block);
    }
}

/// Whether a name in braces is a language (`{bash}` in R Markdown, Quarto and knitr) rather than a directive.
fn is_language(name: &str) -> bool {
    ["bash", "sh", "shell", "console", "slurm"].contains(&name)
}

fn unindented(content: Vec<DocLine>) -> Vec<DocLine> {
    let width = content
        .iter()
        .filter(|l| !l.text.trim().is_empty())
        .map(|l| super::block::indentation(&l.text))
        .min()
        .unwrap_or(0);
    content
        .into_iter()
        .map(|l| DocLine { text: super::block::dedent(&l.text, width).to_owned(), ..l })
        .collect()
}

/// MyST's options at the start of a directive: `:caption: job.sh`.
fn options(content: &mut Vec<DocLine>, block: &mut DocBlock) {
    let is_option =
        |l: &DocLine| l.text.starts_with(':') && l.text.get(1..).is_some_and(|rest| rest.contains(':'));
    let count = content.iter().take_while(|l| is_option(l)).count();
    for line in content.drain(..count) {
        let mut parts = line.text.trim_start_matches(':').splitn(2, ':');
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default().trim());
        if matches!(name, "caption" | "name" | "filename") && block.caption.is_none() {
            block.caption = Some(value.to_owned());
        }
    }
}

/// The language and title after a fence: `bash title="job.sh"`, `{.bash filename=job.sh}`, `bash hl_lines="2"`.
fn attributes(info: &str, block: &mut DocBlock) {
    let inner = info.trim_start_matches('{').trim_end_matches('}').trim();
    let first = inner.split([' ', ',', '\t', '{']).next().unwrap_or_default();
    if !first.contains('=') {
        block.language = first.trim_start_matches('.').to_ascii_lowercase();
        if let Some((language, file)) = first.split_once(':') {
            block.language = language.trim_start_matches('.').to_ascii_lowercase();
            block.caption = Some(file.to_owned());
        }
    }
    for key in ["title=", "filename=", "file=", "caption="] {
        if let Some((_, rest)) = inner.split_once(key) {
            let value = match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => rest.get(1..).and_then(|r| r.split(quote).next()),
                _ => rest.split_whitespace().next(),
            };
            block.caption = value.map(str::to_owned);
        }
    }
}

/// The sentence before a block, and a comment that excludes it.
pub fn before(lines: &[DocLine], first: usize, block: &mut DocBlock) {
    let above = lines.get(..first).unwrap_or_default().iter().rev();
    let mut text: Vec<&str> = Vec::new();
    for line in above.skip_while(|l| l.text.trim().is_empty()).take(4) {
        if line.text.trim().is_empty() || admonition::run(line.text.trim()).is_some() {
            break;
        }
        if is_mark(&line.text, "ignore") {
            block.ignored = true;
            break;
        }
        // Classes of the block above, as kramdown writes them.
        if line.text.trim_start_matches(['>', ' ']).starts_with("{:") {
            break;
        }
        text.push(line.text.trim());
    }
    text.reverse();
    block.before = text.join(" ");
}

/// The sentence after a block that ends before a line.
pub fn after(lines: &[DocLine], next: usize, block: &mut DocBlock) {
    let bare = |line: &'_ DocLine| line.text.trim_start_matches(['>', ' ']).trim_end().to_owned();
    let below = lines.get(next..).unwrap_or_default().iter().map(bare);
    let text = below.skip_while(|line| line.is_empty() || line.starts_with("{:")).take(4);
    let text = text
        .take_while(|line| !line.is_empty() && admonition::run(line).is_none() && !line.starts_with(".. "));
    block.after = text.collect::<Vec<_>>().join(" ");
}

/// Converts Jekyll's `{% highlight bash %}` to fences, line by line so that line numbers are preserved.
fn jekyll(lines: &[DocLine]) -> Vec<DocLine> {
    let tag = |line: &DocLine| {
        let bare = line.text.trim();
        let inner = bare.strip_prefix("{%")?.strip_suffix("%}")?.trim().to_owned();
        let (word, rest) = inner.split_once(' ').unwrap_or((&inner, ""));
        match word {
            "highlight" => Some(format!("~~~~~ {}", rest.split_whitespace().next().unwrap_or_default())),
            "endhighlight" => Some("~~~~~".to_owned()),
            _ => None,
        }
    };
    lines
        .iter()
        .map(|line| DocLine { text: tag(line).unwrap_or_else(|| line.text.clone()), ..line.clone() })
        .collect()
}
