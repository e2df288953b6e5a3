//! A Web Lock, held until the page is closed, so that only one tab has a session.

use futures_channel::oneshot;
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Function, Object, Promise, Reflect};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Attempts to get the lock: a tab that was just closed or reloaded needs time to release it.
const ATTEMPTS: u32 = 4;
/// Milliseconds between two attempts.
const PAUSE: u32 = 250;
/// Milliseconds to wait for the browser's answer.
const TIMEOUT: u32 = 2_000;

thread_local! {
    static HELD: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

#[wasm_bindgen]
extern "C" {
    /// The browser's locks (`web-sys` counts them as unstable).
    type LockManager;
    #[wasm_bindgen(method)]
    fn request(this: &LockManager, name: &str, options: &Object, got: &Function) -> Promise;
}

/// Whether no other tab has this session open. Without Web Locks, this tab is assumed to be the only one.
pub async fn is_only_tab(session: &str) -> bool {
    let navigator = web_sys::window().map(|w| w.navigator());
    let locks = navigator.and_then(|n| Reflect::get(&n, &"locks".into()).ok()).filter(JsValue::is_object);
    let Some(locks) = locks else { return true };
    if HELD.with_borrow(|held| held.contains(session)) {
        return true;
    }
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            TimeoutFuture::new(PAUSE).await;
        }
        if take(locks.unchecked_ref(), session).await {
            HELD.with_borrow_mut(|held| held.insert(session.to_owned()));
            return true;
        }
    }
    false
}

/// Takes the lock if it is free, until the page is closed.
async fn take(locks: &LockManager, session: &str) -> bool {
    let options = Object::new();
    // Setting a property of a new object cannot fail.
    let _ = Reflect::set(&options, &"ifAvailable".into(), &JsValue::TRUE);
    let (sender, result) = oneshot::channel();
    let sender = Rc::new(Cell::new(Some(sender)));
    let refused = Rc::clone(&sender);
    let late = Rc::clone(&sender);
    let timer = Timeout::new(TIMEOUT, move || {
        // A browser that does not answer does not show other tabs.
        let _ = late.take().map(|sender| sender.send(true));
    });
    let got = Closure::once_into_js(move |lock: JsValue| {
        let _ = sender.take().map(|sender| sender.send(lock.is_object()));
        // The lock is held until this promise is settled.
        if lock.is_object() { Promise::new(&mut |_, _| {}).into() } else { JsValue::UNDEFINED }
    });
    let failed = Closure::once(move |_: JsValue| {
        // If locks are forbidden, other tabs cannot be detected.
        let _ = refused.take().map(|sender| sender.send(true));
    });
    let request = locks.request(&format!("sandbatch:{session}"), &options, got.unchecked_ref());
    let _ = request.catch(&failed);
    failed.forget();
    let free = result.await.unwrap_or(true);
    drop(timer);
    free
}
