//! One piece a task: the page is put together zone by zone, so that the browser paints and takes keys in between. A page
//! that is made in one go takes a slow machine a fifth of a second in which it is deaf.

use super::state::{Page, Turn};
use js_sys::Promise;
use leptos::children::ChildrenFn;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// What is there without the page's later half ...
const FIRST: [Turn; 4] = [Turn::Cluster, Turn::Terminal, Turn::Queue, Turn::Editor];
/// ... and with it.
const LATER: [Turn; 3] = [Turn::Controls, Turn::Panels, Turn::Dialogs];

/// Draws the page's first half.
pub async fn draw_first(page: Page) {
    draw(page, &FIRST).await;
}

/// Draws what comes with its later half.
pub async fn draw_later(page: Page) {
    draw(page, &LATER).await;
}

async fn draw(page: Page, pieces: &[Turn]) {
    for turn in pieces {
        next().await;
        page.turn.set(*turn);
    }
}

/// Waits until the browser has done what else it has to do. A tab that nobody sees has nothing else to do, and its timers
/// are slow.
pub async fn next() {
    let Some(window) = web_sys::window() else { return };
    if document().hidden() {
        return;
    }
    let promise = Promise::new(&mut |resolve, _| {
        // A timer cannot be refused; if it were, nobody would wait for it.
        if window.set_timeout_with_callback(&resolve).is_err() {
            let _ = resolve.call0(&resolve);
        }
    });
    let _ = JsFuture::from(promise).await;
}

/// Waits until what stands in index.html was painted.
pub async fn painted() {
    let Some(window) = web_sys::window() else { return };
    if document().hidden() {
        return;
    }
    let promise = Promise::new(&mut |resolve, _| {
        if window.request_animation_frame(&resolve).is_err() {
            let _ = resolve.call0(&resolve);
        }
    });
    let _ = JsFuture::from(promise).await;
    // A frame's callbacks run before it is painted.
    next().await;
}

/// A zone whose place is kept until it is its turn.
#[component]
pub fn InTurn(
    page: Page,
    /// When it is drawn.
    turn: Turn,
    /// Its class in the style sheet.
    zone: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let place = move || view! { <section class=format!("zone {zone}")></section> };
    let drawn = page.drawn(turn);
    move || if drawn.get() { children() } else { place().into_any() }
}
