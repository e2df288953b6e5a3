//! The projector mode shows two zones. This is the list of pairs in the header, which a style sheet (`www/bring.css`) arranges.

use crate::follow::string;
use crate::i18n::LaterWords;
use crate::page::Page;
use crate::storage;
use leptos::prelude::*;

/// A pair of zones: its name in storage and in the style sheet, and its word.
type ZonePair = (&'static str, fn(&'static LaterWords) -> &'static str);

const PAIRS: [ZonePair; 4] = [
    ("terminal-cluster", |w| w.pair_terminal_cluster),
    ("terminal-panels", |w| w.pair_terminal_panels),
    ("editor-terminal", |w| w.pair_editor_terminal),
    ("cluster-panels", |w| w.pair_cluster_panels),
];

/// The name of a pair; the first one if it is unknown.
fn pair(name: &str) -> &'static str {
    PAIRS.iter().find(|(known, _)| *known == name).map_or(PAIRS[0].0, |(known, _)| known)
}

/// Draws the list, and lets the page follow it.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let shown = RwSignal::new(pair(&storage::get("projector-zones").unwrap_or_default()));
    let root = || document().document_element();
    Effect::new(move || {
        if let Some(root) = root() {
            // Setting an attribute of a fixed name cannot fail.
            let _ = root.set_attribute("data-zones", shown.get());
        }
    });
    on_cleanup(move || {
        if let Some(root) = root() {
            let _ = root.remove_attribute("data-zones");
        }
    });
    let choose = move |event| {
        let name = pair(&event_target_value(&event));
        shown.set(name);
        // If that cannot be stored, the next visit begins with the first pair.
        let _ = storage::set("projector-zones", name);
    };
    let option = |(name, word): ZonePair| view! { <option value=name>{page.say_later(word)}</option> };
    view! {
        <select data-testid="projector-zones" aria-label=page.say_later(|w| w.pair) title=page.say_later(|w| w.pair)
            prop:value=string(move || shown.get().to_owned()) on:change=choose>{PAIRS.map(option).into_iter().collect::<Vec<_>>()}</select>
    }
    .into_any()
}
