//! A world on its way: how many events and inputs it has seen, and what its terminals printed.
//!
//! Terminal output is fetched after every event, in a replay as well: what nobody fetched is part of the world, so
//! fetching at other moments would give other hashes.

use super::journal::Entry;
use super::screen::Screen;
use crate::base::time::Time;
use crate::host::tty::TtyId;
use crate::shell::Prompt;
use crate::world::{Applied, Input, Part, World};
use std::collections::BTreeMap;

/// Most terminals at a time.
pub const MAX_TERMINALS: usize = 16;
/// Most messages about bounds that wait.
const MAX_BOUNDS: usize = 64;

/// A world and how far it has come.
#[derive(Clone, Debug)]
pub struct Track {
    /// The world.
    pub world: World,
    /// Events carried out since its start.
    pub step: u64,
    /// The number of the last input it took.
    pub seq: u64,
    /// Its terminals.
    pub screens: BTreeMap<TtyId, Screen>,
    /// Bounds that were hit, until somebody takes them.
    pub bounds: Vec<String>,
}

/// How a replay went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The number of the first entry before which the state was not what it had been.
    pub drift: Option<u64>,
    /// It ended early, its fuel used up.
    pub exhausted: bool,
}

impl Track {
    /// A world at its start, with the terminals that are open in it.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self { world, step: 0, seq: 0, screens: BTreeMap::new(), bounds: Vec::new() }
    }

    /// A copy for which nothing waits on its screens.
    #[must_use]
    pub fn still(&self) -> Self {
        let screens = self.screens.iter().map(|(tty, s)| (*tty, s.still())).collect();
        Self { world: self.world.clone(), screens, bounds: Vec::new(), ..*self }
    }

    /// Carries out the next event if it is due by `until`, else moves the clock there; false when there was none.
    pub fn advance(&mut self, until: Time) -> bool {
        Part::all(|| self.part(until))
    }

    /// The same in parts, see [`World::part`].
    pub fn part(&mut self, until: Time) -> Part {
        let part = self.world.part(until);
        if part == Part::Last {
            self.step += 1;
            self.fetch();
        }
        part
    }

    /// Takes an input.
    pub fn apply(&mut self, seq: u64, input: &Input) -> Applied {
        self.seq = seq;
        // Terminals whose shell has ended don't count: when they are forgotten is up to who looks on.
        let open = || self.screens.keys().filter(|tty| self.world.logged_in(**tty)).count();
        if matches!(input, Input::Login { .. }) && open() >= MAX_TERMINALS {
            return Applied::Refused(format!("{MAX_TERMINALS} terminals are open"));
        }
        self.echo(input);
        let applied = self.world.apply(input);
        match (input, &applied) {
            (Input::Login { user, .. }, Applied::Terminal(tty)) => {
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

    /// What a terminal's shell is doing: it is ready only once it has read everything that was typed.
    #[must_use]
    pub fn prompt(&self, tty: TtyId) -> Prompt {
        let unread = self.world.kernel.tty(tty).is_some_and(|t| !t.input.is_empty());
        if unread { Prompt::Busy } else { self.world.prompt(tty) }
    }

    /// Whether some terminal runs a command.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.screens.keys().any(|tty| self.prompt(*tty) == Prompt::Busy)
    }

    /// Takes journal entries again, at the very events where they came. With `exact` false (an earlier input is left
    /// out, so events are others) only their times count.
    pub fn replay<'a>(
        &mut self,
        entries: impl IntoIterator<Item = &'a Entry>,
        exact: bool,
        mut fuel: u64,
    ) -> Replay {
        let mut replay = Replay::default();
        for entry in entries {
            if !self.run_to(entry.time, exact.then_some(entry.step), &mut fuel) {
                replay.exhausted = true;
                return replay;
            }
            if exact && replay.drift.is_none() && entry.hash.is_some_and(|hash| hash != self.world.hash()) {
                replay.drift = Some(entry.seq);
            }
            self.apply(entry.seq, &entry.input);
        }
        replay
    }

    /// Runs to a moment: up to the event number `step`, or through all events that are due. False when the
    /// fuel did not last.
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
            *fuel -= 1;
            if !self.advance(time) {
                break;
            }
        }
        if self.world.now < time && self.world.next_event().is_none_or(|at| at > time) {
            self.advance(time);
        }
        true
    }

    /// Keeps what was typed at a prompt on the screen, for a page that is loaded again: its terminal echoes by itself.
    fn echo(&mut self, input: &Input) {
        let Input::Type(tty, bytes) = input else { return };
        let prompt = self.prompt(*tty);
        if self.world.kernel.tty(*tty).is_some_and(|t| t.keys.is_some()) {
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
        }
    }
}

/// The message of the day, in English where there is one.
fn motd(world: &World) -> String {
    let texts = &world.site.motd;
    let text = texts.get("en").or_else(|| texts.values().next()).map_or("", String::as_str);
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
