//! What follows signals, as one type each. Leptos compiles its drawing code for every type of view and attribute, and
//! every closure is a type of its own: as signals of these few types they share it.

use leptos::children::{ChildrenFn, ViewFn};
use leptos::prelude::*;

/// A text that follows what it reads.
pub fn string(read: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(read)
}

/// A yes or no that follows what it reads.
pub fn flag(read: impl Fn() -> bool + Send + Sync + 'static) -> Signal<bool> {
    Signal::derive(read)
}

/// A list that does something when a row is chosen says again what it is for: the same row may be chosen next.
pub fn choose_none(event: &leptos::ev::Event) {
    use wasm_bindgen::JsCast as _;
    if let Some(list) = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlSelectElement>().ok()) {
        list.set_value("");
    }
}

/// Shows its children while something holds, else the fallback; both are made anew only when that changes.
#[component]
pub fn When(
    /// What is to hold.
    holds: Signal<bool>,
    children: ChildrenFn,
    #[prop(optional, into)] fallback: ViewFn,
) -> impl IntoView {
    let holds = Memo::new(move |_| holds.get());
    move || if holds.get() { children() } else { fallback.run() }
}
