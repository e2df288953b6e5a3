//! Lines that buttons, lessons and embedding pages type, each once the shell asks for a command. A program that runs never gets
//! them. `app::terminal::waiting` says which line waits.

use crate::page::Page;
use crate::terminal::{self, type_line};
use crate::terminal_state::WaitingLine;
use crate::workspace::Zone;
use leptos::prelude::*;
use std::time::Duration;

/// Most lines that may wait.
const MAX_WAITING: usize = 1000;

/// Types lines in a user's terminal, after those that still wait. The same lines are not typed twice.
pub fn begin(page: Page, user: &str, lines: &[String]) {
    page.workspace.zone.set(Zone::Terminal);
    push(page, user, lines);
}

/// The same without showing the terminal.
pub fn push(page: Page, user: &str, lines: &[String]) {
    let own = |line: &String| WaitingLine { user: Some(user.to_owned()), line: line.clone() };
    page.terminals.waiting.update(|waiting| {
        let again = waiting.len() >= lines.len()
            && waiting.iter().rev().zip(lines.iter().rev()).all(|(old, new)| *old == own(new));
        if !again && waiting.len().saturating_add(lines.len()) <= MAX_WAITING {
            waiting.extend(lines.iter().map(own));
        }
    });
    if page.user.get_untracked() == user || terminal::of(page, user) {
        next(page);
    }
}

/// Types lines in the front terminal, after those that still wait.
pub fn add(page: Page, lines: Vec<String>) -> Result<(), String> {
    if page.terminals.waiting.with_untracked(|waiting| waiting.len().saturating_add(lines.len()))
        > MAX_WAITING
    {
        return Err(format!("more than {MAX_WAITING} lines wait for a prompt"));
    }
    page.terminals.waiting.update(|waiting| {
        waiting.extend(lines.into_iter().map(|line| WaitingLine { user: None, line }));
    });
    page.workspace.zone.set(Zone::Terminal);
    next(page);
    Ok(())
}

/// Types the next line at each prompt.
pub fn follow(page: Page) {
    Effect::new(move || {
        page.user.track();
        page.terminals.prompts.track();
        page.terminals.prompted.track();
        page.terminals.open.track();
        // Effects of the output before the prompt come first.
        set_timeout(move || next(page), Duration::ZERO);
    });
}

fn next(page: Page) {
    let ready = page.terminals.prompted.get_untracked() && untrack(|| page.tty()).is_some();
    let user = page.user.get_untracked();
    let fits = |line: &WaitingLine| line.user.as_ref().is_none_or(|owner| *owner == user);
    if !ready || !page.terminals.waiting.with_untracked(|waiting| waiting.front().is_some_and(fits)) {
        return;
    }
    if let Some(next) = page.terminals.waiting.try_update(|waiting| waiting.pop_front()).flatten() {
        type_line(page, &next.line);
    }
}
