//! Notices: the page's messages to the user. What needs an answer is a banner that stays. What only confirms goes by itself.
//! [`crate::notice_list`] draws both.

use crate::i18n::Words;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of notices: the newest few are enough to act on.
const MAX_NOTICES: usize = 4;

/// Maximum number of toasts.
const MAX_TOASTS: usize = 3;
/// How long a toast stays.
const TOAST: Duration = Duration::from_secs(8);

/// A message that goes by itself: something worked, or there was nothing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    pub id: u32,
    pub text: String,
}

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
    pub toasts: RwSignal<Vec<Toast>>,
    /// Whether the browser's storage works.
    pub storage_works: RwSignal<bool>,
}

impl Notices {
    /// No notices.
    pub fn new() -> Self {
        Self {
            all: RwSignal::new(Vec::new()),
            toasts: RwSignal::new(Vec::new()),
            storage_works: RwSignal::new(true),
        }
    }

    /// Adds a toast. One with the same text begins again.
    pub fn toast(self, text: String) {
        let id = self.toasts.with_untracked(|all| all.last().map_or(1, |toast| toast.id + 1));
        self.toasts.update(|all| {
            all.retain(|toast| toast.text != text);
            all.push(Toast { id, text });
            if all.len() > MAX_TOASTS {
                all.remove(0);
            }
        });
        set_timeout(move || self.drop_toast(id), TOAST);
    }

    /// Removes a toast.
    pub fn drop_toast(self, id: u32) {
        if self.toasts.with_untracked(|all| all.iter().any(|toast| toast.id == id)) {
            self.toasts.update(|all| all.retain(|toast| toast.id != id));
        }
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
