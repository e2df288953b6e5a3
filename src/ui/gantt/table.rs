//! The timeline as a table: hidden where the picture is seen, for screen readers; else with buttons that select a job.

use super::{Chart, kind};
use crate::protocol::{BarKind, GanttBar, Micros};
use crate::ui::follow::flag;
use crate::ui::state::Selection;
use crate::view::times::moment;
use leptos::prelude::*;

/// Rows of the table.
const MAX_ROWS: usize = 60;

/// A row: what would change with each picture is left out.
#[derive(Clone, PartialEq)]
struct Row {
    id: String,
    user: String,
    place: String,
    from: Micros,
    until: Micros,
    kind: BarKind,
}

/// Job, user, row, from, until, state. Made anew only when a bar begins or ends.
#[component]
pub fn Table(chart: Chart) -> impl IntoView {
    let Chart { page, picture, as_table, .. } = chart;
    let rows = Memo::new(move |_| {
        picture.with(|p| {
            let Some(p) = p else { return Vec::new() };
            let row = |bar: &GanttBar| Row {
                id: bar.id.clone(),
                user: bar.user.clone(),
                place: p.rows.get(bar.row as usize).cloned().unwrap_or_default(),
                from: bar.from,
                // What runs ends at its limit, as far as anybody knows.
                until: if bar.kind == BarKind::Running { bar.limit.unwrap_or(bar.from) } else { bar.until },
                kind: bar.kind,
            };
            p.bars.iter().filter(|b| !b.id.is_empty()).take(MAX_ROWS).map(row).collect::<Vec<_>>()
        })
    });
    let line = move |row: Row, seen: bool| {
        let Row { id, user, place, from, until, kind: what } = row;
        // Always with the date: the table does not follow the clock.
        let cells = [user, place, moment(from, 0), moment(until, 0), kind(page.t(), what).to_owned()];
        let name = if seen {
            let job = id.clone();
            let select = move |_| page.selection.set(Selection::Job(job.clone()));
            view! { <button class="quiet" on:click=select>{id}</button> }.into_any()
        } else {
            id.into_any()
        };
        view! { <tr><th scope="row">{name}</th>{cells.map(|text| view! { <td>{text}</td> })}</tr> }
    };
    let body = move || {
        let seen = as_table.get();
        rows.get().into_iter().map(|row| line(row, seen)).collect::<Vec<_>>()
    };
    let head = move || {
        let w = page.t();
        [w.id, w.owner, w.gantt_row, w.started, w.ended, w.state]
            .map(|word| view! { <th scope="col">{word}</th> })
    };
    view! {
        <div class="gantt-table" class:hidden=flag(move || !as_table.get()) class:scroll=flag(move || as_table.get())>
            <table class="numbers" data-testid="gantt-table">
                <caption>{page.say(|w| w.timeline)}</caption>
                <thead><tr>{head}</tr></thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    }
}
