//! One piece a task: the page is put together zone by zone, so that the browser paints and takes keys in between. A page
//! that is made in one go takes a slow machine a fifth of a second in which it is deaf.

use super::state::{Page, Turn};
use leptos::children::ChildrenFn;
use leptos::prelude::*;
use std::time::Duration;

/// What is there without the page's later half ...
const FIRST: &[Turn] =
    &[Turn::Zones, Turn::Settings, Turn::Clock, Turn::Cluster, Turn::Terminal, Turn::Queue];
/// ... and with it.
const LATER: &[Turn] = &[Turn::Editor, Turn::Time, Turn::Controls, Turn::Panels, Turn::Dialogs];

/// Draws the page's first half.
pub fn draw_first(page: Page) {
    draw(page, FIRST);
}

/// Draws what comes with its later half.
pub fn draw_later(page: Page) {
    draw(page, LATER);
}

fn draw(page: Page, pieces: &'static [Turn]) {
    let Some((next, rest)) = pieces.split_first() else { return };
    soon(move || {
        page.turn.set(*next);
        draw(page, rest);
    });
}

/// Does it when the browser has done what else it has to do. In a tab that nobody sees that is nothing, and timers are slow.
pub fn soon(what: impl FnOnce() + 'static) {
    if document().hidden() { what() } else { set_timeout(what, Duration::ZERO) }
}

/// A zone whose place is kept until it is its turn.
#[component]
pub fn InTurn(
    page: Page,
    /// When it is drawn.
    turn: Turn,
    /// Its class in the style sheet.
    place: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let drawn = page.drawn(turn);
    move || if drawn.get() { children() } else { view! { <div class=place></div> }.into_any() }
}
