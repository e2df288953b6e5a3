//! Draws the page in stages, each in a task of its own, so that the browser can paint and handle keys in
//! between. Drawn at once, the page would block a slow machine for 200 ms.

use crate::page::Page;
use crate::workspace::DrawStage;
use leptos::children::ChildrenFn;
use leptos::prelude::*;
use std::time::Duration;

/// The stages of the first download.
const FIRST: &[DrawStage] = &[
    DrawStage::Zones,
    DrawStage::Settings,
    DrawStage::Clock,
    DrawStage::Cluster,
    DrawStage::Terminal,
    DrawStage::Queue,
];
/// The stages of the deferred module.
const LATER: &[DrawStage] =
    &[DrawStage::Editor, DrawStage::Time, DrawStage::Controls, DrawStage::Panels, DrawStage::Dialogs];

/// Draws the stages of the first download.
pub fn draw_first(page: Page) {
    draw(page, FIRST);
}

/// Draws the stages of the deferred module.
pub fn draw_later(page: Page) {
    draw(page, LATER);
}

fn draw(page: Page, stages: &'static [DrawStage]) {
    let Some((next, rest)) = stages.split_first() else { return };
    soon(move || {
        // The later stages may be drawn before the first ones are, if their module is there at once.
        if page.workspace.stage.get_untracked() < *next {
            page.workspace.stage.set(*next);
        }
        draw(page, rest);
    });
}

/// Runs a closure in a task of its own. In a hidden tab, where timers are slow and nothing is painted, it runs at once.
pub fn soon(what: impl FnOnce() + 'static) {
    if document().hidden() { what() } else { set_timeout(what, Duration::ZERO) }
}

/// A zone that is drawn at a stage. Until then, an empty element reserves its space.
#[component]
pub fn AtStage(
    page: Page,
    /// When it is drawn.
    stage: DrawStage,
    /// Its class in the style sheet.
    class: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let drawn = page.drawn(stage);
    move || if drawn.get() { children() } else { view! { <div class=class></div> }.into_any() }
}
