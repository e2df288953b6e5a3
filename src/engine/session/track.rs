//! A world with its numbers of events and inputs, and the output of its terminals.
//!
//! Terminal output is fetched after every event, also in a replay. Output that was not fetched is part of the
//! world, so fetching at other moments would change the hash.

use super::journal::JournalEntry;
use super::screen::Screen;
use crate::world::{EventPart, Input, InputResult, World};
use base::time::Time;
use host::tty::TtyId;
use shell::Prompt;
use std::collections::BTreeMap;

/// Maximum number of terminals at a time, but in a class.
pub const MAX_TERMINALS: usize = 16;
/// Maximum number of terminals at a time in a class and in the recording of one.
pub const MAX_CLASS_TERMINALS: usize = 2000;
/// Maximum number of waiting messages about bounds.
const MAX_BOUNDS: usize = 64;
/// Fuel for an event in which a process used up its slice. Any other event takes 1.
const BURNING: u64 = 40;

/// A world and its position in the journal.
#[derive(Clone, Debug)]
pub struct Track {
    /// The world.
    pub world: World,
    /// Number of events since its start.
    pub step: u64,
    /// The number of the last input applied.
    pub seq: u64,
    /// Its terminals.
    pub screens: BTreeMap<TtyId, Screen>,
    /// Bounds that were hit, until they are fetched.
    pub bounds: Vec<String>,
    /// Maximum number of terminals at a time.
    pub max_terminals: usize,
}

/// The result of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOutcome {
    /// The number of the first entry before which the state differed from the recorded one.
    pub drift: Option<u64>,
    /// It ended early because the fuel was used up.
    pub exhausted: bool,
}

impl Track {
    /// A world at its start, with its open terminals.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self {
            world,
            step: 0,
            seq: 0,
            screens: BTreeMap::new(),
            bounds: Vec::new(),
            max_terminals: MAX_TERMINALS,
        }
    }

    /// A copy without waiting output.
    #[must_use]
    pub fn still(&self) -> Self {
        let screens = self.screens.iter().map(|(tty, s)| (*tty, s.still())).collect();
        Self { world: self.world.clone(), screens, bounds: Vec::new(), ..*self }
    }

    /// Processes the next event if it is due by `until`, otherwise moves the clock there. False if no event was due.
    pub fn advance(&mut self, until: Time) -> bool {
        EventPart::all(|| self.part(until))
    }

    /// The same in parts, see [`World::part`].
    pub fn part(&mut self, until: Time) -> EventPart {
        let part = self.world.part(until);
        if part == EventPart::Last {
            self.step += 1;
            self.fetch();
        }
        part
    }

    /// Applies an input.
    pub fn apply(&mut self, seq: u64, input: &Input) -> InputResult {
        self.seq = seq;
        // Terminals with an ended shell do not count: the observer decides when to remove them.
        let open = || self.screens.keys().filter(|tty| self.world.logged_in(**tty)).count();
        if matches!(input, Input::Login { .. }) && open() >= self.max_terminals {
            return InputResult::Refused(format!("{} terminals are open", self.max_terminals));
        }
        self.echo(input);
        let applied = self.world.apply(input);
        match (input, &applied) {
            (Input::Login { user, .. }, InputResult::Terminal(tty)) => {
                let mut screen = Screen::new(user);
                screen.print(motd(&self.world).as_bytes());
                self.screens.insert(*tty, screen);
            }
            (Input::Logout(tty), _) => {
                self.screens.remove(tty);
            }
            _ => {}
        }
        self.fetch();
        applied
    }

    /// The state of a terminal's shell. It is ready only once it has read everything that was typed.
    #[must_use]
    pub fn prompt(&self, tty: TtyId) -> Prompt {
        let unread = self.world.kernel.tty(tty).is_some_and(|t| !t.input.is_empty());
        if unread { Prompt::Busy } else { self.world.prompt(tty) }
    }

    /// Whether any terminal runs a command.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.screens.keys().any(|tty| self.prompt(*tty) == Prompt::Busy)
    }

    /// Applies journal entries again, at the recorded event numbers. With `exact` false only their times count,
    /// because events differ when an earlier input is left out. The same holds after the first entry at which
    /// the replay drifts.
    pub fn replay<'a>(
        &mut self,
        entries: impl IntoIterator<Item = &'a JournalEntry>,
        exact: bool,
        fuel: &mut u64,
    ) -> ReplayOutcome {
        let mut replay = ReplayOutcome::default();
        for entry in entries {
            let exact = exact && replay.drift.is_none();
            let mut there = self.run_to(entry.time, exact.then_some(entry.step), fuel);
            if there && exact && !self.is_where(entry) {
                replay.drift = Some(entry.seq);
                there = self.run_to(entry.time, None, fuel);
            }
            if !there {
                replay.exhausted = true;
                return replay;
            }
            self.apply(entry.seq, &entry.input);
        }
        replay
    }

    /// Whether this is the state in which an entry was written, according to the entry.
    pub fn is_where(&self, entry: &JournalEntry) -> bool {
        (self.step, self.world.now) == (entry.step, entry.time)
            && entry.hash.is_none_or(|hash| hash == self.world.hash())
    }

    /// Runs to a moment: up to the event number `step`, or through all due events. False if the fuel was used up.
    pub fn run_to(&mut self, time: Time, step: Option<u64>, fuel: &mut u64) -> bool {
        loop {
            let more = match step {
                Some(step) => self.step < step,
                None => self.world.next_event().is_some_and(|at| at <= time),
            };
            if !more {
                break;
            }
            if *fuel == 0 {
                return false;
            }
            if !self.advance(time) {
                break;
            }
            *fuel = fuel.saturating_sub(if self.world.is_burning() { BURNING } else { 1 });
        }
        if self.world.now < time && self.world.next_event().is_none_or(|at| at > time) {
            self.advance(time);
        }
        true
    }

    /// Adds lines typed at a prompt to the screen's history, for a reloaded page. Normally the page's terminal
    /// echoes them itself.
    fn echo(&mut self, input: &Input) {
        let Input::Type(tty, bytes) = input else { return };
        let prompt = self.prompt(*tty);
        if self.world.kernel.key_reader(*tty).is_some() {
            return;
        }
        if let Some(screen) = self.screens.get_mut(tty) {
            if let Prompt::Ready(prompt) = &prompt {
                screen.remember(prompt.as_bytes());
            }
            screen.remember(bytes);
            screen.typed();
        }
    }

    fn fetch(&mut self) {
        if self.bounds.len() < MAX_BOUNDS {
            self.bounds.extend(self.world.take_bounds());
        }
        for (tty, screen) in &mut self.screens {
            let quiet = self.world.kernel.tty(*tty).is_none_or(|t| t.output.is_empty());
            if !quiet {
                screen.print(&self.world.kernel.take_tty_output(*tty));
            }
            if let Some(path) = self.world.kernel.take_edit(*tty) {
                screen.edit = Some(path);
            }
            if let Some(refusal) = self.world.kernel.take_refusal(*tty) {
                screen.refusal.get_or_insert(refusal);
            }
        }
    }
}

/// The message of the day, in English if available.
fn motd(world: &World) -> String {
    let texts = &world.site.motd;
    let text = texts.get("en").or_else(|| texts.values().next()).map_or("", String::as_str);
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
