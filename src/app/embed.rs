//! The embedded page (`www/embed.js`, `docs/embed.md`): requests from the host page, and events sent to it.

use crate::lesson::type_lines;

use crate::preferences::Theme;
use crate::state::AppState;
use crate::worker_link::send;
use crate::workspace::Zone;
use crate::{files, js, origin};
use js_sys::Array;
use leptos::prelude::*;
use protocol::{Skip, ToEngine};
use wasm_bindgen::prelude::*;

/// Maximum number of seconds that a host may skip at once: 30 days.
const MOST_SECONDS: i64 = 30 * 86_400;

/// Takes the host's requests and sends it events.
pub fn follow(app: AppState) {
    let page = app.page;
    if !origin::is_embedded() {
        return;
    }
    page.workspace.zone.set(zone(&js::address("embed")));
    let carry_out = Closure::<dyn FnMut(String, String) -> Result<JsValue, JsValue>>::new(
        move |what: String, value: String| carry_out(app, &what, &value),
    );
    js::listen_to_host(&carry_out);
    // The page listens as long as it lives.
    carry_out.forget();
    let ready = Memo::new(move |_| page.terminals.prompted.get() && page.started.with(Option::is_some));
    Effect::new(move |told: Option<bool>| {
        let told = told.unwrap_or(false);
        if ready.get() && !told {
            js::tell_host("ready", &JsValue::NULL);
        }
        told || ready.get()
    });
    Effect::new(move || js::tell_host("passed", &app.lesson().passed.get().into()));
    let jobs = Memo::new(move |_| page.clock.with(|c| (c.pending, c.running)));
    Effect::new(move || {
        let (pending, running) = jobs.get();
        js::tell_host("jobs", &Array::of2(&pending.into(), &running.into()));
    });
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
fn carry_out(app: AppState, what: &str, value: &str) -> Result<JsValue, JsValue> {
    let page = app.page;
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
        "theme" => page.prefs.theme.set(Theme::from_name(value)),
        "file" => {
            let (name, text) = value.split_once('\n').unwrap_or((value, ""));
            let path = format!("{}/{}", files::home(page), name.trim_matches('/'));
            let user = page.user.get_untracked();
            send(&ToEngine::SaveFile { user, path: path.clone(), text: text.to_owned() });
            crate::editor::open(page, path);
            page.workspace.zone.set(Zone::Editor);
        }
        "state" => return Ok(state(app).into()),
        _ => return Err(JsValue::from_str("there is no such request")),
    }
    Ok(JsValue::NULL)
}

/// `[now (milliseconds), pending, running, steps done, steps, site, user]`
fn state(app: AppState) -> Array {
    let page = app.page;
    let clock = page.clock.get_untracked();
    let steps = app.lesson().info.with_untracked(|l| l.as_ref().map_or(0, |l| l.steps.len()));
    let numbers = [clock.now as f64 / 1000.0, clock.pending.into(), clock.running.into()];
    let all: Array = numbers.into_iter().map(JsValue::from).collect();
    all.push(&app.lesson().passed.get_untracked().into());
    all.push(&u32::try_from(steps).unwrap_or(u32::MAX).into());
    all.push(&page.site.get_untracked().into());
    all.push(&page.user.get_untracked().into());
    all
}
