//! A world and everything that was done to it.

use super::futures::{Kept, Origin};
use super::journal::{Entry, HASH_EVERY, Journal};
use super::keyframes::Keyframes;
use super::saved::{Latest, Saved, Saving, Unreadable, file_hashes};
use super::screen::Screen;
use super::track::Track;
use super::travel::Past;
use crate::base::diagnostic::Diagnostic;
use crate::base::time::Time;
use crate::config::SiteFiles;
use crate::host::tty::TtyId;
use crate::protocol::Notice;
use crate::shell::Prompt;
use crate::world::{Applied, Input, Part, Pieces, World};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Events that a replay may carry out.
const REPLAY_FUEL: u64 = 20_000_000;

/// What a session starts from.
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
    /// The moment that is looked at, unless it is the present.
    pub(super) past: Option<Box<Past>>,
    /// Where the future that is lived in comes from.
    pub(super) origin: Origin,
    /// The other futures, by their numbers.
    pub(super) others: Vec<Kept>,
    /// The state before the entry of this number, on its way to a hash.
    pub(super) hashing: Option<(u64, Box<Pieces>)>,
    /// The future that was left last, and its state on its way to bytes.
    pub(super) leaving: Option<(u32, Box<Pieces>)>,
    diagnostics: Vec<Diagnostic>,
}

impl Session {
    /// A fresh one.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let (world, diagnostics) = World::new(&setup.site, &setup.files, setup.seed, setup.start);
        Self::of(setup, world, diagnostics)
    }

    /// A fresh one with this world, which follows from the setup.
    #[must_use]
    pub(super) fn of(setup: Setup, world: World, diagnostics: Vec<Diagnostic>) -> Self {
        let track = Track::new(world);
        let mut keyframes = Keyframes::default();
        keyframes.offer(&track);
        let origin = Origin { id: 1, from: setup.start, seq: 0 };
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
        }
    }

    /// Goes on with what was saved and the journal entries that came after it, leaving out the inputs that made the
    /// engine fail. The notices tell what was left out or could not be kept.
    ///
    /// # Errors
    /// Why `saved` cannot be used; nothing of it is then.
    // A function of its own in WebAssembly too, so that what reads a state can come after the first prompt.
    #[inline(never)]
    pub fn resume(
        setup: Setup,
        saved: Option<&[u8]>,
        since: &[Vec<u8>],
        set_aside: &BTreeSet<u64>,
    ) -> Result<(Self, Vec<Notice>), Unreadable> {
        let mut notices = Vec::new();
        let saved = saved.map(Saved::decode).transpose()?;
        if let Some(saved) = &saved
            && saved.site != setup.site
        {
            return Err(Unreadable::OtherSite(saved.site.clone()));
        }
        let setup = match &saved {
            Some(saved) => Setup { seed: saved.seed, start: saved.start, ..setup },
            None => setup,
        };
        let (mut entries, cut, latest, futures) = match saved {
            Some(s) => {
                if s.files != file_hashes(&setup.files) {
                    notices.push(Notice::Site(
                        "the site's files have changed since the session was saved".into(),
                    ));
                }
                (s.entries, s.cut, Some(s.latest), Some((s.origin, s.others)))
            }
            None => (Vec::new(), false, None, None),
        };
        append(&mut entries, since);
        let aside: Vec<Entry> = entries.extract_if(.., |e| set_aside.contains(&e.seq)).collect();
        for entry in &aside {
            notices.push(Notice::InputSetAside(super::journal::describe(&entry.input)));
        }
        let first_aside = aside.iter().map(|e| e.seq).min();
        // A state that has seen an input which is left out cannot be used.
        let latest = latest.filter(|l| first_aside.is_none_or(|seq| seq > l.seq)).and_then(Latest::revive);
        if latest.is_none() && cut {
            return Err(Unreadable::NoWayBack);
        }
        let mut session = Self::new(setup);
        if let Some(track) = latest {
            session.track = track;
        }
        if let Some((origin, others)) = futures {
            session.origin = origin;
            let kept = |other| Kept { other, keyframes: session.keyframes.clone() };
            session.others = others.into_iter().map(kept).collect();
        }
        session.retake(entries, cut, first_aside, &mut notices);
        session.track.bounds.clear();
        for screen in session.track.screens.values_mut() {
            screen.replay();
        }
        session.keyframes.offer(&session.track);
        Ok((session, notices))
    }

    /// Replays what the track has not seen, and makes these entries the journal.
    fn retake(
        &mut self,
        mut entries: Vec<Entry>,
        cut: bool,
        first_aside: Option<u64>,
        notices: &mut Vec<Notice>,
    ) {
        let new = entries.partition_point(|e| e.seq <= self.track.seq);
        let loose = first_aside.map_or(entries.len(), |seq| entries.partition_point(|e| e.seq < seq));
        let (mut fuel_ran_out, mut drift) = (false, None);
        let mut kept = entries.len();
        for i in new..entries.len() {
            let exact = i < loose && drift.is_none();
            let replay = self.track.replay(&entries[i..=i], exact, REPLAY_FUEL);
            if replay.exhausted {
                (fuel_ran_out, kept) = (true, i);
                break;
            }
            drift = drift.or(replay.drift);
            if !exact {
                // From here on the events are others; so are the places of the inputs among them.
                entries[i].step = self.track.step;
                entries[i].hash = None;
            }
            self.keyframes.offer(&self.track);
        }
        entries.truncate(kept);
        if fuel_ran_out {
            notices.push(Notice::Bound(
                "the session took too long to replay; its last inputs are missing".into(),
            ));
        }
        if let Some(seq) = drift {
            notices.push(Notice::SavedUnreadable(format!(
                "the replay differs from the session as it was, from input {seq} on: it was made by another version of \
                 the program or of the site"
            )));
        }
        self.journal = Journal::new(entries, cut);
    }

    /// The world as it is seen: at the present, or at the moment that is looked at.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.seen().world
    }

    /// What the session started from.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Findings in the site's files.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What was done.
    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Events carried out from the start to the present.
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

    /// What a terminal's shell is doing.
    #[must_use]
    pub fn prompt(&self, tty: TtyId) -> Prompt {
        self.seen().prompt(tty)
    }

    /// Whether some terminal runs a command.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.seen().busy()
    }

    /// Forgets a terminal whose shell has ended.
    pub fn drop_terminal(&mut self, tty: TtyId) {
        self.seen_mut().screens.remove(&tty);
    }

    /// Writes an input into the journal, at the present moment; if the past is looked at that is where another future
    /// begins. It is to be carried out next, by [`Self::carry_out`], before anything else happens. True when old entries
    /// had to go. Now and then the entry gets the state's hash, later, from [`Self::hash_on`].
    pub fn journalise(&mut self, input: Input) -> (Entry, bool) {
        self.finish_event();
        self.begin_future();
        while self.pack_left(&mut Vec::new()) {}
        let seq = self.journal.next_seq().max(self.track.seq + 1);
        if seq.is_multiple_of(HASH_EVERY) {
            self.hashing = Some((seq, Box::new(Pieces::new(&self.track.world, false))));
        }
        let entry = Entry { seq, time: self.track.world.now, step: self.track.step, input, hash: None };
        let cut = self.journal.push(entry.clone());
        (entry, cut)
    }

    /// Whether an entry is to get a hash that is not made yet.
    #[must_use]
    pub const fn is_hashing(&self) -> bool {
        self.hashing.is_some()
    }

    /// A bit of the hash that an entry is to get, about a millisecond's; false when there is none to be made.
    pub fn hash_on(&mut self) -> bool {
        let Some((seq, mut pieces)) = self.hashing.take() else { return false };
        if pieces.step() {
            self.hashing = Some((seq, pieces));
            return true;
        }
        self.journal.note_hash(seq, pieces.finish().hash);
        false
    }

    /// Whether something that nobody needs any more is still there.
    #[must_use]
    pub fn has_to_tidy(&self) -> bool {
        self.keyframes.has_to_tidy()
    }

    /// Drops some of that, about a millisecond's.
    pub fn tidy(&mut self) {
        self.keyframes.tidy();
    }

    /// Carries out an entry that was just written.
    pub fn carry_out(&mut self, entry: &Entry) -> Applied {
        let applied = self.track.apply(entry.seq, &entry.input);
        self.keyframes.offer(&self.track);
        applied
    }

    /// Journals an input and carries it out.
    pub fn apply(&mut self, input: Input) -> Applied {
        let (entry, _) = self.journalise(input);
        while self.hash_on() {}
        self.carry_out(&entry)
    }

    /// Carries out the next event if it is due by `until`, else moves the clock there; false when there was none.
    /// Of a past that is looked at: as it was then.
    pub fn step(&mut self, until: Time) -> bool {
        Part::all(|| self.part(until))
    }

    /// The same in parts, see [`World::part`]. What is done to the session between two parts carries out the rest first.
    pub fn part(&mut self, until: Time) -> Part {
        if self.looks_back() {
            return self.part_of_past(until);
        }
        let part = self.track.part(until);
        if part != Part::Some {
            self.keyframes.offer(&self.track);
        }
        part
    }

    /// Whether an event was begun that is not carried out yet.
    #[must_use]
    pub fn is_amid(&self) -> bool {
        self.world().is_amid()
    }

    /// Carries out the rest of an event that was begun.
    pub(super) fn finish_event(&mut self) {
        while self.is_amid() {
            self.part(self.world().now);
        }
    }

    /// Carries out everything that is due by `until`, at most `fuel` events; false when the fuel did not last.
    pub fn run_until(&mut self, until: Time, fuel: u64) -> bool {
        for _ in 0..fuel {
            if !self.step(until) {
                return true;
            }
        }
        false
    }

    /// A copy of the world to be stepped on the side.
    #[must_use]
    pub fn fork(&self) -> World {
        debug_assert!(!self.track.world.is_amid(), "what is forked is whole");
        self.track.world.clone()
    }

    /// The world as it was at a moment of the past (at the present, if the moment lies in the future); none if
    /// the journal does not reach back so far.
    #[must_use]
    pub fn seek(&self, time: Time) -> Option<World> {
        if time >= self.present().now {
            return Some(self.fork());
        }
        let mut track = self.keyframes.before(time, &self.journal)?.clone();
        let entries = self.journal.after(track.seq);
        let until = entries.partition_point(|e| e.time <= time);
        let replay = track.replay(&entries[..until], true, REPLAY_FUEL);
        let mut fuel = REPLAY_FUEL;
        (!replay.exhausted && track.run_to(time, None, &mut fuel)).then_some(track.world)
    }

    /// The session as bytes.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        self.saving().finish()
    }

    /// The same in pieces, of the session as it is now.
    #[must_use]
    pub fn saving(&self) -> Saving {
        debug_assert!(!self.track.world.is_amid(), "what is saved is whole");
        let saved = Saved {
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            site: self.setup.site.clone(),
            files: file_hashes(&self.setup.files),
            seed: self.setup.seed,
            start: self.setup.start,
            entries: self.journal.entries().to_vec(),
            cut: self.journal.is_cut(),
            latest: Latest::without_world(&self.track),
            origin: self.origin,
            others: self.others.iter().map(|kept| Arc::clone(&kept.other)).collect(),
        };
        Saving::new(saved, Pieces::new(&self.track.world, true))
    }
}

/// Adds entries that come as bytes, as long as they are readable and go on from what is there.
fn append(entries: &mut Vec<Entry>, since: &[Vec<u8>]) {
    for bytes in since {
        let Some(entry) = Entry::decode(bytes) else { break };
        if entries.last().is_none_or(|last| last.seq < entry.seq) {
            entries.push(entry);
        }
    }
}
