//! The queue: a virtual table that draws and requests only the visible rows.

mod filters;

use crate::arrows::step;
use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::{Page, Selection};
use crate::storage;
use crate::terminal::type_line;
use crate::workspace::Zone;
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{Direction, QueueList, QueueRow, QueueRows, QueueWindow, SortBy};
use view::css::{percent, px};
use view::palette::job_colour;
use view::queue::{
    COLUMNS, QueueColumn, ROW, chosen, fitting, id_text, is_over, place_text, progress, resorted, shortened,
    size_text, tasks_text, template, time_text, visible, window,
};
use view::states::job_tone;
use view::times::when;

/// A command that fills an empty queue.
const TEACH: &str = "sbatch --wrap 'echo hello from $(hostname); sleep 120'";

/// What the headings, filters and rows share.
#[derive(Clone, Copy)]
struct QueueTable {
    list: RwSignal<QueueList>,
    chosen: RwSignal<Vec<QueueColumn>>,
    width: RwSignal<f64>,
    /// The columns that are drawn.
    columns: Memo<Vec<QueueColumn>>,
    /// Whether the selected job is among the rows.
    selected: Memo<bool>,
}

impl QueueTable {
    fn new(page: Page, queue: QueueSignals) -> Self {
        let kept = storage::get("queue-columns");
        let chosen = RwSignal::new(chosen(kept.as_deref()));
        let width = RwSignal::new(0.0);
        let columns = Memo::new(move |_| {
            chosen.with(|chosen| fitting(chosen, width.get()).into_iter().map(|k| k.column).collect())
        });
        let list = RwSignal::new(first_list());
        let selected = Memo::new(move |_| {
            let rows = |id: &str| queue.rows.with(|q| q.rows.iter().any(|row| row.id == id));
            page.selection.with(|s| matches!(s, Selection::Job(id) if rows(id)))
        });
        Self { list, chosen, width, columns, selected }
    }

    fn template(self) -> String {
        format!("--columns:{}", template(&fitting(&self.chosen.get(), self.width.get())))
    }
}

/// The queue, as signals.
#[derive(Clone, Copy)]
pub struct QueueSignals {
    /// The rows that the engine sent.
    pub rows: RwSignal<QueueRows>,
    /// The requested rows.
    pub window: RwSignal<QueueWindow>,
}

impl QueueSignals {
    /// An empty queue that requests the first rows.
    pub fn new() -> Self {
        Self {
            rows: RwSignal::new(QueueRows::default()),
            window: RwSignal::new(QueueWindow { first: 0, count: 40, list: first_list() }),
        }
    }
}

/// The filters at a first visit.
fn first_list() -> QueueList {
    QueueList { ended: true, ..QueueList::default() }
}

/// Draws the queue.
pub fn draw(page: Page, queue: QueueSignals) -> AnyView {
    let scroller = NodeRef::<Div>::new();
    // The first row, and the number of rows that are drawn.
    let slots = RwSignal::new((0_u32, 0_u32));
    let table = QueueTable::new(page, queue);
    let total = Memo::new(move |_| queue.rows.with(|q| q.total));
    // The scroll position and the height. Read only when they change, because reading them forces a layout.
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
        if queue.window.get_untracked() != wanted {
            queue.window.set(wanted);
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
        // "Mine" follows the current user.
        let me = page.user.get();
        table.list.update(|list| {
            if list.user.is_some() {
                list.user = Some(me);
            }
        });
    });
    Effect::new(move || {
        // Each of these changes what is visible.
        total.track();
        table.list.track();
        choose();
    });
    Effect::new(move || {
        page.workspace.zone.track();
        scroller.track();
        measure();
    });
    crate::resize::on_resize(scroller, measure);
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
                <QueueCounts page />
                <span class="spring"></span>
                <filters::Owner page list=table.list />
                <label class="check"><input type="checkbox" prop:checked=flag(move || table.list.with(|l| l.ended))
                    on:change=move |e| table.list.update(|l| l.ended = event_target_checked(&e)) />{page.say(|w| w.ended_too)}</label>
                <filters::Columns page table />
            </div>
            <filters::Filters page table />
            <div class="table" role="table" aria-rowcount=string(move || total.get().to_string())
                style=string(move || table.template()) aria-label=page.say(|w| w.queue)>
                <Headings page table />
                <div class="rows" role="rowgroup" node_ref=scroller tabindex="0" aria-label=page.say(|w| w.queue)
                    on:scroll=move |_| measure()>
                    <div class="spacer" role="presentation" style:height=string(move || px(f64::from(total.get()) * ROW))>
                        <For each=indices key=|i| *i children=move |index| view! { <QueueLine page queue table index /> } />
                    </div>
                </div>
            </div>
            <When holds=flag(move || total.get() == 0 && page.started.with(Option::is_some))>
                <EmptyQueue page filtered=flag(filtered) mine=flag(mine) />
            </When>
        </section>
    }
    .into_any()
}

#[component]
fn QueueCounts(page: Page) -> impl IntoView {
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
pub fn heading(column: QueueColumn, words: &Words) -> &'static str {
    match column {
        QueueColumn::Id => words.id,
        QueueColumn::State => words.state,
        QueueColumn::Name => words.name,
        QueueColumn::User => words.owner,
        QueueColumn::Partition => words.partition,
        QueueColumn::Time => words.time,
        QueueColumn::Size => words.size,
        QueueColumn::Priority => words.priority,
        QueueColumn::Start => words.starts,
        QueueColumn::Place => words.place,
    }
}

/// The headings. Each sorts by its column.
#[component]
fn Headings(page: Page, table: QueueTable) -> impl IntoView {
    let cell = move |column: QueueColumn| {
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

/// A line of the table. Its elements stay while its row changes.
#[component]
fn QueueLine(page: Page, queue: QueueSignals, table: QueueTable, index: u32) -> impl IntoView {
    let row = Memo::new(move |_| {
        queue.rows.with(|q| {
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
    // Tab stops at one row; arrow keys move from there.
    let is_stop = move || selected() || (!table.selected.get() && queue.rows.with(|q| q.first == index));
    let mine = move || row.with(|r| r.as_ref().is_some_and(|r| page.user.with(|u| *u == r.user)));
    let tone = move || {
        let tone = row.with(|r| r.as_ref().map(|r| job_tone(&r.state)).unwrap_or_default());
        format!("c-state {}", tone.class())
    };
    let colour = move || {
        let dark = page.prefs.dark.get();
        row.with(|r| r.as_ref().map(|r| job_colour(r.user_index, r.job, dark)).unwrap_or_default())
    };
    let placed = move || table.columns.with(|all| all.contains(&QueueColumn::Place));
    // Only rows that show a moment read the clock.
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
    let cell = move |column: QueueColumn| {
        match column {
        QueueColumn::Id => view! {
            <span class="c-id" role="cell"><i class="dot" style:background=string(colour)></i>{text(id_text)}</span>
        }
        .into_any(),
        QueueColumn::State => view! {
            <span class=string(tone) role="cell" title=text(|r| r.state_long.clone())>{text(|r| r.state.clone())}</span>
        }
        .into_any(),
        QueueColumn::Time => view! {
            <span class="c-time" role="cell">
                <i class="progress" style:width=string(move || done().unwrap_or_else(|| "0".to_owned()))></i>{string(time)}
            </span>
        }
        .into_any(),
        QueueColumn::Name => plain("c-name", text(|r| shortened(&r.name))),
        QueueColumn::User => plain("c-user", text(|r| r.user.clone())),
        QueueColumn::Partition => plain("c-part", text(|r| r.partition.clone())),
        QueueColumn::Size => plain("c-size", text(size_text)),
        QueueColumn::Priority => plain("c-prio", text(|r| r.priority.to_string())),
        QueueColumn::Start => plain("c-start", string(start)),
        QueueColumn::Place => plain("c-place", text(place_text)),
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
fn EmptyQueue(page: Page, filtered: Signal<bool>, mine: Signal<bool>) -> impl IntoView {
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
                    page.workspace.zone.set(Zone::Terminal);
                    type_line(page, TEACH);
                }>{page.say(|w| w.type_it)}</button>
            </When>
        </div>
    }
}
