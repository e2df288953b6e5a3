//! The page in a frame of another one (`www/embed.js`, `docs/embed.md`): what the host may ask, and what it is told.

use super::lesson::type_lines;
use super::state::{Page, Theme, Zone};
use super::worker_link::send;
use super::{files, js};
use crate::protocol::{Skip, ToEngine};
use js_sys::Array;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

/// A host goes ahead at most so many seconds at once: thirty days.
const MOST_SECONDS: i64 = 30 * 86_400;

/// Whether the page is in a frame that asked for it.
pub fn is_embedded() -> bool {
    !js::address("embed").is_empty()
}

/// Listens to the host and tells it what happens.
pub fn follow(page: Page) {
    if !is_embedded() {
        return;
    }
    page.zone.set(zone(&js::address("embed")));
    let carry_out = Closure::<dyn FnMut(String, String) -> Result<JsValue, JsValue>>::new(
        move |what: String, value: String| carry_out(page, &what, &value),
    );
    js::listen_to_host(&carry_out);
    // The page listens as long as it lives.
    carry_out.forget();
    let ready = Memo::new(move |_| page.prompted.get() && page.started.with(Option::is_some));
    Effect::new(move |told: Option<bool>| {
        let told = told.unwrap_or(false);
        if ready.get() && !told {
            js::tell_host("ready", &JsValue::NULL);
        }
        told || ready.get()
    });
    Effect::new(move || js::tell_host("passed", &page.passed.get().into()));
    let jobs = Memo::new(move |_| page.clock.with(|c| (c.pending, c.running)));
    Effect::new(move || {
        let (pending, running) = jobs.get();
        js::tell_host("jobs", &Array::of2(&pending.into(), &running.into()));
    });
}

/// What a narrow frame with these panels shows first.
fn zone(panels: &str) -> Zone {
    let has = |panel: &str| panels.split_whitespace().any(|p| p == panel);
    let order =
        [("terminal", Zone::Type), ("cluster", Zone::See), ("queue", Zone::Queue), ("editor", Zone::Write)];
    order.into_iter().find(|(panel, _)| has(panel)).map_or(Zone::Type, |(_, zone)| zone)
}

/// Does what the host asks.
fn carry_out(page: Page, what: &str, value: &str) -> Result<JsValue, JsValue> {
    match what {
        "type" => {
            let user = page.user.get_untracked();
            type_lines(page, &user, value.lines().map(str::to_owned).collect());
        }
        "advance" => {
            let seconds: i64 = value.parse().map_err(|_| JsValue::from_str("no number of seconds"))?;
            let to = page.clock.with_untracked(|c| c.now) + seconds.clamp(0, MOST_SECONDS) * 1_000_000;
            send(&ToEngine::Skip(Skip::Until(to)));
        }
        "theme" => page.theme.set(Theme::from_name(value)),
        "file" => {
            let (name, text) = value.split_once('\n').unwrap_or((value, ""));
            let path = format!("{}/{}", files::home(page), name.trim_matches('/'));
            let user = page.user.get_untracked();
            send(&ToEngine::SaveFile { user, path: path.clone(), text: text.to_owned() });
            super::editor::open(page, path);
            page.zone.set(Zone::Write);
        }
        "state" => return Ok(state(page).into()),
        _ => return Err(JsValue::from_str("there is no such request")),
    }
    Ok(JsValue::NULL)
}

/// `[now (milliseconds), pending, running, steps done, steps, site, user]`
fn state(page: Page) -> Array {
    let clock = page.clock.get_untracked();
    let steps = page.lesson.with_untracked(|l| l.as_ref().map_or(0, |l| l.steps.len()));
    let numbers = [clock.now as f64 / 1000.0, clock.pending.into(), clock.running.into()];
    let all: Array = numbers.into_iter().map(JsValue::from).collect();
    all.push(&page.passed.get_untracked().into());
    all.push(&u32::try_from(steps).unwrap_or(u32::MAX).into());
    all.push(&page.site.get_untracked().into());
    all.push(&page.user.get_untracked().into());
    all
}
