//! The web worker that runs the engine: messages there and back, the ticks, and a watch over its life.

use super::state::{Offer, Page};
use super::{js, session};
use crate::protocol::{FromEngine, ToEngine};
use js_sys::{Array, Uint8Array};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// A worker that says nothing for so many milliseconds while it is asked hangs.
const PATIENCE: f64 = 15_000.0;
/// Between two looks at it.
const PROBE: f64 = 5_000.0;

struct Link {
    worker: Worker,
    /// When it was last heard of, in milliseconds of the page.
    heard: f64,
    /// When it was last asked something that it answers.
    asked: f64,
    /// The person was told that it hangs.
    told: bool,
    /// A frame to be acknowledged when it was drawn.
    drawn: Option<u32>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

thread_local! {
    static LINK: RefCell<Option<Link>> = const { RefCell::new(None) };
}

/// Milliseconds of the page.
pub fn now() -> f64 {
    web_sys::window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

/// Starts a fresh worker in place of the one that runs.
pub fn spawn(page: Page) {
    stop();
    // At the page's start one is loading already; what it said so far comes with it.
    let early = js::early_worker();
    let worker = match early.shift().dyn_into::<Worker>() {
        Ok(worker) => worker,
        Err(_) => {
            let options = WorkerOptions::new();
            options.set_type(WorkerType::Module);
            let Ok(worker) = Worker::new_with_options("./worker_loader.js", &options) else {
                page.tell(|w| w.engine_stopped, String::new(), Offer::None);
                return;
            };
            worker
        }
    };
    let on_message = Closure::new(move |event: MessageEvent| receive(page, &event));
    let on_error = Closure::new(move |event: ErrorEvent| {
        event.prevent_default();
        session::died(page, &event.message());
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    let link = Link {
        worker,
        heard: now(),
        asked: now(),
        told: false,
        drawn: None,
        _on_message: on_message,
        _on_error: on_error,
    };
    LINK.with_borrow_mut(|slot| *slot = Some(link));
    for event in early.iter() {
        receive(page, &event.unchecked_into());
    }
}

/// Ends the worker.
pub fn stop() {
    let old = LINK.with_borrow_mut(Option::take);
    if let Some(link) = old {
        link.worker.set_onmessage(None);
        link.worker.set_onerror(None);
        link.worker.terminate();
        // This may be called from its own handler, which must outlive the call.
        leptos::prelude::set_timeout(move || drop(link), std::time::Duration::from_secs(1));
    }
}

/// Sends a message to the engine, if there is one.
pub fn send(message: &ToEngine) {
    let Ok(bytes) = postcard::to_allocvec(message) else { return };
    LINK.with_borrow(|slot| {
        if let Some(link) = slot {
            let array = Uint8Array::from(bytes.as_slice());
            // A worker that is gone is noticed by the watch below.
            let _ = link.worker.post_message_with_transfer(&array, &Array::of1(&array.buffer()));
        }
    });
}

/// Sends the first message, with what was saved.
pub fn send_start(message: &ToEngine, saved: Option<&Uint8Array>) {
    let Ok(bytes) = postcard::to_allocvec(message) else { return };
    let both =
        Array::of2(&Uint8Array::from(bytes.as_slice()), &saved.cloned().map_or(JsValue::NULL, JsValue::from));
    LINK.with_borrow(|slot| {
        if let Some(link) = slot {
            let _ = link.worker.post_message(&both);
        }
    });
}

fn receive(page: Page, event: &MessageEvent) {
    let data = event.data();
    // What the engine saved comes in a list, with the number of the last input that is in it.
    let saved = data.dyn_ref::<Array>().and_then(|list| {
        let seq = list.get(1).as_f64().map(|seq| seq as u64);
        Some((seq, list.get(0).dyn_into::<Uint8Array>().ok()?))
    });
    let bytes = data.dyn_into::<Uint8Array>().ok();
    if saved.is_none() && bytes.is_none() {
        return;
    }
    LINK.with_borrow_mut(|slot| {
        if let Some(link) = slot {
            link.heard = now();
            link.told = false;
        }
    });
    if let Some((seq, saved)) = saved {
        session::saved(page, seq, saved);
    }
    let Some(bytes) = bytes else { return };
    match postcard::from_bytes::<FromEngine>(&bytes.to_vec()) {
        Ok(FromEngine::Frame(frame)) => {
            LINK.with_borrow_mut(|slot| {
                if let Some(link) = slot {
                    link.drawn = Some(frame.number);
                }
            });
            page.frame(*frame);
        }
        Ok(message) => session::receive(page, message),
        Err(error) => page.tell(|w| w.engine_stopped, error.to_string(), Offer::None),
    }
}

/// Once per drawn frame: acknowledges, ticks, and looks whether the worker lives.
pub fn animation_frame(page: Page, elapsed: u32) {
    let drawn = LINK.with_borrow_mut(|slot| slot.as_mut().and_then(|link| link.drawn.take()));
    if let Some(number) = drawn {
        send(&ToEngine::Ack(number));
    }
    send(&ToEngine::Tick(elapsed));
    watch(page);
}

fn watch(page: Page) {
    let time = now();
    let (ask, hangs) = LINK.with_borrow_mut(|slot| {
        let Some(link) = slot else { return (false, false) };
        // After a pause of the whole page (a sleeping machine) the worker gets its chance first.
        let silent = time - link.heard;
        let ask = silent > PROBE && time - link.asked > PROBE;
        if ask {
            link.asked = time;
        }
        let hangs = silent > PATIENCE && link.asked > link.heard && !link.told;
        link.told |= hangs;
        (ask, hangs)
    });
    if ask {
        send(&ToEngine::Hash);
    }
    if hangs {
        page.tell(|w| w.engine_hangs, String::new(), Offer::Restart);
    }
}
