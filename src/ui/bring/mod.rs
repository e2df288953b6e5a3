//! What somebody brings as files, dropped anywhere or chosen: a site of their own, a moment, a lesson, results.

mod own;

pub use own::draw;

use super::state::{Offer, Own, Page};
use super::worker_link::send;
use super::{embed, js, lesson, results, session};
use crate::protocol::ToEngine;
use crate::view::brought::{Brought, sort_out};
use js_sys::Promise;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Listens to files that are dropped on the page, unless another page has framed it.
pub fn follow(page: Page) {
    if embed::is_embedded() {
        return;
    }
    let dropped = Closure::<dyn FnMut(Promise)>::new(move |files: Promise| {
        spawn_local(async move { came(page, JsFuture::from(files).await) });
    });
    js::listen_to_drops(&dropped);
    // The page listens as long as it lives.
    dropped.forget();
}

/// Files were chosen.
pub fn chosen(page: Page, event: web_sys::Event) {
    spawn_local(async move { came(page, js::chosen_files(&event).await) });
}

/// The dialog in which files are chosen.
pub fn ask(page: Page) {
    page.own.set(Some(Own::Choose));
}

fn came(page: Page, files: Result<JsValue, JsValue>) {
    match files {
        Ok(list) => take(page, session::pairs(&list)),
        Err(error) => page.tell(|w| w.files_failed, session::words_of(&error), Offer::None),
    }
}

#[inline(never)] // Where the page is cut in two (xtask).
fn take(page: Page, files: Vec<(String, String)>) {
    let names = files.iter().take(5).map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    match sort_out(files) {
        Brought::Site(files) => {
            page.own.set(Some(Own::Reading));
            send(&ToEngine::ReadSite(files));
        }
        Brought::Moment(query) => {
            session::keep(page);
            js::go_to_moment(&query);
        }
        Brought::Lesson(text) => lesson::open_text(page, &text),
        Brought::Results(texts) => results::add(page, &texts),
        Brought::Unknown => page.tell(|w| w.files_unknown, names, Offer::None),
    }
}
