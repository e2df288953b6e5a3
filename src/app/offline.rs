//! The service worker (`www/sw.js`), which keeps the page's files for visits without a network.

use crate::{js, location};
use js_sys::Array;
use leptos::prelude::window;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ServiceWorkerContainer, ServiceWorkerRegistration};

/// Registers it and tells it the names of all files, where the browser allows that.
pub fn keep() {
    let container = js::property(&window().navigator(), "serviceWorker");
    if window().is_secure_context() && container.is_object() {
        spawn_local(async move {
            // Without it, the page needs the network like any other page.
            let _ = register(&container.unchecked_into()).await;
        });
    }
}

async fn register(container: &ServiceWorkerContainer) -> Result<(), JsValue> {
    JsFuture::from(container.register("sw.js")).await?;
    let ready: ServiceWorkerRegistration = JsFuture::from(container.ready()?).await?.unchecked_into();
    let files = crate::fetch::file_names().await?;
    let all = std::iter::once("./").chain(files.iter().map(String::as_str));
    let all: Array = all.filter_map(|file| Some(location::absolute(file)?.0)).map(JsValue::from).collect();
    if let Some(active) = ready.active() {
        active.post_message(&all)?;
    }
    Ok(())
}
