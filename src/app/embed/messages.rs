//! The messages between an embedded page and its host (`docs/embed.md`). `www/embed/` is the other side.

use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::preserve;
use view::example::{Example, TextPart};
use wasm_bindgen::JsValue;

/// The version of the messages; `www/embed/` has the same number.
pub const PROTOCOL: f64 = 1.0;

/// A request of the host. Its number and value may be anything.
#[derive(Deserialize)]
pub struct HostRequest {
    pub sandbatch: f64,
    #[serde(with = "preserve", default)]
    pub id: JsValue,
    #[serde(rename = "do")]
    pub what: String,
    #[serde(with = "preserve", default)]
    pub value: JsValue,
}

/// The answer to a request.
#[derive(Serialize)]
pub struct HostAnswer {
    pub sandbatch: f64,
    #[serde(with = "preserve")]
    pub id: JsValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<AnswerValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The value in an answer to a request.
#[derive(Serialize)]
#[serde(untagged)]
pub enum AnswerValue {
    /// It was carried out.
    Done(Option<()>),
    /// A picture as SVG source, or the fragment of a moment's address.
    Text(String),
    /// The state.
    State(HostState),
    /// What the host's blocks are.
    Blocks(Vec<HostExample>),
}

/// A block of the host's text: what is written and typed, and what the reader fills in.
#[derive(Serialize)]
pub struct HostExample {
    /// A letter for each line: command, output, file, prose.
    pub lines: String,
    pub files: Vec<HostFile>,
    pub commands: Vec<Vec<HostPart>>,
    pub asks: Vec<HostAsk>,
}

/// A file that is written before the commands.
#[derive(Serialize)]
pub struct HostFile {
    pub name: String,
    pub text: Vec<HostPart>,
    /// Whether the block itself shows it.
    pub own: bool,
}

/// A text, or the index of what the reader fills in.
#[derive(Serialize)]
#[serde(untagged)]
pub enum HostPart {
    Text(String),
    Asked(u32),
}

/// What the reader fills in.
#[derive(Serialize)]
pub struct HostAsk {
    pub text: String,
    pub about: &'static str,
    /// A proposal; may be empty.
    pub value: String,
}

impl From<Example> for HostExample {
    fn from(example: Example) -> Self {
        let parts = |parts: Vec<TextPart>| -> Vec<HostPart> {
            let part = |part| match part {
                TextPart::Text(text) => HostPart::Text(text),
                TextPart::Asked(index) => HostPart::Asked(u32::try_from(index).unwrap_or(u32::MAX)),
            };
            parts.into_iter().map(part).collect()
        };
        let file = |(name, text, own)| HostFile { name, text: parts(text), own };
        Self {
            lines: example.lines,
            files: example.files.into_iter().map(file).collect(),
            commands: example.commands.into_iter().map(parts).collect(),
            asks: example
                .asks
                .into_iter()
                .map(|a| HostAsk { text: a.text, about: a.about, value: a.value })
                .collect(),
        }
    }
}

/// The state of an embedded page.
#[derive(Serialize)]
pub struct HostState {
    /// Milliseconds since 1970.
    pub now: f64,
    pub pending: u32,
    pub running: u32,
    /// Steps of the lesson that are done.
    pub passed: u32,
    pub steps: u32,
    /// Points of the lesson so far, and the most it gives; 0: it gives none.
    pub points: u32,
    pub most: u32,
    pub site: String,
    pub user: String,
}

/// An event for the host.
#[derive(Serialize)]
pub struct HostEvent<'a> {
    pub sandbatch: f64,
    pub event: &'a str,
    #[serde(with = "preserve")]
    pub value: JsValue,
}
