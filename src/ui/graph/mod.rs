//! Dependencies as a graph, arrays as grids. What can be clicked in the pictures stands in lists below them, too.

use super::figure::{Pick, figure};
use super::i18n::Words;
use super::save;
use super::state::{Page, Selection};
use crate::protocol::{ArrayRow, EdgeStanding, GraphEdge, GraphPicture};
use crate::ui::follow::{When, flag, string};
use crate::view::fill::fill;
use crate::view::graph::{csv, graph, grid};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// What makes a graph.
const TEACH: &str = "a=$(sbatch --parsable --wrap 'sleep 60'); b=$(sbatch --parsable -d afterok:$a --array=1-8%2 --wrap 'sleep 30'); sbatch -d afterany:$b --wrap 'echo done'";

/// What is seen of it.
type Seen = Memo<Option<GraphPicture>>;

/// The panel.
pub fn draw(page: Page) -> AnyView {
    let picture = Memo::new(move |_| page.picture.with(|p| p.as_ref().and_then(|p| p.graph()).cloned()));
    let holds = move |f: fn(&GraphPicture) -> bool| flag(move || picture.with(|p| p.as_ref().is_some_and(f)));
    let root = NodeRef::<Div>::new();
    let data = Arc::new(move || picture.with_untracked(|p| p.as_ref().map(csv).unwrap_or_default()));
    view! {
        <section class="graphs sheet" data-testid="graph" aria-label=page.say(|w| w.graph)>
            <div class="bar">
                <Legend page />
                <span class="spring"></span>
                {save::buttons(page, "dependencies", root, data)}
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.graph)>
                <When holds=holds(|p| p.edges.is_empty() && p.arrays.is_empty())><Empty page /></When>
                <div node_ref=root>
                    <When holds=holds(|p| !p.edges.is_empty())><Jobs page picture /></When>
                    <When holds=holds(|p| !p.arrays.is_empty())><Arrays page picture /></When>
                </div>
            </div>
        </section>
    }
    .into_any()
}

/// Selects the job of a key.
fn select(page: Page) -> Pick {
    Arc::new(move |id: &str| page.selection.set(Selection::Job(id.to_owned())))
}

fn chosen(page: Page) -> String {
    match page.selection.get() {
        Selection::Job(id) => id,
        Selection::None | Selection::Node(_) => String::new(),
    }
}

#[component]
fn Legend(page: Page) -> impl IntoView {
    view! {
        <p class="legend">
            <span><i class="way satisfied"></i>"✓ "{page.say(|w| w.edge_satisfied)}</span>
            <span><i class="way waits"></i>"… "{page.say(|w| w.edge_waits)}</span>
            <span><i class="way never"></i>"✕ "{page.say(|w| w.edge_never)}</span>
        </p>
    }
}

#[component]
fn Empty(page: Page) -> impl IntoView {
    view! {
        <div class="lesson">
            <p>{page.say(|w| w.graph_empty)}</p>
            <code>{TEACH}</code>
            <button class="primary" data-testid="graph-teach"
                on:click=move |_| super::command::type_here(page, TEACH)>{page.say(|w| w.type_it)}</button>
        </div>
    }
}

#[component]
fn Jobs(page: Page, picture: Seen) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    let draw = Arc::new(move |_: f64| {
        let (dark, chosen, label) = (page.dark.get(), chosen(page), page.t().graph);
        picture.with(|p| p.as_ref().map(|p| graph(p, &chosen, dark, label)).unwrap_or_default())
    });
    let count = Memo::new(move |_| picture.with(|p| p.as_ref().map_or(0, |p| p.edges.len())));
    let cut = flag(move || picture.with(|p| p.as_ref().is_some_and(|p| p.cut)));
    view! {
        <div class="wide">{figure(place, draw, select(page))}</div>
        <When holds=cut><p class="faint">{page.say(|w| w.graph_cut)}</p></When>
        <details class="listed">
            <summary>{page.say(|w| w.graph_list)}</summary>
            <ul>
                <For each=move || 0..count.get() key=|i| *i
                    children=move |i| view! { <Edge page picture i /> } />
            </ul>
        </details>
    }
}

/// One dependency in words; its button selects who waits.
#[component]
fn Edge(page: Page, picture: Seen, i: usize) -> impl IntoView {
    let said = move || {
        let words = page.t();
        picture
            .with(|p| p.as_ref().and_then(|p| Some(sentence(words, p, p.edges.get(i)?))).unwrap_or_default())
    };
    let pick = select(page);
    let go = move |_| {
        let id = picture.with_untracked(|p| {
            let p = p.as_ref()?;
            Some(p.jobs.get(p.edges.get(i)?.to as usize)?.id.clone())
        });
        if let Some(id) = id {
            pick(&id);
        }
    };
    view! { <li><button class="quiet" data-testid="edge" on:click=go>{string(said)}</button></li> }
}

fn sentence(words: &Words, picture: &GraphPicture, edge: &GraphEdge) -> String {
    let id = |i: u32| picture.jobs.get(i as usize).map(|j| j.id.clone()).unwrap_or_default();
    let sentence = match edge.standing {
        EdgeStanding::Satisfied => words.edge_says_satisfied,
        EdgeStanding::Waiting => words.edge_says_waits,
        EdgeStanding::Never => words.edge_says_never,
    };
    fill(sentence, &[&id(edge.to), &edge.kind, &id(edge.from)])
}

#[component]
fn Arrays(page: Page, picture: Seen) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    let rows = Memo::new(move |_| picture.with(|p| p.as_ref().map(|p| p.arrays.clone()).unwrap_or_default()));
    let open = Memo::new(move |_| picture.with(|p| p.as_ref().and_then(|p| p.open)));
    let draw = Arc::new(move |width: f64| {
        let label = page.t().graph_tasks;
        picture.with(|p| p.as_ref().map(|p| grid(p, width, label)).unwrap_or_default())
    });
    let options = move || {
        let now = open.get();
        let option = |row: ArrayRow| {
            let selected = now == Some(row.job);
            view! { <option value=row.job.to_string() selected=selected>{format!("{} {} ({})", row.job, row.name, row.user)}</option> }
        };
        rows.get().into_iter().map(option).collect::<Vec<_>>()
    };
    let counts = move || {
        let (words, open) = (page.t(), open.get());
        let row = rows.with(|r| r.iter().find(|r| Some(r.job) == open).cloned()).unwrap_or_default();
        let over = row.count.saturating_sub(row.pending + row.running);
        let numbers = [row.count, row.pending, row.running, over].map(|n| n.to_string());
        let [count, pending, running, over] = &numbers;
        let text = fill(words.array_counts, &[count, pending, running, over]);
        match row.throttle {
            0 => text,
            most => format!("{text} {}", fill(words.array_throttle, &[&most.to_string()])),
        }
    };
    view! {
        <div class="array">
            <label>{page.say(|w| w.graph_array)}" "
                <select data-testid="array-picker" on:change=move |e| page.array.set(event_target_value(&e).parse().ok())>
                    {options}
                </select></label>
            <span class="faint" data-testid="array-counts">{string(counts)}</span>
        </div>
        {figure(place, draw, select(page))}
    }
}
