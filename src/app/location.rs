//! The page's address in the browser, and copying links. [`view::address`] decides what an address means.

use leptos::prelude::{document, window};
use view::address::{PageAddress, needs_reload};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The page's address.
pub fn here() -> PageAddress {
    PageAddress::parse(&window().location().href().unwrap_or_default())
}

/// A parameter of the page's address (`site`, `lang`, `theme`, `background`, `embed`); empty if it is missing.
pub fn parameter(name: &str) -> String {
    here().parameter(name).to_owned()
}

/// The words of a panel in the page's address; empty if they are missing.
pub fn words(name: &str) -> String {
    here().words(name).to_owned()
}

/// Removes a parameter from the page's address, where it would override what is chosen on the page.
pub fn forget(name: &str) {
    if let Ok(history) = window().history() {
        let state = history.state().unwrap_or(JsValue::NULL);
        // The parameter then overrides the choice at the next load.
        let _ = history.replace_state_with_url(&state, "", Some(&here().without(name).href()));
    }
}

/// Keeps a parameter in the page's address, or removes it if it is empty.
pub fn keep(name: &str, value: &str) {
    let there = if value.is_empty() { here().without(name) } else { here().with(name, value) };
    if let Ok(history) = window().history() {
        let state = history.state().unwrap_or(JsValue::NULL);
        // Browsers refuse changes that come too fast; the next one is kept.
        let _ = history.replace_state_with_url(&state, "", Some(&there.href()));
    }
}

/// Loads the page at another address.
pub fn go(to: &PageAddress) {
    let location = window().location();
    let (now, href) = (location.href().unwrap_or_default(), to.href());
    // A browser that refuses this keeps the page.
    let _ = if now == href { Ok(()) } else { location.assign(&href) };
    if needs_reload(&now, &href) {
        let _ = location.reload();
    }
}

/// Loads the page again.
pub fn reload() {
    // A browser that refuses this keeps the page.
    let _ = window().location().reload();
}

/// The absolute address of one that may be relative to the page, and the page's origin.
pub fn absolute(address: &str) -> Option<(String, String)> {
    let base = document().base_uri().ok().flatten()?;
    let url = web_sys::Url::new_with_base(address, &base).ok()?;
    Some((url.href(), window().location().origin().unwrap_or_default()))
}

/// Copies a text; false if the browser does not allow it.
pub async fn copy(text: &str) -> bool {
    // Without HTTPS there is no clipboard.
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
    let Some(clipboard) = clipboard.ok().filter(JsValue::is_object) else { return false };
    JsFuture::from(clipboard.unchecked_into::<web_sys::Clipboard>().write_text(text)).await.is_ok()
}
