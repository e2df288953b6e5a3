//! A key-value store in the browser's IndexedDB, which may be blocked or full.

use futures_channel::oneshot;
use gloo_timers::callback::Timeout;
use idb::{
    Database, DatabaseEvent as _, Factory, KeyRange, ObjectStore, ObjectStoreParams, Request as _,
    Transaction, TransactionMode,
};
use leptos::task::spawn_local;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

const NAME: &str = "sandbatch";
const STORE: &str = "sessions";
/// Milliseconds after which a browser that does not answer counts as one that stores nothing.
const TIMEOUT: u32 = 6_000;

thread_local! {
    /// The connection, once it is open.
    static OPEN: RefCell<Option<Rc<Database>>> = const { RefCell::new(None) };
}

fn connection() -> Option<Rc<Database>> {
    OPEN.with(|open| open.try_borrow().ok().and_then(|open| open.clone()))
}

async fn open() -> Result<Rc<Database>, String> {
    if let Some(database) = connection() {
        return Ok(database);
    }
    let mut request = Factory::new().and_then(|factory| factory.open(NAME, Some(1))).map_err(text)?;
    let (sender, result) = oneshot::channel();
    let sender = Rc::new(Cell::new(Some(sender)));
    let tell = |sender: &Rc<Cell<Option<oneshot::Sender<bool>>>>, opened| {
        // The caller may no longer be waiting.
        let _ = sender.take().map(|sender| sender.send(opened));
    };
    let [done, failed, blocked] = [sender.clone(), sender.clone(), sender];
    request.on_upgrade_needed(|event| {
        // A database without the store fails at its first use.
        let _ = event.database().and_then(|made| made.create_object_store(STORE, ObjectStoreParams::new()));
    });
    request.on_success(move |_| tell(&done, true));
    request.on_error(move |_| tell(&failed, false));
    request.on_blocked(move |_| tell(&blocked, false));
    if !result.await.unwrap_or(false) {
        return Err("IndexedDB".to_owned());
    }
    let database = Rc::new(request.database().map_err(text)?);
    OPEN.with_borrow_mut(|open| *open = Some(Rc::clone(&database)));
    Ok(database)
}

fn text(error: idb::Error) -> String {
    error.to_string()
}

fn begin(database: &Database, mode: TransactionMode) -> Result<(Transaction, ObjectStore), idb::Error> {
    let transaction = database.transaction(&[STORE], mode)?;
    let store = transaction.object_store(STORE)?;
    Ok((transaction, store))
}

/// Calls back once a transaction has ended: whether it is committed.
fn when_ended(transaction: &mut Transaction, done: impl FnOnce(bool) + 'static) {
    let done = Rc::new(Cell::new(Some(done)));
    let aborted = Rc::clone(&done);
    transaction.on_complete(move |_| done.take().into_iter().for_each(|done| done(true)));
    transaction.on_abort(move |_| aborted.take().into_iter().for_each(|done| done(false)));
}

async fn ended(mut transaction: Transaction) -> Result<(), String> {
    let (sender, result) = oneshot::channel();
    when_ended(&mut transaction, |committed| {
        let _ = sender.send(committed);
    });
    if result.await.unwrap_or(false) { Ok(()) } else { Err("IndexedDB".to_owned()) }
}

/// The value under a key. An error if the browser does not answer in time.
pub async fn get(key: &str) -> Result<Option<JsValue>, String> {
    let (sender, result) = oneshot::channel();
    let sender = Rc::new(Cell::new(Some(sender)));
    let late = Rc::clone(&sender);
    let timer = Timeout::new(TIMEOUT, move || {
        let _ = late.take().map(|sender| sender.send(Err("IndexedDB".to_owned())));
    });
    let key = key.to_owned();
    spawn_local(async move {
        let value = read(&key).await;
        // The caller may no longer be waiting.
        let _ = sender.take().map(|sender| sender.send(value));
    });
    let value = result.await.unwrap_or_else(|_| Err("IndexedDB".to_owned()));
    drop(timer);
    value
}

async fn read(key: &str) -> Result<Option<JsValue>, String> {
    let database = open().await?;
    let (transaction, store) = begin(&database, TransactionMode::ReadOnly).map_err(text)?;
    let request = store.get(JsValue::from(key)).map_err(text)?;
    ended(transaction).await?;
    let value = request.result().map_err(text)?;
    Ok(Some(value).filter(|value| !value.is_undefined()))
}

/// The keys that start with a prefix.
pub async fn keys(prefix: &str) -> Result<Vec<String>, String> {
    let database = open().await?;
    let (transaction, store) = begin(&database, TransactionMode::ReadOnly).map_err(text)?;
    let range =
        KeyRange::bound(&prefix.into(), &format!("{prefix}\u{ffff}").into(), None, None).map_err(text)?;
    let request = store.get_all_keys(Some(range.into()), None).map_err(text)?;
    ended(transaction).await?;
    let all = js_sys::Array::from(&request.result().map_err(text)?);
    Ok(all.iter().filter_map(|key| key.as_string()).collect())
}

/// Removes a key.
pub async fn delete(key: &str) -> Result<(), String> {
    let database = open().await?;
    let (transaction, store) = begin(&database, TransactionMode::ReadWrite).map_err(text)?;
    store.delete(JsValue::from(key)).map_err(text)?;
    ended(transaction).await
}

/// Stores a value and waits until it is stored.
pub async fn put(key: &str, value: &JsValue) -> Result<(), String> {
    let database = open().await?;
    let (sender, result) = oneshot::channel();
    write(&database, key, value, |stored| {
        let _ = sender.send(stored);
    })
    .map_err(text)?;
    if result.await.unwrap_or(false) { Ok(()) } else { Err("IndexedDB".to_owned()) }
}

/// Stores a value. With an open connection the browser has it when this returns, so it may be called while the page goes
/// away. Calls back with whether it is stored.
pub fn put_now(key: String, value: JsValue, done: impl Fn(bool) + Clone + 'static) {
    match connection() {
        Some(database) => {
            if write(&database, &key, &value, done.clone()).is_err() {
                done(false);
            }
        }
        None => spawn_local(async move { done(put(&key, &value).await.is_ok()) }),
    }
}

fn write(
    database: &Database,
    key: &str,
    value: &JsValue,
    done: impl FnOnce(bool) + 'static,
) -> Result<(), idb::Error> {
    let (mut transaction, store) = begin(database, TransactionMode::ReadWrite)?;
    store.put(value, Some(&JsValue::from(key)))?;
    when_ended(&mut transaction, done);
    // The browser calls back after this.
    transaction.forget_callbacks();
    Ok(())
}
