//! Replays a journal in steps, so that the engine goes on answering meanwhile.
//!
//! The journal defines a session, so a version with another layout of the state, or one that simulates differently,
//! can still open sessions of earlier versions: it applies their inputs again.

use super::journal::JournalEntry;
use super::track::Track;
use base::time::Time;
use protocol::UserNotice;

/// Limit on the work of replaying a whole session, see [`Track::run_to`].
pub const FUEL: u64 = 200_000_000;
/// Fuel for applying an input.
const APPLYING: u64 = 4;

/// Why a state cannot be used, and its position, if the bytes still contain that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// See [`super::saved::Latest::outdated`].
    pub outdated: Option<u32>,
    /// See [`super::saved::Latest::step`].
    pub step: u64,
    /// See [`super::saved::Latest::seq`].
    pub seq: u64,
    /// See [`super::saved::Latest::hash`].
    pub hash: u64,
    /// Its virtual time.
    pub now: Option<Time>,
}

/// A moment that a replay has to reach: that of a state which cannot be used, or the end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayGoal {
    /// Number of the last input before it.
    pub seq: u64,
    /// Number of events before it.
    pub step: u64,
    /// The hash of its state.
    pub hash: u64,
    /// Its virtual time, if that is known.
    pub now: Option<Time>,
}

/// A replay in progress.
#[derive(Clone, Debug)]
pub struct Replayer {
    entries: Vec<JournalEntry>,
    /// The index of the next entry.
    next: usize,
    /// Entries from this number on are applied by their times only.
    loose: Option<u64>,
    /// The moment to reach, until it is reached.
    goal: Option<ReplayGoal>,
    fuel: u64,
    outcome: ReplayResult,
}

/// What a replay has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayResult {
    /// The number of the first entry before which the state differed from the recorded one.
    pub drift: Option<u64>,
    /// The state at the goal has the hash of the goal.
    pub same: bool,
    /// It needed more events or fewer than recorded to reach the goal.
    pub late: bool,
    /// The fuel was used up.
    pub exhausted: bool,
}

/// The result of running to a moment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunTo {
    There,
    /// The budget of this step is used up.
    Later,
    /// The fuel of the whole replay is used up.
    Exhausted,
}

impl Replayer {
    /// A replay of entries. `track` may have applied some already. It stops in between at the moment of
    /// `goal`. Entries from number `loose` on are applied by their times only, because an earlier one is left out.
    #[must_use]
    pub fn new(
        track: &Track,
        entries: Vec<JournalEntry>,
        loose: Option<u64>,
        goal: Option<ReplayGoal>,
    ) -> Self {
        let next = entries.partition_point(|e| e.seq <= track.seq);
        Self { entries, next, loose, goal, fuel: FUEL, outcome: ReplayResult::default() }
    }

    /// The same with less fuel.
    #[must_use]
    pub const fn with_fuel(mut self, fuel: u64) -> Self {
        self.fuel = fuel;
        self
    }

    /// How many entries are applied, and how many there are.
    #[must_use]
    pub const fn progress(&self) -> (usize, usize) {
        (self.next, self.entries.len())
    }

    /// Does a step of about `budget` events. False when complete. `each` is called with the track after every entry.
    pub fn step(&mut self, track: &mut Track, mut budget: u64, mut each: impl FnMut(&Track)) -> bool {
        while budget > 0 {
            let next_seq = self.entries.get(self.next).map(|entry| entry.seq);
            let run = match (self.goal, next_seq) {
                (Some(goal), seq) if seq.is_none_or(|seq| seq > goal.seq) => {
                    self.reach(track, goal, &mut budget)
                }
                (_, Some(seq)) => self.take(track, seq, &mut budget, &mut each),
                (_, None) => return false,
            };
            match run {
                RunTo::There => {}
                RunTo::Later => return true,
                RunTo::Exhausted => {
                    self.outcome.exhausted = true;
                    return false;
                }
            }
        }
        true
    }

    /// Applies the next entry at its position.
    fn take(
        &mut self,
        track: &mut Track,
        seq: u64,
        budget: &mut u64,
        each: &mut impl FnMut(&Track),
    ) -> RunTo {
        let Some(entry) = self.entries.get(self.next) else { return RunTo::There };
        let (time, step) = (entry.time, entry.step);
        let exact = self.is_exact(seq);
        let run = self.run_to(track, time, exact.then_some(step), budget);
        if run != RunTo::There {
            return run;
        }
        let Some(entry) = self.entries.get_mut(self.next) else { return RunTo::There };
        if exact && !track.is_where(entry) {
            // From here on only times count: what is due at this time comes before the entry.
            self.outcome.drift = Some(seq);
            return RunTo::There;
        }
        if !exact {
            (entry.step, entry.hash) = (track.step, None);
        }
        track.apply(entry.seq, &entry.input);
        self.next += 1;
        *budget = budget.saturating_sub(APPLYING);
        each(track);
        RunTo::There
    }

    /// Runs to the goal and compares its state.
    fn reach(&mut self, track: &mut Track, goal: ReplayGoal, budget: &mut u64) -> RunTo {
        let exact = self.is_exact(goal.seq);
        if let Some(now) = goal.now {
            let mut run = self.run_to(track, now, exact.then_some(goal.step), budget);
            // If there were fewer events than recorded, the clock may be behind.
            if run == RunTo::There && track.world.now != now {
                run = self.run_to(track, now, None, budget);
            }
            if run != RunTo::There {
                return run;
            }
        }
        self.goal = None;
        self.outcome.same = exact && track.world.hash() == goal.hash;
        self.outcome.late = exact && Some(track.world.now) == goal.now && track.step != goal.step;
        if self.outcome.late {
            self.loose = Some(0);
        }
        RunTo::There
    }

    /// Whether the recorded numbers of events count up to an entry.
    fn is_exact(&self, seq: u64) -> bool {
        self.outcome.drift.is_none() && self.loose.is_none_or(|loose| seq < loose)
    }

    fn run_to(&mut self, track: &mut Track, time: Time, step: Option<u64>, budget: &mut u64) -> RunTo {
        let given = self.fuel.min(*budget);
        let mut left = given;
        let there = track.run_to(time, step, &mut left);
        let used = given - left;
        self.fuel -= used;
        *budget -= used;
        match there {
            true => RunTo::There,
            false if self.fuel == 0 => RunTo::Exhausted,
            false => RunTo::Later,
        }
    }

    /// The entries that were applied, with their positions in this replay, and what it has found.
    #[must_use]
    pub fn finish(mut self) -> (Vec<JournalEntry>, ReplayResult) {
        self.entries.truncate(self.next);
        (self.entries, self.outcome)
    }
}

impl ReplayResult {
    /// Notices about a session that was replayed, or whose last entries were. `unusable`: the state that its replay
    /// replaces.
    #[must_use]
    pub fn notices(&self, inputs: usize, unusable: Option<Unusable>) -> Vec<UserNotice> {
        let mut notices = Vec::new();
        if self.exhausted {
            notices.push(UserNotice::Bound(
                "the session took too long to replay; what came last is missing".to_owned(),
            ));
        }
        let differs = match self.drift {
            Some(seq) => Some(format!("the result differs from input {seq} on")),
            None => self.late.then(|| "the result differs after the last input that was saved".to_owned()),
        };
        let why = unusable.filter(|_| !self.same).map(|unusable| match unusable.outdated {
            Some(layout) => format!("an earlier version of sandbatch saved it (format {layout})"),
            None => "its saved state can't be used".to_owned(),
        });
        let text = match (why, differs) {
            (None, None) => None,
            // The hashes of two layouts cannot be compared.
            (Some(why), differs) => {
                let differs = differs.unwrap_or_else(|| "the result may differ".to_owned());
                Some(format!("{why}. {inputs} inputs were replayed; {differs}."))
            }
            (None, Some(differs)) => {
                Some(format!("{differs}. Another version of the program, or of the site, made the session."))
            }
        };
        notices.extend(text.map(UserNotice::Rebuilt));
        notices
    }
}

impl From<Unusable> for ReplayGoal {
    fn from(unusable: Unusable) -> Self {
        let Unusable { outdated: _, step, seq, hash, now } = unusable;
        Self { seq, step, hash, now }
    }
}
