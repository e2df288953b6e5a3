//! Opens the user's files, dropped on the page or chosen: a custom site, an export of a real cluster, a moment, a lesson, results.

mod export;
mod own;

pub use own::draw;

use crate::dialogs::OwnSite;
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::worker_link::send;
use crate::{file_reader, lesson, location, origin, results, session};
use leptos::prelude::*;
use protocol::ToEngine;
use view::opened_files::{OpenedFiles, classify};

/// Takes files that are chosen in a file input, and files dropped on the page unless it is embedded.
pub fn follow(page: Page) {
    Effect::new(move || match page.dialogs.chosen.get() {
        None => {}
        Some(Ok(files)) => {
            page.dialogs.chosen.set(None);
            untrack(|| take(page, files));
        }
        Some(Err(why)) => {
            page.dialogs.chosen.set(None);
            page.tell(|w| w.files_failed, why, NoticeOffer::None);
        }
    });
    if origin::is_embedded() {
        return;
    }
    file_reader::follow_drops(move |files| page.dialogs.chosen.set(Some(files)));
}

/// Opens the dialog for choosing files.
pub fn ask(page: Page) {
    page.dialogs.own_site.set(Some(OwnSite::Choose));
}

#[inline(never)] // The deferred module begins here (xtask/src/halves).
fn take(page: Page, files: Vec<(String, String)>) {
    let names = files.iter().take(5).map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    match classify(files) {
        OpenedFiles::Site(files) => {
            page.dialogs.own_site.set(Some(OwnSite::Reading));
            send(&ToEngine::ReadSite(files));
        }
        OpenedFiles::Moment(query) => {
            session::keep(page);
            location::go(&location::here().opened(&query));
        }
        OpenedFiles::Session(file) => session::open_file(page, *file),
        OpenedFiles::Lesson(text) => lesson::open_text(page, &text),
        OpenedFiles::Results(texts) => results::add(page, &texts),
        OpenedFiles::Export(name, bytes) => {
            page.dialogs.own_site.set(Some(OwnSite::Reading));
            export::import(page, name, bytes);
        }
        OpenedFiles::Unknown => page.tell(|w| w.files_unknown, names, NoticeOffer::None),
    }
}
