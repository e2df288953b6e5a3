//! The queue: a table of which only the visible rows are drawn and asked for.

use super::state::{Page, Selection};
use super::terminal::type_line;
use crate::protocol::QueueRow;
use crate::ui::follow::{When, flag, string};
use crate::view::css::{percent, px};
use crate::view::palette::job_colour;
use crate::view::queue::{ROW, is_over, progress, size_text, time_text, visible, window};
use crate::view::states::job_tone;
use leptos::html::Div;
use leptos::prelude::*;

/// What fills an empty queue.
const TEACH: &str = "sbatch --wrap 'echo hello from $(hostname); sleep 120'";

/// The zone of the queue.
#[component]
pub fn QueueZone(page: Page) -> impl IntoView {
    let scroller = NodeRef::<Div>::new();
    // First row and number of rows drawn.
    let slots = RwSignal::new((0_u32, 0_u32));
    let mine = RwSignal::new(false);
    let ended = RwSignal::new(true);
    let total = Memo::new(move |_| page.queue.with(|q| q.total));
    let measure = move || {
        let Some(element) = scroller.get_untracked() else { return };
        let (scroll, height) = (f64::from(element.scroll_top()), f64::from(element.client_height()));
        let now = visible(scroll, height, total.get_untracked());
        if slots.get_untracked() != now {
            slots.set(now);
        }
        let user = mine.get_untracked().then(|| page.user.get_untracked());
        let wanted = window(scroll, height, user, ended.get_untracked());
        if page.queue_window.get_untracked() != wanted {
            page.queue_window.set(wanted);
        }
    };
    Effect::new(move || {
        // Each of these changes what is in sight.
        total.track();
        mine.track();
        ended.track();
        page.user.track();
        page.zone.track();
        scroller.track();
        measure();
    });
    super::on_resize(scroller, measure);
    let indices = move || {
        let (first, count) = slots.get();
        (first..first + count).collect::<Vec<_>>()
    };
    view! {
        <section class="zone queue" aria-label=page.say(|w| w.queue) data-testid="queue">
            <div class="bar">
                <h2>{page.say(|w| w.queue)}</h2>
                <Counts page />
                <span class="spring"></span>
                <div class="choice" role="group" aria-label=page.say(|w| w.owner)>
                    <button aria-pressed=string(move || (!mine.get()).to_string()) on:click=move |_| mine.set(false)>
                        {page.say(|w| w.all_users)}
                    </button>
                    <button data-testid="queue-mine" aria-pressed=string(move || mine.get().to_string())
                        on:click=move |_| mine.set(true)>{page.say(|w| w.mine)}</button>
                </div>
                <label class="check"><input type="checkbox" prop:checked=flag(move || ended.get())
                    on:change=move |e| ended.set(event_target_checked(&e)) />{page.say(|w| w.ended_too)}</label>
            </div>
            <div class="table" role="table" aria-rowcount=string(move || total.get().to_string())
                aria-label=page.say(|w| w.queue)>
                <Head page />
                <div class="rows" role="rowgroup" node_ref=scroller tabindex="0" aria-label=page.say(|w| w.queue)
                    on:scroll=move |_| measure()>
                    <div class="spacer" role="presentation" style:height=string(move || px(f64::from(total.get()) * ROW))>
                        <For each=indices key=|i| *i children=move |index| view! { <Row page index /> } />
                    </div>
                </div>
            </div>
            <When holds=flag(move || total.get() == 0 && page.started.with(Option::is_some))>
                <Empty page mine=mine.into() />
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
            <b>{string(move || running.get().to_string())}</b>" "{page.say(|w| w.running)}
            <b>{string(move || pending.get().to_string())}</b>" "{page.say(|w| w.waiting)}
        </span>
    }
}

#[component]
fn Head(page: Page) -> impl IntoView {
    view! {
        <div class="row head" role="row">
            <span class="c-id" role="columnheader">{page.say(|w| w.id)}</span>
            <span class="c-state" role="columnheader">{page.say(|w| w.state)}</span>
            <span class="c-name" role="columnheader">{page.say(|w| w.name)}</span>
            <span class="c-user" role="columnheader">{page.say(|w| w.owner)}</span>
            <span class="c-part" role="columnheader">{page.say(|w| w.partition)}</span>
            <span class="c-time" role="columnheader">{page.say(|w| w.time)}</span>
            <span class="c-size" role="columnheader">{page.say(|w| w.size)}</span>
            <span class="c-place" role="columnheader">{page.say(|w| w.place)}</span>
        </div>
    }
}

/// One slot of the table: its row changes, its elements stay.
#[component]
fn Row(page: Page, index: u32) -> impl IntoView {
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
    let mine = move || row.with(|r| r.as_ref().is_some_and(|r| page.user.with(|u| *u == r.user)));
    let tone = move || {
        let tone = row.with(|r| r.as_ref().map(|r| job_tone(&r.state)).unwrap_or_default());
        format!("c-state {}", tone.class())
    };
    let colour = move || {
        let dark = page.dark.get();
        row.with(|r| r.as_ref().map(|r| job_colour(r.user_index, r.job, dark)).unwrap_or_default())
    };
    // The clock is read only by rows that show a moment.
    let time =
        move || row.with(|r| r.as_ref().map(|r| time_text(r, page.clock.get().now)).unwrap_or_default());
    let done = move || row.with(|r| r.as_ref().and_then(progress)).map(percent);
    let select = move || {
        if let Some(id) = row.with_untracked(|r| r.as_ref().map(|r| r.id.clone())) {
            page.selection.set(Selection::Job(id));
        }
    };
    view! {
        <div class="row" role="row" data-testid="queue-row" tabindex="0"
            style:top=px(f64::from(index) * ROW)
            class:selected=flag(selected) class:mine=flag(mine)
            class:over=flag(move || row.with(|r| r.as_ref().is_some_and(is_over)))
            class:away=flag(move || row.with(Option::is_none))
            aria-selected=string(move || selected().to_string())
            on:click=move |_| select()
            on:keydown=move |e| if e.key() == "Enter" { select() }>
            <span class="c-id" role="cell"><i class="dot" style:background=string(colour)></i>{text(|r| r.id.clone())}</span>
            <span class=string(tone) role="cell" title=text(|r| r.state_long.clone())>{text(|r| r.state.clone())}</span>
            <span class="c-name" role="cell">{text(|r| r.name.clone())}</span>
            <span class="c-user" role="cell">{text(|r| r.user.clone())}</span>
            <span class="c-part" role="cell">{text(|r| r.partition.clone())}</span>
            <span class="c-time" role="cell">
                <i class="progress" style:width=string(move || done().unwrap_or_else(|| "0".to_owned()))></i>{string(time)}
            </span>
            <span class="c-size" role="cell">{text(size_text)}</span>
            <span class="c-place" role="cell" title=text(|r| r.place.clone())>{text(|r| r.place.clone())}</span>
        </div>
    }
}

#[component]
fn Empty(page: Page, mine: Signal<bool>) -> impl IntoView {
    view! {
        <div class="teach">
            <p>{Signal::derive(move || if mine.get() { page.t().queue_empty_mine } else { page.t().queue_empty })}</p>
            <p>{page.say(|w| w.queue_teach)}</p>
            <code>{TEACH}</code>
            <button class="primary" data-testid="teach" on:click=move |_| {
                page.zone.set(super::state::Zone::Type);
                type_line(page, TEACH);
            }>{page.say(|w| w.type_it)}</button>
        </div>
    }
}
