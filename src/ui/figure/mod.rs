//! A picture that is drawn in one go: SVG text from `view`, as wide as its place, with keys to be clicked in it.

use crate::ui::follow::string;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast as _;

/// Draws the picture so many pixels wide. Reads signals.
pub type Draw = Arc<dyn Fn(f64) -> String + Send + Sync>;
/// Takes the `data-key` of what was clicked.
pub type Pick = Arc<dyn Fn(&str) + Send + Sync>;

/// The picture. What can be clicked in it stands in a list or table beside it, too: that is what the keyboard reaches.
pub fn figure(root: NodeRef<Div>, draw: Draw, pick: Pick) -> AnyView {
    let width = RwSignal::new(0.0_f64);
    super::on_resize(root, move || {
        let now = root.get_untracked().map_or(0.0, |e| f64::from(e.client_width()));
        if (width.get_untracked() - now).abs() > 0.5 {
            width.set(now);
        }
    });
    let markup = Memo::new(move |_| {
        let width = width.get();
        if width < 40.0 { String::new() } else { draw(width) }
    });
    view! {
        <div class="figure" node_ref=root inner_html=string(move || markup.get()) on:click=move |event| {
            if let Some(key) = key_of(&event) {
                pick(&key);
            }
        }></div>
    }
    .into_any()
}

/// Nothing can be clicked.
pub fn nothing() -> Pick {
    Arc::new(|_| {})
}

/// A picture that only files show: what stands on the page in rows of its own.
pub fn for_files(draw: impl Fn() -> String + Send + Sync + 'static) -> AnyView {
    view! { <div class="unseen" aria-hidden="true" inner_html=string(draw)></div> }.into_any()
}

/// The `data-key` of what was clicked.
pub fn key_of(event: &web_sys::MouseEvent) -> Option<String> {
    let target = event.target()?.dyn_into::<web_sys::Element>().ok()?;
    let key = target.closest("[data-key]").ok()??.get_attribute("data-key")?;
    (!key.is_empty()).then_some(key)
}
