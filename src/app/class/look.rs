//! Terminals of a class that are looked at: one participant's, in which the teacher can type while their hand is up, and all of
//! them, live and small. The engine draws them from the world; the server tells the participants who looks.

use super::{tell, to_engine};
use crate::follow::{When, flag, string};
use crate::modal::titled;
use crate::page::Page;
use classroom::wire::{ClassLook, ClassShow, ToClassServer};
use leptos::prelude::*;
use protocol::class::{ClassAction, ClassScreen, ToClass};
use std::time::Duration;
use view::fill::fill;
use view::terminal_picture::lines;

/// How often one terminal is drawn, and all of them.
const EVERY: (Duration, Duration) = (Duration::from_millis(400), Duration::from_millis(1500));
/// Lines of a small terminal.
const SMALL: usize = 12;

/// What this tab looks at, as signals.
#[derive(Clone, Copy)]
pub struct LookState {
    /// The teacher's choice.
    pub at: RwSignal<ClassLook>,
    /// The terminals, from the engine.
    pub screens: RwSignal<Vec<ClassScreen>>,
    /// The teachers who look at this participant's terminal.
    pub watched: RwSignal<Vec<String>>,
}

thread_local! {
    // The owner keeps the signals for the life of the page.
    static STATE: (Owner, LookState) = {
        let owner = Owner::new();
        let state = owner.with(|| LookState {
            at: RwSignal::new(ClassLook::Nobody),
            screens: RwSignal::new(Vec::new()),
            watched: RwSignal::new(Vec::new()),
        });
        (owner, state)
    };
}

/// The state of this tab.
pub fn state() -> LookState {
    STATE.with(|(_, state)| *state)
}

/// Looks at other terminals, or at none.
pub fn look(at: ClassLook) {
    state().screens.set(Vec::new());
    state().at.set(at);
    tell(&ToClassServer::Look(at));
}

/// The connection is back: the server has forgotten what this tab looks at.
pub fn connected() {
    let at = state().at.get_untracked();
    if at != ClassLook::Nobody {
        tell(&ToClassServer::Look(at));
    }
}

/// What a participant sees while a teacher looks.
pub fn notice(page: Page) -> AnyView {
    let watched = state().watched;
    let text = move || {
        let names = watched.with(|names| names.join(", "));
        if names.is_empty() {
            return String::new();
        }
        let word = if page.class.hand.get() { page.later().class_types } else { page.later().class_looks };
        fill(word, &[&names])
    };
    view! { <span role="status" class="class-watched" data-testid="class-watched">{string(text)}</span> }
        .into_any()
}

/// The dialog with the terminal or the terminals that are looked at.
pub fn draw(page: Page) -> AnyView {
    let view = state();
    let at = view.at;
    view! {
        <When holds=flag(move || at.get() == ClassLook::Everyone)>{wall(page)}</When>
        <When holds=flag(move || matches!(at.get(), ClassLook::One(_)))>{one(page)}</When>
    }
    .into_any()
}

/// Asks the engine again and again while the dialog is open.
fn follow(seat: Option<u32>, every: Duration) {
    let ask = move || to_engine(ToClass::Screens(seat));
    ask();
    if let Ok(timer) = set_interval_with_handle(ask, every) {
        on_cleanup(move || timer.clear());
    }
}

fn close(_: Page) {
    look(ClassLook::Nobody);
}

/// A participant's name.
fn name_of(page: Page, seat: u32) -> String {
    page.class
        .people
        .with(|people| people.iter().find(|p| p.seat == seat).map(|p| p.name.clone()))
        .unwrap_or_default()
}

/// The picture of a seat's terminal; at most this many of its last lines.
pub fn picture(screens: &[ClassScreen], seat: u32, most: usize) -> String {
    let Some(screen) = screens.iter().find(|screen| screen.seat == seat) else { return String::new() };
    let lines = lines(&screen.output, screen.columns, screen.rows);
    lines[lines.len().saturating_sub(most)..].join("\n")
}

fn wall(page: Page) -> AnyView {
    follow(None, EVERY.1);
    let view = state();
    let seats = Memo::new(move |_| {
        view.screens.with(|screens| screens.iter().map(|screen| screen.seat).collect::<Vec<_>>())
    });
    let small = move |seat: u32| {
        let text = string(move || view.screens.with(|screens| picture(screens, seat, SMALL)));
        let hand = flag(move || {
            page.class.people.with(|people| people.iter().any(|p| p.seat == seat && p.hand.is_some()))
        });
        view! {
            <button class="class-small" class:changed=hand data-testid=format!("class-small-{seat}") on:click=move |_| look(ClassLook::One(seat))>
                <b>{string(move || name_of(page, seat))}</b><pre>{text}</pre></button>
        }
    };
    let inside = view! {
        <div class="class-wall" data-testid="class-wall"><For each=move || seats.get() key=|seat| *seat children=small /></div>
        <When holds=flag(move || seats.with(Vec::is_empty))><p class="empty">{page.say_later(|w| w.class_no_terminals)}</p></When>
        <div class="row-of-buttons"><span class="spring"></span>
            <button class="quiet" on:click=move |_| close(page)>{page.say(|w| w.close)}</button></div>
    };
    titled(page, "class-walls", page.say_later(|w| w.class_wall), close, inside.into_any())
}

fn one(page: Page) -> AnyView {
    let view = state();
    let ClassLook::One(seat) = view.at.get_untracked() else { return ().into_any() };
    follow(Some(seat), EVERY.0);
    let invited = flag(move || {
        page.class.people.with(|people| people.iter().any(|p| p.seat == seat && p.hand.is_some()))
    });
    let text = RwSignal::new(String::new());
    let send = move |bytes: Vec<u8>| {
        let terminal =
            view.screens.with_untracked(|all| all.iter().find(|s| s.seat == seat).map(|s| s.terminal));
        if let Some(terminal) = terminal {
            super::teach(ClassAction::Help { seat, terminal, bytes });
        }
    };
    let line = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        send(format!("{}\n", text.get_untracked()).into_bytes());
        text.set(String::new());
    };
    let inside = view! {
        <h3 data-testid="class-looked-at">{string(move || name_of(page, seat))}</h3>
        <pre class="class-screen" tabindex="0" data-testid="class-screen">{string(move || view.screens.with(|all| picture(all, seat, usize::MAX)))}</pre>
        <When holds=invited fallback=move || view! { <p class="faint" data-testid="class-uninvited">{page.say_later(|w| w.class_uninvited)}</p> }>
            <form class="row-of-buttons" on:submit=line>
                <input type="text" maxlength="500" autocomplete="off" autocapitalize="none" spellcheck="false" data-testid="class-type"
                    aria-label=page.say_later(|w| w.class_type) placeholder=page.say_later(|w| w.class_type)
                    prop:value=string(move || text.get()) on:input=move |e| text.set(event_target_value(&e)) />
                <button type="submit" data-testid="class-type-send">{page.say_later(|w| w.class_send)}</button>
                <button type="button" data-testid="class-interrupt" on:click=move |_| send(vec![3])>"Ctrl-C"</button>
            </form>
        </When>
        <div class="row-of-buttons">
            <button data-testid="class-to-wall" on:click=move |_| look(ClassLook::Everyone)>{page.say_later(|w| w.class_wall)}</button>
            <button data-testid="class-show" on:click=move |_| super::show::show(Some(ClassShow::Terminal(seat)))>{page.say_later(|w| w.class_show)}</button>
            <span class="spring"></span>
            <button class="quiet" data-testid="class-look-close" on:click=move |_| close(page)>{page.say(|w| w.close)}</button></div>
    };
    titled(page, "class-looking", page.say_later(|w| w.class_look_title), close, inside.into_any())
}
