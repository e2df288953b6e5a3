//! Notices: the page's messages to the user. [`crate::notice_list`] draws them.

use crate::i18n::Words;
use leptos::prelude::*;
use std::sync::Arc;

/// Maximum number of notices: the newest few are enough to act on.
const MAX_NOTICES: usize = 4;

/// What a notice offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeOffer {
    /// Nothing.
    None,
    /// A download of these bytes, a session's file.
    Download(Arc<Vec<u8>>),
    /// The same for a session that could not be opened. Dismissing the notice removes it from the browser's storage, where
    /// it has this key.
    OldSession(String, Arc<Vec<u8>>),
    /// To restart the engine.
    Restart,
    /// To reload the page.
    Reload,
}

/// A notice.
#[derive(Clone, Debug)]
pub struct PageNotice {
    pub id: u32,
    /// In the current language.
    pub text: fn(&Words) -> &'static str,
    /// The message of the engine or the browser.
    pub detail: String,
    pub offer: NoticeOffer,
}

/// The notices, as signals.
#[derive(Clone, Copy)]
pub struct Notices {
    pub all: RwSignal<Vec<PageNotice>>,
    /// Whether the browser's storage works.
    pub storage_works: RwSignal<bool>,
}

impl Notices {
    /// No notices.
    pub fn new() -> Self {
        Self { all: RwSignal::new(Vec::new()), storage_works: RwSignal::new(true) }
    }

    /// The engine answers again: removes the notice that says it does not.
    pub fn engine_answers(self) {
        self.all.update(|all| all.retain(|notice| notice.offer != NoticeOffer::Restart));
    }

    /// Adds a notice, unless the same one is there.
    pub fn add(self, words: &Words, text: fn(&Words) -> &'static str, detail: String, offer: NoticeOffer) {
        self.all.update(|all| {
            if all.iter().any(|n| n.detail == detail && (n.text)(words) == text(words)) {
                return;
            }
            let id = all.last().map_or(1, |n| n.id + 1);
            all.push(PageNotice { id, text, detail, offer });
            if all.len() > MAX_NOTICES {
                all.remove(0);
            }
        });
    }
}
