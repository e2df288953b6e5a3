//! Sharing a moment: as a link, as a file, or as a part of a participant's results. The engine makes the link.

use crate::i18n::Words;
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::progress::LessonState;
use crate::worker_link::send;
use crate::{js, origin, results};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::ToEngine;
use std::cell::Cell;
use view::brought::moment_file;
use wasm_bindgen::JsValue;

/// The purpose of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkUse {
    Clipboard,
    File,
    Results,
}

thread_local! {
    /// The purpose of the next link.
    static WANTED: Cell<LinkUse> = const { Cell::new(LinkUse::Clipboard) };
}

/// Requests a link to the moment that is shown.
pub fn begin(lesson: LessonState) {
    want(lesson, LinkUse::Clipboard);
}

/// Requests a file of the moment that is shown.
pub fn save(lesson: LessonState) {
    want(lesson, LinkUse::File);
}

/// Requests a file of the participant's results.
pub fn save_results(lesson: LessonState) {
    want(lesson, LinkUse::Results);
}

fn want(lesson: LessonState, what: LinkUse) {
    WANTED.set(what);
    send(&ToEngine::Share(lesson.passed.get_untracked()));
}

/// Copies the address of the site or lesson at its start. Everyone who opens it starts with the same cluster.
pub fn class(page: Page) {
    let seed = page.started.with_untracked(|s| s.as_ref().map_or(1, |s| s.seed)).to_string();
    spawn_local(async move {
        let site = page.site.get_untracked();
        let copied = js::class_link(&site, &seed, &origin::background()).await;
        tell(page, |w| w.shared_class, &copied);
    });
}

/// Reports that an address is in the clipboard, or shows the address if it cannot be copied.
fn tell(page: Page, word: fn(&Words) -> &'static str, copied: &Result<JsValue, JsValue>) {
    let (word, text): (fn(&Words) -> &'static str, _) = match copied {
        Ok(text) => (word, text),
        Err(link) => (|w| w.share_by_hand, link),
    };
    page.tell(word, text.as_string().unwrap_or_default(), NoticeOffer::None);
}

/// The engine made a link, or reports why it could not.
pub fn made(page: Page, lesson: LessonState, link: Result<Vec<u8>, String>) {
    let wanted = WANTED.replace(LinkUse::Clipboard);
    let site = page.site.get_untracked();
    match (link, wanted) {
        (Ok(bytes), LinkUse::File) => {
            let text = moment_file(&js::moment_query(&bytes, &site));
            js::download(&format!("{site}.sandbatch.txt"), text.as_bytes());
        }
        (Ok(bytes), LinkUse::Results) => results::written(page, lesson, js::moment_query(&bytes, &site)),
        // Results are valid without a moment.
        (Err(_), LinkUse::Results) => results::written(page, lesson, String::new()),
        (Ok(bytes), LinkUse::Clipboard) => spawn_local(async move {
            let copied = js::share_link(&bytes, &site).await;
            tell(page, |w| w.shared, &copied);
        }),
        (Err(why), LinkUse::Clipboard | LinkUse::File) => {
            page.tell(|w| w.share_failed, why, NoticeOffer::None)
        }
    }
}
