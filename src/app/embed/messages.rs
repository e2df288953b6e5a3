//! The messages between an embedded page and its host (`docs/embed.md`). `www/embed.js` is the other side.

use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::preserve;
use wasm_bindgen::JsValue;

/// The version of the messages; `www/embed.js` has the same number.
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
    /// A picture as SVG source.
    Picture(String),
    /// The state.
    State(HostState),
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
