//! The list of lessons, and the inputs for lessons from elsewhere.

use super::go;
use crate::follow::{When, flag, string};
use crate::page::Page;
use crate::progress::LessonState;
use crate::{js, origin};
use js_sys::Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;

/// A lesson in the list.
#[derive(Clone, PartialEq, Eq)]
struct CourseEntry {
    name: String,
    title: String,
    site: String,
    minutes: String,
    summary: String,
}

/// Draws the list in the current language.
pub fn draw(page: Page) -> AnyView {
    let rows = RwSignal::new(Vec::<CourseEntry>::new());
    Effect::new(move || {
        let language = page.prefs.lang.get().code();
        spawn_local(async move {
            // A page that was saved without its lessons has none.
            let all = js::lessons(language).await.unwrap_or_default();
            rows.try_set(Array::from(&all).iter().map(|row| read(&row)).collect());
        });
    });
    let open_address = move |event: web_sys::Event| {
        let address = event_target_value(&event);
        if !address.trim().is_empty() {
            go(page, address.trim());
        }
    };
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.learn)>
            <p class="verdict">{page.say(|w| w.lessons_about)}</p>
            <ol class="course" data-testid="course">{move || rows.get().into_iter().map(entry).collect::<Vec<_>>()}</ol>
            <When holds=flag(move || rows.with(Vec::is_empty))><p class="empty">{page.say(|w| w.lesson_none)}</p></When>
            <div class="doors">
                <label>{page.say(|w| w.lesson_file)}" "
                    <input type="file" accept=".md,text/markdown,text/plain" data-testid="lesson-file" on:change=move |e| page.dialogs.choose_files(e) />
                </label>
                <label>{page.say(|w| w.lesson_address)}" "
                    <input type="text" inputmode="url" placeholder="https://…/lesson.md" data-testid="lesson-address" on:change=open_address />
                </label>
            </div>
        </div>
    }
    .into_any()
}

fn read(row: &wasm_bindgen::JsValue) -> CourseEntry {
    let row: Array = row.clone().dyn_into().unwrap_or_default();
    let text = |at| row.get(at).as_string().unwrap_or_default();
    CourseEntry { name: text(0), title: text(1), site: text(2), minutes: text(3), summary: text(4) }
}

fn entry(row: CourseEntry) -> AnyView {
    let (steps, total) = origin::steps_done(&row.name);
    let mark = match (steps, total) {
        (0, _) => "",
        (steps, total) if steps >= total => "✓",
        _ => "…",
    };
    let at = format!("{} · {} min", row.site, row.minutes);
    view! {
        <li>
            <a href=format!("?lesson={}", row.name)><b>{row.title}</b><span>{row.summary}</span></a>
            <small>{at}</small><i>{mark}</i>
        </li>
    }
    .into_any()
}

/// The number of done steps, for the head of an open lesson.
pub fn progress(page: Page, lesson: LessonState) -> Signal<String> {
    string(move || {
        let total = lesson.info.with(|l| l.as_ref().map_or(0, |l| l.steps.len()));
        view::fill::fill(page.t().lesson_steps, &[&lesson.passed.get().to_string(), &total.to_string()])
    })
}
