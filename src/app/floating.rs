//! The dialogs over the page, and the keyboard shortcuts.

use crate::follow::{When, flag};
use crate::page::Page;
use crate::state::AppState;
use crate::workspace::DrawStage;
use crate::{
    class, class_link, composer, finder, js, lesson, notice_list, open_files, origin, picker, results,
    start_screen, tour,
};
use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::KeyboardEvent;

/// The lists that open from the bars.
const LISTS: &str = "details:is(.menu, .key, .columns, .branches)[open]";

/// Offers the start screen or the tour at a first visit, and listens for keyboard shortcuts.
pub fn follow(app: AppState) {
    let page = app.page;
    let offered = StoredValue::new(false);
    Effect::new(move || {
        if page.terminals.prompted.get() && !offered.get_value() {
            offered.set_value(true);
            // A lesson or an embedding page is a guide of its own.
            if tour::is_new()
                && app.lesson().info.with_untracked(Option::is_none)
                && !origin::is_embedded()
                && origin::class().is_none()
            {
                if start_screen::is_offered(page) {
                    page.dialogs.start.set(true);
                } else {
                    tour::begin(page);
                }
            }
        }
    });
    let keys = window_event_listener(leptos::ev::keydown, move |event| {
        if pressed(app, &event) {
            event.prevent_default();
        }
    });
    let went = window_event_listener(leptos::ev::focusin, |event| fold_lists(event.target()));
    let pressed = window_event_listener(leptos::ev::pointerdown, |event| fold_lists(event.target()));
    let chose = window_event_listener(leptos::ev::click, |event| {
        let target = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let in_list = target.and_then(|t| t.closest(&format!("{LISTS} button")).ok().flatten());
        if in_list.is_some() {
            fold_lists(None);
        }
    });
    // These listeners are never removed.
    std::mem::forget((keys, went, pressed, chose));
    hold_keys(page);
}

/// Holds what is typed for the finder until it is drawn.
fn hold_keys(page: Page) {
    let drawn = page.drawn(DrawStage::Dialogs);
    // In the capture phase, before the focused element.
    let first = EventListenerOptions { phase: EventListenerPhase::Capture, passive: false };
    EventListener::new_with_options(&window(), "keydown", first, move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let written = !(event.ctrl_key() || event.alt_key() || event.meta_key());
        if written && page.dialogs.finder.get_untracked() && !drawn.get_untracked() {
            event.prevent_default();
            event.stop_propagation();
            finder::hold(page, &event.key());
        }
    })
    .forget();
}

/// Closes the menus of the bars when the focus or pointer goes elsewhere, except into a dialog that a menu has opened.
fn fold_lists(to: Option<web_sys::EventTarget>) {
    let to = to.and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    if to.as_ref().is_some_and(|to| to.closest("dialog, [role=dialog]").ok().flatten().is_some()) {
        return;
    }
    let lists = js::elements(document().query_selector_all(LISTS)).into_iter();
    for list in lists.filter(|list| !to.as_ref().is_some_and(|to| list.contains(Some(to)))) {
        // Removing an attribute of a fixed name cannot fail.
        let _ = list.remove_attribute("open");
        let had_focus = document().active_element().is_some_and(|e| list.contains(Some(&e)));
        let summary = list.first_element_child().and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(summary) = summary.filter(|_| had_focus) {
            // Without the focus the menu is closed all the same.
            let _ = summary.focus();
        }
    }
}

/// Handles a key: `F1` and `F2` anywhere, other shortcuts outside of text fields. Returns whether it was one.
fn pressed(app: AppState, event: &web_sys::KeyboardEvent) -> bool {
    let page = app.page;
    if event.key() == "F1" {
        finder::open(page);
        return true;
    }
    if event.key() == "F2" {
        page.prefs.toggle_projector();
        return true;
    }
    if event.key() == "Escape" {
        fold_lists(None);
    }
    if event.ctrl_key() || event.alt_key() || event.meta_key() || types(event) {
        return false;
    }
    let open = [page.dialogs.finder, page.dialogs.composer, page.dialogs.start];
    let floating = open.iter().any(|dialog| dialog.get_untracked());
    !floating && finder::press(app, &event.key())
}

/// Whether the focused element takes the key: a text field, or a button for Enter and Space.
fn types(event: &web_sys::KeyboardEvent) -> bool {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else {
        return false;
    };
    let takes = "input, textarea, select, [contenteditable], .xterm, .cm-editor";
    let text = element.closest(takes).ok().flatten().is_some();
    let button = element.closest("button, a, summary, [role=tab], [role=option]").ok().flatten().is_some();
    text || (button && matches!(event.key().as_str(), " " | "Enter"))
}

/// The dialogs that are open.
#[component]
pub fn Floating(app: AppState) -> impl IntoView {
    let page = app.page;
    view! {
        <When holds=flag(move || page.dialogs.finder.get())>{finder::draw(app)}</When>
        <When holds=flag(move || page.dialogs.picker.get().is_some())>{picker::draw(page, app.sites)}</When>
        <When holds=flag(move || page.dialogs.composer.get())>{composer::draw(page)}</When>
        <When holds=flag(move || page.dialogs.own_site.with(Option::is_some))>{open_files::draw(page, app.sites)}</When>
        <When holds=flag(move || page.dialogs.results.with(Option::is_some))>{results::draw(page)}</When>
        <When holds=flag(move || page.class.ask.with(Option::is_some))>{class::draw_join(page)}</When>
        <When holds=flag(move || page.class.joined.with(Option::is_some))>{class::draw(page, app.lesson())}</When>
        <When holds=flag(move || page.dialogs.elsewhere.with(Option::is_some))>{lesson::ask(page)}</When>
        <When holds=flag(move || page.dialogs.start.get())>{start_screen::draw(page)}</When>
        <When holds=flag(move || page.dialogs.class_link.get())>{class_link::draw(page, app.sites)}</When>
        {notice_list::toasts(page)}
        <When holds=flag(move || page.dialogs.tour.get().is_some())>{tour::draw(page)}</When>
    }
}
