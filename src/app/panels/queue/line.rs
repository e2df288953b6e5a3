//! A line of the queue's table. Its elements stay while its row changes.

use super::QueueTable;
use super::states::state_word;
use crate::arrows::step;
use crate::follow::{flag, string};
use crate::page::{Page, Selection};
use leptos::prelude::*;
use protocol::QueueRow;
use view::css::{percent, px};
use view::palette::job_colour;
use view::queue::{
    QueueColumn, id_text, is_late, is_over, limit_text, nodelist_text, progress, shortened, size_text,
    start_text, tasks_text,
};
use view::states::job_tone;

/// The row of a line, and where the line is.
#[derive(Clone, Copy)]
pub(super) struct QueueLinePart {
    pub row: Memo<Option<QueueRow>>,
    /// Whether Tab stops here if no row is selected.
    pub stop: Signal<bool>,
    /// Its name in the page's tests.
    pub name: &'static str,
    /// Its position in a table that draws only the visible rows.
    pub top: Option<f64>,
}

/// A line of the table.
#[component]
pub(super) fn QueueLine(page: Page, table: QueueTable, part: QueueLinePart) -> impl IntoView {
    let row = part.row;
    let text =
        move |f: fn(&QueueRow) -> String| string(move || row.with(|r| r.as_ref().map(f).unwrap_or_default()));
    let holds = move |f: fn(&QueueRow) -> bool| flag(move || row.with(|r| r.as_ref().is_some_and(f)));
    let selected = move || {
        row.with(|r| {
            r.as_ref()
                .is_some_and(|r| page.selection.with(|s| matches!(s, Selection::Job(id) if *id == r.id)))
        })
    };
    let is_stop = move || selected() || part.stop.get();
    let mine = move || row.with(|r| r.as_ref().is_some_and(|r| page.user.with(|u| *u == r.user)));
    let colour = move || {
        let dark = page.prefs.dark.get();
        row.with(|r| r.as_ref().map(|r| job_colour(r.user_index, r.job, dark)).unwrap_or_default())
    };
    let placed =
        move || table.columns.with(|all| all.iter().any(|(column, _)| *column == QueueColumn::NodeList));
    // Without a column for nodes and reasons, the counts of an array are in the time column.
    let counts = move || row.with(|r| r.as_ref().and_then(tasks_text)).filter(|_| !placed());
    let start = move || {
        // Only rows that show a moment read the clock.
        let now = move || page.clock.get().now;
        row.with(|r| match r {
            Some(r) if r.start.is_some() => start_text(r, now(), page.t().calendar),
            Some(_) | None => String::new(),
        })
    };
    let cell = move |(column, short): (QueueColumn, bool)| {
        match column {
        QueueColumn::Id => view! {
            <span class="c-id" role="cell"><i class="dot" style:background=string(colour)></i>{text(id_text)}</span>
        }
        .into_any(),
        QueueColumn::State => {
            let tone = move || row.with(|r| r.as_ref().map(|r| job_tone(&r.state)).unwrap_or_default());
            let said = move || row.with(|r| {
                r.as_ref().map(|r| if short { r.state.clone() } else { state_word(r, page.t()).to_owned() })
            });
            view! {
                <span class=string(move || format!("c-state {}", tone().class())) role="cell" title=text(|r| r.state_long.clone())>
                    {string(move || said().unwrap_or_default())}
                </span>
            }
            .into_any()
        }
        QueueColumn::Time => {
            let ran = move || row.with(|r| r.as_ref().map(|r| base::time::hms_short(r.seconds)));
            let elapsed = move || counts().or_else(ran).unwrap_or_default();
            let limit = move || {
                let limit = row.with(|r| r.as_ref().map(|r| limit_text(r, page.t().day)));
                limit.filter(|_| !short && counts().is_none()).unwrap_or_default()
            };
            let done = move || row.with(|r| r.as_ref().and_then(progress)).map_or_else(|| "0".to_owned(), percent);
            view! {
                <span class="c-time" role="cell" class:runs=holds(|r| r.state == "R" && r.limit > 0)>
                    <i class="progress" class:late=holds(is_late) style:width=string(done)></i>
                    <b>{string(elapsed)}</b><small>{string(limit)}</small>
                </span>
            }
            .into_any()
        }
        QueueColumn::Name => plain("c-name", text(|r| shortened(&r.name))),
        QueueColumn::User => plain("c-user", text(|r| r.user.clone())),
        QueueColumn::Partition => plain("c-part", text(|r| r.partition.clone())),
        QueueColumn::Size => plain("c-size", text(size_text)),
        QueueColumn::Priority => plain("c-prio", text(|r| r.priority.to_string())),
        QueueColumn::Start => plain("c-start", string(start)),
        QueueColumn::NodeList => plain("c-nodelist", text(nodelist_text)),
    }
    };
    let select = move || {
        if let Some(id) = row.with_untracked(|r| r.as_ref().map(|r| r.id.clone())) {
            page.selection.set(Selection::Job(id));
        }
    };
    view! {
        <div class="row" role="row" data-testid=part.name
            tabindex=string(move || if is_stop() { "0" } else { "-1" }.to_owned())
            data-job=text(|r| r.id.clone())
            style:top=part.top.map(px)
            class:selected=flag(selected) class:mine=flag(mine)
            class:fresh=flag(move || row.with(|r| r.as_ref().is_some_and(|r| table.is_fresh(r))))
            class:over=holds(is_over)
            class:away=flag(move || row.with(Option::is_none))
            aria-selected=string(move || selected().to_string())
            on:click=move |_| select()
            on:focus=move |_| table.focused.set_value(untrack(|| row.with(|r| r.as_ref().map(|r| r.id.clone()))))
            on:keydown=move |e| if e.key() == "Enter" { select() } else { step(&e) }>
            {move || table.columns.get().into_iter().map(cell).collect::<Vec<_>>()}
        </div>
    }
}

fn plain(class: &'static str, text: Signal<String>) -> AnyView {
    view! { <span class=class role="cell" title=text>{text}</span> }.into_any()
}
