//! The browser's storage: settings and drafts in localStorage, the session in IndexedDB. If it is disabled or full, the
//! page says so once and continues without it.

use crate::database;
use js_sys::{Array, Uint8Array};
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

/// A session in the browser's storage.
pub enum KeptSession {
    None,
    /// The journal's bytes and the state saved before it.
    Some(Vec<u8>, Option<Uint8Array>),
    /// A value of another type: it is kept under this key.
    Strange(String),
}

/// The session stored under a key; `Err` if the storage cannot be used.
pub async fn session(name: &str) -> Result<KeptSession, ()> {
    let value = database::get(&session_key(name)).await;
    HELD.set(Some(value.as_ref().is_ok_and(Option::is_some)));
    let Some(value) = value.map_err(drop)? else { return Ok(KeptSession::None) };
    if let Some((rest, saved)) = parts(&value) {
        return Ok(KeptSession::Some(rest, saved));
    }
    let key = old_key(name, 0);
    database::put_now(key.clone(), value, |_| {});
    Ok(KeptSession::Strange(key))
}

/// The journal's bytes and the state of a stored value.
fn parts(value: &JsValue) -> Option<(Vec<u8>, Option<Uint8Array>)> {
    // Earlier versions stored bytes instead of a list.
    let Some(list) = value.dyn_ref::<Array>() else {
        return value.dyn_ref::<Uint8Array>().map(|rest| (rest.to_vec(), None));
    };
    let (rest, state) = (list.get(0).dyn_into::<Uint8Array>().ok()?, list.get(1));
    let nothing = state.is_null() || state.is_undefined();
    let state = if nothing { None } else { Some(state.dyn_into().ok()?) };
    Some((rest.to_vec(), state))
}

/// The key of a session that could not be opened. It stays until the user dismisses its notice.
fn old_key(name: &str, sum: u64) -> String {
    format!("old:{name}#{sum:016x}")
}

/// Keeps a session that could not be opened. Returns its key.
pub fn keep_old(name: &str, rest: &[u8], saved: Option<&Uint8Array>) -> String {
    let head = saved.map_or_else(Vec::new, |saved| saved.slice(0, 4096).to_vec());
    let key = old_key(name, base::hash::more(base::hash::fnv1a(rest), &head));
    if !GUEST.get() {
        database::put_now(key.clone(), both(rest, saved), |_| {});
    }
    key
}

/// The sessions that could not be opened, with their keys.
pub async fn old_sessions(name: &str) -> Vec<(String, Vec<u8>, Option<Uint8Array>)> {
    let mut found = Vec::new();
    for key in database::keys(&format!("old:{name}#")).await.unwrap_or_default() {
        if let Ok(Some(value)) = database::get(&key).await {
            let (rest, saved) = parts(&value).unwrap_or_default();
            found.push((key, rest, saved));
        }
    }
    found
}

/// Removes a session that could not be opened.
pub fn forget_old(key: String) {
    spawn_local(async move {
        // If the storage refuses this, the notice comes again.
        let _ = database::delete(&key).await;
    });
}

/// Stores a session that came as a file, unless it is there already.
pub async fn put_session(name: &str, rest: &[u8], saved: Option<&Uint8Array>) -> Result<(), String> {
    match database::get(&session_key(name)).await? {
        Some(_) => Ok(()),
        None => database::put(&session_key(name), &both(rest, saved)).await,
    }
}

fn both(rest: &[u8], saved: Option<&Uint8Array>) -> JsValue {
    Array::of2(&Uint8Array::from(rest), &saved.cloned().map_or(JsValue::NULL, JsValue::from)).into()
}

/// Stores the session under a key. `done` is called with the result.
pub fn keep_session(
    name: &str,
    rest: &[u8],
    saved: Option<&Uint8Array>,
    done: impl Fn(bool) + Clone + 'static,
) {
    if GUEST.get() {
        return;
    }
    database::put_now(session_key(name), both(rest, saved), move |stored| {
        if stored {
            HELD.set(Some(true));
        }
        done(stored);
    });
}

fn session_key(name: &str) -> String {
    format!("session:{name}")
}

/// Removes the session stored under a key.
pub async fn forget_session(name: &str) {
    if GUEST.get() {
        return;
    }
    // If the storage refuses this, it did not store the session either.
    let _ = database::delete(&session_key(name)).await;
}
