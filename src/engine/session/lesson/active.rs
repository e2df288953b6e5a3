//! The progress of a user in a lesson. A step is done when its check holds while it is the next step and the
//! lesson's time has not ended.

use super::{Lesson, check};
use crate::session::recorded::Session;
use crate::world::World;
use protocol::LessonProgress;

/// Real milliseconds between two evaluations, and the number of records for which the pause grows by a millisecond.
const PAUSE: u32 = 100;
const PER_MILLI: u64 = 200;

/// A user's progress.
#[derive(Clone, Debug)]
pub struct ActiveLesson {
    lesson: Lesson,
    /// Number of steps done.
    passed: u32,
    home: String,
    /// The session's number of events at the last evaluation.
    looked: Option<u64>,
    /// Milliseconds until the next evaluation.
    rest: u32,
    /// The progress that was reported last.
    sent: LessonProgress,
}

impl ActiveLesson {
    /// A lesson with this many steps done, on a world with its users.
    #[must_use]
    pub fn new(lesson: Lesson, passed: u32, world: &World) -> Self {
        let user = lesson.user_or(first_user(world));
        let home = world.kernel.users.by_name(&user).map_or_else(|| "/".to_owned(), |u| u.home.clone());
        let most = u32::try_from(lesson.steps.len()).unwrap_or(u32::MAX);
        let sent = LessonProgress::default();
        let mut new = Self { lesson, passed: passed.min(most), home, looked: None, rest: 0, sent };
        new.sent = new.progress(world);
        new
    }

    /// Number of steps done.
    #[must_use]
    pub const fn passed(&self) -> u32 {
        self.passed
    }

    /// The lesson.
    #[must_use]
    pub const fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The home directory of the lesson's user.
    #[must_use]
    pub fn home(&self) -> &str {
        &self.home
    }

    /// The progress in a world.
    #[must_use]
    pub fn progress(&self, world: &World) -> LessonProgress {
        LessonProgress {
            passed: self.passed,
            at: world.now.0,
            points: self.points(world).iter().sum(),
            over: self.is_over(world),
        }
    }

    /// The points of each line of the score.
    #[must_use]
    pub fn points(&self, world: &World) -> Vec<u32> {
        if self.lesson.score.is_empty() {
            return Vec::new();
        }
        check::points(world, &self.lesson.score, &self.home)
    }

    fn is_over(&self, world: &World) -> bool {
        let all = self.passed as usize >= self.lesson.steps.len();
        !all && self.lesson.until.is_some_and(|until| world.now >= until)
    }

    /// What an evaluation costs: the number of records that it reads.
    #[must_use]
    pub fn effort(world: &World) -> u64 {
        check::effort(world)
    }

    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// Evaluates the next step if something has happened, and returns the progress if it changed. A past that
    /// is shown does not count.
    #[inline(never)]
    pub fn look(&mut self, session: &Session) -> Option<LessonProgress> {
        let step = session.seen_steps();
        if self.rest > 0 || self.looked == Some(step) || session.shows_past() {
            return None;
        }
        self.looked = Some(step);
        self.rest = PAUSE + u32::try_from(check::effort(session.world()) / PER_MILLI).unwrap_or(u32::MAX);
        self.advance(session.world());
        let mut now = self.progress(session.world());
        if self.sent.over {
            // After the end of the lesson the points no longer change.
            now.points = self.sent.points;
        }
        let changed = LessonProgress { at: self.sent.at, ..now } != self.sent;
        if !changed {
            return None;
        }
        self.sent = now;
        Some(now)
    }

    /// Counts the steps that are done now. True if there are more than before.
    pub fn advance(&mut self, world: &World) -> bool {
        let before = self.passed;
        while !self.is_over(world) && self.next_holds(world) {
            self.passed += 1;
        }
        self.passed > before
    }

    /// Counts the next step as done.
    pub const fn pass(&mut self) {
        self.passed += 1;
    }

    /// From now on only this many steps count as done.
    pub fn go_back(&mut self, passed: u32) {
        self.passed = self.passed.min(passed);
        self.sent.over = false;
        self.looked = None;
    }

    /// Whether the next step's check holds.
    #[must_use]
    pub fn next_holds(&self, world: &World) -> bool {
        let next = self.lesson.steps.get(self.passed as usize);
        next.is_some_and(|step| check::holds(world, &step.check, &self.home))
    }
}

/// The site's first user.
pub fn first_user(world: &World) -> &str {
    world.site.users.first().map_or("root", |u| u.name.as_str())
}
