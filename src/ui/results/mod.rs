//! Participants' results: a file of one's own for whoever teaches, and the list of those that were dropped on the page. Nothing
//! is sent anywhere.

use super::i18n::Words;
use super::state::Page;
use super::{js, lesson, storage};
use crate::base::order::Order as _;
use crate::ui::bring;
use crate::ui::floating::dialog;
use crate::ui::follow::{When, flag, string};
use crate::view::results::{COLUMNS, Column, Outcome, cell, compare, csv};
use leptos::prelude::*;

/// Most results in the list.
const MAX: usize = 500;

/// More results came as files; what cannot be read is left out.
pub fn add(page: Page, texts: &[String]) {
    page.results.update(|all| {
        let all = all.get_or_insert_default();
        for new in texts.iter().filter_map(|text| Outcome::read(text)) {
            // The same file again is no other participant.
            if all.len() < MAX && !all.contains(&new) {
                all.push(new);
            }
        }
    });
}

/// Shows the list, be it empty.
pub fn open(page: Page) {
    page.results.update(|all| {
        all.get_or_insert_default();
    });
}

/// Gives the participant their file: the moment is a part of it, so it is asked for first.
pub fn written(page: Page, moment: String) {
    let name = storage::get("name").unwrap_or_default();
    let Some(outcome) = lesson::outcome(page, name, moment) else { return };
    let plain: String = outcome.name.chars().filter(|c| c.is_alphanumeric()).collect();
    let lesson = outcome.lesson.rsplit('/').next().unwrap_or_default().replace(".md", "");
    js::download(&format!("results-{plain}-{lesson}.txt"), outcome.text().as_bytes());
}

fn word(column: Column) -> fn(&'static Words) -> &'static str {
    match column {
        Column::Name => |w| w.name,
        Column::Lesson => |w| w.lesson,
        Column::Steps => |w| w.results_steps,
        Column::Points => |w| w.results_points,
        Column::Simulated => |w| w.results_simulated,
        Column::Real => |w| w.results_real,
        Column::Seed => |w| w.results_seed,
        Column::Engine => |w| w.results_engine,
    }
}

/// The dialog with the list.
#[inline(never)] // Where the page is cut in two (xtask).
pub fn draw(page: Page) -> AnyView {
    let sorted = RwSignal::new((Column::Name, false));
    let rows = Memo::new(move |_| {
        let (column, down) = sorted.get();
        let mut all = page.results.get().unwrap_or_default();
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
    let row = move |of: Outcome| {
        let cells = COLUMNS.map(|column| view! { <td>{cell(column, &of)}</td> });
        let (moment, whole) = (of.moment.clone(), of.whole);
        let look = move |_| js::go_to_moment(&moment);
        let there = !of.moment.is_empty();
        view! {
            <tr class:changed=!whole>{cells}<td>
                <When holds=flag(move || !whole)><b class="tone bad">{page.say(|w| w.results_changed)}</b></When>
                <button class="quiet" disabled=!there on:click=look>{page.say(|w| w.results_look)}</button>
            </td></tr>
        }
    };
    let save = move |_| js::download("results.csv", csv(&rows.get_untracked()).as_bytes());
    let inside = view! {
        <p>{page.say(|w| w.results_about)}</p>
        <div class="found" tabindex="0" role="group" aria-label=page.say(|w| w.results)>
            <table class="numbers texts"><thead><tr>{head}<td></td></tr></thead>
                <tbody data-testid="results-rows">{move || rows.get().into_iter().map(row).collect::<Vec<_>>()}</tbody>
            </table>
        </div>
        <div class="row-of-buttons">
            <label class="button">{page.say(|w| w.own_files)}
                <input type="file" multiple data-testid="results-files" on:change=move |e| bring::chosen(page, e) />
            </label>
            <span class="spring"></span>
            <button class="quiet" on:click=move |_| page.results.set(None)>{page.say(|w| w.close)}</button>
            <button class="primary" data-testid="results-csv" disabled=flag(move || rows.with(Vec::is_empty)) on:click=save>"CSV"</button>
        </div>
    };
    dialog(page, "results", |w| w.results, |page| page.results.set(None), inside.into_any())
}
