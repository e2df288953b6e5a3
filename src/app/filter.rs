//! Filters as chips in the toolbar of a panel: a list that shows what is chosen, and a button that removes the choice.

use crate::follow::{When, string};
use crate::i18n::Words;
use crate::page::Page;
use leptos::prelude::*;
use view::fill::fill;
use wasm_bindgen::JsCast as _;

/// A filter: the list of its choices, whether one is chosen, and what removes it. `word` names the filter.
pub fn chip(
    page: Page,
    word: fn(&'static Words) -> &'static str,
    list: AnyView,
    chosen: Signal<bool>,
    remove: impl Fn() + Send + Sync + 'static,
) -> AnyView {
    let remove = StoredValue::new(remove);
    let label = string(move || fill(page.later().filter_remove, &[word(page.t())]));
    let press = move |event: leptos::ev::MouseEvent| {
        // The button goes, so the focus moves to the list.
        let button = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let list = button.and_then(|b| b.parent_element()?.query_selector("select").ok().flatten());
        if let Some(list) = list.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
            // If that fails, the focus is lost as with any button that goes.
            let _ = list.focus();
        }
        remove.with_value(|remove| remove());
    };
    view! {
        <span class="filter" class:set=chosen>
            {list}
            <When holds=chosen>
                <button class="remove" data-testid="filter-remove" aria-label=label title=label on:click=press>"×"</button>
            </When>
        </span>
    }
    .into_any()
}
