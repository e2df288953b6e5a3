//! When a session is saved, and how: beside the clock, piece by piece.

use super::live::Live;
use crate::protocol::FromEngine;
use crate::session::saved;

/// Real milliseconds between two savings when something was done ...
const SAVE_AFTER_INPUT: u32 = 5_000;
/// ... and when only time went by.
const SAVE_AFTER_TIME: u32 = 15_000;
/// Bytes for each further millisecond: ten seconds a megabyte. What the browser had of earlier times piles up until its
/// collector comes, and of inputs nothing is lost: they are in the journal.
const SAVED_PER_MILLI: usize = 100;

/// When to save next.
#[derive(Default)]
pub struct Saving {
    /// Real milliseconds since the last time.
    pub elapsed: u32,
    /// Something was done since then.
    pub input: bool,
    /// Events at the last time.
    step: u64,
    /// Milliseconds that are added to the pause, for so much was saved.
    longer: u32,
    /// What is being packed.
    under_way: Option<Box<saved::Saving>>,
}

impl Saving {
    /// So many events were carried out when it was last known.
    pub fn since(step: u64) -> Self {
        Self { step, ..Self::default() }
    }
}

impl Live {
    /// Whether something is being saved, or hashed.
    pub fn has_to_save(&self) -> bool {
        self.saving.under_way.is_some() || self.session.is_hashing()
    }

    /// Begins to save now and then.
    pub fn autosave(&mut self) {
        let moved = self.session.steps() != self.saving.step;
        let elapsed = self.saving.elapsed.saturating_sub(self.saving.longer);
        let due = (self.saving.input && elapsed >= SAVE_AFTER_INPUT) || (moved && elapsed >= SAVE_AFTER_TIME);
        if due && self.saving.under_way.is_none() {
            self.begin_save();
        }
    }

    /// Goes on with what is being saved.
    pub fn save_on(&mut self, out: &mut Vec<FromEngine>) {
        let Some(mut saving) = self.saving.under_way.take() else { return };
        if saving.step() {
            self.saving.under_way = Some(saving);
        } else {
            self.finish_save(true, *saving, out);
        }
    }

    /// The bytes go to the page; numbered where the page may forget what it has of the journal up to there.
    pub fn finish_save(&mut self, numbered: bool, saving: saved::Saving, out: &mut Vec<FromEngine>) {
        let seq = numbered.then(|| saving.seq());
        let bytes = saving.finish();
        self.saving.longer = u32::try_from(bytes.len() / SAVED_PER_MILLI).unwrap_or(u32::MAX);
        out.push(FromEngine::Saved { seq, bytes });
    }

    /// What is saved is the present; it is sent once it is packed.
    pub fn begin_save(&mut self) {
        self.saving.under_way = Some(self.begin_to_save());
    }

    /// The same for somebody else to go on with; what was being saved is not any more.
    pub fn begin_to_save(&mut self) -> Box<saved::Saving> {
        let longer = self.saving.longer;
        self.saving =
            Saving { elapsed: 0, input: false, step: self.session.steps(), longer, under_way: None };
        Box::new(self.session.saving())
    }

    /// Saves at once: what the page has of the journal belongs to something else.
    pub fn save(&mut self, out: &mut Vec<FromEngine>) {
        let saving = self.begin_to_save();
        self.finish_save(false, *saving, out);
    }
}
