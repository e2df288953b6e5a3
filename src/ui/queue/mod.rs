//! The queue: a table of which only the visible rows are drawn and asked for.

mod filters;

use super::arrows::step;
use super::i18n::Words;
use super::state::{Page, Selection};
use super::storage;
use super::terminal::type_line;
use crate::protocol::{Direction, QueueList, QueueRow, SortBy};
use crate::ui::follow::{When, flag, string};
use crate::view::css::{percent, px};
use crate::view::palette::job_colour;
use crate::view::queue::{
    COLUMNS, Column, ROW, chosen, fitting, id_text, is_over, place_text, progress, resorted, shortened,
    size_text, tasks_text, template, time_text, visible, window,
};
use crate::view::states::job_tone;
use crate::view::times::when;
use leptos::html::Div;
use leptos::prelude::*;

/// What fills an empty queue.
const TEACH: &str = "sbatch --wrap 'echo hello from $(hostname); sleep 120'";

/// What is shown: shared by headings, filters and rows.
#[derive(Clone, Copy)]
struct Table {
    list: RwSignal<QueueList>,
    chosen: RwSignal<Vec<Column>>,
    width: RwSignal<f64>,
    /// The columns that are drawn.
    columns: Memo<Vec<Column>>,
    /// Whether the selected job is among the rows.
    selected: Memo<bool>,
}

impl Table {
    fn new(page: Page) -> Self {
        let kept = storage::get("queue-columns");
        let chosen = RwSignal::new(chosen(kept.as_deref()));
        let width = RwSignal::new(0.0);
        let columns = Memo::new(move |_| {
            chosen.with(|chosen| fitting(chosen, width.get()).into_iter().map(|k| k.column).collect())
        });
        let list = RwSignal::new(QueueList { ended: true, ..QueueList::default() });
        let selected = Memo::new(move |_| {
            let rows = |id: &str| page.queue.with(|q| q.rows.iter().any(|row| row.id == id));
            page.selection.with(|s| matches!(s, Selection::Job(id) if rows(id)))
        });
        Self { list, chosen, width, columns, selected }
    }

    fn template(self) -> String {
        format!("--columns:{}", template(&fitting(&self.chosen.get(), self.width.get())))
    }
}

/// The zone of the queue.
#[component]
pub fn QueueZone(page: Page) -> impl IntoView {
    let scroller = NodeRef::<Div>::new();
    // First row and number of rows drawn.
    let slots = RwSignal::new((0_u32, 0_u32));
    let table = Table::new(page);
    let total = Memo::new(move |_| page.queue.with(|q| q.total));
    // Where it is scrolled to and how high it is. Asked of the browser only when that changes: with each frame it would have
    // to lay out the page for the answer.
    let sight = StoredValue::new((0.0, 0.0));
    let choose = move || {
        let (scroll, height) = sight.get_value();
        if height <= 0.0 {
            return;
        }
        let now = visible(scroll, height, total.get_untracked());
        if slots.get_untracked() != now {
            slots.set(now);
        }
        let wanted = window(scroll, height, table.list.get_untracked());
        if page.queue_window.get_untracked() != wanted {
            page.queue_window.set(wanted);
        }
    };
    let measure = move || {
        let Some(element) = scroller.get_untracked() else { return };
        sight.set_value((f64::from(element.scroll_top()), f64::from(element.client_height())));
        let width = f64::from(element.client_width());
        if table.width.get_untracked() != width {
            table.width.set(width);
        }
        choose();
    };
    Effect::new(move || {
        // "Mine" follows who types.
        let me = page.user.get();
        table.list.update(|list| {
            if list.user.is_some() {
                list.user = Some(me);
            }
        });
    });
    Effect::new(move || {
        // Each of these changes what is in sight.
        total.track();
        table.list.track();
        choose();
    });
    Effect::new(move || {
        page.zone.track();
        scroller.track();
        measure();
    });
    super::on_resize(scroller, measure);
    let indices = move || {
        let (first, count) = slots.get();
        (first..first + count).collect::<Vec<_>>()
    };
    let filtered =
        move || table.list.with(|l| l.partition.is_some() || l.state.is_some() || !l.text.is_empty());
    let mine = move || table.list.with(|l| l.user.is_some());
    view! {
        <section class="zone queue" aria-label=page.say(|w| w.queue) data-testid="queue">
            <div class="bar">
                <h2>{page.say(|w| w.queue)}</h2>
                <Counts page />
                <span class="spring"></span>
                <filters::Owner page list=table.list />
                <label class="check"><input type="checkbox" prop:checked=flag(move || table.list.with(|l| l.ended))
                    on:change=move |e| table.list.update(|l| l.ended = event_target_checked(&e)) />{page.say(|w| w.ended_too)}</label>
                <filters::Columns page table />
            </div>
            <filters::Filters page table />
            <div class="table" role="table" aria-rowcount=string(move || total.get().to_string())
                style=string(move || table.template()) aria-label=page.say(|w| w.queue)>
                <Head page table />
                <div class="rows" role="rowgroup" node_ref=scroller tabindex="0" aria-label=page.say(|w| w.queue)
                    on:scroll=move |_| measure()>
                    <div class="spacer" role="presentation" style:height=string(move || px(f64::from(total.get()) * ROW))>
                        <For each=indices key=|i| *i children=move |index| view! { <Row page table index /> } />
                    </div>
                </div>
            </div>
            <When holds=flag(move || total.get() == 0 && page.started.with(Option::is_some))>
                <Empty page filtered=flag(filtered) mine=flag(mine) />
            </When>
        </section>
    }
}

#[component]
fn Counts(page: Page) -> impl IntoView {
    let running = Memo::new(move |_| page.clock.get().running);
    let pending = Memo::new(move |_| page.clock.get().pending);
    view! {
        <span class="counts">
            <b>{string(move || page.number(running.get().into()))}</b>" "{page.say(|w| w.running)}
            <b>{string(move || page.number(pending.get().into()))}</b>" "{page.say(|w| w.waiting)}
        </span>
    }
}

/// A column's word.
pub fn heading(column: Column, words: &Words) -> &'static str {
    match column {
        Column::Id => words.id,
        Column::State => words.state,
        Column::Name => words.name,
        Column::User => words.owner,
        Column::Partition => words.partition,
        Column::Time => words.time,
        Column::Size => words.size,
        Column::Priority => words.priority,
        Column::Start => words.starts,
        Column::Place => words.place,
    }
}

/// The headings; each sorts by its column.
#[component]
fn Head(page: Page, table: Table) -> impl IntoView {
    let cell = move |column: Column| {
        let kind = COLUMNS.iter().find(|k| k.column == column);
        let by = kind.map_or(SortBy::Id, |k| k.sort);
        let sorted = move || match table.list.with(|l| l.sort) {
            Some((now, Direction::Up)) if now == by => "ascending",
            Some((now, Direction::Down)) if now == by => "descending",
            Some(_) | None => "none",
        };
        let class = format!("c-{}", kind.map_or("", |k| k.name));
        view! {
            <span class=class role="columnheader" aria-sort=string(move || sorted().to_owned())>
                <button data-testid=format!("sort-{}", kind.map_or("", |k| k.name))
                    on:click=move |_| table.list.update(|l| l.sort = resorted(l.sort, by))>
                    {string(move || heading(column, page.t()).to_owned())}</button>
            </span>
        }
    };
    view! {
        <div class="row head" role="row">
            {move || table.columns.get().into_iter().map(cell).collect::<Vec<_>>()}
        </div>
    }
}

/// One slot of the table: its row changes, its elements stay.
#[component]
fn Row(page: Page, table: Table, index: u32) -> impl IntoView {
    let row = Memo::new(move |_| {
        page.queue.with(|q| {
            let at = index.checked_sub(q.first)?;
            q.rows.get(at as usize).cloned()
        })
    });
    let text =
        move |f: fn(&QueueRow) -> String| string(move || row.with(|r| r.as_ref().map(f).unwrap_or_default()));
    let selected = move || {
        row.with(|r| {
            r.as_ref()
                .is_some_and(|r| page.selection.with(|s| matches!(s, Selection::Job(id) if *id == r.id)))
        })
    };
    // Tab comes to one row, arrows go on from there.
    let is_stop = move || selected() || (!table.selected.get() && page.queue.with(|q| q.first == index));
    let mine = move || row.with(|r| r.as_ref().is_some_and(|r| page.user.with(|u| *u == r.user)));
    let tone = move || {
        let tone = row.with(|r| r.as_ref().map(|r| job_tone(&r.state)).unwrap_or_default());
        format!("c-state {}", tone.class())
    };
    let colour = move || {
        let dark = page.dark.get();
        row.with(|r| r.as_ref().map(|r| job_colour(r.user_index, r.job, dark)).unwrap_or_default())
    };
    let placed = move || table.columns.with(|all| all.contains(&Column::Place));
    // The clock is read only by rows that show a moment.
    let time = move || {
        if let Some(counts) = row.with(|r| r.as_ref().and_then(tasks_text)).filter(|_| !placed()) {
            return counts;
        }
        row.with(|r| {
            r.as_ref().map(|r| time_text(r, page.clock.get().now, page.t().calendar)).unwrap_or_default()
        })
    };
    let start = move || {
        let at = row.with(|r| r.as_ref().and_then(|r| r.start));
        at.map(|at| when(at, page.clock.get().now, page.t().calendar)).unwrap_or_default()
    };
    let done = move || row.with(|r| r.as_ref().and_then(progress)).map(percent);
    let cell = move |column: Column| {
        match column {
        Column::Id => view! {
            <span class="c-id" role="cell"><i class="dot" style:background=string(colour)></i>{text(id_text)}</span>
        }
        .into_any(),
        Column::State => view! {
            <span class=string(tone) role="cell" title=text(|r| r.state_long.clone())>{text(|r| r.state.clone())}</span>
        }
        .into_any(),
        Column::Time => view! {
            <span class="c-time" role="cell">
                <i class="progress" style:width=string(move || done().unwrap_or_else(|| "0".to_owned()))></i>{string(time)}
            </span>
        }
        .into_any(),
        Column::Name => plain("c-name", text(|r| shortened(&r.name))),
        Column::User => plain("c-user", text(|r| r.user.clone())),
        Column::Partition => plain("c-part", text(|r| r.partition.clone())),
        Column::Size => plain("c-size", text(size_text)),
        Column::Priority => plain("c-prio", text(|r| r.priority.to_string())),
        Column::Start => plain("c-start", string(start)),
        Column::Place => plain("c-place", text(place_text)),
    }
    };
    let select = move || {
        if let Some(id) = row.with_untracked(|r| r.as_ref().map(|r| r.id.clone())) {
            page.selection.set(Selection::Job(id));
        }
    };
    view! {
        <div class="row" role="row" data-testid="queue-row"
            tabindex=string(move || if is_stop() { "0" } else { "-1" }.to_owned())
            style:top=px(f64::from(index) * ROW)
            class:selected=flag(selected) class:mine=flag(mine)
            class:over=flag(move || row.with(|r| r.as_ref().is_some_and(is_over)))
            class:away=flag(move || row.with(Option::is_none))
            aria-selected=string(move || selected().to_string())
            on:click=move |_| select()
            on:keydown=move |e| if e.key() == "Enter" { select() } else { step(&e) }>
            {move || table.columns.get().into_iter().map(cell).collect::<Vec<_>>()}
        </div>
    }
}

fn plain(class: &'static str, text: Signal<String>) -> AnyView {
    view! { <span class=class role="cell" title=text>{text}</span> }.into_any()
}

#[component]
fn Empty(page: Page, filtered: Signal<bool>, mine: Signal<bool>) -> impl IntoView {
    let says = move || match (filtered.get(), mine.get()) {
        (true, _) => page.t().queue_none_such,
        (false, true) => page.t().queue_none_mine,
        (false, false) => page.t().queue_empty,
    };
    view! {
        <div class="teach">
            <p>{Signal::derive(says)}</p>
            <When holds=flag(move || !filtered.get())>
                <p>{page.say(|w| w.queue_teach)}</p>
                <code>{TEACH}</code>
                <button class="primary" data-testid="teach" on:click=move |_| {
                    page.zone.set(super::state::Zone::Type);
                    type_line(page, TEACH);
                }>{page.say(|w| w.type_it)}</button>
            </When>
        </div>
    }
}
