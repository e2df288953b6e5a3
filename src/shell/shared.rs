//! A cache of lowered commands: shells that run equal scripts share their code, and with it the processor's
//! cache.
//!
//! Invariant: a cached command equals the result of lowering its text again, so the cache is not part of the
//! saved state.

use super::lower::Complete;
use std::sync::Arc;

/// Maximum number of cached commands.
const MOST: usize = 128;
/// Maximum length of a text whose commands are cached, bytes.
const LONGEST: usize = 64 << 10;

/// The cache of lowered commands, in first-in, first-out order.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    rows: Vec<CachedCommand>,
    /// The entry that is replaced next.
    oldest: usize,
}

#[derive(Clone, Debug)]
struct CachedCommand {
    text: Arc<str>,
    position: SourcePosition,
    complete: Complete,
}

/// The position of a command in its text, and the options that affect parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SourcePosition {
    pub at: u32,
    pub line: u32,
    pub extglob: bool,
    pub braces: bool,
}

impl Lowered {
    /// A cached command, and the shared copy of its text.
    pub(super) fn get(&self, text: &Arc<str>, position: SourcePosition) -> Option<(Arc<str>, Complete)> {
        let same = |row: &&CachedCommand| {
            row.position == position && (Arc::ptr_eq(&row.text, text) || row.text == *text)
        };
        self.rows.iter().find(same).map(|row| (row.text.clone(), row.complete.clone()))
    }

    /// Caches a command.
    pub(super) fn put(&mut self, text: &Arc<str>, position: SourcePosition, complete: &Complete) {
        if text.len() > LONGEST {
            return;
        }
        let row = CachedCommand { text: text.clone(), position, complete: complete.clone() };
        match self.rows.get_mut(self.oldest) {
            Some(old) => *old = row,
            None => self.rows.push(row),
        }
        self.oldest = (self.oldest + 1) % MOST;
    }
}
