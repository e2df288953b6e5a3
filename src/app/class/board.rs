//! The teacher's dashboard: who is here, what each one's jobs and commands do, who may need help, and raised hands. What the
//! rows say is computed in [`classroom::board`].

use super::{announce, lesson, look, recording, show, teach, tell};
use crate::class_link::picture;
use crate::follow::{When, flag, string};
use crate::i18n::LaterWords;
use crate::modal::titled;
use crate::page::Page;
use crate::progress::LessonState;
use crate::{download, worker_link};
use classroom::ClassEvent;
use classroom::board::{BoardRow, board, counts};
use classroom::results::{ResultWords, csv, page as results_page};
use classroom::wire::{ClassLook, ToClassServer};
use leptos::prelude::*;
use protocol::ToEngine;
use protocol::class::{ClassAction, ToClass};
use std::time::Duration;
use view::fill::fill;

/// How often the engine is asked.
const EVERY: Duration = Duration::from_secs(1);

/// A column of numbers: its heading, and its text.
type BoardColumn = (fn(&'static LaterWords) -> &'static str, fn(&BoardRow) -> String);

/// The columns of numbers.
const COLUMNS: [BoardColumn; 5] = [
    (|w| w.class_pending, |row| number(row.work.pending)),
    (|w| w.class_running, |row| number(row.work.running)),
    (|w| w.class_failed, |row| number(row.work.failed)),
    (|w| w.class_failures, |row| number(row.work.failures)),
    (|w| w.class_quiet, |row| row.work.quiet.map_or_else(String::new, |quiet| minutes(u64::from(quiet)))),
];

/// The words of [`ClassEvent::ALL`].
const EVENTS: [fn(&'static LaterWords) -> &'static str; 6] = [
    |w| w.class_drain,
    |w| w.class_fail,
    |w| w.class_fill,
    |w| w.class_preempt,
    |w| w.class_requeue,
    |w| w.class_resume,
];

/// A number that is easier to find without zeros.
fn number(n: u32) -> String {
    if n == 0 { String::new() } else { n.to_string() }
}

pub fn minutes(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Who is here, and how many hands are up. Reads signals.
pub fn count_text(page: Page) -> String {
    let (here, all, hands) = page.class.people.with(|people| counts(people));
    let mut text = fill(page.t().class_here, &[&here.to_string(), &all.to_string()]);
    if hands > 0 {
        text.push_str(&format!(" · {}", fill(page.later().class_hands, &[&hands.to_string()])));
    }
    text
}

/// A line to all terminals.
pub fn announcing(page: Page) -> AnyView {
    let text = RwSignal::new(String::new());
    let speak = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let words = text.get_untracked().trim().to_owned();
        if !words.is_empty() {
            announce(words);
            text.set(String::new());
        }
    };
    view! {
        <form on:submit=speak>
            <label><span>{page.say_later(|w| w.class_announce)}</span>" "
                <input type="text" maxlength="400" data-testid="class-announce" prop:value=string(move || text.get())
                    on:input=move |e| text.set(event_target_value(&e)) /></label>
            <button type="submit" data-testid="class-speak">{page.say_later(|w| w.class_send)}</button>
        </form>
    }
    .into_any()
}

/// Draws the dashboard.
pub fn draw(page: Page, lesson: LessonState) -> AnyView {
    let ask = || worker_link::send(&ToEngine::Class(ToClass::Report));
    ask();
    if let Ok(timer) = set_interval_with_handle(ask, EVERY) {
        on_cleanup(move || timer.clear());
    }
    let state = page.class;
    let rows = Memo::new(move |_| state.people.with(|people| state.work.with(|work| board(people, work))));
    let seats =
        Memo::new(move |_| rows.with(|rows| rows.iter().map(|row| row.person.seat).collect::<Vec<_>>()));
    let heads = COLUMNS.map(|(word, _)| view! { <th scope="col">{page.say_later(word)}</th> });
    let link =
        state.joined.with_untracked(|joined| joined.as_ref().map(|j| j.invite.clone())).unwrap_or_default();
    let code = link.clone();
    let hidden = RwSignal::new(false);
    let save = move |_| {
        let text = rows.with_untracked(|rows| csv(rows, hidden.get_untracked()));
        download::bytes("class.csv", text.as_bytes());
    };
    let save_page = move |_| {
        let (words, lang) = (page.later(), page.prefs.lang.get_untracked().code());
        let name =
            state.joined.with_untracked(|joined| joined.as_ref().map(|j| j.name.clone())).unwrap_or_default();
        let about = lesson
            .info
            .with_untracked(|info| info.as_ref().map(|info| info.title.clone()))
            .unwrap_or_default();
        let words = ResultWords {
            language: lang,
            title: &fill(words.class_results, &[&name]),
            about: &about,
            participant: words.class_person,
            columns: words.class_result_columns.split('|').collect::<Vec<_>>().try_into().unwrap_or_default(),
        };
        let text = rows.with_untracked(|rows| results_page(rows, hidden.get_untracked(), &words));
        download::bytes("class.html", text.as_bytes());
    };
    let event = move |(event, word): (ClassEvent, fn(&'static LaterWords) -> &'static str)| {
        let press = move |_| teach(ClassAction::Administer(event.command().to_owned()));
        view! { <button data-testid=format!("class-{event:?}") on:click=press>{page.say_later(word)}</button> }
    };
    let events = ClassEvent::ALL.into_iter().zip(EVENTS).map(event).collect::<Vec<_>>();
    let shown = RwSignal::new(false);
    let inside = view! {
        <p data-testid="class-board-count">{string(move || count_text(page))}</p>
        {lesson::chooser(page, lesson)}
        <div class="found" tabindex="0" role="group" aria-label=page.say_later(|w| w.class_board)>
            <table class="numbers texts" data-testid="class-people">
                <thead><tr><th scope="col">{page.say_later(|w| w.class_person)}</th><th scope="col">{page.say_later(|w| w.class_idle)}</th>
                    {lesson::heading(page, lesson)}{heads}<td></td></tr></thead>
                <tbody><For each=move || seats.get() key=|seat| *seat children=move |seat| draw_row(page, lesson, rows, seat) /></tbody>
            </table>
        </div>
        <details class="invite" on:toggle=move |_| shown.set(true)>
            <summary data-testid="class-invite">{page.say_later(|w| w.class_invite)}</summary>
            <input type="text" readonly data-testid="class-invite-link" aria-label=page.say_later(|w| w.class_invite) prop:value=link />
            <When holds=flag(move || shown.get())>{picture(page, &code)}</When>
        </details>
        <div class="row-of-buttons" role="group" aria-label=page.say_later(|w| w.class_events)>
            <span>{page.say_later(|w| w.class_events)}</span>{events}</div>
        <div class="row-of-buttons">
            <label><input type="checkbox" data-testid="class-hide-names" on:change=move |e| hidden.set(event_target_checked(&e)) />" "
                {page.say_later(|w| w.class_hide_names)}</label>
            <span class="spring"></span>
            <button data-testid="class-wall-open" on:click=move |_| look::look(ClassLook::Everyone)>{page.say_later(|w| w.class_wall)}</button>
            <button class="quiet" on:click=move |_| state.board.set(false)>{page.say(|w| w.close)}</button>
            <button data-testid="class-record" on:click=move |_| recording::ask(page, hidden.get_untracked())>{page.say_later(|w| w.class_record)}</button>
            <button data-testid="class-results" on:click=save_page>{page.say_later(|w| w.class_results_page)}</button>
            <button class="primary" data-testid="class-csv" on:click=save>{page.say_later(|w| w.class_csv)}</button></div>
    };
    titled(
        page,
        "class-board",
        page.say_later(|w| w.class_board),
        |page| page.class.board.set(false),
        inside.into_any(),
    )
}

/// A participant's row. It stays the same element while its texts change, so that the focus stays, too.
fn draw_row(page: Page, lesson: LessonState, rows: Memo<Vec<BoardRow>>, seat: u32) -> AnyView {
    let read = move |read: &dyn Fn(&BoardRow) -> String| {
        rows.with(|rows| rows.iter().find(|row| row.person.seat == seat).map(read).unwrap_or_default())
    };
    let is = move |holds: fn(&BoardRow) -> bool| {
        flag(move || rows.with(|rows| rows.iter().any(|row| row.person.seat == seat && holds(row))))
    };
    let name = string(move || read(&|row| row.person.name.clone()));
    let state = string(move || {
        let words = page.later();
        read(&|row| match (row.person.here, row.person.idle) {
            _ if row.person.free => words.class_freed.to_owned(),
            (false, _) => page.t().class_gone.to_owned(),
            (true, None) => "–".to_owned(),
            (true, Some(idle)) => minutes(idle),
        })
    });
    let step = move || read(&|row| lesson::step_text(page, row));
    let cells = COLUMNS.map(|(_, text)| view! { <td>{string(move || read(&text))}</td> });
    let (stuck, hand) = (is(|row| row.stuck.is_some()), is(|row| row.person.hand.is_some()));
    let shown = flag(move || show::seat() == Some(seat));
    let absent = is(|row| !row.person.here && !row.person.free);
    view! {
        <tr class:changed=stuck data-testid=format!("class-seat-{seat}")>
            <th scope="row">{name}</th><td>{state}</td>{lesson::cell(lesson, step)}{cells}
            <td>
                <When holds=shown><b class="tone" data-testid="class-shown-mark">{page.say_later(|w| w.class_shown)}</b>" "</When>
                <When holds=stuck><b class="tone warn">{page.say_later(|w| w.class_help)}</b>" "</When>
                <When holds=hand>
                    <button class="quiet" data-testid="class-lower" on:click=move |_| tell(&ToClassServer::Hand { seat, up: false })>
                        {page.say_later(|w| w.class_lower)}</button>
                </When>
                <button class="quiet" data-testid="class-look" on:click=move |_| look::look(ClassLook::One(seat))>
                    {page.say_later(|w| w.class_look)}</button>
                <When holds=absent>
                    <button class="quiet" data-testid="class-free" on:click=move |_| tell(&ToClassServer::Free(seat))>
                        {page.say_later(|w| w.class_free)}</button>
                </When>
            </td>
        </tr>
    }
    .into_any()
}
