//! The service worker (`www/sw.js`), which keeps the files of this build, and the offer to reload when there is a newer one.

use crate::js;
use crate::notices::NoticeOffer;
use crate::page::Page;
use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use leptos::prelude::window;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState};

/// How often an open page looks for a newer build, in milliseconds.
const LOOK_EVERY: u32 = 3_600_000;

/// Registers it, where the browser allows that.
pub fn keep(page: Page) {
    let container = js::property(&window().navigator(), "serviceWorker");
    if window().is_secure_context() && container.is_object() {
        spawn_local(async move {
            // Without it, the page needs the network like any other page.
            let _ = register(page, &container.unchecked_into()).await;
        });
    }
}

async fn register(page: Page, container: &ServiceWorkerContainer) -> Result<(), JsValue> {
    let registered = JsFuture::from(container.register("sw.js")).await?;
    let registration: ServiceWorkerRegistration = registered.unchecked_into();
    let found = registration.clone();
    let listener = EventListener::new(&registration, "updatefound", move |_| {
        // The first worker of all is no update.
        if let (Some(worker), Some(_)) = (found.installing(), found.active()) {
            offer_when_installed(page, &worker);
        }
    });
    // Both last as long as the page.
    listener.forget();
    Interval::new(LOOK_EVERY, move || {
        // Without a network there is no newer build.
        let _ = registration.update();
    })
    .forget();
    Ok(())
}

/// Offers to reload as soon as the new build's files are all here.
fn offer_when_installed(page: Page, worker: &ServiceWorker) {
    let new = worker.clone();
    EventListener::new(worker, "statechange", move |_| {
        if new.state() == ServiceWorkerState::Installed {
            page.tell(|w| w.new_version, String::new(), NoticeOffer::Reload);
        }
    })
    .forget();
}
