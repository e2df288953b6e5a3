//! The controls of the timeline: rows, window, saving, and legend.

use super::{Timeline, draw};
use crate::figure::for_files;
use crate::follow::string;
use crate::i18n::Words;
use crate::save::{self, SavedPicture};
use crate::travel::label;
use leptos::html::Div;
use leptos::prelude::*;
use protocol::Micros;
use std::sync::Arc;
use view::gantt::{self, csv, shapes, svg};
use view::times::{HOUR, span};

/// The windows to choose from, in hours.
const SPANS: [Micros; 6] = [1, 2, 6, 24, 7 * 24, 30 * 24];

/// The bar above the picture.
#[component]
pub fn TimelineControls(chart: Timeline) -> impl IntoView {
    let page = chart.page;
    let jobs = Memo::new(move |_| chart.window.with(|w| w.jobs));
    let follows = Memo::new(move |_| chart.window.with(|w| w.until.is_none()));
    let wide = Memo::new(move |_| chart.window.with(|w| w.span));
    let choose = move |event| {
        if let Ok(hours) = event_target_value(&event).parse::<Micros>() {
            chart.window.update(|w| (w.span, w.until) = (hours * HOUR, None));
        }
    };
    let rows = move |of_jobs: bool, id: &'static str, word: fn(&'static Words) -> &'static str| {
        view! {
            <button data-testid=id aria-pressed=string(move || (jobs.get() == of_jobs).to_string())
                on:click=move |_| chart.window.update(|w| (w.jobs, w.first) = (of_jobs, 0))>{page.say(word)}</button>
        }
    };
    let spans = move || {
        let (wide, day) = (wide.get(), page.t().day);
        // A window of another width has its own entry.
        let own = (!SPANS.contains(&(wide / HOUR)) || wide % HOUR != 0).then_some(wide);
        let all = SPANS.into_iter().map(|hours| hours * HOUR).chain(own);
        let row = |s: Micros| view! { <option value=(s / HOUR).to_string() selected=s == wide>{span(s / 1_000_000, day)}</option> };
        all.map(row).collect::<Vec<_>>()
    };
    view! {
        <div class="bar gantt-bar">
            <div class="choice" role="group" aria-label=page.say_later(|w| w.gantt_rows)>
                {rows(false, "gantt-nodes", |w| w.gantt_nodes)}{rows(true, "gantt-jobs", |w| w.gantt_jobs)}
            </div>
            <select data-testid="gantt-span" aria-label=page.say_later(|w| w.gantt_span) title=page.say_later(|w| w.gantt_span)
                on:change=choose>{spans}</select>
            <div class="choice" role="group" aria-label=page.say_later(|w| w.gantt_span)>
                <button class="icon" aria-label=page.say_later(|w| w.zoom_out) title=page.say_later(|w| w.zoom_out)
                    data-testid="gantt-out" on:click=move |_| chart.zoom(None, 1.6)>"−"</button>
                <button class="icon" aria-label=page.say_later(|w| w.zoom_in) title=page.say_later(|w| w.zoom_in)
                    data-testid="gantt-in" on:click=move |_| chart.zoom(None, 0.6)>"+"</button>
                <button aria-pressed=string(move || follows.get().to_string()) data-testid="gantt-now"
                    on:click=move |_| chart.window.update(|w| w.until = None)>{page.say(|w| w.present)}</button>
            </div>
            <button data-testid="gantt-as-table" aria-pressed=string(move || chart.as_table.get().to_string())
                on:click=move |_| chart.as_table.update(|t| *t = !*t)>{page.say_later(|w| w.gantt_table)}</button>
            <span class="spring"></span>
            <details class="key">
                <summary data-testid="gantt-legend">{page.say_later(|w| w.legend)}</summary>
                <TimelineLegend chart />
            </details>
            <SaveTimeline chart />
        </div>
    }
}

/// The legend of the shapes.
#[component]
fn TimelineLegend(chart: Timeline) -> impl IntoView {
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

/// Saves the visible part as files, drawn only when it is needed.
#[component]
fn SaveTimeline(chart: Timeline) -> impl IntoView {
    let Timeline { page, picture, size, .. } = chart;
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
            svg(&all, size, words.timeline, page.prefs.dark.get())
        })
    };
    let table = Arc::new(move || {
        untrack(|| picture.with(|p| p.as_ref().map(|p| csv(p, &chart.plan())).unwrap_or_default()))
    });
    // Drawn when the pointer or the focus reaches the buttons.
    view! {
        <div class="gantt-files" node_ref=root on:pointerenter=move |_| wanted.set(true) on:focusin=move |_| wanted.set(true)
            on:pointerleave=move |_| wanted.set(false)>
            {save::menu(page, "timeline", SavedPicture::Svg(root), table)}
            {for_files(drawn)}
        </div>
    }
}
