//! What the page has to say: one line each, gone with a click.

use super::state::{Note, Offer, Page};
use super::{js, session};
use leptos::prelude::*;

/// The notices.
#[component]
pub fn Notices(page: Page) -> impl IntoView {
    Effect::new(move || {
        if !page.storage_works.get() {
            page.tell(|w| w.storage_off, String::new(), Offer::None);
        }
    });
    view! {
        <div class="notices" role="status" aria-label=page.say(|w| w.notices)>
            <For each=move || page.notes.get() key=|n| n.id children=move |note| view! { <Line page note /> } />
        </div>
    }
}

#[component]
fn Line(page: Page, note: Note) -> impl IntoView {
    let id = note.id;
    let words = note.text;
    let dismiss = move || page.notes.update(|all| all.retain(|n| n.id != id));
    let action = match note.offer {
        Offer::None => None,
        Offer::Download(bytes) => Some(
            view! {
                <button on:click=move |_| js::download("sandbatch-journal.bin", &bytes)>{page.say(|w| w.download)}</button>
            }
            .into_any(),
        ),
        Offer::Restart => Some(
            view! {
                <button on:click=move |_| {
                    dismiss();
                    session::restart(page);
                }>{page.say(|w| w.restart)}</button>
            }
            .into_any(),
        ),
    };
    view! {
        <div class="notice" data-testid="notice">
            <span>{Signal::derive(move || words(page.t()))}" "<code>{note.detail}</code></span>
            {action}
            <button class="quiet icon" aria-label=page.say(|w| w.close) on:click=move |_| dismiss()>"×"</button>
        </div>
    }
}
