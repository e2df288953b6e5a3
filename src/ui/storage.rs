//! The browser's storage: settings and drafts in localStorage, the session in IndexedDB. All of it may be forbidden or
//! full; the page then says so once and goes on.

use super::js;
use super::state::Page;
use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::cell::Cell;
use wasm_bindgen::{JsCast, JsValue};

fn local() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn key(name: &str) -> String {
    format!("sandbatch:{name}")
}

thread_local! {
    /// Another tab has this session: what is its own is not written from here.
    static GUEST: Cell<bool> = const { Cell::new(false) };
}

/// Whether another tab has the session: nothing of it is written from here then, settings are.
pub fn set_guest(guest: bool) {
    GUEST.set(guest);
}

/// A setting or draft.
pub fn get(name: &str) -> Option<String> {
    local()?.get_item(&key(name)).ok().flatten()
}

/// Keeps a setting or draft; false if it could not.
pub fn set(name: &str, value: &str) -> bool {
    // Drafts and histories have a colon in their names.
    if GUEST.get() && name.contains(':') {
        return true;
    }
    local().is_some_and(|s| s.set_item(&key(name), value).is_ok())
}

/// Forgets a setting or draft.
pub fn remove(name: &str) {
    if GUEST.get() && name.contains(':') {
        return;
    }
    if let Some(storage) = local() {
        // A storage that cannot be changed has nothing of ours.
        let _ = storage.remove_item(&key(name));
    }
}

/// What comes after a prefix in the names of all settings and drafts.
pub fn names(prefix: &str) -> Vec<String> {
    let Some(storage) = local() else { return Vec::new() };
    let count = storage.length().unwrap_or(0);
    let all = (0..count).filter_map(|i| storage.key(i).ok().flatten());
    all.filter_map(|name| name.strip_prefix(&key(prefix)).map(str::to_owned)).collect()
}

/// A site's session: the journal's bytes, and what was saved before it; `Err` if the storage cannot be used.
pub async fn session(site: &str) -> Result<Option<(Vec<u8>, Option<Uint8Array>)>, ()> {
    let value = js::storage_get(&format!("session:{site}")).await.map_err(drop)?;
    // What is no list was kept by an earlier version.
    let kept = match value.dyn_into::<Array>() {
        Ok(list) => (list.get(0).dyn_into::<Uint8Array>().ok(), list.get(1).dyn_into().ok()),
        Err(value) => (value.dyn_into::<Uint8Array>().ok(), None),
    };
    Ok(kept.0.map(|rest| (rest.to_vec(), kept.1)))
}

/// Keeps a site's session, in the background.
pub fn keep_session(page: Page, site: String, rest: &[u8], saved: Option<&Uint8Array>) {
    if GUEST.get() {
        return;
    }
    let both = Array::of2(&Uint8Array::from(rest), &saved.cloned().map_or(JsValue::NULL, JsValue::from));
    spawn_local(async move {
        let kept = js::storage_put(&format!("session:{site}"), &both).await;
        page.storage_works.set(kept.is_ok());
    });
}

/// Forgets a site's session.
pub async fn forget_session(site: &str) {
    if GUEST.get() {
        return;
    }
    // If it cannot be forgotten it could not be kept either.
    let _ = js::storage_delete(&format!("session:{site}")).await;
}
