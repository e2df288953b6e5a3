//! The tour: five cards beside what they tell of, on a first visit and whenever somebody asks for it.

use super::i18n::Words;
use super::state::{Page, Part, Zone};
use super::storage;
use crate::ui::follow::{When, flag, string};
use leptos::prelude::*;

/// A card.
struct Card {
    /// The part of the page that it stands beside; none: the head.
    part: Option<Part>,
    title: fn(&'static Words) -> &'static str,
    text: fn(&'static Words) -> &'static str,
}

const CARDS: [Card; 5] = [
    Card { part: Some(Part::Cluster), title: |w| w.tour_cluster, text: |w| w.tour_cluster_text },
    Card { part: Some(Part::Editor), title: |w| w.tour_editor, text: |w| w.tour_editor_text },
    Card { part: Some(Part::Terminal), title: |w| w.tour_terminal, text: |w| w.tour_terminal_text },
    Card { part: Some(Part::Panels), title: |w| w.tour_queue, text: |w| w.tour_queue_text },
    Card { part: None, title: |w| w.tour_time, text: |w| w.tour_time_text },
];

/// Whether nobody has seen or skipped it in this browser.
pub fn is_new() -> bool {
    storage::get("tour").is_none()
}

/// Begins it.
pub fn begin(page: Page) {
    page.maximised.set(None);
    page.tour.set(Some(0));
}

fn end(page: Page) {
    page.tour.set(None);
    // If it cannot be kept the tour is offered again.
    let _ = storage::set("tour", "seen");
}

/// The card of this step.
#[inline(never)] // Where the page is cut in two (xtask).
pub fn draw(page: Page) -> AnyView {
    let step = move || page.tour.get().unwrap_or(0).min(CARDS.len() - 1);
    Effect::new(move || {
        // On a narrow screen the zone that is told of is the one that is seen.
        match CARDS[step()].part {
            Some(Part::Editor) => page.zone.set(Zone::Write),
            Some(Part::Terminal) | None => page.zone.set(Zone::Type),
            Some(Part::Cluster) => page.zone.set(Zone::See),
            Some(Part::Panels) => page.zone.set(Zone::Queue),
        }
    });
    let class = move || format!("tour at-{}", CARDS[step()].part.map_or("head", Part::name));
    let next = move |_| {
        if step() + 1 == CARDS.len() {
            end(page);
        } else {
            page.tour.set(Some(step() + 1));
        }
    };
    let last = flag(move || step() + 1 == CARDS.len());
    view! {
        <div class=string(class) role="dialog" aria-label=page.say(|w| w.tour) data-testid="tour"
            on:keydown=move |e| if e.key() == "Escape" { end(page) }>
            <p class="faint">{string(move || format!("{} / {}", step() + 1, CARDS.len()))}</p>
            <h2>{Signal::derive(move || (CARDS[step()].title)(page.t()))}</h2>
            <p aria-live="polite">{Signal::derive(move || (CARDS[step()].text)(page.t()))}</p>
            <div class="row-of-buttons">
                <button class="quiet" data-testid="tour-skip" on:click=move |_| end(page)>{page.say(|w| w.tour_skip)}</button>
                <span class="spring"></span>
                <button class="primary" data-testid="tour-next" on:click=next>
                    <When holds=last fallback=move || page.say(|w| w.tour_next).into_any()>{page.say(|w| w.tour_done)}</When>
                </button>
            </div>
        </div>
    }
    .into_any()
}
