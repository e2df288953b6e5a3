//! The directories in which a user works.

use crate::page::Page;
use crate::worker_link;
use leptos::prelude::*;
use protocol::ToEngine;

/// The current user's home; for root, the directory with Slurm's configuration.
pub fn home(page: Page) -> String {
    page.user.with_untracked(|user| home_of(user))
}

/// A user's home; for root, the directory with Slurm's configuration.
pub fn home_of(user: &str) -> String {
    if user == "root" { "/etc/slurm".to_owned() } else { format!("/home/{user}") }
}

/// Where a new file belongs: the listed directory if it is the user's, else their home.
pub fn work_dir(page: Page) -> String {
    let home = match page.user.get_untracked().as_str() {
        "root" => "/root".to_owned(),
        _ => home(page),
    };
    page.directory.with_untracked(|l| if l.path.starts_with(&home) { l.path.clone() } else { home })
}

/// Asks for the listed directory again, or for the home.
pub fn refresh(page: Page) {
    let user = page.user.get_untracked();
    if user.is_empty() {
        return;
    }
    let shown = page.directory.with_untracked(|l| l.path.clone());
    let path = if shown.starts_with(&home(page)) { shown } else { home(page) };
    worker_link::send(&ToEngine::ListFiles { user, path });
}
