//! Sharing a moment: as a link, as a file, or as a part of a participant's results. The engine makes the link.

use crate::i18n::Words;
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::progress::LessonState;
use crate::worker_link::send;
use crate::{download, location, origin, results};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::ToEngine;
use std::cell::RefCell;
use std::collections::VecDeque;
use view::opened_files::moment_file;

/// Gets the fragment of a moment's address, or why there is none.
pub type MomentTaker = Box<dyn FnOnce(Result<String, String>)>;

/// The purpose of a link.
enum LinkUse {
    Clipboard,
    File,
    Results,
    /// For the page around an embedded one.
    Host(MomentTaker),
}

thread_local! {
    /// The purposes of the links that the engine is making, in order.
    static WANTED: RefCell<VecDeque<LinkUse>> = const { RefCell::new(VecDeque::new()) };
}

/// Requests a link to the moment that is shown.
pub fn begin(lesson: LessonState) {
    want(lesson, LinkUse::Clipboard);
}

/// Requests a link to the moment that is shown, as seen in the open panel: the address keeps the panel's state.
pub fn this_view() {
    let passed = origin::lesson().map_or(0, |lesson| lesson.passed);
    WANTED.with_borrow_mut(|wanted| wanted.push_back(LinkUse::Clipboard));
    send(&ToEngine::Share(passed));
}

/// Requests a file of the moment that is shown.
pub fn save(lesson: LessonState) {
    want(lesson, LinkUse::File);
}

/// Requests a file of the participant's results.
pub fn save_results(lesson: LessonState) {
    want(lesson, LinkUse::Results);
}

/// The engine has started, perhaps again after a crash: links that an earlier one was making do not come.
pub fn engine_started() {
    for wanted in WANTED.take() {
        if let LinkUse::Host(take) = wanted {
            take(Err("the engine has started again".to_owned()));
        }
    }
}

/// Requests a link for the page around an embedded one.
pub fn for_host(lesson: LessonState, take: MomentTaker) {
    want(lesson, LinkUse::Host(take));
}

fn want(lesson: LessonState, what: LinkUse) {
    WANTED.with_borrow_mut(|wanted| wanted.push_back(what));
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
    let wanted = WANTED.with_borrow_mut(VecDeque::pop_front).unwrap_or(LinkUse::Clipboard);
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
        (there, LinkUse::Host(take)) => take(there.map(|there| there.fragment().to_owned())),
        (Err(why), LinkUse::Clipboard | LinkUse::File) => {
            page.tell(|w| w.share_failed, why, NoticeOffer::None)
        }
    }
}
