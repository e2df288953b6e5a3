//! The queue: a virtual table that draws and requests only the visible rows.

mod export;
mod filters;
mod focus;
mod line;
mod own;
mod states;

use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::{Page, Selection};
use crate::storage;
use crate::terminal::type_line;
use crate::workspace::{DrawStage, Zone};
use leptos::html::Div;
use leptos::prelude::*;
use line::{QueueLine, QueueLinePart};
use protocol::{Direction, QueueList, QueueRow, QueueRows, QueueWindow, SortBy};
pub use states::state_word;
use std::time::Duration;
use view::css::px;
use view::queue::{
    COLUMNS, QueueColumn, ROW, chosen, fitting, resorted, submission, template, visible, window,
};

/// A command that fills an empty queue.
const TEACH: &str = "sbatch --wrap 'echo hello from $(hostname); sleep 120'";

/// What the headings, filters and rows share.
#[derive(Clone, Copy)]
struct QueueTable {
    list: RwSignal<QueueList>,
    chosen: RwSignal<Vec<QueueColumn>>,
    width: RwSignal<f64>,
    /// The columns that are drawn, each with whether its texts are short.
    columns: Memo<Vec<(QueueColumn, bool)>>,
    /// Whether the selected job is among the rows.
    selected: Memo<bool>,
    /// The job that was just submitted, by its number.
    fresh: RwSignal<Option<String>>,
    /// The job of the row that got the focus last.
    focused: StoredValue<Option<String>>,
}

/// How long a job that was just submitted is marked.
const FRESH: Duration = Duration::from_secs(4);

impl QueueTable {
    fn new(page: Page, queue: QueueSignals) -> Self {
        let kept = storage::get("queue-columns");
        let chosen = RwSignal::new(chosen(kept.as_deref()));
        let width = RwSignal::new(0.0);
        let columns = Memo::new(move |_| {
            let width = width.get();
            let kinds = chosen.with(|chosen| fitting(chosen, width));
            kinds.into_iter().map(|k| (k.column, k.is_short(width))).collect()
        });
        let list = RwSignal::new(first_list());
        let selected = Memo::new(move |_| {
            let rows = |id: &str| queue.rows.with(|q| q.rows.iter().any(|row| row.id == id));
            page.selection.with(|s| matches!(s, Selection::Job(id) if rows(id)))
        });
        let fresh = RwSignal::new(None);
        Effect::new(move |before: Option<()>| {
            let submitted = page.terminals.last_job.get();
            // Jobs of before the queue was drawn are not news.
            if before.is_some() && submitted.is_some() {
                fresh.set(submitted.clone());
                set_timeout(
                    move || {
                        // By then another panel may be open, or another job may be the last.
                        if fresh.try_get_untracked() == Some(submitted) {
                            fresh.set(None);
                        }
                    },
                    FRESH,
                );
            }
        });
        Self { list, chosen, width, columns, selected, fresh, focused: StoredValue::new(None) }
    }

    fn template(self) -> String {
        let width = self.width.get();
        format!("--columns:{}", template(&fitting(&self.chosen.get(), width), width))
    }

    /// Whether a row is that of the job that was just submitted. Reads signals.
    fn is_fresh(self, row: &QueueRow) -> bool {
        self.fresh.with(|fresh| fresh.as_deref() == Some(submission(row)))
    }
}

/// The queue, as signals.
#[derive(Clone, Copy)]
pub struct QueueSignals {
    /// The rows that the engine sent.
    pub rows: RwSignal<QueueRows>,
    /// The current user's own jobs.
    pub own: RwSignal<QueueRows>,
    /// The requested rows.
    pub window: RwSignal<QueueWindow>,
}

impl QueueSignals {
    /// An empty queue that requests the first rows.
    pub fn new() -> Self {
        Self {
            rows: RwSignal::new(QueueRows::default()),
            own: RwSignal::new(QueueRows::default()),
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
    focus::follow_job(queue.rows, table.focused, scroller);
    let indices = move || {
        let (first, count) = slots.get();
        (first..first + count).collect::<Vec<_>>()
    };
    let filtered =
        move || table.list.with(|l| l.partition.is_some() || l.state.is_some() || !l.text.is_empty());
    let mine = move || table.list.with(|l| l.user.is_some());
    let line = move |index: u32| {
        let row = Memo::new(move |_| {
            queue.rows.with(|q| q.rows.get(index.checked_sub(q.first)? as usize).cloned())
        });
        // Tab stops at one row; arrow keys move from there.
        let stop = flag(move || !table.selected.get() && queue.rows.with(|q| q.first == index));
        let part = QueueLinePart { row, stop, name: "queue-row", top: Some(f64::from(index) * ROW) };
        view! { <QueueLine page table part /> }
    };
    let there = page.drawn(DrawStage::Panels);
    view! {
        <section class="zone queue" aria-label=page.say(|w| w.queue) data-testid="queue">
            <div class="bar">
                <h2>{page.say(|w| w.queue)}</h2>
                <QueueCounts page />
                {move || there.get().then(|| filters::draw(page, queue, table))}
            </div>
            <div class="table" role="table" aria-rowcount=string(move || total.get().to_string())
                style=string(move || table.template()) aria-label=page.say(|w| w.queue)>
                <Headings page table />
                {move || there.get().then(|| own::draw(page, queue.own, table))}
                <div class="rows" role="rowgroup" node_ref=scroller tabindex="0" aria-label=page.say(|w| w.queue)
                    on:scroll=move |_| measure()>
                    <div class="spacer" role="presentation" style:height=string(move || px(f64::from(total.get()) * ROW))>
                        <For each=indices key=|i| *i children=line />
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
        QueueColumn::Time => words.elapsed,
        QueueColumn::Size => words.size,
        QueueColumn::Priority => words.priority,
        QueueColumn::Start => words.start,
        QueueColumn::NodeList => words.nodelist,
    }
}

/// The headings. Each sorts by its column.
#[component]
fn Headings(page: Page, table: QueueTable) -> impl IntoView {
    let cell = move |(column, short): (QueueColumn, bool)| {
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
                    {string(move || {
                        let words = page.t();
                        if short && column == QueueColumn::Time { words.time } else { heading(column, words) }.to_owned()
                    })}</button>
            </span>
        }
    };
    view! {
        <div class="row head" role="row">
            {move || table.columns.get().into_iter().map(cell).collect::<Vec<_>>()}
        </div>
    }
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
