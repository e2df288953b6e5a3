//! The files of the user's home: a list to open them from.

use super::state::{Listing, Page};
use super::{editor, worker_link};
use crate::base::order::Order as _;
use crate::protocol::{FileEntry, ToEngine};
use crate::ui::follow::{When, flag};
use leptos::prelude::*;

/// The home of the user who types; of root, who has none, where an administrator's files are.
pub fn home(page: Page) -> String {
    match page.user.get_untracked().as_str() {
        "root" => "/etc/slurm".to_owned(),
        user => format!("/home/{user}"),
    }
}

/// Where a new file of the user's belongs: the directory that is shown if it is theirs, else their home.
pub fn workplace(page: Page) -> String {
    let home = match page.user.get_untracked().as_str() {
        "root" => "/root".to_owned(),
        _ => home(page),
    };
    page.listing.with_untracked(|l| if l.path.starts_with(&home) { l.path.clone() } else { home })
}

/// Asks for the directory that is shown, or the home.
pub fn refresh(page: Page) {
    let user = page.user.get_untracked();
    if user.is_empty() {
        return;
    }
    let shown = page.listing.with_untracked(|l| l.path.clone());
    let path = if shown.starts_with(&home(page)) { shown } else { home(page) };
    worker_link::send(&ToEngine::ListFiles { user, path });
}

fn ask(page: Page, path: String) {
    worker_link::send(&ToEngine::ListFiles { user: page.user.get_untracked(), path });
}

/// The list.
#[component]
pub fn FileList(page: Page) -> impl IntoView {
    let entries = move || {
        let Listing { path, entries } = page.listing.get();
        let mut shown: Vec<(String, FileEntry)> = entries
            .into_iter()
            .filter(|e| !e.name.starts_with('.'))
            .map(|e| (format!("{}/{}", path.trim_end_matches('/'), e.name), e))
            .collect();
        shown.order_by_key(|(_, e)| !e.directory);
        shown
    };
    let above = move || {
        let path = page.listing.with(|l| l.path.clone());
        let inside = path.len() > home(page).len();
        path.rsplit_once('/').filter(|_| inside).map(|(up, _)| up.to_owned())
    };
    view! {
        <nav class="files" aria-label=page.say(|w| w.files)>
            {move || above().map(|up| view! {
                <button class="file" on:click=move |_| ask(page, up.clone())>"‹ "{page.say(|w| w.parent)}</button>
            })}
            <For each=entries key=|(path, e)| (path.clone(), e.directory) children=move |(path, entry)| {
                let mine = path.clone();
                let open = move |_| {
                    if entry.directory { ask(page, path.clone()) } else { editor::open(page, path.clone()) }
                };
                let current = move || editor::current(page).is_some_and(|c| c == mine);
                let name = if entry.directory { format!("{}/", entry.name) } else { entry.name.clone() };
                view! {
                    <button class="file" class:folder=entry.directory class:current=flag(current) on:click=open title=name.clone()>
                        {name.clone()}
                    </button>
                }
            } />
            <When holds=flag(move || page.listing.with(|l| l.entries.is_empty()))>
                <p class="empty">{page.say(|w| w.no_files)}</p>
            </When>
        </nav>
    }
}
