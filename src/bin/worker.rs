//! The engine's web worker: messages as postcard bytes, and slices of at most 8 ms between them, so that the page is
//! always heard. A panic aborts it; the page notices and starts another one.

#[cfg(target_arch = "wasm32")]
fn main() {
    driver::start();
}

/// Only so that `--all-features` builds natively.
#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("The worker is built for wasm32-unknown-unknown: cargo xtask serve");
}

#[cfg(target_arch = "wasm32")]
mod driver {
    use super::later;
    use js_sys::{Array, Uint8Array};
    use sandbatch::protocol::ToEngine;
    use sandbatch::session::Engine;
    use std::cell::RefCell;
    use wasm_bindgen::prelude::*;
    use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

    /// Milliseconds of work between two looks at the messages.
    const SLICE: f64 = 8.0;

    struct Driver {
        engine: Engine,
        scope: DedicatedWorkerGlobalScope,
        /// A message to oneself: sooner than a timer, and behind the page's messages that wait.
        again: MessagePort,
        asked: bool,
    }

    thread_local! {
        static DRIVER: RefCell<Option<Driver>> = const { RefCell::new(None) };
    }

    pub fn start() {
        std::panic::set_hook(Box::new(|info| web_sys::console::warn_1(&info.to_string().into())));
        let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
        let Ok(channel) = MessageChannel::new() else { return };
        let on_again = Closure::<dyn FnMut()>::new(|| {
            with(|d| {
                d.asked = false;
                d.work();
            });
        });
        channel.port1().set_onmessage(Some(on_again.into_js_value().unchecked_ref()));
        let on_message =
            Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| with(|d| d.receive(&event)));
        scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
        let mut driver = Driver { engine: Engine::new(), scope, again: channel.port2(), asked: false };
        driver.send();
        DRIVER.with_borrow_mut(|slot| *slot = Some(driver));
    }

    fn with(f: impl FnOnce(&mut Driver)) {
        DRIVER.with_borrow_mut(|slot| slot.as_mut().map(f));
    }

    impl Driver {
        fn receive(&mut self, event: &MessageEvent) {
            let Ok(bytes) = event.data().dyn_into::<Uint8Array>() else { return };
            match postcard::from_bytes::<ToEngine>(&bytes.to_vec()) {
                Ok(message) => {
                    self.engine.receive(message);
                    // What is journaled must be with the page before it is carried out.
                    self.send();
                    self.work_soon();
                }
                Err(error) => {
                    web_sys::console::warn_1(&format!("a message that makes no sense: {error}").into())
                }
            }
        }

        fn work_soon(&mut self) {
            if !std::mem::replace(&mut self.asked, true) {
                self.asked = self.again.post_message(&JsValue::NULL).is_ok();
            }
        }

        fn work(&mut self) {
            let began = self.now();
            loop {
                let more = self.engine.slice();
                self.send();
                if !more {
                    later::fetch();
                    return;
                }
                if self.now() - began > SLICE {
                    break;
                }
            }
            self.work_soon();
        }

        fn now(&self) -> f64 {
            self.scope.performance().map_or(0.0, |p| p.now())
        }

        fn send(&mut self) {
            for message in self.engine.take_messages() {
                let Ok(bytes) = postcard::to_allocvec(&message) else { continue };
                let array = Uint8Array::from(bytes.as_slice());
                if let Err(error) =
                    self.scope.post_message_with_transfer(&array, &Array::of1(&array.buffer()))
                {
                    web_sys::console::warn_1(&error);
                }
            }
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod later {
    //! The later half of this module: what the first prompt does not need, above all the programs that a person types.
    //! The build splits it off (`xtask/src/worker.rs`) and names its file in a custom section; without one all is here.

    use js_sys::WebAssembly::{self, Instance, Module};
    use js_sys::{ArrayBuffer, Object, Promise, Reflect, Uint8Array};
    use std::cell::Cell;
    use wasm_bindgen::prelude::*;
    use wasm_bindgen_futures::{JsFuture, spawn_local};
    use web_sys::{DedicatedWorkerGlobalScope, Response, XmlHttpRequest, XmlHttpRequestResponseType};

    /// Attempts to load it when it is wanted now.
    const ATTEMPTS: u32 = 3;

    thread_local! {
        static ASKED: Cell<bool> = const { Cell::new(false) };
    }

    /// Loads it beside the work, once: before anybody has typed a command, as a rule.
    pub fn fetch() {
        if ASKED.replace(true) {
            return;
        }
        spawn_local(async {
            if let Some(file) = file()
                && let Err(error) = fetched(&file).await
            {
                // It is asked for again when it is needed.
                web_sys::console::warn_1(&error);
            }
        });
    }

    /// Loads it now, while the engine waits: the first half calls this when one of its functions is missing.
    #[wasm_bindgen]
    pub fn load_later_half() {
        let Some(file) = file() else { return };
        if !(0..ATTEMPTS).any(|_| loaded(&file).is_ok()) {
            web_sys::console::warn_1(&format!("{file} could not be loaded").into());
        }
    }

    async fn fetched(file: &str) -> Result<(), JsValue> {
        let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
        let response: Response = JsFuture::from(scope.fetch_with_str(file)).await?.unchecked_into();
        if !response.ok() {
            return Err(response.status_text().into());
        }
        let bytes: Promise = response.array_buffer()?;
        let module = JsFuture::from(WebAssembly::compile(&JsFuture::from(bytes).await?)).await?;
        add(&module.unchecked_into())
    }

    fn loaded(file: &str) -> Result<(), JsValue> {
        let request = XmlHttpRequest::new()?;
        request.open_with_async("GET", file, false)?;
        request.set_response_type(XmlHttpRequestResponseType::Arraybuffer);
        request.send()?;
        add(&Module::new(&request.response()?)?)
    }

    /// Puts its functions into the table.
    fn add(half: &Module) -> Result<(), JsValue> {
        let imports = Object::new();
        Reflect::set(&imports, &"first".into(), &wasm_bindgen::exports())?;
        Instance::new(half, &imports).map(drop)
    }

    /// Its file, beside the worker's.
    fn file() -> Option<String> {
        let this: Module = wasm_bindgen::module().unchecked_into();
        let section: ArrayBuffer = Module::custom_sections(&this, "later-half").get(0).dyn_into().ok()?;
        String::from_utf8(Uint8Array::new(&section).to_vec()).ok()
    }
}
