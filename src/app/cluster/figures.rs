//! Three large figures above the nodes: cores and GPUs in use, and the queue. A line beside each shows the last day.

use super::NodeCells;
use crate::follow::{When, flag, string};
use crate::page::Page;
use leptos::prelude::*;
use protocol::ClusterLoad;
use view::cluster::used;
use view::fill::fill;
use view::spark;
use view::times::when;

type Load = RwSignal<Option<Box<ClusterLoad>>>;

/// Draws them.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, nodes: NodeCells, load: Load) -> AnyView {
    let of_nodes = move |amount: fn(&protocol::NodeInfo) -> u32| {
        page.started.with(|s| {
            s.iter().flat_map(|s| &s.nodes).filter(|n| !n.gone).map(amount).fold(0, u32::saturating_add)
        })
    };
    let cores = Memo::new(move |_| of_nodes(|n| n.cores));
    let gpus = Memo::new(move |_| of_nodes(|n| n.gpus));
    let busy_cores =
        Memo::new(move |_| nodes.cells.with(|cells| cells.iter().map(|c| used(&c.cores)).sum::<u32>()));
    let busy_gpus = Memo::new(move |_| {
        nodes.cells.with(|cells| cells.iter().flat_map(|c| &c.gpus).filter(|job| **job != 0).count() as u32)
    });
    let count = move |n: u32| page.number(n.into());
    let part = move |busy: Memo<u32>, all: Memo<u32>| {
        (string(move || count(busy.get())), string(move || format!("/ {}", count(all.get()))))
    };
    let pending = Memo::new(move |_| page.clock.with(|c| (c.pending, c.running)));
    let queue = (
        string(move || count(pending.get().0)),
        string(move || fill(page.later().figure_running, &[&count(pending.get().1)])),
    );
    let shares = move |of: fn(&ClusterLoad) -> &[u16]| {
        move || {
            load.with(|l| {
                l.as_ref().map(|l| of(l).iter().map(|n| f64::from(*n)).collect()).unwrap_or_default()
            })
        }
    };
    let waits = move || {
        load.with(|l| {
            l.as_ref().map(|l| l.pending.iter().map(|n| f64::from(*n)).collect()).unwrap_or_default()
        })
    };
    let names = (
        string(move || {
            let nodes = page.started.with(|s| s.iter().flat_map(|s| &s.nodes).filter(|n| !n.gone).count());
            fill(page.later().figure_cores, &[&page.number(nodes as u64)])
        }),
        string(move || page.later().figure_gpus.to_owned()),
        string(move || page.later().figure_queue.to_owned()),
    );
    view! {
        {figure(page, load, "cores", names.0, part(busy_cores, cores), Some(1000.0), shares(|l| &l.cpus))}
        <When holds=flag(move || gpus.get() > 0)>
            {figure(page, load, "gpus", names.1, part(busy_gpus, gpus), Some(1000.0), shares(|l| &l.gpus))}
        </When>
        {figure(page, load, "queue", names.2, queue, None, waits)}
    }
    .into_any()
}

/// A figure with its line. Without a `top`, the highest value is the top.
fn figure(
    page: Page,
    load: Load,
    name: &'static str,
    label: Signal<String>,
    (number, rest): (Signal<String>, Signal<String>),
    top: Option<f64>,
    values: impl Fn() -> Vec<f64> + Send + Sync + 'static,
) -> AnyView {
    let values = Memo::new(move |_| values());
    let line = string(move || values.with(|v| spark::line(v, top)));
    let area = string(move || values.with(|v| spark::area(v, top)));
    let said = string(move || {
        let most = values.with(|v| v.iter().copied().fold(0.0, f64::max));
        let most = match top {
            Some(top) => format!("{}{}", (most / top * 100.0).round(), page.t().percent),
            None => page.number(most.max(0.0) as u64),
        };
        let (from, until) = load.with(|l| l.as_ref().map_or((0, 0), |l| (l.from, l.until)));
        fill(page.later().figure_most, &[&when(from, until, page.t().calendar), &most])
    });
    view! {
        <div class="figure" data-testid=format!("figure-{name}") title=said>
            <div><small>{label}</small><p><b>{number}</b>" "<span>{rest}</span></p></div>
            <svg viewBox=format!("0 0 {} {}", spark::WIDTH, spark::HEIGHT) preserveAspectRatio="none" role="img" aria-label=said>
                <path class="spark-area" d=area /><path class="spark-line" d=line />
            </svg>
        </div>
    }
    .into_any()
}
