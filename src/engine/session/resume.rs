//! Opens a saved session, a journal or a link in steps, so that the engine goes on answering meanwhile.
//!
//! First the world is simulated up to the session's start, then the inputs are applied that the saved state does not
//! include: a few, or all of them if there is no state that this version can use.

use super::branches::{BranchOrigin, KeptBranch, PackedBranch};
use super::journal::{Journal, JournalEntry, describe};
use super::rebuild::{ReplayGoal, ReplayResult, Replayer, Unusable};
use super::recorded::{Session, Setup};
use super::saved::{Latest, SavedSession, Unreadable, file_hashes};
use super::track::{MAX_CLASS_TERMINALS, MAX_TERMINALS, Track};
use crate::world::{EventPart, Input, World};
use base::diagnostic::Diagnostic;
use protocol::UserNotice;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Events in a step of the replay.
const STEP: u64 = 32;
/// Events in a step before the session's start. These are submissions, which take longer than most events.
const BOOT_STEP: u32 = 16;

/// A session that is being opened.
#[derive(Debug)]
pub struct Resuming {
    setup: Setup,
    /// The session's files are not those that the page has.
    carries_site: bool,
    entries: Vec<JournalEntry>,
    cut: bool,
    /// Limit on the work of the replay.
    fuel: u64,
    latest: Option<Track>,
    unusable: Option<Unusable>,
    /// The moment at which a link ends.
    end: Option<LinkEnd>,
    /// The number of the first input that is left out.
    first_aside: Option<u64>,
    branches: Option<(BranchOrigin, Vec<Arc<PackedBranch>>)>,
    notices: Vec<UserNotice>,
    stage: ResumeStage,
}

/// The end of a link.
#[derive(Clone, Debug)]
pub struct LinkEnd {
    pub goal: ReplayGoal,
    /// The program's version that made the link.
    pub engine: String,
    /// The site's files differ from those that the link was made with.
    pub other_site: bool,
}

/// The stages of opening a session.
#[derive(Debug)]
enum ResumeStage {
    /// Nothing is done yet.
    Begin,
    /// The world is simulated up to the session's start.
    Boot(Box<World>, Vec<Diagnostic>),
    /// The inputs are applied.
    Replay(Box<Session>, Box<Replayer>),
}

impl Resuming {
    /// Begins to resume from `saved` and the journal entries after it, leaving out the inputs that made the engine fail.
    ///
    /// # Errors
    /// `saved` cannot be used. Nothing is taken from it then.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn begin(
        setup: Setup,
        saved: Option<&[u8]>,
        since: &[Vec<u8>],
        set_aside: &BTreeSet<u64>,
    ) -> Result<Self, Unreadable> {
        let saved = saved.map(SavedSession::decode).transpose()?;
        let stateless = saved.is_none();
        if let Some(saved) = &saved
            && saved.site != setup.site
        {
            return Err(Unreadable::OtherSite(saved.site.clone()));
        }
        let mut resuming = Self::of(setup, Vec::new(), super::rebuild::FUEL);
        let (latest, lost) = saved.map_or((None, 0), |saved| resuming.take(saved));
        let mut later = resuming.readable(since);
        if let Some(first) = later.first().filter(|_| stateless)
            && (1..first.seq).any(|seq| !set_aside.contains(&seq))
        {
            return Err(Unreadable::NoState(first.seq));
        }
        let left_out = |entry: &mut JournalEntry| set_aside.contains(&entry.seq);
        let mut aside: Vec<JournalEntry> = resuming.entries.extract_if(.., left_out).collect();
        aside.extend(later.extract_if(.., left_out));
        let notices = aside.iter().map(|entry| UserNotice::InputSetAside(describe(&entry.input)));
        resuming.notices.extend(notices);
        let first_aside = aside.iter().map(|entry| entry.seq).min();
        resuming.first_aside = first_aside;
        // A state that includes an input to be left out cannot be used.
        let latest =
            latest.filter(|latest| first_aside.is_none_or(|seq| seq > latest.seq)).map(Latest::revive);
        match latest {
            Some(Ok(track)) => {
                if lost > 0 && resuming.entries.last().is_none_or(|last| last.seq < track.seq) {
                    // Entries are missing between the journal and the state.
                    resuming.entries.clear();
                    resuming.cut = true;
                    resuming.note("Its latest state is intact, but earlier moments can't be shown.");
                    later.retain(|entry| entry.seq > track.seq);
                }
                resuming.latest = Some(track);
            }
            Some(Err(unusable)) => resuming.unusable = Some(unusable),
            None => {}
        }
        if resuming.latest.is_none() {
            if resuming.cut {
                return Err(Unreadable::NoWayBack);
            }
            // Inputs after missing ones would have another effect.
            if lost > 0 && !later.is_empty() {
                resuming.note(&format!("{} inputs after the damage are missing, too.", later.len()));
                later.clear();
            }
        }
        for entry in later {
            if resuming.entries.last().is_none_or(|last| last.seq < entry.seq) {
                resuming.entries.push(entry);
            }
        }
        Ok(resuming)
    }

    /// Begins to open a link: these entries, and then its end.
    pub fn of_link(
        setup: Setup,
        entries: Vec<JournalEntry>,
        fuel: u64,
        end: LinkEnd,
        carries_site: bool,
    ) -> Self {
        Self { end: Some(end), carries_site, ..Self::of(setup, entries, fuel) }
    }

    const fn of(setup: Setup, entries: Vec<JournalEntry>, fuel: u64) -> Self {
        Self {
            setup,
            carries_site: false,
            entries,
            cut: false,
            fuel,
            latest: None,
            unusable: None,
            end: None,
            first_aside: None,
            branches: None,
            notices: Vec::new(),
            stage: ResumeStage::Begin,
        }
    }

    /// Takes over a saved session. Returns its state, and the number of entries that are missing.
    fn take(&mut self, saved: SavedSession) -> (Option<Latest>, u64) {
        let current = file_hashes(&self.setup.files);
        let own = saved.site_files();
        let SavedSession { files, seed, start, entries, cut, latest, origin, others, damage, lost, .. } =
            saved;
        self.setup = Setup { seed, start, ..self.setup.clone() };
        if files != current {
            let text = match own {
                Some(own) => {
                    self.setup.files = own;
                    self.carries_site = true;
                    "The site’s files or its background jobs have changed since this session began. It keeps those that it began with."
                }
                None => "The site’s files have changed since this session was saved.",
            };
            self.note(text);
        }
        for what in damage {
            self.note(&format!("The saved session is damaged: {what}."));
        }
        (self.entries, self.cut) = (entries, cut);
        self.branches = Some((origin, others));
        (Some(latest), lost)
    }

    /// Decodes entries up to the first one that is damaged or of a later version.
    fn readable(&mut self, since: &[Vec<u8>]) -> Vec<JournalEntry> {
        let entries: Vec<JournalEntry> =
            since.iter().map_while(|bytes| JournalEntry::decode(bytes)).collect();
        let missing = since.len() - entries.len();
        if missing > 0 {
            let last = entries.last().or(self.entries.last()).map_or(0, |last| last.seq);
            self.note(&format!(
                "The journal is damaged after input {last}: {missing} later inputs are missing."
            ));
        }
        entries
    }

    fn note(&mut self, text: &str) {
        self.notices.push(UserNotice::Session(text.to_owned()));
    }

    /// Does a step of a few milliseconds; a single event may take longer. False when complete.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn step(&mut self) -> bool {
        match std::mem::replace(&mut self.stage, ResumeStage::Begin) {
            ResumeStage::Begin => {
                let Setup { site, files, seed, start } = &self.setup;
                let (world, diagnostics) = World::begin(site, files, *seed, *start);
                if world.now < *start {
                    self.stage = ResumeStage::Boot(Box::new(world), diagnostics);
                } else {
                    self.begin_replay(world, diagnostics);
                }
                true
            }
            ResumeStage::Boot(mut world, diagnostics) => {
                if (0..BOOT_STEP).all(|_| world.part(self.setup.start) != EventPart::Nothing) {
                    self.stage = ResumeStage::Boot(world, diagnostics);
                } else {
                    self.begin_replay(*world, diagnostics);
                }
                true
            }
            ResumeStage::Replay(mut session, mut replayer) => {
                let Session { track, keyframes, .. } = &mut *session;
                let more = replayer.step(track, STEP, |track| keyframes.offer(track));
                self.stage = ResumeStage::Replay(session, replayer);
                more
            }
        }
    }

    /// The world is at the session's start.
    fn begin_replay(&mut self, world: World, diagnostics: Vec<Diagnostic>) {
        // Only a class enrols participants, and only its sessions have so many terminals.
        let of_class = self.entries.iter().any(|entry| matches!(entry.input, Input::Enrol(_)));
        let most = if of_class { MAX_CLASS_TERMINALS } else { MAX_TERMINALS };
        let mut session = Session::with_terminals(self.setup.clone(), world, diagnostics, most);
        session.carries_site = self.carries_site;
        if let Some(track) = self.latest.take() {
            session.track = Track { max_terminals: most, ..track };
        }
        if let Some((origin, others)) = self.branches.take() {
            session.origin = origin;
            let kept = |other| KeptBranch { other, keyframes: session.keyframes.clone() };
            session.others = others.into_iter().map(kept).collect();
        }
        let goal = self.end.as_ref().map(|end| end.goal).or(self.unusable.map(ReplayGoal::from));
        let entries = std::mem::take(&mut self.entries);
        let replayer = Replayer::new(&session.track, entries, self.first_aside, goal).with_fuel(self.fuel);
        self.stage = ResumeStage::Replay(Box::new(session), Box::new(replayer));
    }

    /// How many inputs are applied, and how many there are.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        match &self.stage {
            ResumeStage::Begin | ResumeStage::Boot(..) => (0, self.entries.len()),
            ResumeStage::Replay(_, replayer) => replayer.progress(),
        }
    }

    /// Completes all remaining steps: the session, and notices for the user.
    #[must_use]
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn complete(mut self) -> (Session, Vec<UserNotice>) {
        while self.step() {}
        let Self { stage, end, unusable, cut, mut notices, setup, .. } = self;
        let (mut session, replayer) = match stage {
            ResumeStage::Replay(session, replayer) => (*session, *replayer),
            // `step` ends in the last stage.
            ResumeStage::Begin | ResumeStage::Boot(..) => return (Session::new(setup), notices),
        };
        let (entries, result) = replayer.finish();
        match end {
            Some(end) => notices.extend(end.notice(&result)),
            None => {
                notices.extend(result.notices(entries.len(), unusable));
                session.track.bounds.clear();
                for screen in session.track.screens.values_mut() {
                    screen.replay();
                }
            }
        }
        session.journal = Journal::new(entries, cut);
        session.keyframes.offer(&session.track);
        (session, notices)
    }
}

impl LinkEnd {
    /// What there is to say about a link that was replayed.
    fn notice(&self, result: &ReplayResult) -> Option<UserNotice> {
        let ours = env!("CARGO_PKG_VERSION");
        let theirs: String = self
            .engine
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || ".-+".contains(*c))
            .take(20)
            .collect();
        if result.exhausted {
            return Some(UserNotice::Bound(
                "opening the link took too long; it was replayed only up to here".to_owned(),
            ));
        }
        let text = match (result.same, self.other_site) {
            (true, false) => return None,
            (true, true) => {
                "The site’s files differ from those that this link was made with. The result is the same."
                    .to_owned()
            }
            (false, other_site) => {
                let why =
                    if other_site { "the site has changed since" } else { "the simulation has changed" };
                format!(
                    "The link was made by version {theirs} (this is {ours}). Its inputs were replayed, but the result is not the same: {why}."
                )
            }
        };
        Some(UserNotice::Session(text))
    }
}
