//! An empty world that replaces one with background jobs at first, so the first prompt waits neither for the deferred
//! module nor for the simulation of past jobs.
//!
//! Its time does not advance. The real machine is simulated up to its first moment in slices, and replaces the
//! placeholder when the module is loaded or when the user acts; actions wait for it. The user sees empty nodes that
//! fill.

use super::running::RunningSession;
use super::start::StartRequest;
use crate::session::recorded::{Session, Setup};
use crate::world::{EventPart, World};
use base::diagnostic::Diagnostic;
use config::background_amount;
use protocol::{FromEngine, ToEngine};

/// The site's file that configures background jobs.
const FILE: &str = "background";

/// Maximum number of events until the user's shell shows a prompt.
const FUEL: u64 = 100_000;
/// Events of the real machine per slice. These are submissions, which take longer than most events.
const SLICE: u32 = 16;
/// Maximum number of waiting messages.
const MAX_WAITING: usize = 1_000;

/// The real machine, and the messages that wait for it.
pub struct PlaceholderWorld {
    background: String,
    /// The real machine, until it reaches its first moment.
    machine: Option<Box<RealMachine>>,
    /// Messages that only the real machine can answer.
    waiting: Vec<ToEngine>,
}

struct RealMachine {
    setup: Setup,
    world: World,
    diagnostics: Vec<Diagnostic>,
}

impl PlaceholderWorld {
    /// Removes the background jobs from a request for a new session. None if the request has none.
    pub fn of(request: &mut StartRequest) -> Option<Self> {
        let fresh = request.saved.is_none() && request.since.is_empty();
        if !fresh || request.lesson.is_some() || request.link.is_some() || request.class.is_some() {
            return None;
        }
        let asks = |(name, word): &(String, String)| name == FILE && background_amount(word) > Some(0);
        let index = request.files.iter().position(asks)?;
        let (_, background) = request.files.remove(index);
        Some(Self { background, machine: None, waiting: Vec::new() })
    }

    /// The message, if the placeholder can handle it. If none, it waits for the real machine, and so do all later
    /// messages.
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

    /// Whether a message waits for the real machine.
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
            | ToEngine::FindJobs(_)
            | ToEngine::Share(_)
            | ToEngine::Save
            | ToEngine::Drawn
            | ToEngine::Class(_)
            | ToEngine::Hash => None,
        }
    }

    /// Steps the real machine towards its first moment. False once it is there.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn go_on(&mut self, running: &RunningSession) -> bool {
        let Some(machine) = &mut self.machine else {
            let mut setup = running.session.setup().clone();
            setup.files.0.insert(FILE.to_owned(), self.background.clone());
            let (world, diagnostics) = World::begin(&setup.site, &setup.files, setup.seed, setup.start);
            self.machine = Some(Box::new(RealMachine { setup, world, diagnostics }));
            return true;
        };
        let until = machine.setup.start;
        for _ in 0..SLICE {
            match machine.world.part(until) {
                EventPart::Nothing => return false,
                EventPart::Some => return true,
                EventPart::Last => {}
            }
        }
        true
    }

    /// Replaces the placeholder by the real machine after applying the same inputs to it. Terminals stay as they
    /// are. Returns the messages that waited.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn leave(self, running: &mut RunningSession, out: &mut Vec<FromEngine>) -> Vec<ToEngine> {
        let Some(machine) = self.machine else { return self.waiting };
        running.carry_out(out);
        settle(&mut running.session);
        let RealMachine { setup, world, diagnostics } = *machine;
        let mut session = Session::of(setup, world, diagnostics);
        for entry in running.session.journal().entries() {
            session.apply(entry.input.clone());
            settle(&mut session);
        }
        for (tty, seen) in running.session.terminals() {
            if let Some(screen) = session.screen_mut(tty) {
                screen.clone_from(seen);
            }
        }
        running.clock.reset(session.world().now);
        running.session = session;
        running.frame.maker.elsewhere();
        running.frame.dirty = true;
        // The page stored the inputs with event numbers of the placeholder. Saving replaces them with ours.
        running.autosave.save_now(&running.session, out);
        self.waiting
    }
}

/// Processes everything that happens at this moment.
fn settle(session: &mut Session) {
    let now = session.world().now;
    // If a site's shells never become idle, this continues later.
    let _ = session.run_until(now, FUEL);
}
