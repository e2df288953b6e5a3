//! Decides when to save a session, and packs it for the browser's storage.

use crate::session::recorded::Session;
use crate::session::saved::SessionWriter;
use protocol::FromEngine;

/// Real milliseconds between two saves after an input.
const SAVE_AFTER_INPUT: u32 = 5_000;
/// Real milliseconds until the first save after an input. The saved session holds a copy of the site's files: a release in the
/// meantime may change those.
const FIRST_SAVE: u32 = 1_000;
/// Real milliseconds between two saves if only virtual time has passed.
const SAVE_AFTER_TIME: u32 = 15_000;
/// Number of saved bytes for which the pause grows by a millisecond: ten seconds per megabyte. The browser
/// keeps the bytes of earlier saves until its garbage collector runs. No input is lost in the meantime, because
/// the journal has it.
const SAVED_PER_MILLI: usize = 100;

/// Saves the session from time to time.
#[derive(Default)]
pub struct Autosave {
    /// Real milliseconds since the last save.
    elapsed: u32,
    /// An input was applied since the last save.
    input: bool,
    /// Events at the last save.
    step: u64,
    /// This engine has saved the session before.
    saved: bool,
    /// Milliseconds added to the pause because the last save was large.
    longer: u32,
    /// Nothing is saved: the session belongs to a class, whose server has all inputs.
    pub off: bool,
    /// The save in progress.
    writer: Option<Box<SessionWriter>>,
}

impl Autosave {
    /// For a session that needs no save until it has passed this number of events.
    pub fn since(step: u64) -> Self {
        Self { step, ..Self::default() }
    }

    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.elapsed = self.elapsed.saturating_add(millis);
    }

    /// Records that an input was applied.
    pub const fn note_input(&mut self) {
        self.input = true;
    }

    /// Whether a save is in progress.
    pub const fn is_packing(&self) -> bool {
        self.writer.is_some()
    }

    /// Starts a save if one is due and none is in progress.
    pub fn begin_if_due(&mut self, session: &Session) {
        let moved = session.steps() != self.step;
        let elapsed = self.elapsed.saturating_sub(self.longer);
        let pause = if self.saved { SAVE_AFTER_INPUT } else { FIRST_SAVE };
        let due = (self.input && elapsed >= pause) || (moved && elapsed >= SAVE_AFTER_TIME);
        if due && self.writer.is_none() && !self.off {
            self.begin(session);
        }
    }

    /// Starts saving the present. The bytes are sent when everything is packed.
    pub fn begin(&mut self, session: &Session) {
        self.writer = Some(self.writer_of(session));
    }

    /// A writer that the caller steps. Abandons the save in progress.
    pub fn writer_of(&mut self, session: &Session) -> Box<SessionWriter> {
        *self = Self { step: session.steps(), saved: true, longer: self.longer, ..Self::default() };
        Box::new(session.saving())
    }

    /// Does one step. Sends the bytes after the last one.
    pub fn pack_step(&mut self, out: &mut Vec<FromEngine>) {
        let Some(mut writer) = self.writer.take() else { return };
        if writer.step() {
            self.writer = Some(writer);
        } else {
            self.send(true, *writer, out);
        }
    }

    /// Sends the bytes to the page. If `numbered`, the page may drop its journal entries up to the one in the message.
    pub fn send(&mut self, numbered: bool, writer: SessionWriter, out: &mut Vec<FromEngine>) {
        let seq = numbered.then(|| writer.seq());
        let bytes = writer.finish();
        self.longer = u32::try_from(bytes.len() / SAVED_PER_MILLI).unwrap_or(u32::MAX);
        out.push(FromEngine::Saved { seq, bytes });
    }

    /// Saves immediately, because the page's journal entries belong to another session.
    pub fn save_now(&mut self, session: &Session, out: &mut Vec<FromEngine>) {
        let writer = self.writer_of(session);
        self.send(false, *writer, out);
    }
}
