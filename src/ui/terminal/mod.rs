//! The terminal: one xterm.js for each terminal of the engine, the current user's in front. Keys go through
//! [`LineEditor`]; nothing is asked of the engine until a line is finished.

mod panes;
mod tabs;

pub use panes::{
    closed, completions, focus, forget_all, other_moment, output, refresh, set_themes, set_typing,
    single_keys, tell_sizes, type_line, typing_stops,
};

use super::files;
use super::state::Page;
use crate::ui::follow::{When, flag, string};
use leptos::html::Div;
use leptos::prelude::*;
use tabs::Tabs;

/// A terminal comes to the front; who types is whose it is.
pub fn bring(page: Page, tty: u32) {
    let user = page.terminals.with_untracked(|all| all.iter().find(|t| t.tty == tty).map(|t| t.user.clone()));
    let Some(user) = user else { return };
    if untrack(|| page.tty()) == Some(tty) {
        return focus(tty);
    }
    page.front.set(Some(tty));
    if page.user.with_untracked(|u| *u != user) {
        page.user.set(user);
        files::refresh(page);
    }
}

/// The zone of the terminal.
#[component]
pub fn TerminalZone(page: Page) -> impl IntoView {
    let ttys = move || page.terminals.get();
    let past = Memo::new(move |_| page.clock.get().past);
    let empty = move || if past.get() { page.t().nobody_here } else { page.t().starting };
    view! {
        <section class="zone terminal" data-testid="terminal" aria-label=page.say(|w| w.terminal)
            data-user=string(move || page.user.get())>
            <When holds=flag(move || page.prompted.get())>
                <span class="hidden" data-testid="prompt-ready"></span>
            </When>
            <When holds=flag(move || page.tty().is_none())>
                <p class="empty">{Signal::derive(empty)}</p>
            </When>
            <Tabs page />
            <Refused page />
            <div class="panes" class:beside=flag(move || page.beside.get())>
            <For each=ttys key=|t| (t.tty, t.user.clone()) children=move |t| view! { <Pane page tty=t.tty /> } />
            </div>
        </section>
    }
}

/// Beside a refusal: what it means and what to change.
#[component]
fn Refused(page: Page) -> impl IntoView {
    let part = move |which: fn((&'static str, &'static str)) -> &'static str| {
        Signal::derive(move || {
            let teller = page.lang.get().fate();
            page.refused.get().map_or("", |why| which((teller.refused)(why)))
        })
    };
    view! {
        <When holds=flag(move || page.refused.with(Option::is_some))>
            <aside class="refused" role="status" data-testid="refused" aria-label=page.say(|w| w.refused)>
                <p><b>{part(|w| w.0)}</b>" "{part(|w| w.1)}</p>
                <button class="quiet icon" aria-label=page.say(|w| w.close) on:click=move |_| page.refused.set(None)>"×"</button>
            </aside>
        </When>
    }
}

#[component]
fn Pane(page: Page, tty: u32) -> impl IntoView {
    let host = NodeRef::<Div>::new();
    Effect::new(move || {
        if let Some(element) = host.get() {
            panes::open(page, tty, (*element).clone());
        }
    });
    let front = Memo::new(move |_| page.tty() == Some(tty));
    view! {
        <div class="pane" class:away=flag(move || !front.get() && !page.beside.get()) class:front=flag(move || front.get())
            node_ref=host on:focusin=move |_| bring(page, tty)></div>
    }
}
