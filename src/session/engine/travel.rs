//! Going elsewhere in time: the messages around [`Session::look`], [`Session::begin_future`] and [`Session::switch`].
//!
//! A past moment is reached in slices like everything else, and shown on the way when that takes long. The clock is paused
//! there; played, the past goes on as it was until it has become the present.
//!
//! [`Session::look`]: crate::session::Session::look
//! [`Session::begin_future`]: crate::session::Session::begin_future
//! [`Session::switch`]: crate::session::Session::switch

use super::live::{Live, bound};
use crate::base::time::Time;
use crate::host::tty::TtyId;
use crate::protocol::{FromEngine, Pace, ToEngine, Travel};
use crate::session::saved::Saving;
use crate::world::{Input, Part};

/// Ticks for which nothing is shown of the way to a past moment: a fifth of a second.
const HOLD: u32 = 12;

/// Where in time the page is being taken.
#[derive(Default)]
pub struct Travelling {
    /// The moment of the past that is being looked for.
    pub goal: Option<Time>,
    /// The pace before somebody looked back; none: nobody does.
    before: Option<Pace>,
    /// Other terminals are to be shown: those of another moment.
    terminals: bool,
    /// The last input that the past had taken.
    seq: u64,
    /// A future was left.
    leaving: Option<Leaving>,
}

/// What is still to be done for a future that was left.
#[derive(Default)]
struct Leaving {
    forgotten: Vec<u32>,
    saving: Option<Box<Saving>>,
    /// What comes first in the one that began.
    then: Option<(Input, ToEngine)>,
}

impl Travelling {
    /// Whether there is something to be done for a future that was left.
    pub const fn leaves(&self) -> bool {
        self.leaving.is_some()
    }

    /// Whether a moment is being looked for; a tick of the time for which nothing is shown has gone by.
    pub const fn under_way(&self, hold: &mut u32) -> bool {
        *hold = hold.saturating_sub(1);
        self.goal.is_some()
    }
}

impl Live {
    /// Goes elsewhere in time.
    pub fn start_travel(&mut self, to: Travel, out: &mut Vec<FromEngine>) {
        while self.leave_on(out) {}
        self.carry_out(out);
        self.skip = None;
        match to {
            Travel::To(at) | Travel::Step(at, _) => {
                self.travel.goal = self.session.look(Time(at));
                match self.travel.goal {
                    Some(goal) => self.look_back(goal),
                    None => self.come_back(),
                }
                if let Travel::Step(_, step) = to {
                    self.lesson.go_back(step, &self.session, out);
                }
            }
            Travel::Now => {
                self.session.back();
                self.come_back();
            }
            Travel::Future(id) => {
                if self.session.switch(id) {
                    self.come_back();
                    self.travel.leaving = Some(Leaving::default());
                } else {
                    bound(out, "this future cannot be read any more".into());
                }
            }
        }
        self.frame.dirty = true;
        self.frame.maker.elsewhere();
    }

    fn look_back(&mut self, goal: Time) {
        self.travel.before.get_or_insert(self.clock.pace());
        self.clock.choose(Pace::Paused);
        self.clock.reset(goal);
        self.frame.hold = HOLD;
    }

    /// The present is seen again, at the pace that it had.
    fn come_back(&mut self) {
        let before = self.travel.before.take();
        if let Some(pace) = before.filter(|_| self.clock.pace() == Pace::Paused) {
            self.clock.choose(pace);
        }
        self.clock.reset(self.session.world().now);
        self.travel.goal = None;
        self.travel.terminals = true;
        self.frame.hold = 0;
    }

    /// A bit of the way to a past moment; true when there is more.
    pub fn run_back(&mut self, events: u32) -> bool {
        let Some(goal) = self.travel.goal else { return false };
        self.frame.dirty = true;
        for _ in 0..events {
            let part = self.session.part(goal);
            if part == Part::Some {
                return true;
            }
            if part == Part::Nothing {
                self.travel.goal = None;
                self.travel.terminals = true;
                self.travel.seq = self.session.seen_seq();
                self.frame.hold = 0;
                self.frame.maker.elsewhere();
                // What was asked meanwhile comes next.
                return true;
            }
        }
        true
    }

    /// After a step: what was typed in the past is seen again, and the past may have become the present.
    pub fn note_past(&mut self) {
        if self.travel.before.is_none() {
            return;
        }
        if !self.session.looks_back() {
            self.travel.before = None;
            self.travel.terminals = true;
        } else if self.travel.seq != self.session.seen_seq() {
            self.travel.seq = self.session.seen_seq();
            self.travel.terminals = true;
        }
    }

    /// If it is the past that is seen, another future begins there before an input is journaled, which waits meanwhile. It
    /// is saved first, since what the page has kept of the journal belongs to the one that is left.
    pub fn begin_future(&mut self, input: Input, message: ToEngine) -> Option<(Input, ToEngine)> {
        if !self.session.looks_back() {
            return Some((input, message));
        }
        self.session.begin_future();
        let before = self.travel.before.take();
        if let Some(pace) = before.filter(|_| self.clock.pace() == Pace::Paused) {
            self.clock.choose(pace);
        }
        self.clock.reset(self.session.world().now);
        self.clock.typed(self.session.world().now);
        self.travel.leaving = Some(Leaving { then: Some((input, message)), ..Leaving::default() });
        None
    }

    /// Goes on with what is left for another future: it is packed, then all is saved, then the input is taken that waits
    /// for that. True while there is more.
    pub fn leave_on(&mut self, out: &mut Vec<FromEngine>) -> bool {
        let Some(mut leaving) = self.travel.leaving.take() else { return false };
        if self.session.pack_left(&mut leaving.forgotten) {
            self.travel.leaving = Some(leaving);
            return true;
        }
        let mut saving = leaving.saving.take().unwrap_or_else(|| self.begin_to_save());
        if saving.step() {
            leaving.saving = Some(saving);
            self.travel.leaving = Some(leaving);
            return true;
        }
        if !leaving.forgotten.is_empty() {
            let many = leaving.forgotten.len();
            bound(out, format!("only so many futures are kept; {many} of the oldest had to go"));
        }
        self.finish_save(false, *saving, out);
        if let Some((input, message)) = leaving.then {
            self.journalise(input, message, out);
        }
        true
    }

    /// The terminals of another moment, each with what it had printed by then.
    pub fn tell_other_moment(&mut self, out: &mut Vec<FromEngine>) {
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
