//! What floats over the page: the finder, the composer and the tour; and the keys that mean commands.

use super::i18n::Words;
use super::state::{Page, Turn};
use super::{bring, composer, finder, modal, results, storage, tour};
use crate::ui::follow::{When, flag};
use leptos::prelude::*;
use wasm_bindgen::prelude::{Closure, JsCast as _};

/// Offers the tour to whoever is here for the first time, and listens to keys.
pub fn follow(page: Page) {
    let offered = StoredValue::new(false);
    Effect::new(move || {
        if page.prompted.get() && !offered.get_value() {
            offered.set_value(true);
            // Who came for a lesson is led by that.
            if tour::is_new() && page.lesson.with_untracked(Option::is_none) && !super::embed::is_embedded() {
                tour::begin(page);
            }
        }
    });
    let keys = window_event_listener(leptos::ev::keydown, move |event| {
        if pressed(page, &event) {
            event.prevent_default();
        }
    });
    let went = window_event_listener(leptos::ev::focusin, |event| fold_lists(event.target()));
    let pressed = window_event_listener(leptos::ev::pointerdown, |event| fold_lists(event.target()));
    // The page listens as long as it lives.
    std::mem::forget((keys, went, pressed));
    hold_keys(page);
}

/// What is typed for the finder before it can be drawn goes to nobody else.
fn hold_keys(page: Page) {
    let drawn = page.drawn(Turn::Dialogs);
    let hold = Closure::<dyn FnMut(web_sys::KeyboardEvent)>::new(move |event: web_sys::KeyboardEvent| {
        let written = !(event.ctrl_key() || event.alt_key() || event.meta_key());
        if written && page.finder.get_untracked() && !drawn.get_untracked() {
            event.prevent_default();
            event.stop_propagation();
            finder::hold(page, &event.key());
        }
    });
    let hold = hold.into_js_value();
    // Before whoever has the focus. Where it cannot listen, keys go where they always go.
    let _ = window().add_event_listener_with_callback_and_bool("keydown", hold.unchecked_ref(), true);
}

/// Lists that a bar has opened close when a person goes elsewhere, but not for a dialog that one of them has opened.
fn fold_lists(to: Option<web_sys::EventTarget>) {
    let to = to.and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    if to.as_ref().is_some_and(|to| to.closest("[role=dialog]").ok().flatten().is_some()) {
        return;
    }
    // There is at most one of each kind.
    let kinds = ["details.menu[open]", "details.key[open]", "details.columns[open]"];
    let lists = kinds.into_iter().filter_map(|kind| document().query_selector(kind).ok().flatten());
    for list in lists.filter(|list| !to.as_ref().is_some_and(|to| list.contains(Some(to)))) {
        // Removing an attribute of a fixed name cannot fail.
        let _ = list.remove_attribute("open");
        let had_focus = document().active_element().is_some_and(|e| list.contains(Some(&e)));
        let summary = list.first_element_child().and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(summary) = summary.filter(|_| had_focus) {
            // Where focus cannot be taken the list is closed all the same.
            let _ = summary.focus();
        }
    }
}

/// Big and clear for a whole room, or as it was.
pub fn project(page: Page) {
    page.projector.update(|on| *on = !*on);
    if page.projector.get_untracked() {
        let _ = storage::set("projector", "on");
    } else {
        storage::remove("projector");
    }
}

/// A key: `F1` and `F2` anywhere, commands where nobody types. Whether it meant something.
fn pressed(page: Page, event: &web_sys::KeyboardEvent) -> bool {
    if event.key() == "F1" {
        finder::open(page);
        return true;
    }
    if event.key() == "F2" {
        project(page);
        return true;
    }
    if event.key() == "Escape" {
        fold_lists(None);
    }
    if event.ctrl_key() || event.alt_key() || event.meta_key() || types(event) {
        return false;
    }
    let floating = page.finder.get_untracked() || page.composer.get_untracked();
    !floating && finder::press(page, &event.key())
}

/// Whether the key goes to something that takes text, or that keys do something to.
fn types(event: &web_sys::KeyboardEvent) -> bool {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else {
        return false;
    };
    let takes = "input, textarea, select, [contenteditable], .xterm, .cm-editor";
    let text = element.closest(takes).ok().flatten().is_some();
    let button = element.closest("button, a, summary, [role=tab], [role=option]").ok().flatten().is_some();
    text || (button && matches!(event.key().as_str(), " " | "Enter"))
}

/// A dialog over the page; Escape and a click beside it close it. Focus goes into it.
#[inline(never)] // Where the page is cut in two (xtask).
pub fn dialog(
    page: Page,
    name: &'static str,
    label: fn(&'static Words) -> &'static str,
    close: fn(Page),
    inside: AnyView,
) -> AnyView {
    let sheet = modal::sheet();
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

/// All of it.
#[component]
pub fn Floating(page: Page) -> impl IntoView {
    view! {
        <When holds=flag(move || page.finder.get())>{finder::draw(page)}</When>
        <When holds=flag(move || page.composer.get())>{composer::draw(page)}</When>
        <When holds=flag(move || page.own.with(Option::is_some))>{bring::draw(page)}</When>
        <When holds=flag(move || page.results.with(Option::is_some))>{results::draw(page)}</When>
        <When holds=flag(move || page.tour.get().is_some())>{tour::draw(page)}</When>
    }
}
