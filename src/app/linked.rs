//! The state of the panels in the page's address: what a link names is restored once a panel is drawn, and changes are kept. The
//! words are `view::panel_link`'s. A reload, a copied address and a link to a moment open the same view.

use crate::cluster::ClusterView;
use crate::location;
use crate::page::Page;
use crate::panels::PANELS;
use leptos::prelude::*;
use protocol::{GanttWindow, QueueList};
use view::panel_link::{read_nodes, read_queue, read_timeline, write_nodes, write_queue, write_timeline};
use wasm_bindgen::JsCast as _;

/// Keeps words in the address once they change.
fn keep(name: &'static str, words: impl Fn() -> String + 'static) {
    Effect::new(move |before: Option<String>| {
        let words = words();
        if before.is_some_and(|before| before != words) {
            location::keep(name, &words);
        }
        words
    });
}

/// The open panel, and the cluster's zoom and filter.
pub fn nodes(sight: ClusterView) {
    let page = sight.page;
    let kept = location::parameter("panel");
    if let Some(panel) = PANELS.iter().find(|panel| panel.name == kept) {
        page.workspace.panel.set(panel.name);
    }
    keep("panel", move || match page.workspace.panel.get() {
        "queue" => String::new(),
        name => name.to_owned(),
    });
    let kept = location::parameter("nodes");
    let (zoom, only, switches) = read_nodes(&kept);
    let index = only.and_then(|name| {
        page.started.with_untracked(|s| s.as_ref()?.partitions.iter().position(|p| p.name == name))
    });
    if !kept.is_empty() {
        sight.zoom.set(zoom);
        sight.only.set(index.and_then(|index| u32::try_from(index).ok()));
        sight.switches.set(switches);
    }
    keep("nodes", move || {
        let only = sight.only.get();
        let name = page.started.with(|s| {
            let partition = s.as_ref()?.partitions.get(only? as usize)?;
            Some(partition.name.clone())
        });
        write_nodes(sight.zoom.get(), name.as_deref(), sight.switches.get())
    });
}

/// The queue's filters and order.
pub fn queue(page: Page, list: RwSignal<QueueList>, first: QueueList) {
    let kept = location::parameter("queue");
    if !kept.is_empty() {
        let read = read_queue(&kept, &first, &page.user.get_untracked());
        // The field is not bound to the list, which has its text in lower case.
        let field = document().query_selector("[data-testid=\"queue-find\"]").ok().flatten();
        if let Some(field) = field.and_then(|e| e.dyn_into::<web_sys::HtmlInputElement>().ok()) {
            field.set_value(&read.text);
        }
        list.set(read);
    }
    keep("queue", move || list.with(|list| write_queue(list, &first)));
}

/// The timeline's rows and window.
pub fn timeline(window: RwSignal<GanttWindow>, first: GanttWindow) {
    let kept = location::parameter("timeline");
    if !kept.is_empty() {
        window.update(|w| {
            let read = read_timeline(&kept, &first);
            (w.span, w.jobs) = (read.span, read.jobs);
        });
    }
    keep("timeline", move || window.with(|window| write_timeline(window, &first)));
}
