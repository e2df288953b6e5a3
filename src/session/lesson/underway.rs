//! A lesson that somebody does: which steps are done. A step is done when its check holds while it is the next one.

use super::{Lesson, check};
use crate::session::recorded::Session;
use crate::world::World;

/// Real milliseconds between two looks, and one more for so many records.
const PAUSE: u32 = 100;
const PER_MILLI: u64 = 200;

/// How far somebody is.
#[derive(Clone, Debug)]
pub struct Underway {
    lesson: Lesson,
    /// Steps that are done.
    passed: u32,
    home: String,
    /// Events of the session at the last look.
    looked: Option<u64>,
    /// Milliseconds until the next look.
    rest: u32,
}

impl Underway {
    /// A lesson with so many steps done, on a world with its users.
    #[must_use]
    pub fn new(lesson: Lesson, passed: u32, world: &World) -> Self {
        let user = lesson.user_or(first_user(world));
        let home = world.kernel.users.by_name(&user).map_or_else(|| "/".to_owned(), |u| u.home.clone());
        let most = u32::try_from(lesson.steps.len()).unwrap_or(u32::MAX);
        Self { lesson, passed: passed.min(most), home, looked: None, rest: 0 }
    }

    /// Steps that are done.
    #[must_use]
    pub const fn passed(&self) -> u32 {
        self.passed
    }

    /// The lesson.
    #[must_use]
    pub const fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The home of whoever does it.
    #[must_use]
    pub fn home(&self) -> &str {
        &self.home
    }

    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// Looks at the next step if something has happened; true when a step more is done. The past that somebody looks at
    /// counts for nothing.
    #[inline(never)]
    pub fn look(&mut self, session: &Session) -> bool {
        let step = session.seen_steps();
        if self.rest > 0 || self.looked == Some(step) || session.looks_back() {
            return false;
        }
        self.looked = Some(step);
        self.rest = PAUSE + u32::try_from(check::effort(session.world()) / PER_MILLI).unwrap_or(u32::MAX);
        self.advance(session.world())
    }

    /// Counts what is done by now; true when that is more than before.
    pub fn advance(&mut self, world: &World) -> bool {
        let before = self.passed;
        while self.next_holds(world) {
            self.passed += 1;
        }
        self.passed > before
    }

    /// The next step counts as done.
    pub const fn pass(&mut self) {
        self.passed += 1;
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
