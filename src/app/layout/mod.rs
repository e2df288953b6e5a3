//! The splitters between the zones: dragged with a pointer, moved with arrow keys, stored for the next visit. And what a
//! zone's bar has: maximising, and the way out for the keyboard.

use crate::follow::{flag, string};
use crate::page::Page;
use crate::storage;
use crate::workspace::{ZONES, Zone};
use leptos::html::Div;
use leptos::prelude::*;
use view::layout::{PageLayout, Split, share_at};
use wasm_bindgen::JsCast as _;

/// Thousandths by which an arrow key moves a splitter.
const STEP: i32 = 20;

fn change(page: Page, layout: PageLayout) {
    if page.workspace.layout.get_untracked() != layout {
        page.workspace.layout.set(layout);
        // A layout that cannot be stored lasts for this visit.
        let _ = storage::set("layout", &layout.text());
    }
}

/// A splitter between two parts of its parent element.
#[component]
pub fn Splitter(page: Page, split: Split) -> impl IntoView {
    let line = NodeRef::<Div>::new();
    let dragged = RwSignal::new(false);
    let share = move || page.workspace.layout.get().share(split);
    let drag = move |event: web_sys::PointerEvent| {
        if !dragged.get_untracked() {
            return;
        }
        let Some(parent) = line.get_untracked().and_then(|line| line.parent_element()) else { return };
        let rect = parent.get_bounding_client_rect();
        let to = if split.is_upright() {
            share_at(f64::from(event.client_x()), rect.left(), rect.width())
        } else {
            share_at(f64::from(event.client_y()), rect.top(), rect.height())
        };
        change(page, page.workspace.layout.get_untracked().with(split, to));
    };
    let grab = move |event: web_sys::PointerEvent| {
        event.prevent_default();
        dragged.set(true);
        if let Some(line) = line.get_untracked() {
            // Without capture the splitter follows only while the pointer is on it.
            let _ = line.set_pointer_capture(event.pointer_id());
        }
    };
    let key = move |event: web_sys::KeyboardEvent| {
        let now = page.workspace.layout.get_untracked();
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
            on:dblclick=move |_| change(page, page.workspace.layout.get_untracked().reset(split))
            on:keydown=key></div>
    }
}

/// Notes the zone that gets the focus.
pub fn entered(page: Page, event: &web_sys::FocusEvent) {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else { return };
    let within = |zone: &Zone| element.closest(&format!(".zone.{}", zone.name())).ok().flatten().is_some();
    if let Some(zone) = ZONES.into_iter().find(within)
        && page.workspace.focused.get_untracked() != zone
    {
        page.workspace.focused.set(zone);
    }
}

/// Maximises a zone, or restores the page.
pub fn maximise(page: Page, zone: Zone) {
    page.workspace.maximised.update(|m| *m = if m.is_some() { None } else { Some(zone) });
}

/// The button that maximises a zone, at the end of its bar.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn full(page: Page, zone: Zone) -> AnyView {
    let is = flag(move || page.workspace.maximised.get() == Some(zone));
    let arrows = Signal::derive(move || match is.get() {
        true => "M9.5 2v4.5H14M6.5 14V9.5H2M9.5 6.5L14 2M6.5 9.5L2 14",
        false => "M9.5 2H14v4.5M6.5 14H2V9.5M14 2L9.5 6.5M2 14l4.5-4.5",
    });
    view! {
        <button class="quiet full" data-testid=format!("full-{}", zone.name()) aria-pressed=string(move || is.get().to_string())
            aria-label=page.say(|w| w.maximise) title=page.say(|w| w.maximise) on:click=move |_| maximise(page, zone)>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d=arrows /></svg>
        </button>
    }
    .into_any()
}

/// How the keyboard leaves a zone that takes Tab for itself: visible while the zone has the focus, and announced when it
/// gets it.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn way_out(page: Page, zone: Zone) -> AnyView {
    let more = page.say(if zone == Zone::Editor { |w| w.way_out_editor } else { |w| w.way_out_terminal });
    view! {
        <p class="way-out" id=format!("way-out-{}", zone.name())>
            {page.say(|w| w.way_out)}<span class="hidden">{more}</span>
        </p>
    }
    .into_any()
}

/// Focuses a zone: its text field, else its first control.
pub fn focus(zone: Zone) {
    let zone = format!(".zone.{}", zone.name());
    let selectors = [
        format!("{zone} .cm-content"),
        format!("{zone} [role=tab][tabindex=\"0\"]"),
        format!("{zone} button, {zone} select"),
    ];
    let found = selectors.iter().find_map(|selector| document().query_selector(selector).ok().flatten());
    if let Some(element) = found.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        // If that fails, the focus stays where it is.
        let _ = element.focus();
    }
}
