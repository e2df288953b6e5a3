//! The question before a lesson is loaded from another host.

use crate::follow::string;
use crate::modal::titled;
use crate::origin;
use crate::page::Page;
use leptos::prelude::*;
use view::fill::fill;

/// Draws the question. Its usual answer is no: that button has the focus, and Escape gives it, too.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let lesson = page.dialogs.elsewhere.get_untracked().unwrap_or_default();
    let host = lesson.host.clone();
    let inside = view! {
        <p>{string(move || fill(page.later().elsewhere_from, &[&host]))}</p>
        <p class="elsewhere"><b data-testid="elsewhere-host">{lesson.host}</b><code>{lesson.address}</code></p>
        <p>{page.say_later(|w| w.elsewhere_about)}</p>
        <div class="row-of-buttons">
            <span class="spring"></span>
            <button autofocus data-testid="elsewhere-no" on:click=move |_| origin::answer(page, false)>
                {page.say_later(|w| w.elsewhere_no)}
            </button>
            <button data-testid="elsewhere-yes" on:click=move |_| origin::answer(page, true)>
                {page.say_later(|w| w.elsewhere_yes)}
            </button>
        </div>
    };
    let label = page.say_later(|w| w.elsewhere_title);
    titled(page, "elsewhere", label, |page| origin::answer(page, false), inside.into_any())
}
