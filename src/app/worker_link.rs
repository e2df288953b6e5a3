//! The link to the web worker that runs the engine: messages in both directions, ticks, and a watchdog.
//! [`listen`] registers the receiver of the messages.

use crate::js;
use crate::notices::NoticeOffer;
use crate::page::Page;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use js_sys::{Array, Uint8Array};
use protocol::{FromEngine, ToEngine};
use std::cell::{OnceCell, RefCell};
use view::pacing::FramePacer;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// Milliseconds without an answer after which the worker counts as hung.
const TIMEOUT: f64 = 15_000.0;
/// Milliseconds of silence after which the worker is asked for a sign of life.
const PROBE: f64 = 5_000.0;

/// The receiver of the worker's messages.
pub struct EngineListener {
    pub message: Box<dyn Fn(FromEngine)>,
    /// The session's bytes, with the number of the last journal entry that they include.
    pub saved: Box<dyn Fn(Option<u64>, Uint8Array)>,
    /// Why the worker died.
    pub died: Box<dyn Fn(&str)>,
}

struct WorkerLink {
    worker: Worker,
    /// When it sent something last, in milliseconds of the page.
    heard: f64,
    /// When it was last asked for a sign of life.
    asked: f64,
    /// Whether a notice says that it hangs.
    reported: bool,
    /// The frame to acknowledge once it is drawn.
    drawn: Option<u32>,
    pacer: FramePacer,
    listeners: [EventListener; 2],
}

thread_local! {
    static LINK: RefCell<Option<WorkerLink>> = const { RefCell::new(None) };
    static LISTENER: OnceCell<EngineListener> = const { OnceCell::new() };
}

/// Registers the receiver of the worker's messages, before the first [`spawn`].
pub fn listen(listener: EngineListener) {
    LISTENER.with(|slot| {
        // There is one page in a tab.
        let _ = slot.set(listener);
    });
}

fn notify_listener(f: impl FnOnce(&EngineListener)) {
    LISTENER.with(|slot| slot.get().map(f));
}

/// Milliseconds since the page was loaded.
pub fn now() -> f64 {
    web_sys::window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

/// Starts a new worker and drops the old one.
pub fn spawn(page: Page) {
    stop();
    // www/early.js has started one with the page; what it sent so far comes with it.
    let early = js::take_global("earlyWorker").unwrap_or(JsValue::UNDEFINED);
    let worker = match js::property(&early, "worker").dyn_into::<Worker>() {
        Ok(worker) => worker,
        Err(_) => {
            let options = WorkerOptions::new();
            options.set_type(WorkerType::Module);
            let loader = js::named_by_build("worker").unwrap_or_default();
            let Ok(worker) = Worker::new_with_options(&loader, &options) else {
                page.tell(|w| w.engine_stopped, String::new(), NoticeOffer::None);
                return;
            };
            worker
        }
    };
    // It has put messages aside until now.
    worker.set_onmessage(None);
    let on_message = EventListener::new(&worker, "message", move |event| {
        if let Some(event) = event.dyn_ref::<MessageEvent>() {
            receive(page, event);
        }
    });
    let prevent = EventListenerOptions::enable_prevent_default();
    let on_error = EventListener::new_with_options(&worker, "error", prevent, |event| {
        event.prevent_default();
        let why = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
        notify_listener(|listener| (listener.died)(&why));
    });
    let link = WorkerLink {
        worker,
        heard: now(),
        asked: now(),
        reported: false,
        drawn: None,
        pacer: FramePacer::default(),
        listeners: [on_message, on_error],
    };
    LINK.with_borrow_mut(|slot| *slot = Some(link));
    let messages = js::property(&early, "messages").dyn_into::<Array>().unwrap_or_default();
    for event in messages.iter() {
        receive(page, &event.unchecked_into());
    }
}

/// Ends the worker.
pub fn stop() {
    let old = LINK.with_borrow_mut(Option::take);
    if let Some(link) = old {
        link.worker.terminate();
        // This may run in one of its listeners, which must outlive the call.
        Timeout::new(0, move || drop(link.listeners)).forget();
    }
}

/// Sends a message to the engine, if there is one.
pub fn send(message: &ToEngine) {
    let Ok(bytes) = postcard::to_allocvec(message) else { return };
    LINK.with_borrow(|slot| {
        if let Some(link) = slot {
            let array = Uint8Array::from(bytes.as_slice());
            // If the worker is gone, the watchdog notices.
            let _ = link.worker.post_message_with_transfer(&array, &Array::of1(&array.buffer()));
        }
    });
}

/// Sends the first message, with the saved session beside it.
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
    // A list holds the saved session and the number of the last journal entry in it.
    let saved = data.dyn_ref::<Array>().and_then(|list| {
        let seq = list.get(1).as_f64().map(|seq| seq as u64);
        Some((seq, list.get(0).dyn_into::<Uint8Array>().ok()?))
    });
    let bytes = data.dyn_into::<Uint8Array>().ok();
    if saved.is_none() && bytes.is_none() {
        return;
    }
    let hung = LINK.with_borrow_mut(|slot| {
        slot.as_mut().is_some_and(|link| {
            link.heard = now();
            std::mem::take(&mut link.reported)
        })
    });
    if hung {
        page.notices.engine_answers();
    }
    if let Some((seq, saved)) = saved {
        notify_listener(|listener| (listener.saved)(seq, saved));
    }
    let Some(bytes) = bytes else { return };
    match postcard::from_bytes::<FromEngine>(&bytes.to_vec()) {
        Ok(message) => {
            if let FromEngine::Frame(frame) = &message {
                LINK.with_borrow_mut(|slot| slot.iter_mut().for_each(|link| link.drawn = Some(frame.number)));
            }
            notify_listener(|listener| (listener.message)(message));
        }
        Err(error) => page.tell(|w| w.engine_stopped, error.to_string(), NoticeOffer::None),
    }
}

/// Runs once per animation frame: acknowledges the last frame if the next one may be drawn, sends a tick, and checks that
/// the worker is alive.
pub fn animation_frame(page: Page, elapsed: u32) {
    let time = now();
    let due = LINK.with_borrow_mut(|slot| {
        let link = slot.as_mut()?;
        if link.pacer.begin(time, link.drawn.is_some()) { link.drawn.take() } else { None }
    });
    if let Some(number) = due {
        send(&ToEngine::Ack(number));
    }
    send(&ToEngine::Tick(elapsed));
    watch(page);
}

fn watch(page: Page) {
    let time = now();
    let (ask, hangs) = LINK.with_borrow_mut(|slot| {
        let Some(link) = slot else { return (false, false) };
        // After a pause of the whole page (a laptop that slept) the worker is asked first.
        let silent = time - link.heard;
        let ask = silent > PROBE && time - link.asked > PROBE;
        if ask {
            link.asked = time;
        }
        let hangs = silent > TIMEOUT && link.asked > link.heard && !link.reported;
        link.reported |= hangs;
        (ask, hangs)
    });
    if ask {
        send(&ToEngine::Hash);
    }
    if hangs {
        page.tell(|w| w.engine_hangs, String::new(), NoticeOffer::Restart);
    }
}
