//! The lesson that is done on a session: its beginning, and its steps as they are done.

use crate::base::diagnostic::Diagnostic;
use crate::host::tty::TtyId;
use crate::protocol::{FromEngine, LessonFile};
use crate::session::lesson::{Lesson, Underway, first_user, play_up_to};
use crate::session::recorded::{Session, Setup};
use crate::world::Input;
use std::collections::VecDeque;

/// A lesson, or none.
#[derive(Default)]
pub struct Lessons {
    underway: Option<Underway>,
    /// What happens before the person comes and was not carried out yet.
    deeds: VecDeque<Input>,
}

/// A file that was read, before there is a session.
pub struct Opened {
    lesson: Lesson,
    findings: Vec<Diagnostic>,
    /// A fresh session begins where so many steps are done.
    from: u32,
}

impl Lessons {
    /// Reads a file; the session is to begin as it says.
    pub fn open(file: &LessonFile, setup: &mut Setup) -> Opened {
        let (mut lesson, findings) = Lesson::read(&file.name, &file.text);
        lesson.seed = file.seed.unwrap_or(lesson.seed);
        lesson.prepare(setup);
        Opened { lesson, findings, from: file.from }
    }

    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        if let Some(underway) = &mut self.underway {
            underway.tick(millis);
        }
    }

    /// Whose terminal it is done at, if it says so.
    pub fn user(&self) -> Option<String> {
        let user = self.underway.as_ref().map(|u| u.lesson().user.clone());
        user.filter(|user| !user.is_empty())
    }

    /// A step begins again: it and what comes after it counts as not done.
    pub fn go_back(&mut self, step: u32, session: &Session, out: &mut Vec<FromEngine>) {
        if let Some(underway) = &mut self.underway {
            underway.go_back(step);
            out.push(FromEngine::Passed(underway.standing(session.world())));
        }
    }

    /// What is to be carried out next of the lesson's beginning.
    pub fn next_deed(&mut self) -> Option<Input> {
        self.deeds.pop_front()
    }

    /// Tells of steps that were done meanwhile.
    pub fn look(&mut self, session: &Session, out: &mut Vec<FromEngine>) {
        if let Some(underway) = self.underway.as_mut().filter(|_| self.deeds.is_empty())
            && let Some(standing) = underway.look(session)
        {
            out.push(FromEngine::Passed(standing));
        }
    }
}

impl Opened {
    /// On a session, which is a fresh one or goes on with so many steps done. A fresh one may be played up to a step first:
    /// by the solutions of those before it.
    pub fn begin(
        mut self,
        session: &mut Session,
        resumed: Option<u32>,
        out: &mut Vec<FromEngine>,
    ) -> Lessons {
        let from = self.from.min(u32::try_from(self.lesson.steps.len()).unwrap_or(u32::MAX));
        let played = resumed.is_none() && from > 0;
        if played {
            self.findings.extend(play_up_to(&self.lesson, from, session));
            show_terminals(session, out);
        }
        let Self { lesson, findings, .. } = self;
        let user = lesson.user_or(first_user(session.world()));
        let passed = resumed.unwrap_or(if played { from } else { 0 });
        let underway = Underway::new(lesson, passed, session.world());
        let standing = underway.standing(session.world());
        let info = underway.lesson().info(user.clone(), standing, &findings);
        out.push(FromEngine::Lesson(Box::new(info)));
        let begun = resumed.is_some() || played;
        let deeds = if begun { Vec::new() } else { underway.lesson().beginning(&user, underway.home()) };
        Lessons { underway: Some(underway), deeds: deeds.into() }
    }
}

/// Terminals that were opened while nobody watched, with all that they have shown.
fn show_terminals(session: &mut Session, out: &mut Vec<FromEngine>) {
    let open: Vec<(TtyId, String)> =
        session.terminals().map(|(tty, screen)| (tty, screen.user.clone())).collect();
    for (tty, user) in open {
        if let Some(screen) = session.screen_mut(tty) {
            screen.replay();
        }
        out.push(FromEngine::Opened { tty: tty.0, user });
    }
}
