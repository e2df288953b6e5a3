//! Dependencies as a graph, and arrays as grids. Lists below the pictures offer the same to the keyboard.

use crate::figure::{Pick, figure};
use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::{Page, Selection};
use crate::save::{self, SavedPicture};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{ArrayRow, EdgeState, GraphEdge, GraphPicture, PanelAnswer};
use std::sync::Arc;
use view::fill::fill;
use view::graph::{csv, graph, grid};

/// Commands that make a graph.
const TEACH: &str = "a=$(sbatch --parsable --wrap 'sleep 60'); b=$(sbatch --parsable -d afterok:$a --array=1-8%2 --wrap 'sleep 30'); sbatch -d afterany:$b --wrap 'echo done'";

/// The engine's answer.
type GraphAnswer = Memo<Option<GraphPicture>>;

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, answer: RwSignal<Option<Box<PanelAnswer>>>, array: RwSignal<Option<u32>>) -> AnyView {
    let picture = Memo::new(move |_| answer.with(|p| p.as_ref().and_then(|p| p.graph()).cloned()));
    let holds = move |f: fn(&GraphPicture) -> bool| flag(move || picture.with(|p| p.as_ref().is_some_and(f)));
    let root = NodeRef::<Div>::new();
    let data = Arc::new(move || picture.with_untracked(|p| p.as_ref().map(csv).unwrap_or_default()));
    view! {
        <section class="graphs sheet" data-testid="graph" aria-label=page.say(|w| w.graph)>
            <div class="bar">
                <GraphLegend page />
                <span class="spring"></span>
                {save::menu(page, "dependencies", SavedPicture::Svg(root), data)}
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.graph)>
                <When holds=holds(|p| p.edges.is_empty() && p.arrays.is_empty())><EmptyGraph page /></When>
                <div node_ref=root>
                    <When holds=holds(|p| !p.edges.is_empty())><GraphJobs page picture /></When>
                    <When holds=holds(|p| !p.arrays.is_empty())><GraphArrays page picture array /></When>
                </div>
            </div>
        </section>
    }
    .into_any()
}

/// Selects the job of a clicked key.
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
fn GraphLegend(page: Page) -> impl IntoView {
    view! {
        <p class="legend">
            <span><i class="way satisfied"></i>"✓ "{page.say_later(|w| w.edge_satisfied)}</span>
            <span><i class="way waits"></i>"… "{page.say_later(|w| w.edge_waits)}</span>
            <span><i class="way never"></i>"✕ "{page.say_later(|w| w.edge_never)}</span>
        </p>
    }
}

#[component]
fn EmptyGraph(page: Page) -> impl IntoView {
    view! {
        <div class="lesson">
            <p>{page.say_later(|w| w.graph_empty)}</p>
            <code>{TEACH}</code>
            <button class="primary" data-testid="graph-teach"
                on:click=move |_| crate::command::type_here(page, TEACH)>{page.say(|w| w.type_it)}</button>
        </div>
    }
}

#[component]
fn GraphJobs(page: Page, picture: GraphAnswer) -> impl IntoView {
    let node = NodeRef::<Div>::new();
    let draw = Arc::new(move |_: f64| {
        let (dark, chosen, label) = (page.prefs.dark.get(), chosen(page), page.t().graph);
        picture.with(|p| p.as_ref().map(|p| graph(p, &chosen, dark, label)).unwrap_or_default())
    });
    let count = Memo::new(move |_| picture.with(|p| p.as_ref().map_or(0, |p| p.edges.len())));
    let cut = flag(move || picture.with(|p| p.as_ref().is_some_and(|p| p.cut)));
    view! {
        <div class="wide">{figure(node, draw, select(page))}</div>
        <When holds=cut><p class="faint">{page.say_later(|w| w.graph_cut)}</p></When>
        <details class="listed">
            <summary>{page.say_later(|w| w.graph_list)}</summary>
            <ul>
                <For each=move || 0..count.get() key=|i| *i
                    children=move |i| view! { <GraphEdgeLine page picture i /> } />
            </ul>
        </details>
    }
}

/// A dependency in words. Its button selects the dependent job.
#[component]
fn GraphEdgeLine(page: Page, picture: GraphAnswer, i: usize) -> impl IntoView {
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
    let sentence = match edge.state {
        EdgeState::Satisfied => words.edge_says_satisfied,
        EdgeState::Waiting => words.edge_says_waits,
        EdgeState::Never => words.edge_says_never,
    };
    fill(sentence, &[&id(edge.to), &edge.kind, &id(edge.from)])
}

#[component]
fn GraphArrays(page: Page, picture: GraphAnswer, array: RwSignal<Option<u32>>) -> impl IntoView {
    let node = NodeRef::<Div>::new();
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
            <label>{page.say_later(|w| w.graph_array)}" "
                <select data-testid="array-picker" on:change=move |e| array.set(event_target_value(&e).parse().ok())>
                    {options}
                </select></label>
            <span class="faint" data-testid="array-counts">{string(counts)}</span>
        </div>
        {figure(node, draw, select(page))}
    }
}
