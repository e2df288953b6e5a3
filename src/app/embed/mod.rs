//! The embedded page (`www/embed/`, `docs/embed.md`): requests from the host page, and events sent to it.

mod block;
mod head;
mod messages;
mod still;

pub use head::draw as draw_head;

use crate::command::type_lines;
use crate::page::Page;
use crate::preferences::Theme;
use crate::state::AppState;
use crate::worker_link::send;
use crate::workspace::Zone;
use crate::{files, location, origin, share};
use gloo_events::EventListener;
use js_sys::Array;
use leptos::prelude::*;
use messages::{AnswerValue, HostAnswer, HostEvent, HostRequest, HostState, PROTOCOL};
use protocol::{Skip, ToEngine};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use web_sys::MessageEvent;

/// Maximum number of seconds that a host may skip at once: 30 days.
const MOST_SECONDS: i64 = 30 * 86_400;
/// Most characters of a request's value.
const MAX_VALUE: usize = 1 << 18;
/// Most characters that a host may type and write before its frame is loaded again.
const MAX_WRITTEN: usize = 1 << 24;
/// Longest name of a file.
const MAX_NAME: usize = 255;

thread_local! {
    /// Characters that the host has typed and written.
    static WRITTEN: Cell<usize> = const { Cell::new(0) };
    /// Whether the engine is making a moment for the host.
    static MAKING: Cell<bool> = const { Cell::new(false) };
}

/// Takes the host's requests and sends it events.
pub fn follow(app: AppState) {
    let page = app.page;
    if !origin::is_embedded() {
        return;
    }
    page.workspace.zone.set(zone(&location::parameter("embed")));
    EventListener::new(&window(), "message", move |event| {
        if let Some(event) = event.dyn_ref::<MessageEvent>() {
            on_message(app, event);
        }
    })
    .forget();
    let ready = Memo::new(move |_| page.terminals.prompted.get() && page.started.with(Option::is_some));
    Effect::new(move |announced: Option<bool>| {
        let announced = announced.unwrap_or(false);
        if ready.get() && !announced {
            tell("ready", JsValue::NULL);
        }
        announced || ready.get()
    });
    // Whether it asks the reader, who may take longer than the host waits for a page.
    Effect::new(move |before: Option<bool>| {
        let asks = page.dialogs.elsewhere.with(Option::is_some);
        if asks != before.unwrap_or(false) {
            tell("asks", asks.into());
        }
        asks
    });
    Effect::new(move || tell("passed", app.lesson().passed.get().into()));
    let jobs = Memo::new(move |_| page.clock.with(|c| (c.pending, c.running)));
    Effect::new(move || {
        let (pending, running) = jobs.get();
        tell("jobs", Array::of2(&pending.into(), &running.into()).into());
    });
}

/// The window of the host; none if the page is not framed.
fn host() -> Option<web_sys::Window> {
    let parent = window().parent().ok()??;
    (JsValue::from(&parent) != JsValue::from(&window())).then_some(parent)
}

/// Sends an event to the host.
fn tell(event: &str, value: JsValue) {
    post(&HostEvent { sandbatch: PROTOCOL, event, value });
}

fn post(message: &impl Serialize) {
    let message = message.serialize(&Serializer::new().serialize_missing_as_null(true));
    if let (Some(host), Ok(message)) = (host(), message) {
        // The host may be any page. What it gets is what its visitor sees.
        let _ = host.post_message(&message, "*");
    }
}

/// Takes a message. Only the window around the page may send requests.
fn on_message(app: AppState, event: &MessageEvent) {
    let from_host =
        host().zip(event.source()).is_some_and(|(host, source)| JsValue::from(host) == JsValue::from(source));
    if !from_host {
        return;
    }
    let Ok(request) = serde_wasm_bindgen::from_value::<HostRequest>(event.data()) else { return };
    let value = request.value.as_string().or_else(|| Some(request.value.as_f64()?.to_string()));
    let value: String = value.unwrap_or_default().chars().take(MAX_VALUE).collect();
    if request.what == "moment" && request.sandbatch == PROTOCOL && !MAKING.replace(true) {
        moment(app, request.id);
        return;
    }
    let result = if request.sandbatch != PROTOCOL {
        Err(format!("this page speaks version {PROTOCOL}"))
    } else if request.what == "load" {
        let there = location::here().hosted(&value).href();
        // A browser that refuses this keeps the page.
        let _ = window().location().replace(&there);
        return;
    } else if request.what == "read" {
        block::read(app.page, &request.value).map(AnswerValue::Blocks)
    } else {
        carry_out(app, &request.what, &value)
    };
    answer(request.id, result);
}

/// Answers a request that has a number.
fn answer(id: JsValue, result: Result<AnswerValue, String>) {
    if !id.is_undefined() {
        let (value, error) = match result {
            Ok(value) => (Some(value), None),
            Err(error) => (None, Some(error)),
        };
        post(&HostAnswer { sandbatch: PROTOCOL, id, value, error });
    }
}

/// Makes a moment for the host.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
fn moment(app: AppState, id: JsValue) {
    let made = move |fragment: Result<String, String>| {
        MAKING.set(false);
        answer(id, fragment.map(AnswerValue::Text));
    };
    share::for_host(app.lesson(), Box::new(made));
}

/// The zone that a narrow frame with these panels shows first.
fn zone(panels: &str) -> Zone {
    let has = |panel: &str| panels.split_whitespace().any(|p| p == panel);
    let order = [
        ("terminal", Zone::Terminal),
        ("cluster", Zone::Cluster),
        ("queue", Zone::Panels),
        ("editor", Zone::Editor),
    ];
    order.into_iter().find(|(panel, _)| has(panel)).map_or(Zone::Terminal, |(_, zone)| zone)
}

/// Carries out a request of the host.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
fn carry_out(app: AppState, what: &str, value: &str) -> Result<AnswerValue, String> {
    let page = app.page;
    match what {
        "type" => {
            count(value)?;
            type_lines(page, value.lines().map(str::to_owned).collect())?;
        }
        "advance" => {
            let seconds: i64 = value.parse().map_err(|_| "no number of seconds".to_owned())?;
            let to = page.clock.with_untracked(|c| c.now) + seconds.clamp(0, MOST_SECONDS) * 1_000_000;
            send(&ToEngine::Skip(Skip::Until(to)));
        }
        "theme" => page.prefs.theme.set(Theme::from_name(value)),
        "file" => {
            let path = write(page, value)?;
            crate::editor::open(page, path);
            page.workspace.zone.set(Zone::Editor);
        }
        "write" => drop(write(page, value)?),
        "state" => return Ok(AnswerValue::State(state(app))),
        "moment" => return Err("the moment before is still being made".to_owned()),
        "picture" => return Ok(AnswerValue::Text(still::draw(page))),
        _ => return Err("there is no such request".to_owned()),
    }
    Ok(AnswerValue::Done(None))
}

/// Counts what the host types and writes. The journal keeps all of it.
fn count(value: &str) -> Result<(), String> {
    let written = WRITTEN.get().saturating_add(value.len());
    if written > MAX_WRITTEN {
        return Err("the host has typed and written too much".to_owned());
    }
    WRITTEN.set(written);
    Ok(())
}

/// Writes a file to the user's home: its name, a newline, its content. Returns its path.
fn write(page: Page, value: &str) -> Result<String, String> {
    let (name, text) = value.split_once('\n').unwrap_or((value, ""));
    let name = name.trim_matches('/');
    if name.is_empty() || name.len() > MAX_NAME || name.contains(char::is_control) {
        return Err("no name of a file".to_owned());
    }
    count(value)?;
    let path = format!("{}/{name}", files::home(page));
    let user = page.user.get_untracked();
    send(&ToEngine::SaveFile { user, path: path.clone(), text: text.to_owned() });
    Ok(path)
}

fn state(app: AppState) -> HostState {
    let page = app.page;
    let clock = page.clock.get_untracked();
    let (steps, most) =
        app.lesson().info.with_untracked(|l| l.as_ref().map_or((0, 0), |l| (l.steps.len(), l.most)));
    HostState {
        now: clock.now as f64 / 1000.0,
        pending: clock.pending,
        running: clock.running,
        passed: app.lesson().passed.get_untracked(),
        steps: u32::try_from(steps).unwrap_or(u32::MAX),
        points: app.lesson().score.with_untracked(|score| score.points),
        most,
        site: page.site.get_untracked(),
        user: page.user.get_untracked(),
    }
}
