//! A lesson as the page shows it: its Markdown as pieces of a few kinds, so that nothing in a file can be anything else.

use super::Micros;
use serde::{Deserialize, Serialize};

/// A lesson as a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonFile {
    /// The name that messages about it have.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Steps that were done by the time of the saved session.
    pub passed: u32,
    /// A fresh session begins where so many steps are done: their solutions are played first.
    pub from: u32,
    /// The address says a seed, which counts more than the file's.
    pub seed: Option<u64>,
}

/// How far somebody is with a lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Steps that are done.
    pub passed: u32,
    /// Virtual time of this news.
    pub at: Micros,
    /// Points, where the lesson gives any.
    pub points: u32,
    /// The lesson's time is over: no step counts any more.
    pub over: bool,
}

/// A lesson as it was read, and how far the person is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct LessonInfo {
    /// The name it was opened by.
    pub name: String,
    pub title: String,
    /// `en`, `fr`.
    pub language: String,
    /// Whose terminal it is done at.
    pub user: String,
    /// What stands before the first step.
    pub intro: Vec<Piece>,
    pub steps: Vec<LessonStep>,
    /// How far it is done.
    pub standing: Standing,
    /// The moment when its time is over.
    pub until: Option<Micros>,
    /// Most points that can be had; 0: it gives none.
    pub most: u32,
    /// What is wrong with the file, one line each with file and line; with an error there are no steps.
    pub findings: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct LessonStep {
    pub title: String,
    pub text: Vec<Piece>,
    pub hints: Vec<Vec<Piece>>,
    /// Lines that solve it, typed one after another.
    pub solution: Vec<String>,
}

/// A piece of a formatted text, with what is inside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// The text of [`PieceKind::Text`], [`PieceKind::Code`], [`PieceKind::Block`]; what an image shows.
    pub text: String,
    /// Where a link leads, where an image is: with the scheme http, https or mailto, or relative.
    pub to: String,
    /// What is inside.
    pub inside: Vec<Piece>,
}

/// What a piece is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum PieceKind {
    #[default]
    Text,
    Paragraph,
    Heading,
    List,
    Numbered,
    Item,
    Quote,
    /// A block of code, as it is.
    Block,
    /// Code in a line.
    Code,
    Strong,
    Emphasis,
    Link,
    Image,
    Rule,
    Table,
    Row,
    /// A cell of a table's first row.
    Head,
    Cell,
}
