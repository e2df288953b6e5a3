//! Signals of a few concrete types that derive from other signals. Leptos compiles its drawing code for every type of
//! view and attribute, and every closure is a type of its own. Converted to these signals, they share the code.

use leptos::children::{ChildrenFn, ViewFn};
use leptos::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A text derived from the signals it reads.
pub fn string(read: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(read)
}

/// A flag derived from the signals it reads.
pub fn flag(read: impl Fn() -> bool + Send + Sync + 'static) -> Signal<bool> {
    Signal::derive(read)
}

/// Runs something in the next animation frame, unless the component or the run of the effect that asks for it is gone by
/// then, and its signals with it.
pub fn in_next_frame(run: impl FnOnce() + 'static) {
    let gone = Arc::new(AtomicBool::new(false));
    on_cleanup({
        let gone = Arc::clone(&gone);
        move || gone.store(true, Relaxed)
    });
    request_animation_frame(move || {
        if !gone.load(Relaxed) {
            run();
        }
    });
}

/// Resets a list whose entries are commands, so that the same entry can be chosen again.
pub fn choose_none(event: &leptos::ev::Event) {
    use wasm_bindgen::JsCast as _;
    if let Some(list) = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlSelectElement>().ok()) {
        list.set_value("");
    }
}

/// Shows its children while a flag is set, otherwise the fallback. Both are redrawn only when the flag changes.
#[component]
pub fn When(
    /// The flag.
    holds: Signal<bool>,
    children: ChildrenFn,
    #[prop(optional, into)] fallback: ViewFn,
) -> impl IntoView {
    let holds = Memo::new(move |_| holds.get());
    move || if holds.get() { children() } else { fallback.run() }
}
