//! The lesson that is done on a session: its beginning, and its steps as they are done.

use crate::base::diagnostic::Diagnostic;
use crate::protocol::{FromEngine, LessonFile};
use crate::session::lesson::{Lesson, Underway, first_user};
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
}

impl Lessons {
    /// Reads a file; the session is to begin as it says.
    pub fn open(file: &LessonFile, setup: &mut Setup) -> Opened {
        let (lesson, findings) = Lesson::read(&file.name, &file.text);
        lesson.prepare(setup);
        Opened { lesson, findings }
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

    /// What is to be carried out next of the lesson's beginning.
    pub fn next_deed(&mut self) -> Option<Input> {
        self.deeds.pop_front()
    }

    /// Tells of steps that were done meanwhile.
    pub fn look(&mut self, session: &Session, out: &mut Vec<FromEngine>) {
        if let Some(underway) = self.underway.as_mut().filter(|_| self.deeds.is_empty())
            && underway.look(session)
        {
            out.push(FromEngine::Passed(underway.passed()));
        }
    }
}

impl Opened {
    /// On a session, which is a fresh one or goes on with so many steps done.
    pub fn begin(self, session: &Session, resumed: Option<u32>, out: &mut Vec<FromEngine>) -> Lessons {
        let Self { lesson, findings } = self;
        let user = lesson.user_or(first_user(session.world()));
        let underway = Underway::new(lesson, resumed.unwrap_or(0), session.world());
        let info = underway.lesson().info(user.clone(), underway.passed(), &findings);
        out.push(FromEngine::Lesson(Box::new(info)));
        let deeds =
            if resumed.is_some() { Vec::new() } else { underway.lesson().beginning(&user, underway.home()) };
        Lessons { underway: Some(underway), deeds: deeds.into() }
    }
}
