//! A moment as a link or a file: making one, and opening the one in the page's address. A session that began with a link is kept in a
//! place of its own, so that nobody's session is lost by opening one.

use super::i18n::Words;
use super::state::{Offer, Page};
use super::worker_link::send;
use super::{js, results};
use crate::protocol::ToEngine;
use crate::view::brought::moment_file;
use js_sys::Uint8Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::cell::{Cell, RefCell};
use wasm_bindgen::{JsCast as _, JsValue};

/// What a link is wanted for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Copying,
    File,
    Results,
}

thread_local! {
    /// What the next link is for.
    static WANTED: Cell<For> = const { Cell::new(For::Copying) };
    static LINK: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Reads the link in the page's address, if there is one.
pub fn fetch() {
    LINK.set(js::shared_link().dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec()));
}

/// Its bytes.
pub fn link() -> Option<Vec<u8>> {
    LINK.with_borrow(Clone::clone)
}

/// Where the session that began with it is kept: its checksum names it.
pub fn place() -> Option<String> {
    LINK.with_borrow(|link| {
        let sum = link.as_ref()?.get(4..8).unwrap_or_default();
        Some(sum.iter().fold("link/".to_owned(), |name, byte| format!("{name}{byte:02x}")))
    })
}

/// Asks for a link to the moment that is seen.
pub fn begin(page: Page) {
    want(page, For::Copying);
}

/// Asks for a file of the moment that is seen.
pub fn save(page: Page) {
    want(page, For::File);
}

/// Asks for a file of what was made of the lesson.
pub fn save_results(page: Page) {
    want(page, For::Results);
}

fn want(page: Page, what: For) {
    WANTED.set(what);
    send(&ToEngine::Share(page.passed.get_untracked()));
}

/// Copies the address of the site or lesson as it begins: everybody who opens it has the same.
pub fn class(page: Page) {
    let seed = page.started.with_untracked(|s| s.as_ref().map_or(1, |s| s.seed)).to_string();
    spawn_local(async move {
        let site = page.site.get_untracked();
        let copied = js::class_link(&site, &seed, &super::session::background()).await;
        tell(page, |w| w.shared_class, &copied);
    });
}

/// Says that something is copied, or shows it to whoever has to do that by hand.
fn tell(page: Page, word: fn(&Words) -> &'static str, copied: &Result<JsValue, JsValue>) {
    let (word, text): (fn(&Words) -> &'static str, _) = match copied {
        Ok(text) => (word, text),
        Err(link) => (|w| w.share_by_hand, link),
    };
    page.tell(word, text.as_string().unwrap_or_default(), Offer::None);
}

/// The engine made one: it is copied, and given as a file too.
pub fn made(page: Page, link: Result<Vec<u8>, String>) {
    let wanted = WANTED.replace(For::Copying);
    let site = page.site.get_untracked();
    match (link, wanted) {
        (Ok(bytes), For::File) => {
            let text = moment_file(&js::moment_query(&bytes, &site));
            js::download(&format!("{site}.sandbatch.txt"), text.as_bytes());
        }
        (Ok(bytes), For::Results) => results::written(page, js::moment_query(&bytes, &site)),
        // The results count without their moment.
        (Err(_), For::Results) => results::written(page, String::new()),
        (Ok(bytes), For::Copying) => spawn_local(async move {
            let copied = js::share_link(&bytes, &site).await;
            tell(page, |w| w.shared, &copied);
        }),
        (Err(why), For::Copying | For::File) => page.tell(|w| w.share_failed, why, Offer::None),
    }
}
