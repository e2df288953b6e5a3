//! The terminal: one xterm.js for each terminal of the engine, the current user's in front. Keys go through
//! [`LineEditor`]; nothing is asked of the engine until a line is finished.

mod panes;
mod refused;
mod tabs;

pub use panes::{
    closed, completions, focus, forget_all, other_moment, output, refresh, set_themes, set_typing,
    single_keys, tell_sizes, type_line, typing_stops,
};

use super::state::{Page, Part, Turn};
use super::worker_link::send;
use super::{files, layout, storage};
use crate::protocol::ToEngine;
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

/// This person types from now on, in a terminal that is opened if there is none; whether there is one.
pub fn of(page: Page, user: &str) -> bool {
    let known = page.terminals.with_untracked(|all| all.iter().any(|t| t.user == user));
    page.user.set(user.to_owned());
    page.awaited.set((!known).then(|| user.to_owned()));
    if !known {
        send(&ToEngine::Login(user.to_owned()));
    }
    known
}

/// Whether what is printed is said to screen readers; kept for the next visit.
pub fn speak(page: Page, on: bool) {
    page.screen_reader.set(on);
    if on {
        // A choice that cannot be kept holds until the page is left.
        let _ = storage::set("screen-reader", "on");
    } else {
        storage::remove("screen-reader");
    }
}

/// The zone of the terminal.
#[component]
pub fn TerminalZone(page: Page) -> impl IntoView {
    let ttys = move || page.terminals.get();
    let past = Memo::new(move |_| page.clock.get().past);
    let empty = move || if past.get() { page.t().nobody_here } else { page.t().starting };
    let there = page.drawn(Turn::Panels);
    view! {
        <section class="zone terminal" data-testid="terminal" aria-label=page.say(|w| w.terminal)
            data-user=string(move || page.user.get())>
            <When holds=flag(move || page.prompted.get())>
                <span class="hidden" data-testid="prompt-ready"></span>
            </When>
            <Tabs page />
            <When holds=flag(move || there.get() && page.refused.with(|text| !text.is_empty()))>
                {refused::draw(page)}
            </When>
            <When holds=flag(move || page.tty().is_none())>
                <p class="empty">{Signal::derive(empty)}</p>
            </When>
            <div class="panes" class:beside=flag(move || page.beside.get())>
            <For each=ttys key=|t| (t.tty, t.user.clone()) children=move |t| view! { <Pane page tty=t.tty /> } />
            </div>
            {move || there.get().then(|| layout::way_out(page, Part::Terminal))}
        </section>
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
