//! Keeps the focus on a job while the queue is sorted again. Lines stay where they are and show another row, so without this,
//! Enter would open whichever job took the place of the chosen one.

use crate::follow::in_next_frame;
use leptos::html::Div;
use leptos::prelude::*;
use protocol::QueueRows;
use wasm_bindgen::JsCast as _;

/// Moves the focus from a line of the table to the line that now shows the same job. A job that has left the rows loses it
/// to its successor.
pub(super) fn follow_job(
    rows: RwSignal<QueueRows>,
    focused: StoredValue<Option<String>>,
    table: NodeRef<Div>,
) {
    Effect::new(move || {
        rows.track();
        // The lines show the new rows by then.
        in_next_frame(move || {
            let (Some(table), Some(job)) = (table.get_untracked(), focused.get_value()) else { return };
            let here = document().active_element().filter(|e| table.contains(Some(e)));
            let shows = |line: &web_sys::Element| line.get_attribute("data-job").is_some_and(|id| id == job);
            if here.is_none_or(|line| !line.has_attribute("data-job") || shows(&line)) {
                return;
            }
            let Ok(lines) = table.query_selector_all("[data-job]") else { return };
            let line = (0..lines.length())
                .filter_map(|i| lines.get(i)?.dyn_into::<web_sys::HtmlElement>().ok())
                .find(|line| shows(line));
            if let Some(line) = line {
                // Only a removed element refuses the focus.
                let _ = line.focus();
            }
        });
    });
}
