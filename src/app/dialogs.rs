//! Which dialogs are open.

use crate::file_reader::{self, ReadFiles};
use leptos::prelude::*;
use protocol::SiteReport;
use std::sync::Arc;
use view::results::LessonResult;

/// The dialog for a custom site.
#[derive(Clone, Debug)]
pub enum OwnSite {
    /// Files are to be chosen.
    Choose,
    /// The engine is reading them.
    Reading,
    /// The engine's report on the files.
    Read(Arc<SiteReport>),
}

/// A lesson on another host, which is loaded only if the visitor agrees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonElsewhere {
    pub host: String,
    /// Its whole address.
    pub address: String,
}

/// What a picker of the header chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picker {
    Site,
    User,
}

/// The dialogs, as signals.
#[derive(Clone, Copy)]
pub struct Dialogs {
    pub finder: RwSignal<bool>,
    /// The open picker of the header.
    pub picker: RwSignal<Option<Picker>>,
    pub composer: RwSignal<bool>,
    /// The start screen.
    pub start: RwSignal<bool>,
    /// The link for a class.
    pub class_link: RwSignal<bool>,
    /// The card of the tour.
    pub tour: RwSignal<Option<usize>>,
    pub own_site: RwSignal<Option<OwnSite>>,
    /// The participants' results that were opened.
    pub results: RwSignal<Option<Vec<LessonResult>>>,
    /// Files that are not opened yet.
    pub chosen: RwSignal<Option<ReadFiles>>,
    /// The lesson that waits for an answer.
    pub elsewhere: RwSignal<Option<LessonElsewhere>>,
}

impl Dialogs {
    /// All dialogs closed.
    pub fn new() -> Self {
        Self {
            finder: RwSignal::new(false),
            picker: RwSignal::new(None),
            composer: RwSignal::new(false),
            start: RwSignal::new(false),
            class_link: RwSignal::new(false),
            tour: RwSignal::new(None),
            own_site: RwSignal::new(None),
            results: RwSignal::new(None),
            chosen: RwSignal::new(None),
            elsewhere: RwSignal::new(None),
        }
    }

    /// Takes the files of a file input.
    pub fn choose_files(self, event: web_sys::Event) {
        file_reader::chosen(&event, move |files| self.chosen.set(Some(files)));
    }
}
