//! A session: a world and all its inputs.

use super::branches::{BranchOrigin, KeptBranch};
use super::journal::{HASH_EVERY, Journal, JournalEntry};
use super::keyframes::Keyframes;
use super::resume::Resuming;
use super::saved::{Latest, SavedSession, SessionWriter, Unreadable, file_hashes};
use super::screen::Screen;
use super::sections::pack_site;
use super::track::{MAX_CLASS_TERMINALS, MAX_TERMINALS, Track};
use super::travel::PastTrack;
use crate::world::{EventPart, Input, InputResult, World, WorldWriter};
use base::diagnostic::Diagnostic;
use base::time::Time;
use config::SiteFiles;
use host::tty::TtyId;
use protocol::UserNotice;
use shell::Prompt;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Limit on the work of going back to a moment, see [`Track::run_to`].
const REPLAY_FUEL: u64 = 20_000_000;

/// The start of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The site's name.
    pub site: String,
    /// The site's files.
    pub files: SiteFiles,
    /// The seed.
    pub seed: u64,
    /// Virtual time at the start.
    pub start: Time,
}

/// A session.
#[derive(Clone, Debug)]
pub struct Session {
    setup: Setup,
    /// The present.
    pub(super) track: Track,
    pub(super) journal: Journal,
    pub(super) keyframes: Keyframes,
    /// The past moment that is shown, if any.
    pub(super) past: Option<Box<PastTrack>>,
    /// The origin of the current branch.
    pub(super) origin: BranchOrigin,
    /// The other branches, by their numbers.
    pub(super) others: Vec<KeptBranch>,
    /// The state before the entry of this number, which is being hashed.
    pub(super) hashing: Option<(u64, Box<WorldWriter>)>,
    /// The branch that was left last, and its state, which is being packed.
    pub(super) leaving: Option<(u32, Box<WorldWriter>)>,
    diagnostics: Vec<Diagnostic>,
    /// The site's files are not those that the page has: links contain them.
    pub(super) carries_site: bool,
    /// The site's files, packed at the first save. None if they are too large.
    packed_site: OnceCell<Option<Arc<Vec<u8>>>>,
}

impl Session {
    /// A new session.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let (world, diagnostics) = World::new(&setup.site, &setup.files, setup.seed, setup.start);
        Self::of(setup, world, diagnostics)
    }

    /// A new session of a class, which has more terminals.
    #[must_use]
    pub(super) fn new_class(setup: Setup) -> Self {
        let (world, diagnostics) = World::new(&setup.site, &setup.files, setup.seed, setup.start);
        Self::with_terminals(setup, world, diagnostics, MAX_CLASS_TERMINALS)
    }

    /// A new session with this world, which must belong to the setup.
    #[must_use]
    pub(super) fn of(setup: Setup, world: World, diagnostics: Vec<Diagnostic>) -> Self {
        Self::with_terminals(setup, world, diagnostics, MAX_TERMINALS)
    }

    /// The same with this maximum number of terminals, which all states of the session share.
    #[must_use]
    pub(super) fn with_terminals(
        setup: Setup,
        world: World,
        diagnostics: Vec<Diagnostic>,
        max_terminals: usize,
    ) -> Self {
        let track = Track { max_terminals, ..Track::new(world) };
        let mut keyframes = Keyframes::default();
        keyframes.offer(&track);
        let origin = BranchOrigin { id: 1, from: setup.start, seq: 0 };
        let (journal, others) = (Journal::default(), Vec::new());
        Self {
            setup,
            track,
            journal,
            keyframes,
            past: None,
            origin,
            others,
            hashing: None,
            leaving: None,
            diagnostics,
            carries_site: false,
            packed_site: OnceCell::new(),
        }
    }

    /// Resumes from `saved` and the journal entries after it, leaving out the inputs that made the engine fail.
    /// The notices describe what was left out or lost. [`Resuming`] does the same in steps.
    ///
    /// # Errors
    /// `saved` cannot be used. Nothing is taken from it then.
    pub fn resume(
        setup: Setup,
        saved: Option<&[u8]>,
        since: &[Vec<u8>],
        set_aside: &BTreeSet<u64>,
    ) -> Result<(Self, Vec<UserNotice>), Unreadable> {
        Ok(Resuming::begin(setup, saved, since, set_aside)?.complete())
    }

    /// The world that is shown: the present, or a moment of the past.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.seen().world
    }

    /// The start of the session.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Diagnostics of the site's files.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The journal of the current branch.
    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Number of events from the start to the present.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.track.step
    }

    /// The open terminals.
    pub fn terminals(&self) -> impl Iterator<Item = (TtyId, &Screen)> {
        self.seen().screens.iter().map(|(tty, screen)| (*tty, screen))
    }

    /// A terminal's output.
    pub fn screen_mut(&mut self, tty: TtyId) -> Option<&mut Screen> {
        self.seen_mut().screens.get_mut(&tty)
    }

    /// Messages about bounds that were hit since the last call.
    pub fn take_bounds(&mut self) -> Vec<String> {
        std::mem::take(&mut self.track.bounds)
    }

    /// The state of a terminal's shell.
    #[must_use]
    pub fn prompt(&self, tty: TtyId) -> Prompt {
        self.seen().prompt(tty)
    }

    /// Whether any terminal runs a command.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.seen().busy()
    }

    /// Removes a terminal whose shell has exited.
    pub fn drop_terminal(&mut self, tty: TtyId) {
        self.seen_mut().screens.remove(&tty);
    }

    /// Appends an input to the journal at the present moment. If the past is shown, this starts a branch there.
    /// The caller must apply the input next, with [`Self::carry_out`]. True if old entries were dropped. Some
    /// entries get a hash of the state, computed later by [`Self::hash_step`].
    pub fn journal_input(&mut self, input: Input) -> (JournalEntry, bool) {
        self.finish_event();
        self.begin_branch();
        while self.pack_left(&mut Vec::new()) {}
        let seq = self.journal.next_seq().max(self.track.seq + 1);
        if seq.is_multiple_of(HASH_EVERY) {
            self.hashing = Some((seq, Box::new(WorldWriter::new(&self.track.world, false))));
        }
        let entry =
            JournalEntry { seq, time: self.track.world.now, step: self.track.step, input, hash: None };
        let cut = self.journal.push(entry.clone());
        (entry, cut)
    }

    /// Whether an entry is waiting for its hash.
    #[must_use]
    pub const fn is_hashing(&self) -> bool {
        self.hashing.is_some()
    }

    /// Computes the hash of an entry, in steps of about a millisecond. False if there is nothing to compute.
    pub fn hash_step(&mut self) -> bool {
        let Some((seq, mut pieces)) = self.hashing.take() else { return false };
        if pieces.step() {
            self.hashing = Some((seq, pieces));
            return true;
        }
        self.journal.note_hash(seq, pieces.finish().hash);
        false
    }

    /// Whether there is memory to free.
    #[must_use]
    pub fn has_to_tidy(&self) -> bool {
        self.keyframes.has_to_tidy()
    }

    /// Frees memory for about a millisecond.
    pub fn tidy(&mut self) {
        self.keyframes.tidy();
    }

    /// Applies an entry that was just journaled.
    pub fn carry_out(&mut self, entry: &JournalEntry) -> InputResult {
        let applied = self.track.apply(entry.seq, &entry.input);
        self.keyframes.offer(&self.track);
        applied
    }

    /// Journals an input and applies it.
    pub fn apply(&mut self, input: Input) -> InputResult {
        let (entry, _) = self.journal_input(input);
        while self.hash_step() {}
        self.carry_out(&entry)
    }

    /// Processes the next event if it is due by `until`, otherwise moves the clock there. False if no event was
    /// due. If the past is shown, it replays what happened then.
    pub fn step(&mut self, until: Time) -> bool {
        EventPart::all(|| self.part(until))
    }

    /// The same in parts, see [`World::part`]. Any other call on the session completes the event first.
    pub fn part(&mut self, until: Time) -> EventPart {
        if self.shows_past() {
            return self.part_of_past(until);
        }
        let part = self.track.part(until);
        if part != EventPart::Some {
            self.keyframes.offer(&self.track);
        }
        part
    }

    /// Whether an event is only partly processed.
    #[must_use]
    pub fn is_mid_event(&self) -> bool {
        self.world().is_mid_event()
    }

    /// Processes the rest of such an event.
    pub(super) fn finish_event(&mut self) {
        while self.is_mid_event() {
            self.part(self.world().now);
        }
    }

    /// Processes everything that is due by `until`, at most `fuel` events. False if the fuel was used up.
    pub fn run_until(&mut self, until: Time, fuel: u64) -> bool {
        for _ in 0..fuel {
            if !self.step(until) {
                return true;
            }
        }
        false
    }

    /// A copy of the world for separate use.
    #[must_use]
    pub fn fork(&self) -> World {
        debug_assert!(!self.track.world.is_mid_event(), "what is forked is whole");
        self.track.world.clone()
    }

    /// The world at a moment of the past, or the present for a moment in the future. None if the journal does
    /// not reach back that far.
    #[must_use]
    pub fn seek(&self, time: Time) -> Option<World> {
        if time >= self.present().now {
            return Some(self.fork());
        }
        let mut track = self.keyframes.before(time, &self.journal)?.clone();
        let entries = self.journal.after(track.seq);
        let until = entries.partition_point(|e| e.time <= time);
        let mut fuel = REPLAY_FUEL;
        let replay = track.replay(&entries[..until], true, &mut fuel);
        (!replay.exhausted && track.run_to(time, None, &mut fuel)).then_some(track.world)
    }

    /// Serialises the session.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        self.saving().finish()
    }

    /// Serialises the present session in steps.
    #[must_use]
    pub fn saving(&self) -> SessionWriter {
        debug_assert!(!self.track.world.is_mid_event(), "what is saved is whole");
        let saved = SavedSession {
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            site: self.setup.site.clone(),
            files: file_hashes(&self.setup.files),
            own: self.packed_site.get_or_init(|| pack_site(&self.setup.files)).clone(),
            seed: self.setup.seed,
            start: self.setup.start,
            entries: self.journal.entries().to_vec(),
            cut: self.journal.is_cut(),
            latest: Latest::without_world(&self.track),
            origin: self.origin,
            others: self.others.iter().map(|kept| Arc::clone(&kept.other)).collect(),
            damage: Vec::new(),
            lost: 0,
        };
        SessionWriter::new(saved, WorldWriter::new(&self.track.world, true))
    }
}
