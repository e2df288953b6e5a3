//! The open panel, the queue's filters and order, and the timeline's window in the page's address.

use super::PANELS;
use crate::linked::keep;
use crate::location;
use crate::page::Page;
use leptos::prelude::*;
use protocol::{GanttWindow, QueueList};
use view::panel_link::{read_queue, read_timeline, write_queue, write_timeline};
use wasm_bindgen::JsCast as _;

/// Restores and keeps the open panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn follow(page: Page) {
    let kept = location::parameter("panel");
    if let Some(panel) = PANELS.iter().find(|panel| panel.name == kept) {
        page.workspace.panel.set(panel.name);
    }
    keep("panel", move || match page.workspace.panel.get() {
        "queue" => String::new(),
        name => name.to_owned(),
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
