//! Arrow keys move the focus within a list or table, which is a single stop for Tab.

use wasm_bindgen::JsCast as _;

/// Handles a key on a button in a list item, or on a row.
pub fn step(event: &leptos::ev::KeyboardEvent) {
    let Some(here) = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else { return };
    let in_list = here.parent_element().filter(|p| p.tag_name() == "LI");
    let item = in_list.as_ref().unwrap_or(&here);
    let next = match event.key().as_str() {
        "ArrowRight" | "ArrowDown" => item.next_element_sibling(),
        "ArrowLeft" | "ArrowUp" => item.previous_element_sibling(),
        _ => return,
    };
    event.prevent_default();
    let next = if in_list.is_some() { next.and_then(|li| li.first_element_child()) } else { next };
    if let Some(element) = next.and_then(|b| b.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Only a removed element refuses the focus.
        let _ = element.focus();
    }
}
