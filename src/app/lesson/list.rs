//! The list of lessons in groups, with what is done, and the inputs for lessons from elsewhere.

use super::go;
use crate::fetch::{self, CourseRow};
use crate::follow::{When, flag, string};
use crate::origin;
use crate::page::Page;
use crate::progress::LessonState;
use leptos::prelude::*;
use leptos::task::spawn_local;
use view::css::percent;
use view::fill::fill;
use view::lesson::following;

/// The lessons in a language, once they are loaded.
pub fn course(language: Signal<&'static str>) -> RwSignal<Vec<CourseRow>> {
    let rows = RwSignal::new(Vec::new());
    Effect::new(move || {
        let language = language.get();
        spawn_local(async move {
            rows.try_set(fetch::course(language).await);
        });
    });
    rows
}

/// Draws the list in the current language.
pub fn draw(page: Page, lesson: LessonState) -> AnyView {
    let rows = course(Signal::derive(move || page.prefs.lang.get().code()));
    let open_address = move |event: web_sys::Event| {
        let address = event_target_value(&event);
        if !address.trim().is_empty() {
            origin::agree_to(address.trim());
            go(page, address.trim());
        }
    };
    view! {
        <When holds=flag(move || lesson.info.with(Option::is_some))>
            <div class="bar">
                <button class="quiet" data-testid="lesson-back" on:click=move |_| lesson.listed.set(false)>"‹ "{page.say_later(|w| w.lesson_return)}</button>
                <b class="lesson-open">{string(move || lesson.info.with(|l| l.as_ref().map(|l| l.title.clone()).unwrap_or_default()))}</b>
                <span class="spring"></span>
                <button class="quiet" data-testid="lesson-own" on:click=move |_| go(page, "")>{page.say_later(|w| w.lesson_own)}</button>
            </div>
        </When>
        <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.learn)>
            <p class="verdict">{page.say_later(|w| w.lessons_about)}</p>
            {move || rows.with(|rows| overview(page, rows))}
            <div class="course" data-testid="course">{move || groups(page, &rows.get())}</div>
            <When holds=flag(move || rows.with(Vec::is_empty))><p class="empty">{page.say_later(|w| w.lesson_none)}</p></When>
            <div class="doors">
                <label class="button">{page.say_later(|w| w.lesson_file)}
                    <input type="file" accept=".md,text/markdown,text/plain" data-testid="lesson-file" on:change=move |e| page.dialogs.choose_files(e) />
                </label>
                <label>{page.say_later(|w| w.lesson_address)}" "
                    <input type="text" inputmode="url" placeholder="https://…/lesson.md" data-testid="lesson-address" on:change=open_address />
                </label>
            </div>
        </div>
    }
    .into_any()
}

/// Whether all steps of a lesson are done.
fn is_done(name: &str) -> bool {
    let (steps, total) = origin::steps_done(name);
    steps > 0 && steps >= total
}

/// The number of lessons that are done, and the one to go on with.
fn overview(page: Page, rows: &[CourseRow]) -> AnyView {
    let done: Vec<bool> = rows.iter().map(|row| is_done(&row.0)).collect();
    let finished = done.iter().filter(|done| **done).count();
    let next = following(&done).and_then(|at| rows.get(at)).filter(|_| finished > 0);
    let next = next.map(|(name, title, ..)| {
        view! { <a class="primary" data-testid="lesson-continue" href=format!("?lesson={}", name)>{page.say_later(|w| w.lesson_next)}" "{title.clone()}</a> }
    });
    let all = rows.len();
    let said = string(move || fill(page.t().lessons_done, &[&finished.to_string(), &all.to_string()]));
    (finished > 0).then(|| view! { <p class="course-state"><b>{said}</b>{next}</p> }).into_any()
}

/// The lessons under the headings of their groups.
fn groups(page: Page, rows: &[CourseRow]) -> Vec<AnyView> {
    let mut first = 0;
    let group = |rows: &[CourseRow]| {
        let done = rows.iter().filter(|row| is_done(&row.0)).count();
        let (title, count, from) = (rows[0].5.clone(), rows.len(), first + 1);
        first += count;
        let entries =
            rows.iter().zip(from..).map(|(row, number)| entry(page, number, row)).collect::<Vec<_>>();
        let titled = (!title.is_empty()).then(|| {
            view! { <h3>{title}<small>{done}" / "{count}</small></h3> }
        });
        view! { <section>{titled}<ol start=from.to_string()>{entries}</ol></section> }.into_any()
    };
    rows.chunk_by(|one, next| one.5 == next.5).map(group).collect()
}

fn entry(page: Page, number: usize, (name, title, site, minutes, summary, _, level): &CourseRow) -> AnyView {
    let (steps, total) = origin::steps_done(name);
    let done = is_done(name);
    let mark = if done { "✓".to_owned() } else { number.to_string() };
    let part = (steps > 0 && !done).then(|| {
        let width = percent(f64::from(steps) / f64::from(total.max(1)));
        let said = string(move || fill(page.t().lesson_steps, &[&steps.to_string(), &total.to_string()]));
        view! { <span class="part"><i style:width=width></i></span><em>{said}</em> }
    });
    let facts = [format!("{minutes} min"), level.clone(), site.clone()];
    let facts = facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ");
    view! {
        <li class:done=done>
            <i class="number">{mark}</i>
            <a href=format!("?lesson={}", name)><b>{title.clone()}</b><span>{summary.clone()}</span></a>
            <small>{part}{facts}</small>
        </li>
    }
    .into_any()
}

/// The number of done steps, for the head of an open lesson.
pub fn progress(page: Page, lesson: LessonState) -> Signal<String> {
    string(move || {
        let total = lesson.info.with(|l| l.as_ref().map_or(0, |l| l.steps.len()));
        fill(page.t().lesson_steps, &[&lesson.passed.get().to_string(), &total.to_string()])
    })
}
