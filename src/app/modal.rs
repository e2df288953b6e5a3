//! Dialogs over the page, as the browser's modal `<dialog>`: only the top one can be reached, Escape closes it, and the focus
//! returns to where it was.

use crate::page::Page;
use crate::{notice_list, session};
use leptos::html::Dialog;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

/// Draws a dialog over the page. Escape and a click outside close it. It takes the focus, unless something in it has the
/// attribute `autofocus`.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn dialog(
    page: Page,
    name: &'static str,
    label: Signal<&'static str>,
    close: fn(Page),
    inside: AnyView,
) -> AnyView {
    let node = NodeRef::<Dialog>::new();
    // A click outside has the dialog as its target. What happens inside has others: a file input can be cancelled, too.
    let own = move |event: &web_sys::Event| {
        let target = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlDialogElement>().ok());
        target.is_some() && target == node.get_untracked()
    };
    Effect::new(move || {
        if let Some(dialog) = node.get() {
            // A dialog that cannot be shown leaves the page as it is.
            let _ = dialog.show_modal();
            if dialog.query_selector("[autofocus]").ok().flatten().is_none() {
                let _ = dialog.focus();
            }
        }
    });
    on_cleanup(move || {
        // This returns the focus. Removing the element alone would not.
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    });
    view! {
        <dialog class="sheet" aria-label=label data-testid=name tabindex="-1" node_ref=node
            on:click=move |e| if own(&e) { close(page) }
            on:cancel=move |e| if own(&e) { e.prevent_default(); close(page) }>
            {notice_list::lines(page, session::restart)}
            {notice_list::toasts(page)}
            {inside}
        </dialog>
    }
    .into_any()
}

/// Draws a dialog with a heading.
pub fn titled(
    page: Page,
    name: &'static str,
    label: Signal<&'static str>,
    close: fn(Page),
    inside: AnyView,
) -> AnyView {
    let inside = view! { <div class=format!("own {name}")><h2>{label}</h2>{inside}</div> };
    dialog(page, name, label, close, inside.into_any())
}
