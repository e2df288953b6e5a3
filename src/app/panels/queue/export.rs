//! The queue as a file: the first rows in the order and with the filters of the table.

use super::QueueSignals;
use crate::page::Page;
use crate::save::{SaveAction, csv_file};
use leptos::prelude::*;
use std::sync::Arc;
use view::queue::{EXPORTED, csv};

/// Asks the engine for the rows, which are more than the table draws, and downloads them once they are there.
pub(super) fn save(page: Page, queue: QueueSignals) -> SaveAction {
    // The rows that the table asked for, while others are awaited.
    let before = RwSignal::new(None);
    Effect::new(move || {
        let Some(kept) = before.get() else { return };
        let first = queue.rows.with(|q| {
            let complete = q.first == 0 && q.rows.len() as u32 >= q.total.min(EXPORTED);
            complete.then(|| csv(&q.rows))
        });
        match first {
            Some(text) => {
                before.set(None);
                queue.window.set(kept);
                csv_file(page, "queue", &text);
            }
            // The table asks for its own rows when it is scrolled or their number changes.
            None => queue.window.update(|w| (w.first, w.count) = (0, EXPORTED)),
        }
    });
    Arc::new(move || before.set(Some(queue.window.get_untracked())))
}
