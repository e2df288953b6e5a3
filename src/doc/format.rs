//! The formats of pages, and reading a page.

use super::block::{DocLine, DocPage, PageSource};
use super::{asciidoc, block, include, liquid, markdown, notebook, rst};

/// Largest page, bytes.
pub const MAX_PAGE: usize = 8 << 20;

/// A page's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocFormat {
    /// CommonMark with the extensions of MkDocs, MyST, Docusaurus and Jekyll.
    Markdown,
    /// reStructuredText with Sphinx's directives.
    Rst,
    /// AsciiDoc.
    AsciiDoc,
    /// A Jupyter notebook: its Markdown cells, and code cells in bash.
    Notebook,
}

impl DocFormat {
    /// The format of a file by its name.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdx" | "qmd" | "rmd" | "myst" => Some(Self::Markdown),
            "rst" => Some(Self::Rst),
            "adoc" | "asciidoc" => Some(Self::AsciiDoc),
            "ipynb" => Some(Self::Notebook),
            _ => None,
        }
    }
}

/// Reads a page. A file of an unknown format is read as Markdown.
#[must_use]
pub fn read(path: &str, text: &str, source: &mut dyn PageSource) -> DocPage {
    let mut page = DocPage { path: path.into(), ..DocPage::default() };
    if text.contains('\0') {
        page.note(path, 0, "a binary file: it contains a NUL character");
        return page;
    }
    if text.len() > MAX_PAGE {
        page.note(path, 0, "larger than 8 MiB: not read");
        return page;
    }
    let format = DocFormat::of(path).unwrap_or(DocFormat::Markdown);
    if format == DocFormat::Notebook {
        notebook::read(text, source, &mut page);
    } else {
        let lines = block::split(path, text, &mut page);
        read_lines(format, lines, source, &mut page);
    }
    page
}

fn read_lines(format: DocFormat, lines: Vec<DocLine>, source: &mut dyn PageSource, page: &mut DocPage) {
    if lines.iter().any(|line| is_mark(&line.text, "ignore-file")) {
        page.ignored = true;
        return;
    }
    match format {
        DocFormat::Markdown | DocFormat::Notebook => {
            let lines = liquid::expanded(lines, source, page);
            let lines = include::markdown(lines, source, page);
            markdown::read(&lines, page, 0);
        }
        DocFormat::Rst => rst::read(lines, source, page),
        DocFormat::AsciiDoc => {
            let lines = include::asciidoc(lines, source, page);
            asciidoc::read(&lines, page);
        }
    }
}

/// Whether a line is a comment with a directive for this program: `<!-- sandbatch: ignore -->`, `.. sandbatch: ignore`,
/// `// sandbatch: ignore` or `[//]: # (sandbatch: ignore)`.
pub fn is_mark(line: &str, word: &str) -> bool {
    let Some((before, after)) = line.split_once("sandbatch: ") else { return false };
    let comment = ["<!--", "..", "//", "[//]: # (", "{/*", "%", "#"].contains(&before.trim());
    let end = after.find(|c: char| !(c.is_ascii_alphabetic() || c == '-')).unwrap_or(after.len());
    comment && after.get(..end).unwrap_or_default().trim_end_matches('-') == word
}
