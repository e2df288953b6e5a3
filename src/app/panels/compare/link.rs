//! A worker that compares policies or imports a history, and its messages.

use crate::js;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use js_sys::{Array, Uint8Array};
use protocol::compare::{COMPARISON_WORKER, FromComparison, ToComparison};
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// A worker with its listeners.
pub struct ComparisonLink {
    worker: Worker,
    listeners: [EventListener; 2],
}

impl ComparisonLink {
    /// Starts a worker. `receive` gets its answers, or why it died, as far as the browser says.
    ///
    /// # Errors
    /// The browser starts no worker.
    pub fn open(receive: impl Fn(Result<FromComparison, String>) + 'static) -> Result<Self, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name(COMPARISON_WORKER);
        let loader = js::named_by_build("worker").unwrap_or_default();
        let worker = Worker::new_with_options(&loader, &options).map_err(|error| js::words_of(&error))?;
        let receive = Rc::new(receive);
        let died = Rc::clone(&receive);
        let on_message = EventListener::new(&worker, "message", move |event| {
            let bytes = event.dyn_ref::<MessageEvent>().and_then(|e| e.data().dyn_into::<Uint8Array>().ok());
            let Some(bytes) = bytes else { return };
            receive(postcard::from_bytes(&bytes.to_vec()).map_err(|error| error.to_string()));
        });
        let prevent = EventListenerOptions::enable_prevent_default();
        let on_error = EventListener::new_with_options(&worker, "error", prevent, move |event| {
            event.prevent_default();
            died(Err(event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default()));
        });
        Ok(Self { worker, listeners: [on_message, on_error] })
    }

    /// Sends a message.
    pub fn send(&self, message: &ToComparison) {
        let Ok(bytes) = postcard::to_allocvec(message) else { return };
        let array = Uint8Array::from(bytes.as_slice());
        // A worker that is gone has told so by its error event.
        let _ = self.worker.post_message_with_transfer(&array, &Array::of1(&array.buffer()));
    }

    /// Ends the worker.
    pub fn close(self) {
        self.worker.terminate();
        // This may run in one of the listeners, which must outlive the call.
        let listeners = self.listeners;
        Timeout::new(0, move || drop(listeners)).forget();
    }
}
