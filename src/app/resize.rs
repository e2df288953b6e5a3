//! Calls back when an element's size changes.

use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use wasm_bindgen::prelude::*;

/// Calls back once the element is laid out and whenever its size changes, until its owner is cleaned up.
pub fn on_resize(element: NodeRef<Div>, changed: impl Fn() + Copy + 'static) {
    let gone = Arc::new(AtomicBool::new(false));
    on_cleanup({
        let gone = Arc::clone(&gone);
        move || gone.store(true, Relaxed)
    });
    Effect::new(move || {
        // The observer calls back once after the next layout.
        let Some(target) = element.get() else { return };
        let gone = Arc::clone(&gone);
        let callback = Closure::<dyn FnMut()>::new(move || {
            let gone = Arc::clone(&gone);
            request_animation_frame(move || {
                if !gone.load(Relaxed) {
                    changed();
                }
            });
        });
        if let Ok(observer) = web_sys::ResizeObserver::new(callback.into_js_value().unchecked_ref()) {
            observer.observe(&target);
        }
    });
}
