//! Commands that a panel stands for: shown as they are typed, and typed into the terminal of whoever may run them.

use super::state::{Page, Zone};
use super::terminal::{self, type_line};
use crate::ui::follow::string;
use leptos::prelude::*;
use std::cell::RefCell;

/// A command that waits for its terminal.
struct Errand {
    user: &'static str,
    line: String,
}

thread_local! {
    static ERRAND: RefCell<Option<Errand>> = const { RefCell::new(None) };
}

/// A command of root's: its text, and a button that types it.
pub fn of_root(page: Page, line: Signal<String>) -> AnyView {
    view! {
        <div class="command">
            <code>{string(move || line.get())}</code>
            <button data-testid="as-root" on:click=move |_| type_as(page, "root", &line.get_untracked())>
                {page.say(|w| w.type_as_root)}
            </button>
        </div>
    }
    .into_any()
}

/// Types a line in the terminal in front.
pub fn type_here(page: Page, line: &str) {
    page.zone.set(Zone::Type);
    type_line(page, line);
}

/// Types a line in the terminal of a user, who is logged in first if need be.
pub fn type_as(page: Page, user: &'static str, line: &str) {
    ERRAND.set(Some(Errand { user, line: line.to_owned() }));
    if page.zone.get_untracked() == Zone::Queue {
        page.zone.set(Zone::Type);
    }
    if page.user.get_untracked() == user {
        return go(page);
    }
    terminal::of(page, user);
}

/// Runs errands as soon as their terminal is in front and wants a line.
pub fn follow(page: Page) {
    Effect::new(move || {
        page.user.track();
        page.terminals.track();
        if page.prompted.get() {
            go(page);
        }
    });
}

fn go(page: Page) {
    let there = untrack(|| page.tty()).is_some() && page.prompted.get_untracked();
    let mine = ERRAND.with_borrow(|e| e.as_ref().is_some_and(|e| page.user.with_untracked(|u| u == e.user)));
    if there
        && mine
        && let Some(errand) = ERRAND.take()
    {
        type_line(page, &errand.line);
    }
}
