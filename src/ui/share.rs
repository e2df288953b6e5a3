//! A moment as a link: making one, and opening the one in the page's address. A session that began with a link is kept in a
//! place of its own, so that nobody's session is lost by opening one.

use super::js;
use super::state::{Offer, Page};
use super::worker_link::send;
use crate::protocol::ToEngine;
use js_sys::Uint8Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::JsCast as _;

thread_local! {
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
    send(&ToEngine::Share(page.passed.get_untracked()));
}

/// The engine made one: it is copied, and given as a file too.
pub fn made(page: Page, link: Result<Vec<u8>, String>) {
    match link {
        Ok(bytes) => spawn_local(async move {
            let site = page.site.get_untracked();
            let shown = js::share_link(&bytes, &site).await.ok().and_then(|url| url.as_string());
            page.tell(|w| w.shared, shown.unwrap_or_default(), Offer::Download(Arc::new(bytes)));
        }),
        Err(why) => page.tell(|w| w.share_failed, why, Offer::None),
    }
}
