//! The open panel and the state of each panel in the page's address.

use super::charts::{FIRST_SPAN, SPANS};
use super::{PANELS, PanelState};
use crate::linked::keep;
use crate::location;
use crate::page::Page;
use leptos::prelude::*;
use protocol::{GanttWindow, QueueList};
use view::gantt::first_window;
use view::panel_link::{
    SharesLink, read_account, read_admin, read_array, read_charts, read_queue, read_shares, read_timeline,
    write_account, write_admin, write_array, write_charts, write_queue, write_shares, write_timeline,
};

/// Restores and keeps the open panel, and the state that outlives a panel: the window of the timeline and what the engine
/// is asked for.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn follow(page: Page, state: PanelState) {
    let kept = location::parameter("panel");
    if let Some(panel) = PANELS.iter().find(|panel| panel.name == kept) {
        page.workspace.panel.set(panel.name);
    }
    timeline(page, state.gantt);
    charts(state);
    one("account", state.account, read_account, |filter| write_account(filter));
    one("admin", state.admin, read_admin, |subject| write_admin(*subject));
    one("graph", state.graph, read_array, |array| write_array(*array));
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

/// The chart and its span.
fn charts(state: PanelState) {
    let (which, seconds) = (state.chart, state.charts);
    let kept = location::words("charts");
    if !kept.is_empty() {
        let (kind, span) = read_charts(&kept, FIRST_SPAN, &SPANS);
        which.set(kind);
        seconds.set(span);
    }
    keep("charts", move || write_charts(which.get(), seconds.get(), FIRST_SPAN));
}

/// A panel whose state is one signal.
fn one<T: Send + Sync + 'static>(
    name: &'static str,
    signal: RwSignal<T>,
    read: fn(&str) -> T,
    write: fn(&T) -> String,
) {
    let kept = location::words(name);
    if !kept.is_empty() {
        signal.set(read(&kept));
    }
    keep(name, move || signal.with(write));
}

/// Fair share: what the address says as the panel opens. Its changes are kept, and a hypothesis ends with the panel.
pub fn shares(state: impl Fn() -> SharesLink + Copy + 'static) -> SharesLink {
    keep("shares", move || write_shares(&state()));
    read_shares(&location::words("shares"))
}

/// Fair share without its hypothesis, as the panel closes.
pub fn leave_shares(link: &SharesLink) {
    location::keep(
        "shares",
        &write_shares(&SharesLink { hypothesis: SharesLink::default().hypothesis, ..*link }),
    );
}
