//! Rows and window of the timeline, its files, and what the shapes mean.

use super::{Chart, draw};
use crate::protocol::Micros;
use crate::ui::figure::for_files;
use crate::ui::follow::string;
use crate::ui::i18n::Words;
use crate::ui::save;
use crate::ui::travel::label;
use crate::view::gantt::{self, csv, shapes, svg};
use crate::view::times::{HOUR, span};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// Windows to choose from, hours.
const SPANS: [Micros; 6] = [1, 2, 6, 24, 7 * 24, 30 * 24];

/// The bar above the picture.
#[component]
pub fn Choices(chart: Chart) -> impl IntoView {
    let page = chart.page;
    let jobs = Memo::new(move |_| page.gantt.with(|w| w.jobs));
    let follows = Memo::new(move |_| page.gantt.with(|w| w.until.is_none()));
    let wide = Memo::new(move |_| page.gantt.with(|w| w.span));
    let choose = move |event| {
        if let Ok(hours) = event_target_value(&event).parse::<Micros>() {
            page.gantt.update(|w| (w.span, w.until) = (hours * HOUR, None));
        }
    };
    let rows = move |of_jobs: bool, id: &'static str, word: fn(&'static Words) -> &'static str| {
        view! {
            <button data-testid=id aria-pressed=string(move || (jobs.get() == of_jobs).to_string())
                on:click=move |_| page.gantt.update(|w| (w.jobs, w.first) = (of_jobs, 0))>{page.say(word)}</button>
        }
    };
    let spans = move || {
        let (wide, day) = (wide.get(), page.t().day);
        // A window of another width has its own row.
        let own = (!SPANS.contains(&(wide / HOUR)) || wide % HOUR != 0).then_some(wide);
        let all = SPANS.into_iter().map(|hours| hours * HOUR).chain(own);
        let row = |s: Micros| view! { <option value=(s / HOUR).to_string() selected=s == wide>{span(s / 1_000_000, day)}</option> };
        all.map(row).collect::<Vec<_>>()
    };
    view! {
        <div class="bar gantt-bar">
            <div class="choice" role="group" aria-label=page.say(|w| w.gantt_rows)>
                {rows(false, "gantt-nodes", |w| w.gantt_nodes)}{rows(true, "gantt-jobs", |w| w.gantt_jobs)}
            </div>
            <select data-testid="gantt-span" aria-label=page.say(|w| w.gantt_span) title=page.say(|w| w.gantt_span)
                on:change=choose>{spans}</select>
            <div class="choice" role="group" aria-label=page.say(|w| w.gantt_span)>
                <button class="icon" aria-label=page.say(|w| w.zoom_out) title=page.say(|w| w.zoom_out)
                    data-testid="gantt-out" on:click=move |_| chart.zoom(None, 1.6)>"−"</button>
                <button class="icon" aria-label=page.say(|w| w.zoom_in) title=page.say(|w| w.zoom_in)
                    data-testid="gantt-in" on:click=move |_| chart.zoom(None, 0.6)>"+"</button>
                <button aria-pressed=string(move || follows.get().to_string()) data-testid="gantt-now"
                    on:click=move |_| page.gantt.update(|w| w.until = None)>{page.say(|w| w.present)}</button>
            </div>
            <button data-testid="gantt-as-table" aria-pressed=string(move || chart.as_table.get().to_string())
                on:click=move |_| chart.as_table.update(|t| *t = !*t)>{page.say(|w| w.gantt_table)}</button>
            <span class="spring"></span>
            <details class="key">
                <summary data-testid="gantt-legend">{page.say(|w| w.legend)}</summary>
                <Signs chart />
            </details>
            <Files chart />
        </div>
    }
}

/// What the shapes mean.
#[component]
fn Signs(chart: Chart) -> impl IntoView {
    let sign = move |class: &'static str, word: fn(&'static Words) -> &'static str| {
        view! { <span><i class=class></i>{chart.page.say(word)}</span> }
    };
    view! {
        <p class="signs">
            {sign("run", |w| w.running)}{sign("ghost", |w| w.to_limit)}{sign("plan", |w| w.planned)}
            {sign("failed", |w| w.failed)}{sign("back out", |w| w.preempted)}{sign("back", |w| w.sent_back)}
        </p>
    }
}

/// The picture as files: what is in sight, drawn only when somebody saves it.
#[component]
fn Files(chart: Chart) -> impl IntoView {
    let Chart { page, picture, size, .. } = chart;
    let root = NodeRef::<Div>::new();
    let wanted = RwSignal::new(false);
    let drawn = move || {
        if !wanted.get() {
            return String::new();
        }
        untrack(|| {
            let Some(picture) = picture.get() else { return String::new() };
            let (width, height) = size.get();
            let plan = chart.plan();
            let size = (width, height.min(gantt::height(&picture, &plan)));
            let words = page.t();
            let all = shapes(&picture, &plan, &draw::look(page, size), &|at, step| label(words, at, step));
            svg(&all, size, words.timeline, page.dark.get())
        })
    };
    let table = Arc::new(move || {
        untrack(|| picture.with(|p| p.as_ref().map(|p| csv(p, &chart.plan())).unwrap_or_default()))
    });
    // Whoever goes to the buttons is about to press one.
    view! {
        <div class="gantt-files" node_ref=root on:pointerenter=move |_| wanted.set(true) on:focusin=move |_| wanted.set(true)
            on:pointerleave=move |_| wanted.set(false)>
            {save::buttons(page, "timeline", root, table)}
            {for_files(drawn)}
        </div>
    }
}
