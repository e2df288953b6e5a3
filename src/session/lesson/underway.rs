//! A lesson that somebody does: which steps are done. A step is done when its check holds while it is the next one and the
//! lesson's time is not over.

use super::{Lesson, check};
use crate::protocol::Standing;
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
    /// What was told last.
    told: Standing,
}

impl Underway {
    /// A lesson with so many steps done, on a world with its users.
    #[must_use]
    pub fn new(lesson: Lesson, passed: u32, world: &World) -> Self {
        let user = lesson.user_or(first_user(world));
        let home = world.kernel.users.by_name(&user).map_or_else(|| "/".to_owned(), |u| u.home.clone());
        let most = u32::try_from(lesson.steps.len()).unwrap_or(u32::MAX);
        let told = Standing::default();
        let mut new = Self { lesson, passed: passed.min(most), home, looked: None, rest: 0, told };
        new.told = new.standing(world);
        new
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

    /// How far it is in a world.
    #[must_use]
    pub fn standing(&self, world: &World) -> Standing {
        Standing {
            passed: self.passed,
            at: world.now.0,
            points: self.points(world).iter().sum(),
            over: self.is_over(world),
        }
    }

    /// The points of each line of its score.
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

    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// Looks at the next step if something has happened; what is news then. The past that somebody looks at counts for
    /// nothing.
    #[inline(never)]
    pub fn look(&mut self, session: &Session) -> Option<Standing> {
        let step = session.seen_steps();
        if self.rest > 0 || self.looked == Some(step) || session.looks_back() {
            return None;
        }
        self.looked = Some(step);
        self.rest = PAUSE + u32::try_from(check::effort(session.world()) / PER_MILLI).unwrap_or(u32::MAX);
        self.advance(session.world());
        let mut now = self.standing(session.world());
        if self.told.over {
            // What happens later changes nothing any more.
            now.points = self.told.points;
        }
        let news = Standing { at: self.told.at, ..now } != self.told;
        if !news {
            return None;
        }
        self.told = now;
        Some(now)
    }

    /// Counts what is done by now; true when that is more than before.
    pub fn advance(&mut self, world: &World) -> bool {
        let before = self.passed;
        while !self.is_over(world) && self.next_holds(world) {
            self.passed += 1;
        }
        self.passed > before
    }

    /// The next step counts as done.
    pub const fn pass(&mut self) {
        self.passed += 1;
    }

    /// Only so many steps count as done from now on.
    pub fn go_back(&mut self, passed: u32) {
        self.passed = self.passed.min(passed);
        self.told.over = false;
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
