//! The terminal: one xterm.js for each terminal of the engine, the current user's in front. Keys go through
//! [`base::line_editor::LineEditor`]; the engine gets finished lines.

mod keys;
mod panes;
mod refused;
mod tabs;
mod waiting;

pub use panes::{
    closed, completions, focus, forget_all, front_text, other_moment, output, refresh, send_sizes,
    set_themes, set_typing, single_keys, type_line, typing_stops,
};
pub use refused::note as note_refusal;

use crate::follow::{When, flag, string};
use crate::page::Page;
use crate::worker_link::send;
use crate::workspace::{DrawStage, Zone};
use crate::{files, layout};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::ToEngine;
use tabs::TerminalTabs;
use view::fill::fill;

/// Brings a terminal to the front. Its user becomes the current user.
pub fn show(page: Page, tty: u32) {
    let user =
        page.terminals.open.with_untracked(|all| all.iter().find(|t| t.tty == tty).map(|t| t.user.clone()));
    let Some(user) = user else { return };
    if untrack(|| page.tty()) == Some(tty) {
        return focus(tty);
    }
    page.terminals.front.set(Some(tty));
    if page.user.with_untracked(|u| *u != user) {
        page.user.set(user);
        files::refresh(page);
    }
}

/// Switches to another user, and opens a terminal if the user has none. Returns whether there was one.
pub fn of(page: Page, user: &str) -> bool {
    let known = page.terminals.open.with_untracked(|all| all.iter().any(|t| t.user == user));
    page.user.set(user.to_owned());
    page.terminals.awaited.set((!known).then(|| user.to_owned()));
    if !known {
        send(&ToEngine::Login(user.to_owned()));
    }
    known
}

/// The zone of the terminal.
#[component]
pub fn TerminalZone(page: Page) -> impl IntoView {
    let ttys = move || page.terminals.open.get();
    let past = Memo::new(move |_| page.clock.get().past);
    let empty = move || match page.opening.get() {
        Some((done, total)) if total > 0 => fill(page.t().opening, &[&done.to_string(), &total.to_string()]),
        Some(_) | None if past.get() => page.t().nobody_here.to_owned(),
        Some(_) | None => page.t().starting.to_owned(),
    };
    let there = page.drawn(DrawStage::Panels);
    view! {
        <section class="zone terminal" data-testid="terminal" aria-label=page.say(|w| w.terminal)
            data-user=string(move || page.user.get())>
            <When holds=flag(move || page.terminals.prompted.get())>
                <span class="hidden" data-testid="prompt-ready"></span>
            </When>
            <TerminalTabs page />
            <When holds=flag(move || there.get() && page.terminals.refused.get().is_some())>
                {refused::draw(page)}
            </When>
            <When holds=flag(move || page.tty().is_none())>
                <p class="empty">{string(empty)}</p>
            </When>
            <div class="panes" class:beside=flag(move || page.terminals.beside.get())>
            <For each=ttys key=|t| (t.tty, t.user.clone()) children=move |t| view! { <TerminalPane page tty=t.tty /> } />
            {move || there.get().then(|| waiting::draw(page))}
            </div>
            {move || there.get().then(|| keys::draw(page))}
            {move || there.get().then(|| layout::way_out(page, Zone::Terminal))}
        </section>
    }
}

#[component]
fn TerminalPane(page: Page, tty: u32) -> impl IntoView {
    let host = NodeRef::<Div>::new();
    Effect::new(move || {
        if let Some(element) = host.get() {
            panes::open(page, tty, (*element).clone());
        }
    });
    let front = Memo::new(move |_| page.tty() == Some(tty));
    view! {
        <div class="pane" class:away=flag(move || !front.get() && !page.terminals.beside.get()) class:front=flag(move || front.get())
            node_ref=host on:focusin=move |_| show(page, tty)></div>
    }
}
