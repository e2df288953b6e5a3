//! The open lesson: its steps, hints and solutions, and what is done.

use super::{begin_at, go, list, pieces};
use crate::command::type_solution;
use crate::fetch::CourseRow;
use crate::follow::{When, flag, in_next_frame, string};
use crate::page::Page;
use crate::progress::{self, LessonState};
use crate::worker_link::send;
use crate::{origin, save, session, share, storage};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{LessonInfo, LessonStep, Skip, ToEngine, Travel};
use std::sync::Arc;
use view::{css::percent, fill::fill, lesson::wait, times};

/// Whether this is nobody's class. A class's lesson is chosen, and its clock set, by the teacher, and it has no way back.
fn alone() -> bool {
    origin::class().is_none()
}

/// Draws the lesson with its steps.
pub fn draw(page: Page, lesson: LessonState) -> AnyView {
    let info = lesson.info.get_untracked().unwrap_or_default();
    let steps = (0_u32..)
        .zip(info.steps.clone())
        .map(|(at, one)| step(page, lesson, &info, at, one))
        .collect::<Vec<_>>();
    let total = u32::try_from(info.steps.len()).unwrap_or(u32::MAX);
    let whole = total > 0;
    let findings =
        info.findings.iter().map(|f| view! { <li><code>{f.clone()}</code></li> }).collect::<Vec<_>>();
    let broken = !findings.is_empty();
    let language = if info.language.starts_with("fr") { "fr" } else { "en" };
    let course = list::course(Signal::stored(language));
    let done = flag(move || whole && lesson.passed.get() >= total);
    let bar = string(move || percent(f64::from(lesson.passed.get()) / f64::from(total.max(1))));
    view! {
        <div class="bar">
            <When holds=flag(alone)>
                <button class="quiet" data-testid="lesson-leave" on:click=move |_| lesson.listed.set(true)>"‹ "{page.say(|w| w.lesson_all)}</button>
            </When>
            <span class="spring"></span>
            {challenge(page, lesson, &info)}
            <span class="faint" role="status" data-testid="lesson-progress">{list::progress(page, lesson)}</span>
            <When holds=flag(alone)>
                <button class="quiet" data-testid="lesson-again" on:click=move |_| session::reset(page)>{page.say_later(|w| w.lesson_again)}</button>
            </When>
        </div>
        <div class="lesson-bar" aria-hidden="true"><i style:width=bar></i></div>
        <div class="scroll" tabindex="0" role="group" aria-label=info.title.clone() lang=info.language.clone()>
            {position(page, course, &info.name)}
            <h2>{info.title.clone()}</h2>
            <When holds=flag(move || broken)><p class="findings">{page.say_later(|w| w.lesson_broken)}</p></When>
            <ul class="findings">{findings}</ul>
            {pieces::draw(page, &info.name, &info.intro)}
            <ol class="lesson-steps">{steps}</ol>
            <When holds=flag(move || lesson.score.with(|s| s.over))>
                <p class="findings" role="status" data-testid="lesson-over">{page.say_later(|w| w.lesson_over)}</p>
            </When>
            {end(page, lesson, course, &info, done)}
            <When holds=flag(alone)>{mine(page, lesson)}</When>
        </div>
    }
    .into_any()
}

/// The lesson's position in the course.
fn position(page: Page, course: RwSignal<Vec<CourseRow>>, name: &str) -> AnyView {
    let name = name.to_owned();
    let said = string(move || {
        course.with(|rows| {
            let Some((at, row)) = rows.iter().enumerate().find(|(_, row)| row.0 == name) else {
                return String::new();
            };
            let number = fill(page.t().lesson_number, &[&(at + 1).to_string(), &rows.len().to_string()]);
            if row.5.is_empty() { number } else { format!("{} · {number}", row.5) }
        })
    });
    view! { <p class="lesson-position" data-testid="lesson-position">{said}</p> }.into_any()
}

/// The card of a lesson that is done: what it was, the next one, the list, and a picture to show around.
fn end(
    page: Page,
    lesson: LessonState,
    course: RwSignal<Vec<CourseRow>>,
    info: &Arc<LessonInfo>,
    done: Signal<bool>,
) -> AnyView {
    let name = info.name.clone();
    let (most, steps) = (info.most, info.steps.len());
    let line = string(move || {
        let steps = fill(page.later().lesson_card_steps, &[&steps.to_string()]);
        let points = lesson.score.with(|s| s.points).to_string();
        let points = (most > 0).then(|| fill(page.t().lesson_points, &[&points, &most.to_string()]));
        points.map_or(steps.clone(), |points| format!("{steps} · {points}"))
    });
    let title = info.title.clone();
    let shown = title.clone();
    let copy = move |_| save::copy_card(page, title.clone(), line.get_untracked());
    let next = Memo::new(move |_| {
        course.with(|rows| {
            let at = rows.iter().position(|row| row.0 == name)?;
            rows.get(at + 1).map(|row| (row.0.clone(), row.1.clone()))
        })
    });
    let open = move |_| {
        if let Some((name, _)) = next.get_untracked() {
            go(page, &name);
        }
    };
    let top = NodeRef::<Div>::new();
    Effect::new(move |before: Option<bool>| {
        let done = done.get();
        // A lesson that was done earlier is read from its beginning.
        if done && before == Some(false) {
            in_next_frame(move || {
                if let Some(top) = top.get_untracked() {
                    top.scroll_into_view();
                }
            });
        }
        done
    });
    view! {
        <div node_ref=top class="lesson-card" data-testid="lesson-card" class:done=done>
            <When holds=done>
                <p class="all-done" role="status" data-testid="lesson-done">"✓ "{page.say_later(|w| w.lesson_done)}</p>
                <h3>{shown.clone()}</h3>
                <p class="faint">{line}</p>
                <div class="row-of-buttons">
                    <When holds=flag(move || alone() && next.with(Option::is_some))>
                        <button class="primary" data-testid="lesson-next" on:click=open>
                            {page.say_later(|w| w.lesson_next)}" "{string(move || next.get().map(|next| next.1).unwrap_or_default())}
                        </button>
                    </When>
                    <button data-testid="lesson-card-copy" on:click=copy.clone()>{page.say_later(|w| w.lesson_card_copy)}</button>
                    <When holds=flag(alone)>
                        <button data-testid="lesson-list" on:click=move |_| lesson.listed.set(true)>{page.say(|w| w.lesson_all)}</button>
                    </When>
                </div>
            </When>
        </div>
    }
    .into_any()
}

/// The time limit and the points so far.
fn challenge(page: Page, lesson: LessonState, info: &LessonInfo) -> AnyView {
    let (until, most) = (info.until, info.most);
    let points = string(move || {
        let points = lesson.score.with(|s| s.points).to_string();
        if most == 0 { String::new() } else { fill(page.t().lesson_points, &[&points, &most.to_string()]) }
    });
    let time = string(move || {
        until.map_or_else(String::new, |at| fill(page.t().lesson_until, &[&times::civil(at).hm()]))
    });
    view! { <span class="faint">{time}</span><b data-testid="lesson-points">{points}</b> }.into_any()
}

/// The participant's results as a file for the teacher.
fn mine(page: Page, lesson: LessonState) -> AnyView {
    let name = move |event| {
        // A name that cannot be stored is asked for again.
        let _ = storage::set("name", &event_target_value(&event));
    };
    view! {
        <details class="hint"><summary>{page.say_later(|w| w.results_mine)}</summary>
            <div class="doors">
                <input type="text" maxlength="80" data-testid="results-name" aria-label=page.say_later(|w| w.results_name)
                    placeholder=page.say_later(|w| w.results_name) prop:value=storage::get("name").unwrap_or_default() on:input=name />
                <button data-testid="results-save" on:click=move |_| share::save_results(lesson)>{page.say_later(|w| w.results_save)}</button>
            </div>
        </details>
    }
    .into_any()
}

fn step(page: Page, lesson: LessonState, info: &Arc<LessonInfo>, at: u32, step: LessonStep) -> AnyView {
    let state = Signal::derive(move || match lesson.passed.get() {
        passed if passed > at => "done",
        passed if passed == at => "now",
        _ => "later",
    });
    let mark =
        Signal::derive(move || if state.get() == "done" { "✓".to_owned() } else { (at + 1).to_string() });
    let hints = step.hints.iter().map(|hint| {
        view! { <details class="hint"><summary>{page.say_later(|w| w.lesson_hint)}</summary>{pieces::draw(page, &info.name, hint)}</details> }
    });
    let (lines, user) = (step.solution.clone(), info.user.clone());
    let shown = step.solution.join("\n");
    let name = info.name.clone();
    let again = move |_| match progress::of_step(&name, at) {
        Some(moment) if lesson.passed.get_untracked() > at => {
            send(&ToEngine::Travel(Travel::Step(moment, at)))
        }
        _ => begin_at(page, at),
    };
    // In a puzzle against the clock, the wait is part of the answer.
    let wait = wait(&step.solution).filter(|_| info.until.is_none());
    let skip = move |_| {
        let until = page.clock.get_untracked().now + wait.unwrap_or_default() * 1_000_000;
        send(&ToEngine::Skip(Skip::Until(until)));
    };
    let waits = flag(move || alone() && wait.is_some() && state.get() == "now");
    let skip_said =
        string(move || fill(page.t().lesson_skip, &[&times::span(wait.unwrap_or_default(), page.t().day)]));
    let away = flag(move || alone() && state.get() != "now" && (at > 0 || state.get() == "done"));
    view! {
        <li data-state=state data-testid="lesson-step">
            <details open=flag(move || state.get() == "now")>
                <summary><i>{mark}</i><b>{step.title.clone()}</b></summary>
                {pieces::draw(page, &info.name, &step.text)}
                <When holds=waits>
                    <button data-testid="lesson-skip" on:click=skip>{skip_said}</button>
                </When>
                {hints.collect::<Vec<_>>()}
                <details class="hint"><summary>{page.say_later(|w| w.lesson_solution)}</summary>
                    <pre>{shown}</pre>
                    <button data-testid="lesson-solve" on:click=move |_| type_solution(page, &user, &lines)>
                        {page.say_later(|w| w.lesson_solve)}
                    </button>
                </details>
                <When holds=away>
                    <button class="quiet" data-testid="lesson-from" on:click=again.clone()>
                        {Signal::derive(move || if state.get() == "done" { page.t().lesson_back } else { page.t().lesson_from })}
                    </button>
                </When>
            </details>
        </li>
    }
    .into_any()
}
