//! Explains a refused command: what the refusal means and what to change.

use crate::follow::{When, flag};
use crate::page::Page;
use leptos::prelude::*;
use protocol::Refusal;

/// Keeps the first refusal since a line was typed, for [`draw`] to explain.
pub fn note(page: Page, refusal: Refusal) {
    if page.terminals.refused.get_untracked().is_none() {
        page.terminals.refused.set(Some(refusal));
    }
}

/// Draws the explanation.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let part = move |which: fn((&'static str, &'static str)) -> &'static str| {
        Signal::derive(move || {
            let texts = page.prefs.lang.get().outcome();
            page.terminals.refused.get().map_or("", |refusal| which((texts.refused)(refusal)))
        })
    };
    view! {
        <When holds=flag(move || page.terminals.refused.get().is_some())>
            <div class="refused" role="status" data-testid="refused" aria-label=page.say(|w| w.refused)>
                <p><b>{part(|w| w.0)}</b>" "{part(|w| w.1)}</p>
                <button class="quiet icon" aria-label=page.say(|w| w.close) on:click=move |_| page.terminals.refused.set(None)>"×"</button>
            </div>
        </When>
    }
    .into_any()
}
