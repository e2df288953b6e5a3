//! The lines between the zones: dragged with a pointer, moved with arrow keys, kept for the next visit.

use super::state::{Page, Part};
use super::storage;
use crate::ui::follow::{flag, string};
use crate::view::layout::{Layout, Split, share_at};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

/// Thousandths that an arrow key moves a line by.
const STEP: i32 = 20;

/// The layout of an earlier visit.
pub fn kept() -> Layout {
    storage::get("layout").map(|text| Layout::from_text(&text)).unwrap_or_default()
}

fn change(page: Page, layout: Layout) {
    if page.layout.get_untracked() != layout {
        page.layout.set(layout);
        // A layout that cannot be kept lasts for this visit.
        let _ = storage::set("layout", &layout.text());
    }
}

/// A line between two parts of the element that it stands in.
#[component]
pub fn Splitter(page: Page, split: Split) -> impl IntoView {
    let line = NodeRef::<Div>::new();
    let dragged = RwSignal::new(false);
    let share = move || page.layout.get().share(split);
    let drag = move |event: web_sys::PointerEvent| {
        if !dragged.get_untracked() {
            return;
        }
        let Some(parent) = line.get_untracked().and_then(|line| line.parent_element()) else { return };
        let place = parent.get_bounding_client_rect();
        let to = if split.is_upright() {
            share_at(f64::from(event.client_x()), place.left(), place.width())
        } else {
            share_at(f64::from(event.client_y()), place.top(), place.height())
        };
        change(page, page.layout.get_untracked().with(split, to));
    };
    let grab = move |event: web_sys::PointerEvent| {
        event.prevent_default();
        dragged.set(true);
        if let Some(line) = line.get_untracked() {
            // Without capture the line follows only while the pointer is on it.
            let _ = line.set_pointer_capture(event.pointer_id());
        }
    };
    let key = move |event: web_sys::KeyboardEvent| {
        let now = page.layout.get_untracked();
        let at = i32::from(now.share(split));
        let (less, more) =
            if split.is_upright() { ("ArrowLeft", "ArrowRight") } else { ("ArrowUp", "ArrowDown") };
        let to = match event.key().as_str() {
            k if k == less => now.with(split, at - STEP),
            k if k == more => now.with(split, at + STEP),
            "Home" => now.with(split, 0),
            "End" => now.with(split, 1000),
            "Enter" => now.reset(split),
            _ => return,
        };
        event.prevent_default();
        change(page, to);
    };
    let (least, _, most) = split.bounds();
    view! {
        <div class=format!("splitter {}", split.name()) node_ref=line role="separator" tabindex="0"
            data-testid=format!("split-{}", split.name()) class:dragged=move || dragged.get()
            aria-label=page.say(|w| w.move_line) title=page.say(|w| w.move_line)
            aria-orientation=if split.is_upright() { "vertical" } else { "horizontal" }
            aria-valuemin=(least / 10).to_string() aria-valuemax=(most / 10).to_string()
            aria-valuenow=string(move || (share() / 10).to_string())
            on:pointerdown=grab on:pointermove=drag
            on:pointerup=move |_| dragged.set(false) on:pointercancel=move |_| dragged.set(false)
            on:dblclick=move |_| change(page, page.layout.get_untracked().reset(split))
            on:keydown=key></div>
    }
}

/// Parts, to look for the one that an element is in.
const PARTS: [Part; 4] = [Part::Editor, Part::Terminal, Part::Cluster, Part::Panels];

/// Notes which part of the page a person went to.
pub fn entered(page: Page, event: &web_sys::FocusEvent) {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else { return };
    let within = |part: &Part| element.closest(&format!(".zone.{}", part.name())).ok().flatten().is_some();
    if let Some(part) = PARTS.into_iter().find(within)
        && page.part.get_untracked() != part
    {
        page.part.set(part);
    }
}

/// A part has all of the page, or gives it back.
pub fn maximise(page: Page, part: Part) {
    page.maximised.update(|m| *m = if m.is_some() { None } else { Some(part) });
}

/// The button for that, at the end of a part's bar.
#[inline(never)] // Where the page is cut in two (xtask).
pub fn full(page: Page, part: Part) -> AnyView {
    let is = flag(move || page.maximised.get() == Some(part));
    let arrows = Signal::derive(move || match is.get() {
        true => "M9.5 2v4.5H14M6.5 14V9.5H2M9.5 6.5L14 2M6.5 9.5L2 14",
        false => "M9.5 2H14v4.5M6.5 14H2V9.5M14 2L9.5 6.5M2 14l4.5-4.5",
    });
    view! {
        <button class="quiet full" data-testid=format!("full-{}", part.name()) aria-pressed=string(move || is.get().to_string())
            aria-label=page.say(|w| w.maximise) title=page.say(|w| w.maximise) on:click=move |_| maximise(page, part)>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d=arrows /></svg>
        </button>
    }
    .into_any()
}

/// How the keyboard leaves a part that takes Tab for itself: seen while the focus is there, and said when it comes.
#[inline(never)] // Where the page is cut in two (xtask).
pub fn way_out(page: Page, part: Part) -> AnyView {
    let more = page.say(if part == Part::Editor { |w| w.way_out_editor } else { |w| w.way_out_terminal });
    view! {
        <p class="way-out" id=format!("way-out-{}", part.name())>
            {page.say(|w| w.way_out)}<span class="hidden">{more}</span>
        </p>
    }
    .into_any()
}

/// Puts the focus into a part: to what takes text there, else to its first control.
pub fn focus(part: Part) {
    let zone = format!(".zone.{}", part.name());
    let places = [
        format!("{zone} .cm-content"),
        format!("{zone} [role=tab][tabindex=\"0\"]"),
        format!("{zone} button, {zone} select"),
    ];
    let found = places.iter().find_map(|place| document().query_selector(place).ok().flatten());
    if let Some(element) = found.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Focus that cannot be moved stays where it is.
        let _ = element.focus();
    }
}
