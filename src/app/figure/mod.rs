//! A picture: SVG markup from `view`, as wide as its element, whose shapes can be clicked.

use crate::follow::string;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast as _;

/// Makes the markup for a width in pixels. Reads signals.
pub type Draw = Arc<dyn Fn(f64) -> String + Send + Sync>;
/// Takes the `data-key` of the clicked shape.
pub type Pick = Arc<dyn Fn(&str) + Send + Sync>;

/// Draws a picture. A list or table beside it offers the same to the keyboard.
pub fn figure(root: NodeRef<Div>, draw: Draw, pick: Pick) -> AnyView {
    let width = RwSignal::new(0.0_f64);
    crate::resize::on_resize(root, move || {
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

/// For pictures in which nothing can be clicked.
pub fn nothing() -> Pick {
    Arc::new(|_| {})
}

/// A picture for saved files only. The page shows the same as rows.
pub fn for_files(draw: impl Fn() -> String + Send + Sync + 'static) -> AnyView {
    view! { <div class="unseen" aria-hidden="true" inner_html=string(draw)></div> }.into_any()
}

/// The `data-key` of what was clicked.
pub fn key_of(event: &web_sys::MouseEvent) -> Option<String> {
    let target = event.target()?.dyn_into::<web_sys::Element>().ok()?;
    let key = target.closest("[data-key]").ok()??.get_attribute("data-key")?;
    (!key.is_empty()).then_some(key)
}
