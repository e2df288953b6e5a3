//! Time travel: the messages for [`Session::look`], [`Session::begin_branch`] and [`Session::switch`].
//!
//! A past moment is reached in slices, and intermediate states are shown if that takes long. The clock is
//! paused there. When it runs again, the past replays until it reaches the present.
//!
//! [`Session::look`]: crate::session::Session::look
//! [`Session::begin_branch`]: crate::session::Session::begin_branch
//! [`Session::switch`]: crate::session::Session::switch

use super::running::{RunningSession, bound};
use crate::session::saved::SessionWriter;
use crate::world::{EventPart, Input};
use base::time::Time;
use host::tty::TtyId;
use protocol::{FromEngine, Pace, ToEngine, Travel};

/// Ticks without a frame on the way to a past moment: a fifth of a second.
const HOLD: u32 = 12;

/// The destination in time.
#[derive(Default)]
pub struct Travelling {
    /// The moment of the past to reach.
    pub goal: Option<Time>,
    /// The pace before the travel. None in the present.
    before: Option<Pace>,
    /// The page must be sent the terminals of another moment.
    terminals: bool,
    /// The last input that was applied in the past.
    seq: u64,
    /// The branch that is being left.
    leaving: Option<Leaving>,
}

/// The remaining work for a branch that was left.
#[derive(Default)]
struct Leaving {
    forgotten: Vec<u32>,
    writer: Option<Box<SessionWriter>>,
    /// The first input of the new branch.
    then: Option<(Input, ToEngine)>,
}

impl Travelling {
    /// Whether a branch is being left.
    pub const fn leaves(&self) -> bool {
        self.leaving.is_some()
    }

    /// Whether a travel is in progress. Counts one tick of the time without frames.
    pub const fn is_travelling(&self, hold: &mut u32) -> bool {
        *hold = hold.saturating_sub(1);
        self.goal.is_some()
    }
}

impl RunningSession {
    /// Starts a travel.
    pub fn start_travel(&mut self, to: Travel, out: &mut Vec<FromEngine>) {
        while self.leave_on(out) {}
        self.carry_out(out);
        self.skip = None;
        match to {
            Travel::To(at) | Travel::Step(at, _) => {
                self.travel.goal = self.session.look(Time(at));
                match self.travel.goal {
                    Some(goal) => self.show_past(goal),
                    None => self.return_to_present(),
                }
                if let Travel::Step(_, step) = to {
                    self.lesson.go_back(step, &self.session, out);
                }
            }
            Travel::Now => {
                self.session.back();
                self.return_to_present();
            }
            Travel::Branch(id) => match self.session.switch(id) {
                Some(notices) => {
                    out.extend(notices.into_iter().map(FromEngine::Notice));
                    self.return_to_present();
                    self.travel.leaving = Some(Leaving::default());
                }
                None => bound(out, "this branch can no longer be read".into()),
            },
        }
        self.frame.dirty = true;
        self.frame.maker.elsewhere();
    }

    fn show_past(&mut self, goal: Time) {
        self.travel.before.get_or_insert(self.clock.pace());
        self.clock.choose(Pace::Paused);
        self.clock.reset(goal);
        self.frame.hold = HOLD;
    }

    /// Returns to the present, at its previous pace.
    fn return_to_present(&mut self) {
        let before = self.travel.before.take();
        if let Some(pace) = before.filter(|_| self.clock.pace() == Pace::Paused) {
            self.clock.choose(pace);
        }
        self.clock.reset(self.session.world().now);
        self.travel.goal = None;
        self.travel.terminals = true;
        self.frame.hold = 0;
    }

    /// Steps towards a past moment. True while there is more to do.
    pub fn run_back(&mut self, events: u32) -> bool {
        let Some(goal) = self.travel.goal else { return false };
        self.frame.dirty = true;
        for _ in 0..events {
            let part = self.session.part(goal);
            if part == EventPart::Some {
                return true;
            }
            if part == EventPart::Nothing {
                self.travel.goal = None;
                self.travel.terminals = true;
                self.travel.seq = self.session.seen_seq();
                self.frame.hold = 0;
                self.frame.maker.elsewhere();
                // Waiting requests are answered next.
                return true;
            }
        }
        true
    }

    /// After a step: shows what was typed in the past, and checks whether the past has reached the present.
    pub fn note_past(&mut self) {
        if self.travel.before.is_none() {
            return;
        }
        if !self.session.shows_past() {
            self.travel.before = None;
            self.travel.terminals = true;
        } else if self.travel.seq != self.session.seen_seq() {
            self.travel.seq = self.session.seen_seq();
            self.travel.terminals = true;
        }
    }

    /// If the past is shown, starts a branch there before the input is journaled, which waits for that. The
    /// branch is saved first, because the journal entries stored by the page belong to the branch that is left.
    pub fn begin_branch(&mut self, input: Input, message: ToEngine) -> Option<(Input, ToEngine)> {
        if !self.session.shows_past() {
            return Some((input, message));
        }
        self.session.begin_branch();
        let before = self.travel.before.take();
        if let Some(pace) = before.filter(|_| self.clock.pace() == Pace::Paused) {
            self.clock.choose(pace);
        }
        self.clock.reset(self.session.world().now);
        self.clock.typed(self.session.world().now);
        self.travel.leaving = Some(Leaving { then: Some((input, message)), ..Leaving::default() });
        None
    }

    /// Continues leaving a branch: packs it, saves everything, then takes the waiting input. True while there
    /// is more to do.
    pub fn leave_on(&mut self, out: &mut Vec<FromEngine>) -> bool {
        let Some(mut leaving) = self.travel.leaving.take() else { return false };
        if self.session.pack_left(&mut leaving.forgotten) {
            self.travel.leaving = Some(leaving);
            return true;
        }
        let mut writer = leaving.writer.take().unwrap_or_else(|| self.autosave.writer_of(&self.session));
        if writer.step() {
            leaving.writer = Some(writer);
            self.travel.leaving = Some(leaving);
            return true;
        }
        if !leaving.forgotten.is_empty() {
            let many = leaving.forgotten.len();
            bound(out, format!("the number of branches is limited; {many} of the oldest were removed"));
        }
        self.autosave.send(false, *writer, out);
        if let Some((input, message)) = leaving.then {
            self.journal_input(input, message, out);
        }
        true
    }

    /// Sends the terminals of another moment, each with its output up to then.
    pub fn send_other_moment(&mut self, out: &mut Vec<FromEngine>) {
        if !std::mem::take(&mut self.travel.terminals) {
            return;
        }
        let world = self.session.world();
        let open = self.session.terminals().filter(|(tty, _)| world.logged_in(*tty));
        let open: Vec<(TtyId, String)> = open.map(|(tty, screen)| (tty, screen.user.clone())).collect();
        for (tty, _) in &open {
            if let Some(screen) = self.session.screen_mut(*tty) {
                screen.replay();
            }
        }
        out.push(FromEngine::Terminals(open.into_iter().map(|(tty, user)| (tty.0, user)).collect()));
    }
}
