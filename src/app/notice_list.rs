//! The list of notices: one line each, gone with a click. Toasts lie over the page and go by themselves.

use crate::download;
use crate::location;
use crate::notices::{NoticeOffer, PageNotice};
use crate::page::Page;
use crate::storage;
use leptos::prelude::*;

/// The list of notices. `restart` starts a fresh engine.
#[component]
pub fn NoticeList(page: Page, restart: fn(Page)) -> impl IntoView {
    Effect::new(move || {
        if !page.notices.storage_works.get() {
            page.tell(|w| w.storage_off, String::new(), NoticeOffer::None);
        }
    });
    lines(page, restart)
}

/// The notices alone. A modal dialog draws them again, because nothing outside of it can be reached.
pub fn lines(page: Page, restart: fn(Page)) -> AnyView {
    view! {
        <div class="notices" role="status" aria-label=page.say(|w| w.notices)>
            <For each=move || page.notices.all.get() key=|n| n.id
                children=move |notice| view! { <NoticeLine page notice restart /> } />
        </div>
    }
    .into_any()
}

/// The toasts. A modal dialog draws them again.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn toasts(page: Page) -> AnyView {
    let all = page.notices.toasts;
    view! {
        <div class="toasts" role="status" aria-label=page.say(|w| w.notices)>
            <For each=move || all.get() key=|toast| toast.id children=move |toast| {
                let id = toast.id;
                view! {
                    <div class="toast" data-testid="toast">
                        <span>{toast.text}</span>
                        <button class="quiet icon" aria-label=page.say(|w| w.close) on:click=move |_| page.notices.drop_toast(id)>"×"</button>
                    </div>
                }
            } />
        </div>
    }
    .into_any()
}

#[component]
fn NoticeLine(page: Page, notice: PageNotice, restart: fn(Page)) -> impl IntoView {
    let id = notice.id;
    let words = notice.text;
    let old = match &notice.offer {
        NoticeOffer::OldSession(key, _) => Some(key.clone()),
        NoticeOffer::None | NoticeOffer::Download(_) | NoticeOffer::Restart | NoticeOffer::Reload => None,
    };
    let dismiss = move || {
        if let Some(key) = old.clone() {
            storage::forget_old(key);
        }
        page.notices.all.update(|all| all.retain(|n| n.id != id));
    };
    let dismissed = dismiss.clone();
    let action = match notice.offer {
        NoticeOffer::None => None,
        NoticeOffer::Download(bytes) | NoticeOffer::OldSession(_, bytes) => Some(
            view! {
                <button on:click=move |_| download::bytes("sandbatch-session.txt", &bytes)>{page.say(|w| w.download)}</button>
            }
            .into_any(),
        ),
        NoticeOffer::Reload => Some(
            view! { <button on:click=|_| location::reload()>{page.say(|w| w.crash_reload)}</button> }
                .into_any(),
        ),
        NoticeOffer::Restart => Some(
            view! {
                <button on:click=move |_| {
                    dismiss();
                    restart(page);
                }>{page.say(|w| w.restart)}</button>
            }
            .into_any(),
        ),
    };
    view! {
        <div class="notice" data-testid="notice">
            <span>{Signal::derive(move || words(page.t()))}" "<code>{notice.detail}</code></span>
            {action}
            <button class="quiet icon" aria-label=page.say(|w| w.close) on:click=move |_| dismissed()>"×"</button>
        </div>
    }
}
