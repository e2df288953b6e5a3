//! The open panel, the queue's filters and order, and the timeline's window in the page's address.

use super::PANELS;
use crate::linked::keep;
use crate::location;
use crate::page::Page;
use leptos::prelude::*;
use protocol::{GanttWindow, QueueList};
use view::gantt::first_window;
use view::panel_link::{read_queue, read_timeline, write_queue, write_timeline};

/// Restores and keeps the open panel, and the timeline's window, which the time line shows, too.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn follow(page: Page, gantt: RwSignal<GanttWindow>) {
    let kept = location::parameter("panel");
    if let Some(panel) = PANELS.iter().find(|panel| panel.name == kept) {
        page.workspace.panel.set(panel.name);
    }
    timeline(page, gantt);
    keep("panel", move || match page.workspace.panel.get() {
        "queue" => String::new(),
        name => name.to_owned(),
    });
}

/// The queue's filters and order.
pub fn queue(page: Page, list: RwSignal<QueueList>, first: QueueList) {
    let kept = location::words("queue");
    if !kept.is_empty() {
        let mut read = read_queue(&kept, &first, &page.user.get_untracked());
        // A partition of another cluster would leave an empty queue.
        let known = |name: &String| {
            page.started.with_untracked(|s| s.iter().any(|s| s.partitions.iter().any(|p| p.name == *name)))
        };
        read.partition = read.partition.filter(known);
        list.set(read);
    }
    keep("queue", move || list.with(|list| write_queue(list, &first)));
}

/// The timeline's rows and window.
fn timeline(page: Page, window: RwSignal<GanttWindow>) {
    let first = first_window();
    let kept = location::words("timeline");
    if !kept.is_empty() {
        let mut read = read_timeline(&kept, &first);
        // A session that has not come that far has nothing to show there.
        let now = page.clock.get_untracked().now;
        if read.until.is_some_and(|until| until - read.span >= now) {
            (read.span, read.until) = (first.span, None);
        }
        window.update(|w| (w.span, w.until, w.jobs) = (read.span, read.until, read.jobs));
    }
    keep("timeline", move || window.with(|window| write_timeline(window, &first)));
}
