//! The later half of a program of the page: what is not needed at first. The build splits it off (`xtask/src/halves`) and
//! names its file in a custom section; in a program without one all is here.

use js_sys::WebAssembly::{self, Instance, Module};
use js_sys::{ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Response, XmlHttpRequest};

/// Attempts to load it when it is wanted now.
const ATTEMPTS: u32 = 3;

/// Where bytes of more than 7 bits are put in a text of this character set.
const AS_TEXT: &str = "text/plain; charset=x-user-defined";

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
    static THERE: Cell<bool> = const { Cell::new(false) };
}

#[wasm_bindgen]
extern "C" {
    /// `fetch` of a window and of a worker.
    #[wasm_bindgen(js_name = fetch)]
    fn fetch_file(file: &str) -> Promise;
}

/// Loads it beside the work, once, and calls back when it is there. What fails is tried again when it is needed.
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

/// Whether it was asked for.
pub fn is_asked() -> bool {
    ASKED.get()
}

/// Whether all of the program is there.
pub fn is_there() -> bool {
    THERE.get() || file().is_none()
}

/// Loads it now, while the program waits: the first half calls this when one of its functions is missing.
#[wasm_bindgen]
pub fn load_later_half() {
    let Some(file) = file() else { return };
    if !(0..ATTEMPTS).any(|_| loaded(&file).is_ok()) {
        web_sys::console::warn_1(&format!("{file} could not be loaded").into());
    }
}

async fn fetched(file: &str) -> Result<(), JsValue> {
    // As it comes, and kept by the browser as it was compiled; where a server does not say what it is, when all is there.
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

/// A window that waits gets nothing but text, so bytes come as that.
fn loaded(file: &str) -> Result<(), JsValue> {
    let request = XmlHttpRequest::new()?;
    request.open_with_async("GET", file, false)?;
    request.override_mime_type(AS_TEXT)?;
    request.send()?;
    let text = request.response_text()?.unwrap_or_default();
    let bytes: Vec<u8> = text.chars().map(|c| (u32::from(c) & 0xff) as u8).collect();
    add(&Module::new(&Uint8Array::from(bytes.as_slice()))?)
}

/// Puts its functions into the table, once: whoever comes second would undo what its data has become.
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

/// Its file, beside the program's.
fn file() -> Option<String> {
    let this: Module = wasm_bindgen::module().unchecked_into();
    let section: ArrayBuffer = Module::custom_sections(&this, "later-half").get(0).dyn_into().ok()?;
    String::from_utf8(Uint8Array::new(&section).to_vec()).ok()
}
