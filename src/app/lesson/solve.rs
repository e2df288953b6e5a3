//! Types a solution, each line once the one before has finished.

use crate::page::Page;
use crate::terminal::{self, type_line};
use crate::workspace::Zone;
use leptos::prelude::*;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;

/// Most lines that an embedding page may let wait.
const MAX_WAITING: usize = 1000;

thread_local! {
    /// The lines that wait for a prompt.
    static LINES: RefCell<VecDeque<String>> = const { RefCell::new(VecDeque::new()) };
}

/// Types lines in a user's terminal.
pub fn begin(page: Page, user: &str, lines: Vec<String>) {
    LINES.set(lines.into());
    page.workspace.zone.set(Zone::Terminal);
    if page.user.get_untracked() == user || terminal::of(page, user) {
        next(page);
    }
}

/// Adds lines to those that wait, and types them in the front terminal.
pub fn add(page: Page, lines: Vec<String>) -> Result<(), String> {
    LINES.with_borrow_mut(|waiting| {
        if waiting.len().saturating_add(lines.len()) > MAX_WAITING {
            return Err(format!("more than {MAX_WAITING} lines wait for a prompt"));
        }
        waiting.extend(lines);
        Ok(())
    })?;
    page.workspace.zone.set(Zone::Terminal);
    next(page);
    Ok(())
}

/// Types the next line at each prompt.
pub fn follow(page: Page) {
    Effect::new(move || {
        page.terminals.prompts.track();
        page.terminals.open.track();
        // Effects of the output before the prompt come first.
        set_timeout(move || next(page), Duration::ZERO);
    });
}

fn next(page: Page) {
    let ready = page.terminals.prompted.get_untracked() && untrack(|| page.tty()).is_some();
    if ready && let Some(line) = LINES.with_borrow_mut(VecDeque::pop_front) {
        type_line(page, &line);
    }
}
