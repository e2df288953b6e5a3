//! Downloads: files that the page makes.

use gloo_file::{Blob, ObjectUrl};
use gloo_timers::callback::Timeout;
use leptos::prelude::document;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlAnchorElement;

/// Milliseconds after which the browser has read the file.
const READ: u32 = 10_000;

/// Downloads bytes.
pub fn bytes(name: &str, bytes: &[u8]) {
    blob(name, Blob::new_with_options(bytes, Some("application/octet-stream")));
}

/// Downloads a blob.
pub fn blob(name: &str, blob: Blob) {
    let link = document().create_element("a").ok().and_then(|a| a.dyn_into::<HtmlAnchorElement>().ok());
    let Some(link) = link else { return };
    let url = ObjectUrl::from(blob);
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Timeout::new(READ, move || drop(url)).forget();
}
