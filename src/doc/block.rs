//! Pages, blocks and lines.

use super::MAX_LINE;
use std::sync::Arc;

/// A page: its code blocks in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocPage {
    /// The page's path.
    pub path: Arc<str>,
    /// Code blocks in order.
    pub blocks: Vec<DocBlock>,
    /// What could not be read, and where.
    pub notes: Vec<DocNote>,
    /// A comment excludes the page.
    pub ignored: bool,
}

/// A code block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocBlock {
    /// The content, without the fences.
    pub lines: Vec<DocLine>,
    /// The language after the fence, in lower case and without decoration: `bash`, `console`, `output`; may be empty.
    pub language: String,
    /// The caption or title, or the file that the block was included from.
    pub caption: Option<String>,
    /// The sentence before the block.
    pub before: String,
    /// The sentence after the block; empty if another block follows.
    pub after: String,
    /// A comment before the block excludes it.
    pub ignored: bool,
}

impl DocBlock {
    /// A block that is not read from a page's source: its language, its caption, the sentence before it, and its text.
    #[must_use]
    pub fn of_text(language: &str, caption: Option<&str>, before: &str, text: &str) -> Self {
        let lines = split("", text, &mut DocPage::default());
        Self {
            lines,
            language: language.to_lowercase(),
            caption: caption.map(str::to_owned),
            before: before.to_owned(),
            after: String::new(),
            ignored: false,
        }
    }
}

/// A line and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocLine {
    /// The file, which differs from the page's for included lines.
    pub file: Arc<str>,
    /// The line number, from 1.
    pub number: u32,
    /// The text, without the indentation of its block.
    pub text: String,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocNote {
    /// The file.
    pub file: Arc<str>,
    /// The line number from 1; 0 means the whole file.
    pub line: u32,
    /// A sentence without a full stop.
    pub message: String,
}

impl DocPage {
    /// Adds a note.
    pub fn note(&mut self, file: &str, line: u32, message: impl Into<String>) {
        self.notes.push(DocNote { file: file.into(), line, message: message.into() });
    }
}

/// The source of included files.
pub trait PageSource {
    /// The path and text of a file that a page includes.
    ///
    /// # Errors Why the file is not available, as a sentence without a full stop.
    fn include(&mut self, from: &str, path: &str) -> Result<(String, String), String>;
}

/// A source without files: every include becomes a note.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl PageSource for NoFiles {
    fn include(&mut self, _: &str, path: &str) -> Result<(String, String), String> {
        Err(format!("{path}: includes are not read here"))
    }
}

/// The lines of a text. Lines that are too long are cut.
pub fn split(path: &str, text: &str, page: &mut DocPage) -> Vec<DocLine> {
    let file: Arc<str> = path.into();
    let mut lines = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        let line = if line.len() > MAX_LINE {
            page.note(path, number, format!("a line of {} bytes: cut after {MAX_LINE}", line.len()));
            line.get(..line.floor_char_boundary(MAX_LINE)).unwrap_or_default()
        } else {
            line
        };
        // A tab at the start counts as four spaces, as in Markdown.
        let body = line.trim_start_matches([' ', '\t']);
        let start = line.get(..line.len() - body.len()).unwrap_or_default();
        let text = if start.contains('\t') {
            format!("{}{body}", start.replace('\t', "    "))
        } else {
            line.to_owned()
        };
        lines.push(DocLine { file: file.clone(), number, text });
    }
    lines
}

/// The number of spaces at the start of a line.
#[cfg(feature = "pages")]
pub fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The line without up to this many spaces at its start.
#[cfg(feature = "pages")]
pub fn dedent(line: &str, width: usize) -> &str {
    line.get(width.min(indentation(line))..).unwrap_or_default()
}
