//! The list of files beside the editor.

use crate::editor;
use crate::files::home;
use crate::follow::{When, flag};
use crate::page::{DirectoryListing, Page};
use crate::worker_link;
use base::order::StableSort as _;
use leptos::prelude::*;
use protocol::{FileEntry, ToEngine};

fn ask(page: Page, path: String) {
    worker_link::send(&ToEngine::ListFiles { user: page.user.get_untracked(), path });
}

/// The list.
#[component]
pub fn FileList(page: Page) -> impl IntoView {
    let entries = move || {
        let DirectoryListing { path, entries } = page.directory.get();
        let mut shown: Vec<(String, FileEntry)> = entries
            .into_iter()
            .filter(|e| !e.name.starts_with('.'))
            .map(|e| (format!("{}/{}", path.trim_end_matches('/'), e.name), e))
            .collect();
        shown.order_by_key(|(_, e)| !e.directory);
        shown
    };
    let above = move || {
        let path = page.directory.with(|l| l.path.clone());
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
            <When holds=flag(move || page.directory.with(|l| l.entries.is_empty()))>
                <p class="empty">{page.say(|w| w.no_files)}</p>
            </When>
        </nav>
    }
}
