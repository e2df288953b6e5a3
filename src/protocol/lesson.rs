//! A lesson as the page shows it. Markdown is parsed into a few kinds of pieces, so a file cannot inject anything else.

use super::Micros;
use serde::{Deserialize, Serialize};

/// A lesson file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonFile {
    /// Name used in messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Steps that were done when the session was saved.
    pub passed: u32,
    /// For a new session: start with this many steps done by playing their solutions.
    pub from: u32,
    /// Seed from the page's address; overrides the file's.
    pub seed: Option<u64>,
}

/// Progress in a lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonProgress {
    /// Number of steps done.
    pub passed: u32,
    /// Virtual time of this update.
    pub at: Micros,
    /// Points, if the lesson awards any.
    pub points: u32,
    /// The lesson's time is up: no further step counts.
    pub over: bool,
}

/// A parsed lesson and the participant's progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct LessonInfo {
    /// The name it was opened by.
    pub name: String,
    pub title: String,
    /// `en`, `fr`.
    pub language: String,
    /// The user whose terminal the lesson uses.
    pub user: String,
    /// The text before the first step.
    pub intro: Vec<MarkdownElement>,
    pub steps: Vec<LessonStep>,
    /// Current progress.
    pub progress: LessonProgress,
    /// Deadline of the lesson.
    pub until: Option<Micros>,
    /// Maximum points; 0: the lesson awards none.
    pub most: u32,
    /// Problems in the file, one per line with file and line number. With an error there are no steps.
    pub findings: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct LessonStep {
    pub title: String,
    pub text: Vec<MarkdownElement>,
    pub hints: Vec<Vec<MarkdownElement>>,
    /// Command lines that solve it, typed in order.
    pub solution: Vec<String>,
}

/// An element of formatted text, with its children.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkdownElement {
    /// Type of the element.
    pub kind: MarkdownKind,
    /// The text of [`MarkdownKind::Text`], [`MarkdownKind::Code`], [`MarkdownKind::Block`]; an image's alternative text.
    pub text: String,
    /// Target of a link or image: http, https, mailto, or relative.
    pub to: String,
    /// Children.
    pub inside: Vec<MarkdownElement>,
}

/// Type of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum MarkdownKind {
    #[default]
    Text,
    Paragraph,
    Heading,
    List,
    Numbered,
    Item,
    Quote,
    /// A code block, verbatim.
    Block,
    /// Inline code.
    Code,
    Strong,
    Emphasis,
    Link,
    Image,
    Rule,
    Table,
    Row,
    /// A header cell of a table.
    Head,
    Cell,
}
