//! An empty machine that stands in for one full of other people's work, so that the first prompt need not wait for what
//! fills it (the build splits that off, see docs/architecture.md). Its time stands still; it goes as soon as the whole
//! program is there, or somebody does something, and nobody sees more of it than empty nodes that fill. The real machine
//! comes to its first moment in slices; what is done meanwhile waits for it.

use super::live::Live;
use super::start::Request;
use crate::base::diagnostic::Diagnostic;
use crate::config::background_amount;
use crate::protocol::{FromEngine, ToEngine};
use crate::session::recorded::{Session, Setup};
use crate::world::{Part, World};

/// The site's file that asks for other people's work.
const FILE: &str = "background";

/// Events at most until a person's shell asks for a command.
const FUEL: u64 = 100_000;
/// Events of the real machine in a slice: submissions, which take longer than most events.
const SLICE: u32 = 16;
/// Messages that wait at most.
const MAX_WAITING: usize = 1_000;

/// What the machine that is stood in for has, besides what is there.
pub struct StandIn {
    background: String,
    /// The real machine, on its way to the first moment.
    machine: Option<Box<Machine>>,
    /// What is for it only.
    waiting: Vec<ToEngine>,
}

struct Machine {
    setup: Setup,
    world: World,
    diagnostics: Vec<Diagnostic>,
}

impl StandIn {
    /// Takes other people's work out of a request for a fresh session; none if there is nothing to stand in for.
    pub fn of(request: &mut Request) -> Option<Self> {
        let fresh = request.saved.is_none() && request.since.is_empty();
        if !fresh || request.lesson.is_some() || request.link.is_some() {
            return None;
        }
        let asks = |(name, word): &(String, String)| name == FILE && background_amount(word) > Some(0);
        let place = request.files.iter().position(asks)?;
        let (_, background) = request.files.remove(place);
        Some(Self { background, machine: None, waiting: Vec::new() })
    }

    /// The message as the stand-in takes it; none: it waits for the real machine, and so does all that comes after it.
    pub fn take(&mut self, message: ToEngine) -> Option<ToEngine> {
        match Self::takes(&message) {
            Some(taken)
                if self.waiting.is_empty() || matches!(taken, ToEngine::Tick(_) | ToEngine::Ack(_)) =>
            {
                Some(taken)
            }
            _ if self.waiting.len() >= MAX_WAITING => None,
            Some(_) | None => {
                self.waiting.push(message);
                None
            }
        }
    }

    /// Whether somebody waits for the real machine.
    pub const fn is_wanted(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn takes(message: &ToEngine) -> Option<ToEngine> {
        match message {
            ToEngine::Tick(_) => Some(ToEngine::Tick(0)),
            ToEngine::Ack(_)
            | ToEngine::Subscribe(_)
            | ToEngine::Typing(_)
            | ToEngine::Pace(_)
            | ToEngine::Login(_)
            | ToEngine::Resize { .. }
            | ToEngine::ListFiles { .. }
            | ToEngine::ReadFile { .. }
            | ToEngine::Options => Some(message.clone()),
            ToEngine::Start { .. }
            | ToEngine::ReadSite(_)
            | ToEngine::Type { .. }
            | ToEngine::Logout(_)
            | ToEngine::SaveFile { .. }
            | ToEngine::Complete { .. }
            | ToEngine::Lint { .. }
            | ToEngine::Skip(_)
            | ToEngine::Travel(_)
            | ToEngine::Share(_)
            | ToEngine::Save
            | ToEngine::Drawn
            | ToEngine::Hash => None,
        }
    }

    /// A bit of the real machine's way to its first moment; false once it is there.
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn go_on(&mut self, live: &Live) -> bool {
        let Some(machine) = &mut self.machine else {
            let mut setup = live.session.setup().clone();
            setup.files.0.insert(FILE.to_owned(), self.background.clone());
            let (world, diagnostics) = World::begin(&setup.site, &setup.files, setup.seed, setup.start);
            self.machine = Some(Box::new(Machine { setup, world, diagnostics }));
            return true;
        };
        let until = machine.setup.start;
        for _ in 0..SLICE {
            match machine.world.part(until) {
                Part::Nothing => return false,
                Part::Some => return true,
                Part::Last => {}
            }
        }
        true
    }

    /// The real machine, to which the same has been done, takes its place. Terminals stay as they are. Gives what waited
    /// for it.
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn leave(self, live: &mut Live, out: &mut Vec<FromEngine>) -> Vec<ToEngine> {
        let Some(machine) = self.machine else { return self.waiting };
        live.carry_out(out);
        settle(&mut live.session);
        let Machine { setup, world, diagnostics } = *machine;
        let mut session = Session::of(setup, world, diagnostics);
        for entry in live.session.journal().entries() {
            session.apply(entry.input.clone());
            settle(&mut session);
        }
        for (tty, seen) in live.session.terminals() {
            if let Some(screen) = session.screen_mut(tty) {
                screen.clone_from(seen);
            }
        }
        live.clock.reset(session.world().now);
        live.session = session;
        live.frame.maker.elsewhere();
        live.frame.dirty = true;
        // The page keeps the inputs with their places among the stand-in's events; from here on it has ours.
        live.save(out);
        self.waiting
    }
}

/// Everything that happens at this moment has happened.
fn settle(session: &mut Session) {
    let now = session.world().now;
    // A site whose shells never come to rest goes on with that afterwards.
    let _ = session.run_until(now, FUEL);
}
