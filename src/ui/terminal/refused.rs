//! Beside a refusal: what it means and what to change.

use crate::ui::follow::{When, flag};
use crate::ui::state::Page;
use crate::view::fate::refusal;
use leptos::prelude::*;

/// What submissions print is kept up to so many bytes: the first lines say why.
const MOST: usize = 4096;

/// Keeps what a submission printed, for [`draw`] to judge once it is there.
pub fn note(page: Page, output: &[u8]) {
    let speaks = ["sbatch: ", "srun: ", "salloc: "];
    let text = String::from_utf8_lossy(output);
    let room = page.refused.with_untracked(String::len) < MOST;
    if room && speaks.iter().any(|command| text.contains(command)) {
        page.refused.update(|all| all.push_str(&text));
    }
}

/// The word beside the terminal, when what was printed is a refusal.
#[inline(never)] // Where the page is cut in two (xtask).
pub fn draw(page: Page) -> AnyView {
    let why = Memo::new(move |_| page.refused.with(|text| refusal(text.as_bytes())));
    let part = move |which: fn((&'static str, &'static str)) -> &'static str| {
        Signal::derive(move || {
            let teller = page.lang.get().fate();
            why.get().map_or("", |why| which((teller.refused)(why)))
        })
    };
    view! {
        <When holds=flag(move || why.get().is_some())>
            <div class="refused" role="status" data-testid="refused" aria-label=page.say(|w| w.refused)>
                <p><b>{part(|w| w.0)}</b>" "{part(|w| w.1)}</p>
                <button class="quiet icon" aria-label=page.say(|w| w.close) on:click=move |_| page.refused.set(String::new())>"×"</button>
            </div>
        </When>
    }
    .into_any()
}
