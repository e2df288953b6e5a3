//! The zoom: two buttons, a list of densities, plus and minus, the wheel with Ctrl, pinching. The node under the pointer (or
//! the selected one, or the one in the middle) stays where it is.

use super::ClusterView;
use crate::follow::string;
use crate::page::Selection;
use crate::pinch::Pinch;
use gloo_events::{EventListener, EventListenerOptions};
use leptos::ev::{KeyboardEvent, PointerEvent, WheelEvent};
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use view::cluster::{ClusterLayout, Density, LEVELS, Zoom};
use wasm_bindgen::prelude::*;

/// Pixels of wheel movement per step. A wheel's notch is 100 or more; a pinch on a touch pad comes in small amounts.
const NOTCH: f64 = 40.0;

/// Zooms by a step around a point of the window; without one, around the selected node or the middle.
fn step(sight: ClusterView, by: isize, around: Option<(f64, f64)>) {
    let (before, Some(element)) = (sight.picture.get_untracked(), sight.scroller.get_untracked()) else {
        return;
    };
    let Some(to) = before.level.checked_add_signed(by).filter(|to| *to < LEVELS.len()) else { return };
    let scrolled = f64::from(element.scroll_top());
    let height = f64::from(element.client_height());
    let in_sight = |node: &u32| before.top(*node).is_some_and(|y| y >= scrolled && y < scrolled + height);
    let selected = sight.page.selection.with_untracked(|s| match s {
        Selection::Node(node) => Some(*node),
        Selection::None | Selection::Job(_) => None,
    });
    let held = match around {
        Some((x, y)) => before.near(x, scrolled + y),
        None => selected.filter(in_sight).or_else(|| before.near(0.0, scrolled + height / 2.0)),
    };
    sight.zoom.set(Zoom::Level(to));
    let after = sight.picture.get_untracked();
    let top = |layout: &ClusterLayout| held.and_then(|node| layout.top(node));
    if let (Some(was), Some(is)) = (top(&before), top(&after)) {
        // The picture gets its new height with the next animation frame.
        request_animation_frame(move || element.set_scroll_top((scrolled + is - was).max(0.0) as i32));
    }
}

/// The zoom buttons and the list of densities.
#[component]
pub fn ZoomButtons(sight: ClusterView) -> impl IntoView {
    let ClusterView { page, zoom, picture, .. } = sight;
    let name = move || match zoom.get() {
        Zoom::Fit => "auto",
        Zoom::Density(density) => density.name(),
        Zoom::Level(_) => picture.with(|l| l.density.name()),
    };
    let choose = move |event| {
        zoom.set(match event_target_value(&event).as_str() {
            "cells" => Zoom::Density(Density::Cells),
            "bars" => Zoom::Density(Density::Bars),
            "blocks" => Zoom::Density(Density::Blocks),
            _ => Zoom::Fit,
        });
    };
    let ends = move |level: usize| Signal::derive(move || picture.with(|l| l.level == level));
    view! {
        <div class="choice zoom" role="group" aria-label=page.say_later(|w| w.density)>
            <button class="icon" data-testid="cluster-out" aria-label=page.say_later(|w| w.zoom_out) title=page.say_later(|w| w.zoom_out)
                prop:disabled=ends(0) on:click=move |_| step(sight, -1, None)>"−"</button>
            <select data-testid="density" aria-label=page.say_later(|w| w.density) title=page.say_later(|w| w.density)
                prop:value=string(move || name().to_owned()) on:change=choose>
                <option value="auto">{page.say_later(|w| w.density_auto)}</option>
                <option value="cells">{page.say_later(|w| w.density_cells)}</option>
                <option value="bars">{page.say_later(|w| w.density_bars)}</option>
                <option value="blocks">{page.say_later(|w| w.density_blocks)}</option>
            </select>
            <button class="icon" data-testid="cluster-in" aria-label=page.say_later(|w| w.zoom_in) title=page.say_later(|w| w.zoom_in)
                prop:disabled=ends(LEVELS.len() - 1) on:click=move |_| step(sight, 1, None)>"+"</button>
        </div>
    }
}

/// Handles wheel, pinch and keys on the picture.
pub fn listen(sight: ClusterView) {
    let turned = Rc::new(RefCell::new(0.0));
    on(sight, "wheel", move |event: &WheelEvent| {
        if !(event.ctrl_key() || event.meta_key()) {
            return;
        }
        event.prevent_default();
        let mut turned = turned.borrow_mut();
        *turned += event.delta_y();
        if turned.abs() >= NOTCH {
            step(sight, if *turned < 0.0 { 1 } else { -1 }, point(event));
            *turned = 0.0;
        }
    });
    on(sight, "keydown", move |event: &KeyboardEvent| {
        match event.key().as_str() {
            "+" | "=" => step(sight, 1, None),
            "-" => step(sight, -1, None),
            "0" => sight.zoom.set(Zoom::Fit),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    });
    let pinch = Rc::new(RefCell::new(Pinch::default()));
    for name in ["pointerdown", "pointermove", "pointerup", "pointercancel"] {
        let pinch = Rc::clone(&pinch);
        on(sight, name, move |event: &PointerEvent| {
            let by = pinch.borrow_mut().take(event);
            if by != 0 {
                step(sight, by, point(event));
            }
        });
    }
}

/// The pointer's position in the visible part of the picture, which is as large as the canvas.
fn point(event: &web_sys::MouseEvent) -> Option<(f64, f64)> {
    Some((f64::from(event.offset_x()), f64::from(event.offset_y())))
}

/// Adds a listener for the life of the page.
fn on<E: JsCast>(sight: ClusterView, name: &'static str, mut f: impl FnMut(&E) + 'static) {
    if let Some(element) = sight.scroller.get_untracked() {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&element, name, options, move |event| f(event.unchecked_ref()))
            .forget();
    }
}
