//! Draws the finder's jobs, and opens them.

use super::commands::show_inspector;
use crate::follow::string;
use crate::found_jobs::FoundJobs;
use crate::page::{Page, Selection};
use crate::panels::state_word;
use leptos::prelude::*;
use protocol::QueueRow;
use view::palette::user_colour;

/// Draws a job. Its texts follow the search.
pub(super) fn entry(jobs: FoundJobs, page: Page, at: usize) -> AnyView {
    let read = move |text: fn(&QueueRow) -> &str| {
        string(move || {
            jobs.rows.with(|rows| rows.get(at).map_or_else(String::new, |row| text(row).to_owned()))
        })
    };
    let user = read(|row| &row.user);
    let colour = string(move || user.with(|user| user_colour(page.user_index(user), page.prefs.dark.get())));
    let state = string(move || {
        jobs.rows
            .with(|rows| rows.get(at).map_or_else(String::new, |row| state_word(row, page.t()).to_owned()))
    });
    view! {
        <span class="pick user">
            <i class="dot" style:background=colour></i>
            <span>{page.say(|w| w.id)}" "<b>{read(|row| &row.id)}</b>" "{read(|row| &row.name)}</span>
        </span>
        <small>{user}", "{state}</small>
    }
    .into_any()
}

/// Opens a job's inspector.
pub(super) fn open(page: Page, id: String) {
    page.selection.set(Selection::Job(id));
    show_inspector(page);
}
