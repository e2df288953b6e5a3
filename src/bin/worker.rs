//! The engine's web worker. It exchanges messages as postcard bytes and works in slices of at most 8 ms between
//! them, so that the page never waits long. A panic aborts the worker; the page notices and starts a new one.
//!
//! Under the name [`protocol::compare::COMPARISON_WORKER`] it has no engine and compares policies.

#[cfg(target_arch = "wasm32")]
fn main() {
    use wasm_bindgen::JsCast as _;
    console_error_panic_hook::set_once();
    let scope: web_sys::DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    if scope.name() == protocol::compare::COMPARISON_WORKER {
        comparison::start(scope);
    } else {
        driver::start(scope);
    }
}

/// Exists only so that `--all-features` builds natively.
#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("The worker is built for wasm32-unknown-unknown: cargo xtask serve");
}

#[cfg(target_arch = "wasm32")]
mod driver {
    use engine::session::Engine;
    use gloo_events::EventListener;
    use js_sys::{Array, Uint8Array};
    use protocol::{FromEngine, ToEngine};
    use std::cell::RefCell;
    use wasm_bindgen::prelude::*;
    use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

    /// Milliseconds of work after which the worker looks for messages. A task begun before that may take as long again.
    const SLICE: f64 = 4.0;

    struct Driver {
        engine: Engine,
        scope: DedicatedWorkerGlobalScope,
        /// Posts a message to the worker itself. This fires sooner than a timer, and after the page's waiting messages.
        again: MessagePort,
        asked: bool,
    }

    thread_local! {
        static DRIVER: RefCell<Option<Driver>> = const { RefCell::new(None) };
    }

    pub fn start(scope: DedicatedWorkerGlobalScope) {
        let Ok(channel) = MessageChannel::new() else { return };
        let again = channel.port1();
        EventListener::new(&again, "message", |_| {
            with(|d| {
                d.asked = false;
                d.work();
            });
        })
        .forget();
        again.start();
        EventListener::new(&scope, "message", |event| {
            if let Some(event) = event.dyn_ref::<MessageEvent>() {
                with(|d| d.receive(event));
            }
        })
        .forget();
        let mut driver = Driver { engine: Engine::new(), scope, again: channel.port2(), asked: false };
        driver.send();
        DRIVER.with_borrow_mut(|slot| *slot = Some(driver));
    }

    fn with(f: impl FnOnce(&mut Driver)) {
        DRIVER.with_borrow_mut(|slot| slot.as_mut().map(f));
    }

    impl Driver {
        fn receive(&mut self, event: &MessageEvent) {
            let data = event.data();
            // The start message carries the saved session.
            let (message, saved) = match data.dyn_ref::<Array>() {
                Some(both) => (both.get(0), both.get(1).dyn_into::<Uint8Array>().ok()),
                None => (data, None),
            };
            let Ok(bytes) = message.dyn_into::<Uint8Array>() else { return };
            match postcard::from_bytes::<ToEngine>(&bytes.to_vec()) {
                Ok(message) => {
                    let message = message.with_saved(saved.map(|bytes| bytes.to_vec()));
                    if Engine::needs_all(&message) && !deferred::is_asked() {
                        // Start the download after the current task, not in the middle of it.
                        deferred::fetch(|| {
                            with(|d| {
                                d.complete();
                                d.take(message);
                            });
                        });
                    } else {
                        self.take(message);
                    }
                }
                Err(error) => {
                    web_sys::console::warn_1(&format!("a message that makes no sense: {error}").into())
                }
            }
        }

        fn take(&mut self, message: ToEngine) {
            self.engine.receive(message);
            // The page must have the journal entry before the input is applied.
            self.send();
            self.work_soon();
        }

        fn work_soon(&mut self) {
            if !std::mem::replace(&mut self.asked, true) {
                self.asked = self.again.post_message(&JsValue::NULL).is_ok();
            }
        }

        fn work(&mut self) {
            let began = self.now();
            let (mut before, mut longest) = (began, 0.0_f64);
            loop {
                let more = self.engine.slice();
                self.send();
                if !more {
                    if self.engine.wants_deferred() {
                        deferred::fetch(|| with(Self::complete));
                    }
                    return;
                }
                // Estimate: the next step takes no longer than the longest of the recent ones.
                let now = self.now();
                longest = longest.max(now - before);
                if now - began + longest > SLICE {
                    break;
                }
                before = now;
            }
            self.work_soon();
        }

        fn complete(&mut self) {
            self.engine.deferred_loaded(deferred::is_there());
            self.work_soon();
        }

        fn now(&self) -> f64 {
            self.scope.performance().map_or(0.0, |p| p.now())
        }

        fn send(&mut self) {
            for message in self.engine.take_messages() {
                let sent = match message {
                    // The bytes are large, so they are sent as a plain list (bytes and number) without another wrapper.
                    FromEngine::Saved { seq, bytes } => {
                        let array = Uint8Array::from(bytes.as_slice());
                        let seq = seq.map_or(JsValue::NULL, |seq| JsValue::from_f64(seq as f64));
                        self.post(&Array::of2(&array, &seq), &array)
                    }
                    message => {
                        let Ok(bytes) = postcard::to_allocvec(&message) else { continue };
                        let array = Uint8Array::from(bytes.as_slice());
                        self.post(&array, &array)
                    }
                };
                if let Err(error) = sent {
                    web_sys::console::warn_1(&error);
                }
            }
        }

        fn post(&self, message: &JsValue, bytes: &Uint8Array) -> Result<(), JsValue> {
            self.scope.post_message_with_transfer(message, &Array::of1(&bytes.buffer()))
        }
    }
}

/// Runs the replays of a comparison. A message is answered when its work is done: the page uses one such worker for each
/// policy, and ends it to stop.
#[cfg(target_arch = "wasm32")]
mod comparison {
    use compare::service::ComparisonService;
    use engine::session::replay::site::START;
    use gloo_events::EventListener;
    use js_sys::{Array, Uint8Array};
    use protocol::compare::{FromComparison, ToComparison};
    use std::cell::RefCell;
    use wasm_bindgen::JsCast as _;
    use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

    pub fn start(scope: DedicatedWorkerGlobalScope) {
        deferred::fetch(move || {
            let service = RefCell::new(ComparisonService::new(START, env!("CARGO_PKG_VERSION")));
            let answers = scope.clone();
            EventListener::new(&scope, "message", move |event| {
                let bytes =
                    event.dyn_ref::<MessageEvent>().and_then(|e| e.data().dyn_into::<Uint8Array>().ok());
                let Some(bytes) = bytes else { return };
                let answer = match postcard::from_bytes::<ToComparison>(&bytes.to_vec()) {
                    Ok(message) => service.borrow_mut().answer(message),
                    Err(error) => FromComparison::Refused(error.to_string()),
                };
                send(&answers, &answer);
            })
            .forget();
            send(&scope, &FromComparison::Ready);
        });
    }

    fn send(scope: &DedicatedWorkerGlobalScope, answer: &FromComparison) {
        let Ok(bytes) = postcard::to_allocvec(answer) else { return };
        let array = Uint8Array::from(bytes.as_slice());
        if let Err(error) = scope.post_message_with_transfer(&array, &Array::of1(&array.buffer())) {
            web_sys::console::warn_1(&error);
        }
    }
}
