//! Dialogs that are open, one above the other: nothing but the one on top is reached, by Tab as little as by a pointer. Who
//! opened it has the focus again when it is gone.

use leptos::html::Div;
use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsCast as _;
use web_sys::Element;

/// A dialog.
struct Open {
    number: u32,
    /// Once it is drawn.
    sheet: Option<Element>,
    /// What had the focus before.
    before: Option<Element>,
}

thread_local! {
    /// The last one is on top.
    static OPEN: RefCell<Vec<Open>> = const { RefCell::new(Vec::new()) };
}

/// The place of a dialog, which is open as long as the owner of this lives. It takes the focus unless something in it does.
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
                    // Where focus cannot be taken the dialog can still be clicked.
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
        open.push(Open { number, sheet: None, before: document().active_element() });
        number
    })
}

/// A dialog is gone. If another one is above it, that one gives the focus back in its place.
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
        // What is gone by now takes no focus.
        let _ = element.focus();
    }
}

/// What lies under the dialog on top is out of reach, but for what is told to everybody.
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
