//! The lesson of a class. Every tab computes the world, so a participant's steps are found there: by the participant's own tab,
//! and by a teacher's tab for all participants. No tab tells another how far it is.
//!
//! A participant's next step is evaluated before each of their inputs, in every tab alike, and every few hundred
//! milliseconds of real time. A tab that computes the class again after a reload thus finds the same steps, but for one
//! whose check held only between two inputs.

use super::work::WorkTracker;
use super::{ClassSession, RunningSession, tell};
use crate::session::lesson::{ActiveLesson, Lesson, class_lesson, first_user};
use crate::session::recorded::Session;
use crate::world::World;
use base::diagnostic::Diagnostic;
use protocol::class::{ClassLesson, ClassStep, ClassWork, FromClass};
use protocol::{FromEngine, LessonFile, LessonProgress};
use std::collections::BTreeMap;

/// Real milliseconds between two evaluations, and the number of records for which the pause grows by a millisecond.
const PAUSE: u32 = 200;
const PER_MILLI: u64 = 200;
/// About the most records that one evaluation of several participants reads.
const MAX_EFFORT: u64 = 20_000;

/// The lesson of a class.
pub struct SharedLesson {
    lesson: Lesson,
    findings: Vec<Diagnostic>,
    /// Steps count after the entry of this number.
    from: u64,
    /// The participants whose steps this tab finds, by seat.
    learners: BTreeMap<u32, LearnerProgress>,
    /// The seat that was evaluated last.
    last: u32,
    /// Milliseconds until the next evaluation.
    rest: u32,
}

/// A participant in the lesson.
struct LearnerProgress {
    active: ActiveLesson,
    /// The progress at the last evaluation.
    now: LessonProgress,
    /// The session's number of events at the last evaluation.
    looked: Option<u64>,
    /// Real time of this tab when the step began, in milliseconds.
    since: u64,
    /// Commands that had failed by then.
    failed: u32,
}

impl LearnerProgress {
    fn new(lesson: &Lesson, user: &str, world: &World, counts: (u64, u32)) -> Self {
        let active = ActiveLesson::new(lesson.for_participant(user, world), 0, world);
        let now = active.progress(world);
        Self { active, now, looked: None, since: counts.0, failed: counts.1 }
    }

    /// Evaluates the next step. True if the progress changed.
    fn look(&mut self, session: &Session, counts: (u64, u32)) -> bool {
        self.looked = Some(session.seen_steps());
        if self.active.advance(session.world()) {
            (self.since, self.failed) = counts;
        }
        let mut now = self.active.progress(session.world());
        if self.now.over {
            // After the end of the lesson the points no longer change.
            now.points = self.now.points;
        }
        let changed = LessonProgress { at: self.now.at, ..now } != self.now;
        if changed {
            self.now = now;
        }
        changed
    }
}

impl SharedLesson {
    /// Real time passes.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// A participant has a user now.
    fn add(&mut self, seat: u32, user: &str, world: &World, counts: (u64, u32)) {
        self.learners.insert(seat, LearnerProgress::new(&self.lesson, user, world, counts));
    }

    /// The lesson as a tab shows it: for its participant, or for a teacher as it is in the file.
    fn info(&self, seat: u32, world: &World) -> FromClass {
        let info = match self.learners.get(&seat) {
            Some(learner) => {
                let lesson = learner.active.lesson();
                lesson.info(lesson.user.clone(), learner.now, &self.findings)
            }
            None => {
                let user = self.lesson.user_or(first_user(world));
                self.lesson.info(user, LessonProgress::default(), &self.findings)
            }
        };
        FromClass::Opened(Some(Box::new(info)))
    }

    /// How far a participant is.
    fn step(&self, seat: u32, (real, failed): (u64, u32)) -> Option<ClassStep> {
        let learner = self.learners.get(&seat)?;
        Some(ClassStep {
            passed: learner.now.passed,
            total: u32::try_from(self.lesson.steps.len()).unwrap_or(u32::MAX),
            points: learner.now.points,
            seconds: u32::try_from(real.saturating_sub(learner.since) / 1000).unwrap_or(u32::MAX),
            failures: failed.saturating_sub(learner.failed),
        })
    }
}

/// Real time of this tab and the commands of a seat that have failed, for a teacher.
fn counts(work: Option<&WorkTracker>, seat: u32) -> (u64, u32) {
    work.map_or((0, 0), |work| work.counts(seat))
}

impl ClassSession {
    /// Whether this tab finds the steps of a seat.
    const fn follows(&self, seat: u32) -> bool {
        self.me.teacher || self.me.seat == seat
    }

    /// An input of a seat is about to be applied: evaluates its step.
    pub(super) fn look_before(&mut self, seat: u32, session: &Session, out: &mut Vec<FromEngine>) {
        let counts = counts(self.work.as_ref(), seat);
        let Some(lesson) = self.lesson.as_mut().filter(|lesson| self.applied >= lesson.from) else { return };
        let Some(learner) = lesson.learners.get_mut(&seat) else { return };
        if learner.looked != Some(session.seen_steps())
            && learner.look(session, counts)
            && seat == self.me.seat
        {
            tell(out, FromClass::Passed(learner.now));
        }
    }

    /// A participant has a user now.
    pub(super) fn enrolled(&mut self, seat: u32, user: &str, world: &World, out: &mut Vec<FromEngine>) {
        if world.kernel.users.by_name(user).is_none() {
            return;
        }
        self.users.insert(seat, user.to_owned());
        if !self.follows(seat) {
            return;
        }
        let counts = counts(self.work.as_ref(), seat);
        if let Some(lesson) = &mut self.lesson {
            lesson.add(seat, user, world, counts);
            if seat == self.me.seat {
                tell(out, lesson.info(seat, world));
            }
        }
    }
}

impl RunningSession {
    /// The class has another lesson, or none.
    pub(super) fn class_lesson(
        &mut self,
        chosen: Option<&ClassLesson>,
        from: u64,
        out: &mut Vec<FromEngine>,
    ) {
        let Some(class) = &mut self.class else { return };
        let world = self.session.world();
        class.lesson = chosen.map(|chosen| {
            let (lesson, findings) = Lesson::read(&chosen.name, &chosen.text);
            let mut shared =
                SharedLesson { lesson, findings, from, learners: BTreeMap::new(), last: 0, rest: 0 };
            for (seat, user) in class.users.iter().filter(|(seat, _)| class.follows(**seat)) {
                shared.add(*seat, user, world, counts(class.work.as_ref(), *seat));
            }
            shared
        });
        match &class.lesson {
            None => tell(out, FromClass::Opened(None)),
            // A participant sees the lesson as soon as there is a user to name in it.
            Some(lesson) if class.me.teacher || lesson.learners.contains_key(&class.me.seat) => {
                tell(out, lesson.info(class.me.seat, world));
            }
            Some(_) => {}
        }
    }

    /// The teacher has chosen a file as the next lesson.
    pub(super) fn read_class_lesson(&self, file: &LessonFile, out: &mut Vec<FromEngine>) {
        let first = first_user(self.session.world());
        let lesson = class_lesson(file, &self.session.setup().site, first);
        tell(out, FromClass::Lesson(lesson.map(Box::new)));
    }

    /// Evaluates the next steps of some participants, each in turn.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn look_at_steps(&mut self, out: &mut Vec<FromEngine>) {
        let Some(class) = &mut self.class else { return };
        let (me, work, applied) = (class.me.seat, class.work.as_ref(), class.applied);
        let Some(lesson) = class.lesson.as_mut().filter(|l| l.rest == 0 && applied >= l.from) else { return };
        let step = self.session.seen_steps();
        let cost = ActiveLesson::effort(self.session.world()).max(1);
        let (mut spent, last) = (0, lesson.last);
        let seats =
            lesson.learners.range(last + 1..).chain(lesson.learners.range(..=last)).map(|(seat, _)| *seat);
        for seat in seats.collect::<Vec<_>>() {
            let Some(learner) = lesson.learners.get_mut(&seat).filter(|l| l.looked != Some(step)) else {
                continue;
            };
            if spent >= MAX_EFFORT {
                break;
            }
            (spent, lesson.last) = (spent + cost, seat);
            if learner.look(&self.session, counts(work, seat)) && seat == me {
                tell(out, FromClass::Passed(learner.now));
            }
        }
        if spent > 0 {
            lesson.rest = PAUSE + u32::try_from(spent / PER_MILLI).unwrap_or(u32::MAX);
        }
    }

    /// Adds the progress in the lesson to the participants' work.
    pub(super) fn add_steps(&self, all: &mut [ClassWork]) {
        let Some(class) = &self.class else { return };
        let Some(lesson) = &class.lesson else { return };
        for work in all {
            work.lesson = lesson.step(work.seat, counts(class.work.as_ref(), work.seat));
        }
    }
}
