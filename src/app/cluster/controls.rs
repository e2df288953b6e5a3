//! The controls of the cluster: search, partition filter, grouping by switch, zoom, and legend.

use super::{ClusterView, linked, list, zoom};
use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::{Page, Selection};
use crate::save::{self, SavedPicture};
use crate::workspace::Zone;
use crate::{filter, layout};
use leptos::prelude::*;
use std::sync::Arc;
use view::cluster::{csv, is_found};

/// Draws the controls.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(sight: ClusterView) -> AnyView {
    zoom::listen(sight);
    linked::follow(sight);
    view! {
        <NodeSearch sight />
        <PartitionFilter sight />
        <ClusterLegend page=sight.page />
        <zoom::ZoomButtons sight />
        {save::menu(sight.page, "nodes", SavedPicture::Poster, Arc::new(move || nodes_csv(sight)))}
        {layout::full(sight.page, Zone::Cluster)}
    }
    .into_any()
}

/// The search for nodes by name, state, job or user. Other nodes are dimmed, and Enter opens the first match.
#[component]
fn NodeSearch(sight: ClusterView) -> impl IntoView {
    let ClusterView { page, nodes, find, focused, .. } = sight;
    let found = Memo::new(move |_| {
        let text = find.get();
        if text.is_empty() {
            return (0, None);
        }
        page.started.with(|s| {
            let Some(s) = s else { return (0, None) };
            nodes.cells.with(|cells| {
                let all = (0u32..).zip(s.nodes.iter().zip(cells));
                let mut hits =
                    all.filter(|(_, (info, cell))| is_found(&text, info, cell, &s.users)).map(|h| h.0);
                let first = hits.next();
                (hits.count() + usize::from(first.is_some()), first)
            })
        })
    });
    let open = move || {
        if let Some(index) = found.get_untracked().1 {
            list::show(sight, index);
            focused.set(None);
            page.selection.set(Selection::Node(index));
        }
    };
    let count = move || {
        let (count, words) = (found.get().0 as u64, page.later());
        // French has the singular after 0, too, and the English words are equal.
        format!("{} {}", page.number(count), if count < 2 { words.found_one } else { words.found })
    };
    view! {
        <When holds=flag(move || find.with(|f| !f.is_empty()))>
            <span class="counts" role="status" data-testid="cluster-found">{string(count)}</span>
        </When>
        <input type="search" class="find" data-testid="cluster-find" placeholder=page.say_later(|w| w.find)
            aria-label=page.say_later(|w| w.find_node) title=page.say_later(|w| w.find_node)
            on:input=move |e| find.set(event_target_value(&e).trim().to_lowercase())
            on:keydown=move |e| if e.key() == "Enter" { open() } />
    }
}

/// Filters by partition, and groups by switch where topology.conf defines switches.
#[component]
fn PartitionFilter(sight: ClusterView) -> impl IntoView {
    let ClusterView { page, only, switches, .. } = sight;
    let names = move || {
        page.started
            .with(|s| s.iter().flat_map(|s| s.partitions.iter().map(|p| p.name.clone())).collect::<Vec<_>>())
    };
    let option =
        move |(index, name): (usize, String)| view! { <option value=index.to_string()>{name}</option> };
    let select = view! {
        <select data-testid="only-partition" aria-label=page.say(|w| w.partition)
            prop:value=string(move || only.get().map_or_else(String::new, |index| index.to_string()))
            on:change=move |e| only.set(event_target_value(&e).parse().ok())>
            <option value="">{page.say_later(|w| w.all_partitions)}</option>
            {move || names().into_iter().enumerate().map(option).collect::<Vec<_>>()}
        </select>
    };
    let chosen = flag(move || only.with(Option::is_some));
    let wired = move || page.started.with(|s| s.as_ref().is_some_and(|s| !s.switches.is_empty()));
    view! {
        <When holds=flag(wired)>
            <label class="check"><input type="checkbox" data-testid="by-switch" prop:checked=flag(move || switches.get())
                on:change=move |e| switches.set(event_target_checked(&e)) />{page.say_later(|w| w.by_switch)}</label>
        </When>
        {filter::chip(page, |w| w.partition, select.into_any(), chosen, move || only.set(None))}
    }
}

/// The nodes as a file.
fn nodes_csv(sight: ClusterView) -> String {
    sight.page.started.with_untracked(|s| {
        let Some(s) = s else { return String::new() };
        sight.nodes.cells.with_untracked(|cells| csv(&s.nodes, cells, &s.partitions))
    })
}

/// A pattern's class in the style sheet, and its word.
type Sign = (&'static str, fn(&'static Words) -> &'static str);

/// The patterns of the legend.
const SIGNS: [Sign; 8] = [
    ("planned", |w| w.sign_planned),
    ("draining", |w| w.sign_draining),
    ("down", |w| w.sign_down),
    ("reserved", |w| w.sign_reserved),
    ("rising", |w| w.sign_rising),
    ("off", |w| w.sign_off),
    ("suspended", |w| w.sign_suspended),
    ("completing", |w| w.sign_completing),
];

/// The legend of colours and patterns.
#[component]
fn ClusterLegend(page: Page) -> impl IntoView {
    let sign = move |(name, word): Sign| {
        view! { <li><i class=format!("sign {name}")></i>{page.say(word)}</li> }
    };
    view! {
        <details class="key">
            <summary data-testid="legend">{page.say_later(|w| w.legend)}</summary>
            <div>
                <p><i class="heat"></i>{page.say_later(|w| w.sign_heat)}</p>
                <p><i class="sign own"></i>{page.say_later(|w| w.sign_mine)}</p>
                <ul>{SIGNS.into_iter().map(sign).collect::<Vec<_>>()}</ul>
            </div>
        </details>
    }
}
