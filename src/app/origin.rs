//! The start of the session according to the page's address: a site, a lesson, or a link. It determines the key
//! in the browser's storage: each lesson, link and seed has its own, so opening one never overwrites another.

use crate::dialogs::LessonElsewhere;
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::{fetch, location, storage};
use futures_channel::oneshot;
use leptos::prelude::*;
use protocol::LessonFile;
use std::cell::{Cell, RefCell};
use view::address::{ClassLink, LessonSource, may_load, other_host};

/// Where the browser's storage has a lesson that came as a file.
pub const LESSON_FROM_FILE: &str = "lesson-file";

/// Where the browser's storage has the addresses of lessons on other hosts that the visitor has agreed to, one a line.
const AGREED: &str = "lessons-elsewhere";
/// Most of these.
const MAX_AGREED: usize = 50;

thread_local! {
    /// Takes the visitor's answer.
    static ANSWER: Cell<Option<oneshot::Sender<bool>>> = const { Cell::new(None) };
    /// The lesson on another host that this tab has loaded.
    static LOADED: RefCell<String> = const { RefCell::new(String::new()) };
    /// The step that the next session begins at.
    static FIRST_STEP: Cell<u32> = const { Cell::new(0) };
    static LESSON: RefCell<Option<LessonFile>> = const { RefCell::new(None) };
    static LINK: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Whether another page has framed this one (`www/embed/`).
pub fn is_embedded() -> bool {
    !location::parameter("embed").is_empty()
}

/// The seed in the page's address.
pub fn seed() -> Option<u64> {
    location::parameter("seed").parse().ok()
}

/// The amount of background jobs: from the address, otherwise the user's choice, otherwise a normal day.
pub fn background() -> String {
    let asked = location::parameter("background");
    let kept = if asked.is_empty() { storage::get("background") } else { Some(asked) };
    kept.unwrap_or_else(|| "normal".to_owned())
}

/// The class in the page's address.
pub fn class() -> Option<ClassLink> {
    location::here().class()
}

/// Reads the link in the page's address, if there is one.
pub fn fetch_link() {
    LINK.set(location::here().moment());
}

/// The link's bytes.
pub fn link() -> Option<Vec<u8>> {
    LINK.with_borrow(Clone::clone)
}

/// The storage key of a link's session, made from its checksum.
fn link_place() -> Option<String> {
    LINK.with_borrow(|link| {
        let sum = link.as_ref()?.get(4..8).unwrap_or_default();
        Some(sum.iter().fold("link/".to_owned(), |name, byte| format!("{name}{byte:02x}")))
    })
}

/// Loads the lesson in the page's address, if there is one. A lesson that cannot be loaded becomes a notice.
pub async fn fetch_lesson(page: Page) -> Option<LessonFile> {
    let kept = storage::get(LESSON_FROM_FILE).unwrap_or_default();
    let mut source = location::here().lesson();
    if let LessonSource::Elsewhere(address) = &source
        && !agrees(page, address).await
    {
        location::forget("lesson");
        source = LessonSource::None;
    }
    let file = match fetch::lesson(source, kept).await {
        Ok(named) => {
            named.map(|(name, text)| LessonFile { name, text, seed: seed(), ..LessonFile::default() })
        }
        Err(why) => {
            page.tell(|w| w.lesson_failed, why, NoticeOffer::None);
            None
        }
    };
    let from = FIRST_STEP.take();
    let file = file.map(|file| LessonFile { passed: steps_done(&file.name).0, from, ..file });
    LESSON.set(file.clone());
    file
}

/// Whether a lesson's address may be contacted: one on another host only if the visitor agrees, now or at an earlier visit. A
/// framed page does not remember that.
async fn agrees(page: Page, address: &str) -> bool {
    let Some((address, origin)) = location::absolute(address) else { return true };
    let Some(host) = other_host(&address, &origin) else { return true };
    // Loading one that is not allowed fails with a message, without a request.
    if !may_load(&address, &origin) || LOADED.with_borrow(|loaded| *loaded == address) {
        return true;
    }
    let known = storage::get(AGREED).filter(|_| !is_embedded()).unwrap_or_default();
    if !known.lines().any(|line| line == address) {
        let (sender, answer) = oneshot::channel();
        ANSWER.set(Some(sender));
        page.dialogs.elsewhere.set(Some(LessonElsewhere { host, address: address.clone() }));
        if !answer.await.unwrap_or(false) {
            return false;
        }
        agree(&address);
    }
    LOADED.set(address);
    true
}

/// The visitor has agreed to a lesson's absolute address.
fn agree(address: &str) {
    if is_embedded() {
        return;
    }
    let known = storage::get(AGREED).unwrap_or_default();
    let all = std::iter::once(address).chain(known.lines().filter(|line| *line != address));
    let all: Vec<&str> = all.take(MAX_AGREED).collect();
    // If that cannot be stored, the next visit asks again.
    let _ = storage::set(AGREED, &all.join("\n"));
}

/// The visitor has written a lesson's address by hand, which says yes to it.
pub fn agree_to(address: &str) {
    if let Some((address, _)) = location::absolute(address) {
        agree(&address);
    }
}

/// The visitor's answer to whether the lesson on another host is loaded.
pub fn answer(page: Page, load: bool) {
    page.dialogs.elsewhere.set(None);
    if let Some(sender) = ANSWER.take() {
        // The task that asked is gone if the session has started over.
        let _ = sender.send(load);
    }
}

/// The lesson, with the number of steps that are done.
pub fn lesson() -> Option<LessonFile> {
    LESSON.with_borrow(Clone::clone)
}

/// The next session begins at this step of the lesson: the engine plays the solutions of the steps before.
pub fn begin_at(step: u32) {
    FIRST_STEP.set(step);
}

/// This many of the lesson's steps are done. Returns the lesson's name.
pub fn set_done(steps: u32, total: usize) -> Option<String> {
    LESSON.with_borrow_mut(|lesson| {
        let lesson = lesson.as_mut()?;
        lesson.passed = steps;
        // Steps that cannot be stored are done again at the next visit.
        let _ = storage::set(&done_key(&lesson.name), &format!("{steps}/{total}"));
        Some(lesson.name.clone())
    })
}

/// The lesson starts over. Returns its name.
pub fn forget_steps() -> Option<String> {
    LESSON.with_borrow_mut(|lesson| {
        let lesson = lesson.as_mut()?;
        lesson.passed = 0;
        Some(lesson.name.clone())
    })
}

fn done_key(lesson: &str) -> String {
    format!("passed:{lesson}")
}

/// The steps of a lesson that are done in this browser, and its number of steps.
pub fn steps_done(lesson: &str) -> (u32, u32) {
    let kept = storage::get(&done_key(lesson)).unwrap_or_default();
    let (steps, total) = kept.split_once('/').unwrap_or_default();
    (steps.parse().unwrap_or(0), total.parse().unwrap_or(0))
}

/// The storage key of a session that came as a file, from the name of its contents.
pub fn file_place(id: &str) -> String {
    format!("file/{id}")
}

/// The session's key in the browser's storage.
pub fn session_name(page: Page) -> String {
    if let Some(link) = link_place() {
        return link;
    }
    let file = location::parameter("session");
    if !file.is_empty() {
        return file_place(&file);
    }
    let lesson = LESSON.with_borrow(|lesson| lesson.as_ref().map(|l| format!("lesson/{}", l.name)));
    let name = lesson.unwrap_or_else(|| page.site.get_untracked());
    // Another seed is another cluster.
    seed().map_or_else(|| name.clone(), |seed| format!("{name}?seed={seed}"))
}
