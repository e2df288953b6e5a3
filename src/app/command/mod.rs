//! Commands that a panel suggests: shown as text, and typed into the terminal of a user who may run them.

use crate::follow::string;
use crate::page::Page;
use crate::terminal::{self, type_line};
use crate::workspace::Zone;
use leptos::prelude::*;
use std::cell::RefCell;

/// A command that waits for its user's terminal.
struct Errand {
    user: String,
    line: String,
}

thread_local! {
    static ERRAND: RefCell<Option<Errand>> = const { RefCell::new(None) };
}

/// A command for root: its text, and a button that types it.
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

/// Types a line in the front terminal.
pub fn type_here(page: Page, line: &str) {
    page.workspace.zone.set(Zone::Terminal);
    type_line(page, line);
}

/// Types a line in a user's terminal, and logs the user in first if needed.
pub fn type_as(page: Page, user: &str, line: &str) {
    ERRAND.set(Some(Errand { user: user.to_owned(), line: line.to_owned() }));
    if page.workspace.zone.get_untracked() == Zone::Panels {
        page.workspace.zone.set(Zone::Terminal);
    }
    if page.user.get_untracked() != user {
        terminal::of(page, user);
    } else if untrack(|| page.tty()).is_some() {
        ERRAND.take();
        type_line(page, line);
    }
}

/// Types a waiting command as soon as its user's terminal is in front and at a prompt.
pub fn follow(page: Page) {
    Effect::new(move || {
        page.user.track();
        page.terminals.open.track();
        if page.terminals.prompted.get() {
            go(page);
        }
    });
}

fn go(page: Page) {
    let there = untrack(|| page.tty()).is_some() && page.terminals.prompted.get_untracked();
    let mine = ERRAND.with_borrow(|e| e.as_ref().is_some_and(|e| page.user.with_untracked(|u| *u == e.user)));
    if there
        && mine
        && let Some(errand) = ERRAND.take()
    {
        type_line(page, &errand.line);
    }
}
