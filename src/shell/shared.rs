//! Commands that were lowered lately: shells that run equal scripts share their code, and with it the processor's cache.
//!
//! What it gives is what reading the text again would give, so it belongs to no saved state.

use super::lower::Complete;
use std::sync::Arc;

/// Commands that are kept.
const MOST: usize = 128;
/// Longest text whose commands are kept, bytes.
const LONGEST: usize = 64 << 10;

/// The commands that were lowered last.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    rows: Vec<Row>,
    /// The row that makes room for the next one.
    oldest: usize,
}

#[derive(Clone, Debug)]
struct Row {
    text: Arc<str>,
    place: Place,
    complete: Complete,
}

/// Where in a text a command begins, and how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub at: u32,
    pub line: u32,
    pub extglob: bool,
    pub braces: bool,
}

impl Lowered {
    /// A command that was read before, and the text that its shells share.
    pub(super) fn get(&self, text: &Arc<str>, place: Place) -> Option<(Arc<str>, Complete)> {
        let same = |row: &&Row| row.place == place && (Arc::ptr_eq(&row.text, text) || row.text == *text);
        self.rows.iter().find(same).map(|row| (row.text.clone(), row.complete.clone()))
    }

    /// Keeps a command that was read.
    pub(super) fn put(&mut self, text: &Arc<str>, place: Place, complete: &Complete) {
        if text.len() > LONGEST {
            return;
        }
        let row = Row { text: text.clone(), place, complete: complete.clone() };
        match self.rows.get_mut(self.oldest) {
            Some(old) => *old = row,
            None => self.rows.push(row),
        }
        self.oldest = (self.oldest + 1) % MOST;
    }
}
