//! Participants' results: a file for the teacher, and the list of the files that a teacher opens. Nothing is sent anywhere.

use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::modal::titled;
use crate::page::Page;
use crate::progress::{self, LessonState};
use crate::{download, location, storage};
use base::order::StableSort as _;
use leptos::prelude::*;
use view::results::{COLUMNS, LessonResult, ResultsColumn, cell, compare, csv};

/// Most results in the list.
const MAX: usize = 500;

/// Adds results from files. Files that cannot be read are left out.
pub fn add(page: Page, texts: &[String]) {
    page.dialogs.results.update(|all| {
        let all = all.get_or_insert_default();
        for new in texts.iter().filter_map(|text| LessonResult::read(text)) {
            // The same file twice counts once.
            if all.len() < MAX && !all.contains(&new) {
                all.push(new);
            }
        }
    });
}

/// Opens the list, even if it is empty.
pub fn open(page: Page) {
    page.dialogs.results.update(|all| {
        all.get_or_insert_default();
    });
}

/// Downloads the participant's results, with the link to the moment that the engine made.
pub fn written(page: Page, lesson: LessonState, moment: String) {
    let name = storage::get("name").unwrap_or_default();
    let Some(outcome) = progress::outcome(page, lesson, name, moment) else { return };
    let plain: String = outcome.name.chars().filter(|c| c.is_alphanumeric()).collect();
    let file = outcome.lesson.rsplit('/').next().unwrap_or_default().replace(".md", "");
    download::bytes(&format!("results-{plain}-{file}.txt"), outcome.text().as_bytes());
}

fn word(column: ResultsColumn) -> fn(&'static Words) -> &'static str {
    match column {
        ResultsColumn::Name => |w| w.name,
        ResultsColumn::Lesson => |w| w.lesson,
        ResultsColumn::Steps => |w| w.results_steps,
        ResultsColumn::Points => |w| w.results_points,
        ResultsColumn::Simulated => |w| w.results_simulated,
        ResultsColumn::Real => |w| w.results_real,
        ResultsColumn::Seed => |w| w.results_seed,
        ResultsColumn::Engine => |w| w.results_engine,
    }
}

/// Draws the dialog with the list.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let sorted = RwSignal::new((ResultsColumn::Name, false));
    let rows = Memo::new(move |_| {
        let (column, down) = sorted.get();
        let mut all = page.dialogs.results.get().unwrap_or_default();
        all.order_by(|a, b| if down { compare(column, b, a) } else { compare(column, a, b) });
        all
    });
    let head = COLUMNS.map(|column| {
        let press = move |_| sorted.update(|(old, down)| (*old, *down) = (column, *old == column && !*down));
        let order = string(move || {
            let order = match sorted.get() {
                (c, false) if c == column => "ascending",
                (c, true) if c == column => "descending",
                _ => "none",
            };
            order.to_owned()
        });
        view! { <th scope="col" aria-sort=order><button class="quiet" on:click=press>{page.say(word(column))}</button></th> }
    });
    let row = move |of: LessonResult| {
        let cells = COLUMNS.map(|column| view! { <td>{cell(column, &of)}</td> });
        let (moment, whole) = (of.moment.clone(), of.whole);
        let look = move |_| location::go(&location::here().opened(&moment));
        let there = !of.moment.is_empty();
        view! {
            <tr class:changed=!whole>{cells}<td>
                <When holds=flag(move || !whole)><b class="tone bad">{page.say_later(|w| w.results_changed)}</b></When>
                <button class="quiet" disabled=!there on:click=look>{page.say_later(|w| w.results_look)}</button>
            </td></tr>
        }
    };
    let save = move |_| download::bytes("results.csv", csv(&rows.get_untracked()).as_bytes());
    let inside = view! {
        <p>{page.say_later(|w| w.results_about)}</p>
        <div class="found" tabindex="0" role="group" aria-label=page.say(|w| w.results)>
            <table class="numbers texts"><thead><tr>{head}<td></td></tr></thead>
                <tbody data-testid="results-rows">{move || rows.get().into_iter().map(row).collect::<Vec<_>>()}</tbody>
            </table>
        </div>
        <div class="row-of-buttons">
            <label class="button">{page.say_later(|w| w.own_files)}
                <input type="file" multiple data-testid="results-files" on:change=move |e| page.dialogs.choose_files(e) />
            </label>
            <span class="spring"></span>
            <button class="quiet" on:click=move |_| page.dialogs.results.set(None)>{page.say(|w| w.close)}</button>
            <button class="primary" data-testid="results-csv" disabled=flag(move || rows.with(Vec::is_empty)) on:click=save>"CSV"</button>
        </div>
    };
    titled(page, "results", page.say(|w| w.results), |page| page.dialogs.results.set(None), inside.into_any())
}
