//! The jobs that the engine finds by number, name or user, for the finder.

use crate::worker_link::send;
use leptos::prelude::*;
use protocol::{QueueRow, ToEngine};
use std::time::Duration;
use view::finder::fit;

/// How long Enter waits for the jobs. A busy engine does not keep anyone from running a command.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The jobs that the engine found for a text.
#[derive(Clone, Copy)]
pub struct FoundJobs {
    /// The text that was asked for last.
    asked: RwSignal<String>,
    /// The jobs, best first.
    pub rows: RwSignal<Vec<QueueRow>>,
    /// Whether an answer is due.
    pub waits: RwSignal<bool>,
}

impl FoundJobs {
    /// None.
    pub fn new() -> Self {
        Self {
            asked: RwSignal::new(String::new()),
            rows: RwSignal::new(Vec::new()),
            waits: RwSignal::new(false),
        }
    }

    /// Takes the engine's answer, unless another text was typed since.
    pub fn take(self, typed: String, rows: Vec<QueueRow>) {
        if self.asked.with_untracked(|asked| *asked == typed) {
            self.rows.set(rows);
            self.waits.set(false);
        }
    }

    /// Asks the engine for the jobs that match a text.
    pub fn ask(self, typed: &str) {
        let typed = typed.trim().to_owned();
        if self.asked.with_untracked(|asked| *asked == typed) && !self.rows.with_untracked(Vec::is_empty) {
            return;
        }
        self.rows.set(Vec::new());
        self.waits.set(!typed.is_empty());
        self.asked.set(typed.clone());
        if !typed.is_empty() {
            send(&ToEngine::FindJobs(typed.clone()));
            set_timeout(
                move || {
                    if self.asked.with_untracked(|asked| *asked == typed) {
                        self.waits.set(false);
                    }
                },
                TIMEOUT,
            );
        }
    }

    /// The cost of each job for a text, as `view::finder::fit` counts. Reads a signal.
    pub fn costs(self, typed: &str) -> Vec<u32> {
        let cost =
            |row: &QueueRow| [&row.id, &row.name].into_iter().filter_map(|text| fit(text, typed)).min();
        self.rows.with(|rows| rows.iter().map(|row| cost(row).unwrap_or(0)).collect())
    }

    /// The number of a job.
    pub fn id(self, at: usize) -> Option<String> {
        self.rows.with_untracked(|rows| rows.get(at).map(|row| row.id.clone()))
    }
}
