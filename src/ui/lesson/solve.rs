//! Types a solution, each line when the one before has come to its end.

use crate::ui::state::{Page, Zone};
use crate::ui::terminal::{self, type_line};
use leptos::prelude::*;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;

thread_local! {
    /// Lines that wait for a prompt.
    static LINES: RefCell<VecDeque<String>> = const { RefCell::new(VecDeque::new()) };
}

/// Types these lines in the terminal of a user.
pub fn begin(page: Page, user: &str, lines: Vec<String>) {
    LINES.set(lines.into());
    page.zone.set(Zone::Type);
    if page.user.get_untracked() == user || terminal::of(page, user) {
        next(page);
    }
}

/// Goes on with each prompt that comes.
pub fn follow(page: Page) {
    Effect::new(move || {
        page.prompts.track();
        page.terminals.track();
        // What the prompt's output set off comes first.
        set_timeout(move || next(page), Duration::ZERO);
    });
}

fn next(page: Page) {
    let ready = page.prompted.get_untracked() && untrack(|| page.tty()).is_some();
    if ready && let Some(line) = LINES.with_borrow_mut(VecDeque::pop_front) {
        type_line(page, &line);
    }
}
