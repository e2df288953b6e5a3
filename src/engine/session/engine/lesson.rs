//! The lesson that runs on a session: its preparation, and the progress of its steps.

use crate::session::lesson::{ActiveLesson, Lesson, first_user, play_up_to};
use crate::session::recorded::{Session, Setup};
use crate::world::Input;
use base::diagnostic::Diagnostic;
use host::tty::TtyId;
use protocol::{FromEngine, LessonFile};
use std::collections::VecDeque;

/// The current lesson, if any.
#[derive(Default)]
pub struct Lessons {
    active: Option<ActiveLesson>,
    /// Inputs that prepare the lesson and were not applied yet.
    preparation: VecDeque<Input>,
}

/// A parsed lesson file, before there is a session.
pub struct OpenedLesson {
    lesson: Lesson,
    findings: Vec<Diagnostic>,
    /// Number of steps that a new session starts with as done.
    from: u32,
}

impl Lessons {
    /// Parses a file and applies its settings to the start request.
    pub fn open(file: &LessonFile, setup: &mut Setup) -> OpenedLesson {
        let (mut lesson, findings) = Lesson::read(&file.name, &file.text);
        lesson.seed = file.seed.unwrap_or(lesson.seed);
        lesson.prepare(setup);
        OpenedLesson { lesson, findings, from: file.from }
    }

    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        if let Some(active) = &mut self.active {
            active.tick(millis);
        }
    }

    /// The user of the lesson's terminal, if the file names one.
    pub fn user(&self) -> Option<String> {
        let user = self.active.as_ref().map(|u| u.lesson().user.clone());
        user.filter(|user| !user.is_empty())
    }

    /// Restarts a step: this step and the later ones count as not done.
    pub fn go_back(&mut self, step: u32, session: &Session, out: &mut Vec<FromEngine>) {
        if let Some(active) = &mut self.active {
            active.go_back(step);
            out.push(FromEngine::Passed(active.progress(session.world())));
        }
    }

    /// The next input of the lesson's preparation.
    pub fn next_input(&mut self) -> Option<Input> {
        self.preparation.pop_front()
    }

    /// Reports steps that were completed since the last call.
    pub fn look(&mut self, session: &Session, out: &mut Vec<FromEngine>) {
        if let Some(active) = self.active.as_mut().filter(|_| self.preparation.is_empty())
            && let Some(progress) = active.look(session)
        {
            out.push(FromEngine::Passed(progress));
        }
    }
}

impl OpenedLesson {
    /// Begins on a new session, or on one in which this many steps are done. A new one can be moved to a later
    /// step first: it plays the solutions of the steps before.
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
        let active = ActiveLesson::new(lesson, passed, session.world());
        let progress = active.progress(session.world());
        let info = active.lesson().info(user.clone(), progress, &findings);
        out.push(FromEngine::Lesson(Box::new(info)));
        let begun = resumed.is_some() || played;
        let deeds = if begun { Vec::new() } else { active.lesson().preparation(&user, active.home()) };
        Lessons { active: Some(active), preparation: deeds.into() }
    }
}

/// Shows terminals that were opened before the page was listening, with their whole output.
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
