//! The browser's storage: settings and drafts in localStorage, the session in IndexedDB. If it is disabled or full, the
//! page says so once and continues without it.

use crate::database;
use js_sys::{Array, Uint8Array};
use std::cell::Cell;
use wasm_bindgen::{JsCast, JsValue};

fn local() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn key(name: &str) -> String {
    format!("sandbatch:{name}")
}

thread_local! {
    /// Whether another tab has this session.
    static GUEST: Cell<bool> = const { Cell::new(false) };
    /// Whether the storage has a state of the session. None before it is read.
    static HELD: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Notes whether another tab has the session. If so, this tab stores settings but nothing of the session.
pub fn set_guest(guest: bool) {
    GUEST.set(guest);
}

/// Whether another tab has the session.
pub fn is_guest() -> bool {
    GUEST.get()
}

/// Whether the storage has a state of the session; none if it was not read yet.
pub fn holds_session() -> Option<bool> {
    HELD.get()
}

/// A setting or draft.
pub fn get(name: &str) -> Option<String> {
    local()?.get_item(&key(name)).ok().flatten()
}

/// Stores a setting or draft; false if that failed.
pub fn set(name: &str, value: &str) -> bool {
    // Names of drafts and histories have a colon.
    if GUEST.get() && name.contains(':') {
        return true;
    }
    local().is_some_and(|s| s.set_item(&key(name), value).is_ok())
}

/// Removes a setting or draft.
pub fn remove(name: &str) {
    if GUEST.get() && name.contains(':') {
        return;
    }
    if let Some(storage) = local() {
        // If the storage cannot be changed, there is nothing to remove.
        let _ = storage.remove_item(&key(name));
    }
}

/// The rest of every setting's or draft's name that starts with a prefix.
pub fn names(prefix: &str) -> Vec<String> {
    let Some(storage) = local() else { return Vec::new() };
    let count = storage.length().unwrap_or(0);
    let all = (0..count).filter_map(|i| storage.key(i).ok().flatten());
    all.filter_map(|name| name.strip_prefix(&key(prefix)).map(str::to_owned)).collect()
}

/// The session stored under a key: the journal's bytes and the state saved before it; `Err` if the storage
/// cannot be used.
pub async fn session(place: &str) -> Result<Option<(Vec<u8>, Option<Uint8Array>)>, ()> {
    let value = database::get(&session_key(place)).await;
    HELD.set(Some(value.as_ref().is_ok_and(Option::is_some)));
    let Some(value) = value.map_err(drop)? else { return Ok(None) };
    // Earlier versions stored bytes instead of a list.
    let kept = match value.dyn_into::<Array>() {
        Ok(list) => (list.get(0).dyn_into::<Uint8Array>().ok(), list.get(1).dyn_into().ok()),
        Err(value) => (value.dyn_into::<Uint8Array>().ok(), None),
    };
    Ok(kept.0.map(|rest| (rest.to_vec(), kept.1)))
}

/// Stores the session under a key. `told` is called with the result.
pub fn keep_session(
    place: &str,
    rest: &[u8],
    saved: Option<&Uint8Array>,
    told: impl Fn(bool) + Clone + 'static,
) {
    if GUEST.get() {
        return;
    }
    let both = Array::of2(&Uint8Array::from(rest), &saved.cloned().map_or(JsValue::NULL, JsValue::from));
    database::put_now(session_key(place), both.into(), move |stored| {
        if stored {
            HELD.set(Some(true));
        }
        told(stored);
    });
}

fn session_key(place: &str) -> String {
    format!("session:{place}")
}

/// Removes the session stored under a key.
pub async fn forget_session(place: &str) {
    if GUEST.get() {
        return;
    }
    // If the storage refuses this, it did not store the session either.
    let _ = database::delete(&session_key(place)).await;
}
