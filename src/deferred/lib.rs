//! Loads the deferred module of a page program: the functions that are not needed for the first prompt. The
//! build splits it off (`xtask/src/halves`) and stores its file name in a custom section. A program without
//! that section contains everything.

#![cfg(target_arch = "wasm32")]

use js_sys::WebAssembly::{self, Instance, Module};
use js_sys::{ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Response, XmlHttpRequest};

/// Attempts to load it synchronously.
const ATTEMPTS: u32 = 3;

/// A character set that maps each byte to one character, for bytes above 127 in text responses.
const AS_TEXT: &str = "text/plain; charset=x-user-defined";

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
    static THERE: Cell<bool> = const { Cell::new(false) };
}

#[wasm_bindgen]
extern "C" {
    /// `fetch` of a window or of a worker.
    #[wasm_bindgen(js_name = fetch)]
    fn fetch_file(file: &str) -> Promise;
}

/// Loads it once in the background, then calls `then`. After a failure it is loaded again when it is needed.
pub fn fetch(then: impl FnOnce() + 'static) {
    if ASKED.replace(true) {
        return;
    }
    spawn_local(async move {
        if let Some(file) = file()
            && let Err(error) = fetched(&file).await
        {
            web_sys::console::warn_1(&error);
        }
        then();
    });
}

/// Whether the download was requested.
pub fn is_asked() -> bool {
    ASKED.get()
}

/// Whether the whole program is loaded.
pub fn is_there() -> bool {
    THERE.get() || file().is_none()
}

/// Loads it synchronously. The first module calls this when one of its functions is missing.
#[wasm_bindgen]
pub fn load_deferred_module() {
    let Some(file) = file() else { return };
    if !(0..ATTEMPTS).any(|_| loaded(&file).is_ok()) {
        web_sys::console::warn_1(&format!("{file} could not be loaded").into());
    }
}

async fn fetched(file: &str) -> Result<(), JsValue> {
    // Compile while the bytes arrive, so that the browser caches the compiled code. If the server sends the
    // wrong content type, compile after the download.
    let module = match JsFuture::from(WebAssembly::compile_streaming(&fetch_file(file))).await {
        Ok(module) => module,
        Err(_) => {
            let response: Response = JsFuture::from(fetch_file(file)).await?.unchecked_into();
            if !response.ok() {
                return Err(response.status_text().into());
            }
            let bytes: Promise = response.array_buffer()?;
            JsFuture::from(WebAssembly::compile(&JsFuture::from(bytes).await?)).await?
        }
    };
    add(&module.unchecked_into())
}

/// A synchronous request in a window can only return text, so the bytes are read as text.
fn loaded(file: &str) -> Result<(), JsValue> {
    let request = XmlHttpRequest::new()?;
    request.open_with_async("GET", file, false)?;
    request.override_mime_type(AS_TEXT)?;
    request.send()?;
    let text = request.response_text()?.unwrap_or_default();
    let bytes: Vec<u8> = text.chars().map(|c| (u32::from(c) & 0xff) as u8).collect();
    add(&Module::new(&Uint8Array::from(bytes.as_slice()))?)
}

/// Instantiates the module and puts its functions into the table, once: a second instantiation would reset the
/// data segments.
fn add(half: &Module) -> Result<(), JsValue> {
    if THERE.get() {
        return Ok(());
    }
    let imports = Object::new();
    Reflect::set(&imports, &"first".into(), &wasm_bindgen::exports())?;
    Instance::new(half, &imports)?;
    THERE.set(true);
    Ok(())
}

/// The URL of its file, which is next to the program's.
fn file() -> Option<String> {
    let this: Module = wasm_bindgen::module().unchecked_into();
    let section: ArrayBuffer = Module::custom_sections(&this, "deferred-module").get(0).dyn_into().ok()?;
    String::from_utf8(Uint8Array::new(&section).to_vec()).ok()
}
