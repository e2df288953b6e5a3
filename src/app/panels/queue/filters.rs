//! The toolbar of the queue: the filters (text, owner, partition, state), the choice of columns, and the export.

use super::{QueueSignals, QueueTable, export, first_list, heading};
use crate::filter::chip;
use crate::follow::{flag, string};
use crate::i18n::{LaterWords, Words};
use crate::page::Page;
use crate::save::{SavedPicture, menu_of};
use crate::storage;
use leptos::prelude::*;
use protocol::{QueueList, StateClass};
use view::fill::fill;
use view::queue::{COLUMNS, ColumnKind, EXPORTED, QueueColumn, names};

/// The states to choose from, each with its value in the list.
type StateChoice = (&'static str, StateClass, fn(&'static Words) -> &'static str);

const STATES: [StateChoice; 3] = [
    ("waiting", StateClass::Waiting, |w| w.waiting),
    ("running", StateClass::Running, |w| w.running),
    ("over", StateClass::Over, |w| w.over),
];

/// Draws the toolbar's end.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub(super) fn draw(page: Page, queue: QueueSignals, table: QueueTable) -> AnyView {
    let list = table.list;
    crate::panels::linked::queue(page, list, first_list());
    let mine = move || list.with(|l| l.user.is_some());
    let own = move |_| {
        list.update(|l| l.user = if l.user.is_some() { None } else { Some(page.user.get_untracked()) });
    };
    let saved = string(move || {
        let words = page.later();
        let all = queue.rows.with(|q| q.total <= EXPORTED);
        if all { words.save_csv.to_owned() } else { fill(words.save_csv_first, &[&EXPORTED.to_string()]) }
    });
    // The field is not bound to the list, which has its text in lower case.
    let text = list.with_untracked(|l| l.text.clone());
    view! {
        <input type="search" data-testid="queue-find" placeholder=page.say_later(|w| w.find) aria-label=page.say_later(|w| w.find)
            prop:value=text
            on:input=move |e| list.update(|l| l.text = event_target_value(&e).trim().to_lowercase()) />
        <button class="whose" data-testid="queue-mine" aria-pressed=string(move || mine().to_string()) on:click=own>
            {page.say_later(|w| w.mine)}
        </button>
        {partitions(page, list)}
        {states(page, list)}
        <span class="spring"></span>
        <Columns page table />
        {menu_of(page, "queue", SavedPicture::None, (saved, export::save(page, queue)))}
    }
    .into_any()
}

/// The filter by partition.
fn partitions(page: Page, list: RwSignal<QueueList>) -> AnyView {
    let names = move || {
        page.started
            .with(|s| s.iter().flat_map(|s| s.partitions.iter().map(|p| p.name.clone())).collect::<Vec<_>>())
    };
    let option = move |name: String| {
        let value = name.clone();
        view! { <option value=value>{name}</option> }
    };
    let select = view! {
        <select data-testid="queue-partition" aria-label=page.say(|w| w.partition)
            prop:value=string(move || list.with(|l| l.partition.clone().unwrap_or_default())) on:change=move |e| {
            let name = event_target_value(&e);
            list.update(|l| l.partition = Some(name).filter(|n| !n.is_empty()));
        }>
            <option value="">{page.say(|w| w.partition)}</option>
            {move || names().into_iter().map(option).collect::<Vec<_>>()}
        </select>
    };
    let chosen = flag(move || list.with(|l| l.partition.is_some()));
    chip(page, |w| w.partition, select.into_any(), chosen, move || list.update(|l| l.partition = None))
}

/// The filter by state.
fn states(page: Page, list: RwSignal<QueueList>) -> AnyView {
    let chosen = move || list.with(|l| STATES.iter().find(|(_, state, _)| l.state == Some(*state)));
    let choose = move |event| {
        let name = event_target_value(&event);
        let state = STATES.iter().find(|(word, ..)| *word == name).map(|(_, state, _)| *state);
        list.update(|l| l.state = state);
    };
    let option = move |(name, _, word): StateChoice| view! { <option value=name>{page.say(word)}</option> };
    let select = view! {
        <select data-testid="queue-state" aria-label=page.say(|w| w.state)
            prop:value=string(move || chosen().map_or("", |(word, ..)| word).to_owned()) on:change=choose>
            <option value="">{page.say(|w| w.state)}</option>
            {STATES.into_iter().map(option).collect::<Vec<_>>()}
        </select>
    };
    let set = flag(move || chosen().is_some());
    chip(page, |w| w.state, select.into_any(), set, move || list.update(|l| l.state = None))
}

/// What the table shows: finished jobs, arrays in one row, and columns.
#[component]
fn Columns(page: Page, table: QueueTable) -> impl IntoView {
    let list = table.list;
    let check = move |name: &'static str,
                      word: fn(&'static LaterWords) -> &'static str,
                      read: fn(&QueueList) -> bool,
                      write: fn(&mut QueueList, bool)| {
        view! {
            <label><input type="checkbox" data-testid=name prop:checked=flag(move || list.with(read))
                on:change=move |e| list.update(|l| write(l, event_target_checked(&e))) />{page.say_later(word)}</label>
        }
    };
    view! {
        <details class="columns">
            <summary data-testid="queue-columns" title=page.say_later(|w| w.columns)>{page.say_later(|w| w.columns)}</summary>
            <div>
                {check("queue-ended", |w| w.ended_too, |l| l.ended, |l, on| l.ended = on)}
                {check("queue-group", |w| w.group_arrays, |l| l.group, |l, on| l.group = on)}
                {COLUMNS.iter().filter(|k| k.column != QueueColumn::Id).map(|kind| choice(page, table, kind)).collect::<Vec<_>>()}</div>
        </details>
    }
}

/// A column to show or hide.
fn choice(page: Page, table: QueueTable, kind: &'static ColumnKind) -> AnyView {
    let column = kind.column;
    let choose = move |shown: bool| {
        table.chosen.update(|all| {
            all.retain(|c| *c != column);
            if shown {
                all.push(column);
            }
        });
        // A choice that cannot be stored lasts for this visit.
        let _ = storage::set("queue-columns", &table.chosen.with_untracked(|all| names(all)));
    };
    view! {
        <label><input type="checkbox" prop:checked=flag(move || table.chosen.with(|all| all.contains(&column)))
            on:change=move |e| choose(event_target_checked(&e)) />{string(move || heading(column, page.t()).to_owned())}</label>
    }
    .into_any()
}
