//! Says which line waits for a prompt, and lets it be dropped.

use crate::follow::{When, flag, string};
use crate::page::Page;
use leptos::prelude::*;
use std::time::Duration;
use view::fill::fill;

/// Lines that are typed one after the other wait for each command; longer than this is told.
const SOON: Duration = Duration::from_millis(700);

/// Draws the note.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let waiting = page.terminals.waiting;
    let first = Memo::new(move |_| waiting.with(|all| all.front().cloned()));
    let late = RwSignal::new(false);
    Effect::new(move || {
        let now = first.get();
        late.set(false);
        if now.is_some() {
            set_timeout(
                move || {
                    // The note may be gone by then.
                    late.try_set(first.try_get_untracked().flatten() == now);
                },
                SOON,
            );
        }
    });
    let said = move || {
        let owner = first.get().and_then(|line| line.user).filter(|owner| *owner != page.user.get());
        match owner {
            Some(owner) => fill(page.later().typing_waits_of, &[&owner]),
            None => page.later().typing_waits.to_owned(),
        }
    };
    let more = move || match waiting.with(std::collections::VecDeque::len) {
        0 | 1 => String::new(),
        all => fill(page.later().typing_more, &[&(all - 1).to_string()]),
    };
    view! {
        <When holds=flag(move || late.get() && first.get().is_some())>
            <div class="waiting-line" role="status" data-testid="waiting-line">
                <p>{string(said)}</p>
                <code>{string(move || first.get().map(|line| line.line).unwrap_or_default())}</code>
                <span class="faint">{string(more)}</span>
                <button data-testid="waiting-drop" on:click=move |_| waiting.update(std::collections::VecDeque::clear)>
                    {page.say_later(|w| w.typing_drop)}
                </button>
            </div>
        </When>
    }
    .into_any()
}
