//! A field with a list below it that shrinks while one types: the combobox of the ARIA practices, with a list that is always
//! open. The finder and the pickers of the header are such lists in a dialog.

use crate::follow::{flag, string};
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast as _;

/// The entries that fit a text, best first.
type EntrySearch = dyn Fn(&str) -> Vec<usize> + Send + Sync;

/// A combobox. Its entries are numbers, which the caller gives a meaning.
pub struct Combobox {
    /// Names the field and the list.
    pub label: Signal<&'static str>,
    /// The text in the field.
    pub typed: RwSignal<String>,
    /// Whether entries are still being looked up. Enter waits for them.
    pub waits: Signal<bool>,
    /// The entry that is marked first.
    pub marked: usize,
    /// The entries that fit a text, best first. Reads signals.
    pub found: Arc<EntrySearch>,
    /// Draws an entry.
    pub entry: Arc<dyn Fn(usize) -> AnyView + Send + Sync>,
    /// Takes the chosen entry.
    pub choose: Arc<dyn Fn(usize) + Send + Sync>,
}

/// Draws it: the field and the list.
pub fn draw(combobox: Combobox) -> AnyView {
    let Combobox { label, typed, waits, marked, found, entry, choose } = combobox;
    let begun = typed.get_untracked();
    let entered = RwSignal::new(false);
    let found = Memo::new(move |_| typed.with(|typed| found(typed)));
    let at = RwSignal::new(found.with_untracked(|f| f.iter().position(|i| *i == marked)).unwrap_or(0));
    let here = Memo::new(move |_| found.with(|f| f.get(at.get()).copied()));
    let chosen = Arc::clone(&choose);
    let key = move |event: web_sys::KeyboardEvent| {
        let many = found.with_untracked(Vec::len).max(1);
        match event.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1) % many),
            "ArrowUp" => at.update(|at| *at = (*at + many - 1) % many),
            "Enter" => entered.set(true),
            _ => return,
        }
        event.prevent_default();
    };
    Effect::new(move || {
        if entered.get() && !waits.get() {
            entered.set(false);
            if let Some(i) = here.get_untracked() {
                chosen(i);
            }
        }
    });
    Effect::new(move || {
        if let Some(i) = here.get() {
            request_animation_frame(move || reveal(i));
        }
    });
    let row = move |i: usize| {
        let is_here = move || here.get() == Some(i);
        let choose = Arc::clone(&choose);
        view! {
            <li id=id(i) role="option" aria-selected=string(move || is_here().to_string()) class:here=flag(is_here)
                on:click=move |_| choose(i)>{entry(i)}</li>
        }
    };
    view! {
        <input type="text" autofocus role="combobox" aria-expanded="true" aria-controls="found" autocomplete="off"
            aria-autocomplete="list" aria-label=label placeholder=label
            prop:value=begun aria-activedescendant=string(move || here.get().map(id).unwrap_or_default())
            on:keydown=key
            on:input=move |e| { entered.set(false); typed.set(event_target_value(&e)); at.set(0); } />
        <ul id="found" role="listbox" aria-label=label>
            <For each=move || found.get() key=|i| *i children=row />
        </ul>
    }
    .into_any()
}

/// The id of an entry's element. One combobox is open at a time.
fn id(i: usize) -> String {
    format!("find-{i}")
}

/// Scrolls the list as far as the marked entry needs.
fn reveal(i: usize) {
    let Some(entry) = document().get_element_by_id(&id(i)) else { return };
    let (Some(entry), Some(list)) = (entry.dyn_ref::<web_sys::HtmlElement>(), entry.parent_element()) else {
        return;
    };
    let (inside, outside) = (entry.get_bounding_client_rect(), list.get_bounding_client_rect());
    let by = (inside.top() - outside.top()).min(0.0) + (inside.bottom() - outside.bottom()).max(0.0);
    list.set_scroll_top(list.scroll_top() + by as i32);
}
