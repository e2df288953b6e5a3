//! The lesson of a class: who may choose it, and the entries that prepare the cluster for it.

use super::super::record::Record;
use super::super::seat::Seat;
use super::super::wire::{FromClassServer, MAX_MESSAGE};
use super::super::{ClassDecision, MAX_BYTES, MAX_ENTRIES, Sequencer, requests};
use protocol::class::{ClassAction, ClassEntry, ClassLesson, LessonDeed};

/// Most parts of a preparation.
const MAX_DEEDS: usize = 100;
/// Longest name.
const MAX_NAME: usize = 2000;

/// Checks the bounds of a lesson. Its text is checked where it is read.
///
/// # Errors
/// A sentence for the user.
pub(super) fn check(lesson: &ClassLesson) -> Result<(), String> {
    let size = |deed: &LessonDeed| match deed {
        LessonDeed::Once { user, command } => user.len() + command.len(),
        LessonDeed::Each(command) => command.len(),
        LessonDeed::File { path, text } => path.len() + text.len(),
    };
    let bytes = lesson.text.len() + lesson.deeds.iter().map(size).sum::<usize>();
    if lesson.name.len() > MAX_NAME || lesson.deeds.len() > MAX_DEEDS || bytes > MAX_MESSAGE * 3 / 4 {
        return Err("This lesson is too large for a class.".to_owned());
    }
    Ok(())
}

impl Sequencer {
    /// The lesson, and the number of the entry after which its steps count.
    #[must_use]
    pub fn lesson(&self) -> (Option<&ClassLesson>, u64) {
        (self.lesson.0.as_deref(), self.lesson.1)
    }

    /// Decides on the lesson of a class that nobody has joined.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn begin_with(&self, lesson: ClassLesson) -> Result<Record, String> {
        check(&lesson).map(|()| Record::Lesson(Some(Box::new(lesson))))
    }

    /// A teacher chooses a lesson. Its preparation is entered for all participants.
    pub(super) fn choose_lesson(&self, by: u32, lesson: Option<Box<ClassLesson>>) -> ClassDecision {
        let refused = |why: &str| ClassDecision::refused(by, 0, why.to_owned());
        if !self.leads(by) {
            return refused("Only a teacher can do that.");
        }
        if let Some(Err(why)) = lesson.as_deref().map(check) {
            return refused(&why);
        }
        let mut actions = Vec::new();
        if let Some(lesson) = &lesson {
            actions.extend(once(lesson));
            actions
                .extend(self.seats().iter().filter(|seat| !seat.teacher).flat_map(|seat| each(lesson, seat)));
        }
        let bytes: usize = actions.iter().map(requests::weight).sum();
        if self.bytes + bytes > MAX_BYTES || self.entries.len() + actions.len() > MAX_ENTRIES {
            return refused("This class has reached its limit of inputs. Start a new one.");
        }
        let mut records = vec![Record::Lesson(lesson)];
        records.extend(self.entered(by, actions));
        ClassDecision::of(records)
    }

    /// What prepares the cluster for a new participant.
    pub(super) fn preparation(&self, seat: &Seat) -> Vec<ClassAction> {
        let Some(lesson) = self.lesson().0.filter(|_| !seat.teacher) else { return Vec::new() };
        // A lesson that the class began with has had nobody to run its commands yet.
        let first = self.seats().iter().all(|seat| seat.teacher) && self.lesson.1 == 0;
        let once = if first { once(lesson) } else { Vec::new() };
        once.into_iter().chain(each(lesson, seat)).collect()
    }

    /// Entries of these actions at the present moment.
    pub(super) fn entered(&self, seat: u32, actions: Vec<ClassAction>) -> Vec<Record> {
        let time = self.clock.until();
        let entry = |(action, number)| Record::Entered(ClassEntry { number, time, seat, token: 0, action });
        actions.into_iter().zip(self.last() + 1..).map(entry).collect()
    }

    /// The lesson for a tab that connects; none if there is no lesson.
    #[must_use]
    pub fn lesson_message(&self) -> FromClassServer {
        FromClassServer::Lesson(self.lesson.0.clone(), self.lesson.1)
    }
}

fn once(lesson: &ClassLesson) -> Vec<ClassAction> {
    let run = |deed: &LessonDeed| match deed {
        LessonDeed::Once { user, command } => {
            Some(ClassAction::Prepare { user: user.clone(), command: command.clone() })
        }
        LessonDeed::Each(_) | LessonDeed::File { .. } => None,
    };
    lesson.deeds.iter().filter_map(run).collect()
}

fn each(lesson: &ClassLesson, seat: &Seat) -> Vec<ClassAction> {
    let user = seat.name.clone();
    let run = |deed: &LessonDeed| match deed {
        LessonDeed::Once { .. } => None,
        LessonDeed::Each(command) => {
            Some(ClassAction::Prepare { user: user.clone(), command: command.clone() })
        }
        LessonDeed::File { path, text } => Some(ClassAction::Save {
            path: path.strip_prefix('~').map_or_else(|| path.clone(), |rest| format!("/home/{user}{rest}")),
            user: user.clone(),
            text: text.clone(),
        }),
    };
    lesson.deeds.iter().filter_map(run).collect()
}
