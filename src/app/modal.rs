//! The stack of open dialogs. Only the top one can be reached, by Tab and by pointer. When it closes, the focus
//! returns to its previous element.

use crate::i18n::Words;
use crate::page::Page;
use leptos::html::Div;
use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsCast as _;
use web_sys::Element;

/// A dialog.
struct OpenDialog {
    number: u32,
    /// Its element, once it is drawn.
    sheet: Option<Element>,
    /// The element that had the focus before.
    before: Option<Element>,
}

thread_local! {
    /// The open dialogs; the last one is on top.
    static OPEN: RefCell<Vec<OpenDialog>> = const { RefCell::new(Vec::new()) };
}

/// The element of a dialog that is open until the reactive owner is cleaned up. It takes the focus unless something in it
/// does.
pub fn sheet() -> NodeRef<Div> {
    let place = NodeRef::<Div>::new();
    let number = enter();
    Effect::new(move || {
        if let Some(sheet) = place.get() {
            OPEN.with_borrow_mut(|open| {
                open.iter_mut()
                    .filter(|o| o.number == number)
                    .for_each(|o| o.sheet = Some((*sheet).clone().into()));
            });
            settle();
            request_animation_frame(move || {
                let inside = document().active_element();
                if !sheet.contains(inside.as_ref().map(AsRef::as_ref)) {
                    // Without the focus the dialog can still be clicked.
                    let _ = sheet.focus();
                }
            });
        }
    });
    on_cleanup(move || leave(number));
    place
}

fn enter() -> u32 {
    OPEN.with_borrow_mut(|open| {
        let number = open.last().map_or(0, |top| top.number + 1);
        open.push(OpenDialog { number, sheet: None, before: document().active_element() });
        number
    })
}

/// Closes a dialog and returns the focus. If another dialog is above it, that one returns the focus later.
fn leave(number: u32) {
    let before = OPEN.with_borrow_mut(|open| {
        let at = open.iter().position(|o| o.number == number)?;
        let gone = open.remove(at);
        match open.get_mut(at) {
            Some(above) => {
                above.before = gone.before;
                None
            }
            None => gone.before,
        }
    });
    settle();
    if let Some(element) = before.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        // An element that is gone takes no focus.
        let _ = element.focus();
    }
}

/// Makes everything but the top dialog and the notices inert.
fn settle() {
    let (any, top) =
        OPEN.with_borrow(|open| (!open.is_empty(), open.last().and_then(|top| top.sheet.clone())));
    let page = document().query_selector(".page").ok().flatten();
    let mut next = page.and_then(|page| page.first_element_child());
    while let Some(part) = next {
        let holds = top.as_ref().is_some_and(|top| part.contains(Some(top)));
        let told = part.class_list().contains("notices");
        // Setting an attribute of a fixed name cannot fail.
        let _ = part.toggle_attribute_with_force("inert", any && !holds && !told);
        next = part.next_element_sibling();
    }
}

/// Draws a dialog over the page. Escape and a click outside close it.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn dialog(
    page: Page,
    name: &'static str,
    label: fn(&'static Words) -> &'static str,
    close: fn(Page),
    inside: AnyView,
) -> AnyView {
    let sheet = sheet();
    view! {
        <div class="finder" on:click=move |_| close(page)>
            <div class="sheet" role="dialog" aria-modal="true" aria-label=page.say(label) data-testid=name tabindex="-1" node_ref=sheet
                on:click=move |e| e.stop_propagation()
                on:keydown=move |e| if e.key() == "Escape" { close(page) }>
                <div class=format!("own {name}")><h2>{page.say(label)}</h2>{inside}</div>
            </div>
        </div>
    }
    .into_any()
}
