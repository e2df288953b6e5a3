//! Lessons: the list of the course, and the lesson that is open with its steps, hints and solutions. Which one is open stands
//! in the page's address (`?lesson=en/first-job`, an address, or `file`), so that a reload and a link open it again.

mod list;
mod moments;
mod open;
mod pieces;
mod solve;

pub use moments::outcome;
pub use solve::{begin as type_lines, follow};

use super::js;
use super::panels::Panel;
use super::state::{Offer, Page, Zone};
use super::storage;
use crate::protocol::{LessonFile, LessonInfo, Standing};
use crate::ui::follow::{When, flag};
use js_sys::Array;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use wasm_bindgen::JsCast as _;

/// Where the browser's storage has a lesson that came as a file.
const FROM_FILE: &str = "lesson-file";
/// Largest lesson, bytes.
const MAX_FILE: usize = 256 << 10;

thread_local! {
    /// The next session begins where so many steps are done.
    static FROM: Cell<u32> = const { Cell::new(0) };
    static FILE: RefCell<Option<LessonFile>> = const { RefCell::new(None) };
}

/// The panel.
pub fn draw(page: Page) -> AnyView {
    let open = flag(move || page.lesson.with(Option::is_some));
    view! {
        <section class="learn sheet" data-testid="learn" aria-label=page.say(|w| w.learn)>
            <When holds=open fallback=move || list::draw(page)>{move || open::draw(page)}</When>
        </section>
    }
    .into_any()
}

/// The lesson that the page's address names, if it names one; what the session starts from then. Told when it cannot be had.
pub async fn fetch(page: Page) -> Option<LessonFile> {
    let kept = storage::get(FROM_FILE).unwrap_or_default();
    let file = match js::lesson(&kept).await {
        Ok(named) => named.dyn_into::<Array>().ok().map(|pair| LessonFile {
            name: pair.get(0).as_string().unwrap_or_default(),
            text: pair.get(1).as_string().unwrap_or_default(),
            seed: super::session::seed(),
            ..LessonFile::default()
        }),
        Err(error) => {
            page.tell(|w| w.lesson_failed, super::session::words_of(&error), Offer::None);
            None
        }
    };
    let from = FROM.take();
    let file = file.map(|file| LessonFile { passed: done(&file.name).0, from, ..file });
    FILE.set(file.clone());
    file
}

/// Where the session of what is open is kept: each lesson has its own.
pub fn place(page: Page) -> String {
    if let Some(link) = super::share::place() {
        return link;
    }
    let lesson = FILE.with_borrow(|file| file.as_ref().map(|f| format!("lesson/{}", f.name)));
    let place = lesson.unwrap_or_else(|| page.site.get_untracked());
    // Another seed is another cluster.
    super::session::seed().map_or_else(|| place.clone(), |seed| format!("{place}?seed={seed}"))
}

/// A lesson that came as a file is kept and opened.
pub fn open_text(page: Page, text: &str) {
    if text.len() <= MAX_FILE && storage::set(FROM_FILE, text) {
        go(page, "file");
    } else {
        page.tell(|w| w.lesson_failed, format!("{} bytes", text.len()), Offer::None);
    }
}

/// The lesson begins anew where so many steps are done: their solutions are played first.
pub fn begin_at(page: Page, step: u32) {
    FROM.set(step);
    super::session::reset(page);
}

/// The file that is open, as far as it is done.
pub fn file() -> Option<LessonFile> {
    FILE.with_borrow(Clone::clone)
}

/// It begins anew.
pub fn begin_again() {
    FILE.with_borrow_mut(|file| {
        if let Some(file) = file {
            file.passed = 0;
            moments::forget(&file.name);
        }
    });
}

/// The engine has read it.
pub fn opened(page: Page, info: LessonInfo) {
    moments::began(&info.name, info.standing);
    page.passed.set(info.standing.passed);
    page.standing.set(info.standing);
    page.panel.set(Panel::Learn);
    page.zone.set(Zone::Queue);
    page.lesson.set(Some(Arc::new(info)));
}

/// Another step is done, or there are other points.
pub fn passed(page: Page, standing: Standing) {
    let steps = standing.passed;
    super::state::set_if_new(page.passed, steps);
    page.standing.set(standing);
    let total = page.lesson.with_untracked(|l| l.as_ref().map_or(0, |l| l.steps.len()));
    FILE.with_borrow_mut(|file| {
        if let Some(file) = file {
            file.passed = steps;
            moments::passed(&file.name, standing);
            // What cannot be kept is done again another time.
            let _ = storage::set(&key(&file.name), &format!("{steps}/{total}"));
        }
    });
}

fn key(name: &str) -> String {
    format!("passed:{name}")
}

/// Steps of a lesson that are done in this browser, and how many it has.
fn done(name: &str) -> (u32, u32) {
    let kept = storage::get(&key(name)).unwrap_or_default();
    let (steps, total) = kept.split_once('/').unwrap_or_default();
    (steps.parse().unwrap_or(0), total.parse().unwrap_or(0))
}

/// Loads the page anew with this lesson; none: without any.
fn go(page: Page, lesson: &str) {
    super::session::keep(page);
    js::go_to_lesson(lesson);
}
