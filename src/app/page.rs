//! The signals that every component may use: the settings, the layout, notices, the session, the terminals, the
//! selection and the dialogs. A signal that only one feature needs is in that feature's module
//! ([`crate::state::AppState`] lists them).

use crate::class_state::ClassState;
use crate::dialogs::Dialogs;
use crate::i18n::{LaterWords, Words};
use crate::notices::{NoticeOffer, Notices};
use crate::preferences::Preferences;
use crate::storage;
use crate::terminal_state::Terminals;
use crate::workspace::{DrawStage, Workspace};
use leptos::prelude::*;
use protocol::{FileEntry, Micros, Started};
use std::sync::Arc;

/// The site of a first visit.
pub const DEFAULT_SITE: &str = "lab";

/// The selection. There is one for the whole page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// A job, by its id as text.
    Job(String),
    /// A node, by its index.
    Node(u32),
}

/// The clock, from the last frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockState {
    pub now: Micros,
    pub pace: u32,
    pub paused: bool,
    /// It runs at real time because someone types.
    pub held: bool,
    pub skipping: bool,
    /// The page shows a moment of the past.
    pub past: bool,
    /// The engine cannot keep the pace.
    pub behind: bool,
    pub pending: u32,
    pub running: u32,
}

/// The directory that the list of files shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DirectoryListing {
    pub path: String,
    pub entries: Vec<FileEntry>,
}

/// The signals that any component may use. Copying it is cheap.
#[derive(Clone, Copy)]
pub struct Page {
    pub prefs: Preferences,
    pub workspace: Workspace,
    pub notices: Notices,
    pub dialogs: Dialogs,
    pub terminals: Terminals,
    pub class: ClassState,
    pub site: RwSignal<String>,
    /// Nodes, partitions and users of the session; none until the engine has started.
    pub started: RwSignal<Option<Arc<Started>>>,
    pub clock: RwSignal<ClockState>,
    /// While a session is opened: the number of inputs that are applied, and of all.
    pub opening: RwSignal<Option<(u32, u32)>>,
    /// The current user.
    pub user: RwSignal<String>,
    pub selection: RwSignal<Selection>,
    pub directory: RwSignal<DirectoryListing>,
}

impl Page {
    /// A page with the settings of an earlier visit.
    pub fn new() -> Self {
        Self {
            prefs: Preferences::new(),
            workspace: Workspace::new(),
            notices: Notices::new(),
            dialogs: Dialogs::new(),
            terminals: Terminals::new(),
            class: ClassState::new(),
            site: RwSignal::new(storage::get("site").unwrap_or_else(|| DEFAULT_SITE.to_owned())),
            started: RwSignal::new(None),
            clock: RwSignal::new(ClockState::default()),
            opening: RwSignal::new(None),
            user: RwSignal::new(String::new()),
            selection: RwSignal::new(Selection::None),
            directory: RwSignal::new(DirectoryListing::default()),
        }
    }

    /// The words of the current language. Reads a signal.
    pub fn t(self) -> &'static Words {
        self.prefs.t()
    }

    /// A number as the current language writes it. Reads a signal.
    pub fn number(self, n: u64) -> String {
        self.prefs.number(n)
    }

    /// A word that follows the current language.
    pub fn say(self, word: fn(&'static Words) -> &'static str) -> Signal<&'static str> {
        self.prefs.say(word)
    }

    /// The words of the deferred module, which alone may call this. Reads a signal.
    pub fn later(self) -> &'static LaterWords {
        self.prefs.lang.get().later()
    }

    /// A word of the deferred module that follows the current language.
    pub fn say_later(self, word: fn(&'static LaterWords) -> &'static str) -> Signal<&'static str> {
        Signal::derive(move || word(self.later()))
    }

    /// Whether a stage is drawn, or may be.
    pub fn drawn(self, stage: DrawStage) -> Memo<bool> {
        self.workspace.drawn(stage)
    }

    /// Shows a notice, unless the same one is there.
    pub fn tell(self, text: fn(&Words) -> &'static str, detail: String, offer: NoticeOffer) {
        self.notices.add(self.prefs.lang.get_untracked().words(), text, detail, offer);
    }

    /// Shows a message that goes by itself.
    pub fn toast(self, text: fn(&Words) -> &'static str, detail: &str) {
        let text = text(self.prefs.lang.get_untracked().words());
        self.notices.toast(format!("{text} {detail}").trim_end().to_owned());
    }

    /// The terminal in front: the one that the current user chose, else their first. Reads signals.
    pub fn tty(self) -> Option<u32> {
        self.terminals.front_of(&self.user.get())
    }

    /// The index of a user, which decides their colour. Reads a signal.
    pub fn user_index(self, user: &str) -> u32 {
        let at = self.started.with(|s| s.as_ref().and_then(|s| s.users.iter().position(|u| u == user)));
        at.and_then(|i| u32::try_from(i).ok()).unwrap_or(9)
    }

    /// Opens a panel. On a narrow screen the inspector covers all of it, so it closes.
    pub fn show_panel(self, name: &'static str) {
        self.workspace.panel.set(name);
        let narrow = web_sys::window().and_then(|w| w.match_media("(max-width: 1180px)").ok().flatten());
        if narrow.is_some_and(|query| query.matches()) {
            self.selection.set(Selection::None);
        }
    }
}

/// Sets a signal only if the value differs, which avoids redrawing.
pub fn set_if_new<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}
