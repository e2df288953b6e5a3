//! The tour: five cards beside the zones they explain, at a first visit and on request.

use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::Page;
use crate::storage;
use crate::workspace::Zone;
use leptos::prelude::*;

/// A card.
struct Card {
    /// The zone that it explains; none: the clock in the head.
    zone: Option<Zone>,
    title: fn(&'static Words) -> &'static str,
    text: fn(&'static Words) -> &'static str,
}

const CARDS: [Card; 5] = [
    Card { zone: Some(Zone::Cluster), title: |w| w.tour_cluster, text: |w| w.tour_cluster_text },
    Card { zone: Some(Zone::Editor), title: |w| w.tour_editor, text: |w| w.tour_editor_text },
    Card { zone: Some(Zone::Terminal), title: |w| w.tour_terminal, text: |w| w.tour_terminal_text },
    Card { zone: Some(Zone::Panels), title: |w| w.tour_queue, text: |w| w.tour_queue_text },
    Card { zone: None, title: |w| w.tour_time, text: |w| w.tour_time_text },
];

/// Whether it was never seen or skipped in this browser.
pub fn is_new() -> bool {
    storage::get("tour").is_none()
}

/// Starts the tour.
pub fn begin(page: Page) {
    page.workspace.maximised.set(None);
    page.dialogs.tour.set(Some(0));
}

fn end(page: Page) {
    page.dialogs.tour.set(None);
    // If that cannot be stored, the tour is offered again.
    let _ = storage::set("tour", "seen");
}

/// Draws the current card.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let step = move || page.dialogs.tour.get().unwrap_or(0).min(CARDS.len() - 1);
    Effect::new(move || {
        // A narrow screen shows the zone that the card explains.
        page.workspace.zone.set(CARDS[step()].zone.unwrap_or(Zone::Terminal));
    });
    let class = move || format!("tour at-{}", CARDS[step()].zone.map_or("head", Zone::name));
    let next = move |_| {
        if step() + 1 == CARDS.len() {
            end(page);
        } else {
            page.dialogs.tour.set(Some(step() + 1));
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
