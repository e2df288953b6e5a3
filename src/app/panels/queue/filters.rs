//! The filters of the queue (owner, partition, state, text, arrays in one row) and the choice of columns.

use super::{QueueTable, heading};
use crate::follow::{flag, string};
use crate::page::Page;
use crate::storage;
use leptos::prelude::*;
use protocol::{QueueList, StateClass};
use view::queue::{COLUMNS, ColumnKind, QueueColumn, names};

/// Shows everyone's jobs, or only the current user's.
#[component]
pub fn Owner(page: Page, list: RwSignal<QueueList>) -> impl IntoView {
    let mine = move || list.with(|l| l.user.is_some());
    view! {
        <div class="choice" role="group" aria-label=page.say(|w| w.owner)>
            <button aria-pressed=string(move || (!mine()).to_string()) on:click=move |_| list.update(|l| l.user = None)>
                {page.say(|w| w.all_users)}
            </button>
            <button data-testid="queue-mine" aria-pressed=string(move || mine().to_string())
                on:click=move |_| list.update(|l| l.user = Some(page.user.get_untracked()))>{page.say(|w| w.mine)}</button>
        </div>
    }
}

/// The other filters.
#[component]
pub(super) fn Filters(page: Page, table: QueueTable) -> impl IntoView {
    let list = table.list;
    let partitions = move || {
        page.started
            .with(|s| s.iter().flat_map(|s| s.partitions.iter().map(|p| p.name.clone())).collect::<Vec<_>>())
    };
    let option = move |name: String| {
        let value = name.clone();
        view! { <option value=value>{name}</option> }
    };
    let state = move |name: String| {
        list.update(|l| {
            l.state = match name.as_str() {
                "waiting" => Some(StateClass::Waiting),
                "running" => Some(StateClass::Running),
                "over" => Some(StateClass::Over),
                _ => None,
            }
        });
    };
    view! {
        <div class="filters">
            <input type="search" data-testid="queue-find" placeholder=page.say(|w| w.find) aria-label=page.say(|w| w.find)
                on:input=move |e| list.update(|l| l.text = event_target_value(&e).trim().to_lowercase()) />
            <select data-testid="queue-partition" aria-label=page.say(|w| w.partition)
                prop:value=string(move || list.with(|l| l.partition.clone().unwrap_or_default())) on:change=move |e| {
                let name = event_target_value(&e);
                list.update(|l| l.partition = Some(name).filter(|n| !n.is_empty()));
            }>
                <option value="">{page.say(|w| w.all_partitions)}</option>
                {move || partitions().into_iter().map(option).collect::<Vec<_>>()}
            </select>
            <select data-testid="queue-state" aria-label=page.say(|w| w.state)
                prop:value=string(move || list.with(|l| word(l.state).to_owned())) on:change=move |e| state(event_target_value(&e))>
                <option value="">{page.say(|w| w.all_states)}</option>
                <option value="waiting">{page.say(|w| w.waiting)}</option>
                <option value="running">{page.say(|w| w.running)}</option>
                <option value="over">{page.say(|w| w.over)}</option>
            </select>
        </div>
    }
}

/// The value of a class of states in the list.
const fn word(state: Option<StateClass>) -> &'static str {
    match state {
        None => "",
        Some(StateClass::Waiting) => "waiting",
        Some(StateClass::Running) => "running",
        Some(StateClass::Over) => "over",
    }
}

/// The choice of columns, and arrays in one row.
#[component]
pub(super) fn Columns(page: Page, table: QueueTable) -> impl IntoView {
    let list = table.list;
    view! {
        <details class="columns">
            <summary data-testid="queue-columns">{page.say(|w| w.columns)}</summary>
            <div>
                <label ><input type="checkbox" data-testid="queue-group" prop:checked=flag(move || list.with(|l| l.group))
                    on:change=move |e| list.update(|l| l.group = event_target_checked(&e)) />{page.say(|w| w.group_arrays)}</label>
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
