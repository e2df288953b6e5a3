//! Sharing a moment: as a link, as a file, or as a part of a participant's results. The engine makes the link.

use crate::i18n::Words;
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::progress::LessonState;
use crate::worker_link::send;
use crate::{download, location, results};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::ToEngine;
use std::cell::Cell;
use view::opened_files::moment_file;

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

/// Copies a link and says so, or shows the link if it cannot be copied.
pub fn copy(page: Page, word: fn(&Words) -> &'static str, link: String, shown: String) {
    spawn_local(async move {
        if location::copy(&link).await {
            page.toast(word, &shown);
        } else {
            page.tell(|w| w.share_by_hand, link, NoticeOffer::None);
        }
    });
}

/// The engine made a link, or reports why it could not.
pub fn made(page: Page, lesson: LessonState, link: Result<Vec<u8>, String>) {
    let wanted = WANTED.replace(LinkUse::Clipboard);
    let site = page.site.get_untracked();
    let there = link.map(|bytes| location::here().at_moment(&bytes, &site));
    match (there, wanted) {
        (Ok(there), LinkUse::File) => {
            let text = moment_file(&there.query_and_fragment());
            download::bytes(&format!("{site}.sandbatch.txt"), text.as_bytes());
        }
        (Ok(there), LinkUse::Results) => results::written(page, lesson, there.query_and_fragment()),
        // Results are valid without a moment.
        (Err(_), LinkUse::Results) => results::written(page, lesson, String::new()),
        (Ok(there), LinkUse::Clipboard) => {
            let size = format!("{:.1} kB", there.link_length() as f64 / 1000.0);
            copy(page, |w| w.shared, there.href(), size);
        }
        (Err(why), LinkUse::Clipboard | LinkUse::File) => {
            page.tell(|w| w.share_failed, why, NoticeOffer::None)
        }
    }
}
