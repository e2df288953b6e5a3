//! Lessons: the list of the course, and the open lesson with its steps, hints and solutions. The page's address names the
//! lesson (`?lesson=en/first-job`, an address, or `file`), so that a reload and a link open it again.

mod ask;
mod list;
mod open;
mod pieces;

pub use ask::draw as ask;

use crate::follow::{When, flag};
use crate::notices::NoticeOffer;
use crate::page::{Page, set_if_new};
use crate::progress::LessonState;
use crate::workspace::Zone;
use crate::{location, origin, progress, session, storage};
use leptos::prelude::*;
use protocol::{LessonInfo, LessonProgress};
use std::sync::Arc;

/// Largest lesson that can be opened from a file, in bytes.
const MAX_FILE: usize = 256 << 10;

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, lesson: LessonState) -> AnyView {
    let open = flag(move || lesson.info.with(Option::is_some) && !lesson.listed.get());
    view! {
        <section class="learn sheet" data-testid="learn" aria-label=page.say(|w| w.learn)>
            <When holds=open fallback=move || list::draw(page, lesson)>{move || open::draw(page, lesson)}</When>
        </section>
    }
    .into_any()
}

/// Stores a lesson that came as a file, and opens it.
pub fn open_text(page: Page, text: &str) {
    if text.len() <= MAX_FILE && storage::set(origin::LESSON_FROM_FILE, text) {
        go(page, "file");
    } else {
        page.tell(|w| w.lesson_failed, format!("{} bytes", text.len()), NoticeOffer::None);
    }
}

/// Starts the lesson over at a step.
fn begin_at(page: Page, step: u32) {
    origin::begin_at(step);
    session::reset(page);
}

/// The engine has read the lesson.
pub fn opened(page: Page, lesson: LessonState, info: LessonInfo) {
    progress::began(&info.name, info.progress);
    lesson.passed.set(info.progress.passed);
    lesson.score.set(info.progress);
    page.workspace.panel.set("learn");
    page.workspace.zone.set(Zone::Panels);
    lesson.listed.set(false);
    lesson.info.set(Some(Arc::new(info)));
}

/// Another step is done, or the points changed.
pub fn passed(lesson: LessonState, standing: LessonProgress) {
    set_if_new(lesson.passed, standing.passed);
    lesson.score.set(standing);
    let total = lesson.info.with_untracked(|l| l.as_ref().map_or(0, |l| l.steps.len()));
    if let Some(name) = origin::set_done(standing.passed, total) {
        progress::passed(&name, standing);
    }
}

/// Loads the page with a lesson, or without one if the name is empty.
pub fn go(page: Page, lesson: &str) {
    session::keep(page);
    location::go(&location::here().at_lesson(lesson));
}
