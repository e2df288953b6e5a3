//! The nodes as a list of buttons, for keyboards, screen readers and tests.

use super::{ClusterView, NodeCells};
use crate::arrows::step;
use crate::follow::string;
use crate::page::{Page, Selection};
use base::order::StableSort as _;
use leptos::prelude::*;
use protocol::NodeInfo;
use std::time::Duration;
use view::cluster::used;
use view::css::tenths;

/// The description of a node, in lines.
pub fn lines(page: Page, nodes: NodeCells, index: u32) -> Vec<String> {
    let words = page.t();
    let info = page.started.with(|s| s.as_ref().and_then(|s| s.nodes.get(index as usize).cloned()));
    let Some(info) = info else { return Vec::new() };
    nodes.cells.with(|cells| {
        let Some(cell) = cells.get(index as usize) else { return vec![info.name.clone()] };
        let gib = |mib: u64| mib as f64 / 1024.0;
        let mut lines = vec![
            format!("{} · {}", info.name, cell.state),
            format!("{} {} {} {}", used(&cell.cores), words.of, info.cores, words.cores),
            format!(
                "{} {} {} GiB {}",
                tenths(gib(cell.mem_used_mib)).replace('.', words.decimal),
                words.of,
                (info.memory_mib + 512) / 1024,
                words.memory
            ),
        ];
        if info.gpus > 0 {
            let busy = cell.gpus.iter().filter(|job| **job != 0).count();
            lines.push(format!("{busy} {} {} GPU {}", words.of, info.gpus, info.gpu_kind));
        }
        let mut users: Vec<u32> = cell.cores.iter().filter(|r| r.job != 0).map(|r| r.user).collect();
        users.order();
        users.dedup();
        let names = page.started.with(|s| {
            let all = s.as_ref().map(|s| s.users.clone()).unwrap_or_default();
            users.iter().filter_map(|u| all.get(*u as usize).cloned()).collect::<Vec<_>>().join(", ")
        });
        if !names.is_empty() {
            lines.push(names);
        }
        let partitions = page.started.with(|s| {
            let name = |i: &u32| s.as_ref()?.partitions.get(*i as usize).map(|p| p.name.clone());
            info.partitions.iter().filter_map(name).collect::<Vec<_>>().join(", ")
        });
        if info.partitions.len() > 1 {
            lines.push(partitions);
        }
        lines
    })
}

/// Most buttons. With one for each of thousands of nodes, the list would outweigh the rest of the page.
const MOST: usize = 400;
/// Nodes by which the window of buttons moves.
const STEP: usize = 100;

/// Scrolls to a node.
pub fn show(sight: ClusterView, index: u32) {
    let top = sight.picture.with_untracked(|l| l.top(index));
    if let (Some(element), Some(top)) = (sight.scroller.get_untracked(), top) {
        let (from, height) = (f64::from(element.scroll_top()), f64::from(element.client_height()));
        if top < from || top + 60.0 > from + height {
            element.set_scroll_top((top - 40.0).max(0.0) as i32);
        }
    }
}

/// The list. Its texts are updated twice a second.
#[component]
pub fn NodeList(sight: ClusterView) -> impl IntoView {
    let ClusterView { page, nodes: cells, focused, .. } = sight;
    let beat = RwSignal::new(0_u32);
    if let Ok(timer) =
        set_interval_with_handle(move || beat.update(|n| *n = n.wrapping_add(1)), Duration::from_millis(500))
    {
        on_cleanup(move || timer.clear());
    }
    // For a large cluster, the nodes around the focused one.
    let window = Memo::new(move |_| {
        let count = page.started.with(|s| s.as_ref().map_or(0, |s| s.nodes.len()));
        let at = focused.get().map_or(0, |i| i as usize);
        if count <= MOST {
            (0, count)
        } else {
            ((at / STEP * STEP).saturating_sub(STEP).min(count - MOST), MOST)
        }
    });
    let nodes = move || {
        let (first, count) = window.get();
        page.started.with(|s| {
            let there = |(_, n): &(u32, &NodeInfo)| !n.gone;
            let all =
                s.iter().flat_map(|s| (0u32..).zip(&s.nodes)).filter(there).map(|(i, n)| (i, n.name.clone()));
            all.skip(first).take(count).collect::<Vec<_>>()
        })
    };
    let focus = move |index: u32| {
        focused.set(Some(index));
        show(sight, index);
    };
    view! {
        <ul class="hidden" aria-label=page.say(|w| w.nodes)>
            <For each=nodes key=|(i, name)| (*i, name.clone()) children=move |(index, name)| {
                let words = Memo::new(move |_| {
                    beat.track();
                    page.prefs.lang.track();
                    untrack(|| lines(page, cells, index)).join(", ")
                });
                let state = Memo::new(move |_| {
                    beat.track();
                    cells.cells.with_untracked(|c| c.get(index as usize).map(|c| c.state.clone()).unwrap_or_default())
                });
                view! {
                    <li><button data-testid="node-tile" data-node=name data-state=string(move || state.get())
                        tabindex=if index == 0 { "0" } else { "-1" }
                        on:focus=move |_| focus(index) on:blur=move |_| focused.set(None)
                        on:keydown=move |e| step(&e)
                        on:click=move |_| page.selection.set(Selection::Node(index))>{string(move || words.get())}</button></li>
                }
            } />
        </ul>
    }
}
