//! The list of lessons, and the inputs for lessons from elsewhere.

use super::go;
use crate::fetch::{self, CourseRow};
use crate::follow::{When, flag, string};
use crate::origin;
use crate::page::Page;
use crate::progress::LessonState;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Draws the list in the current language.
pub fn draw(page: Page) -> AnyView {
    let rows = RwSignal::new(Vec::<CourseRow>::new());
    Effect::new(move || {
        let language = page.prefs.lang.get().code();
        spawn_local(async move {
            rows.try_set(fetch::course(language).await);
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

fn entry((name, title, site, minutes, summary): CourseRow) -> AnyView {
    let (steps, total) = origin::steps_done(&name);
    let mark = match (steps, total) {
        (0, _) => "",
        (steps, total) if steps >= total => "✓",
        _ => "…",
    };
    let at = format!("{} · {} min", site, minutes);
    view! {
        <li>
            <a href=format!("?lesson={}", name)><b>{title}</b><span>{summary}</span></a>
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
