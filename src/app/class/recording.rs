//! The class as a recording: a session's file, which any page opens without a server.

use super::to_engine;
use crate::download;
use crate::page::Page;
use leptos::prelude::*;
use protocol::class::{RecordedClass, ToClass};
use view::opened_files::SessionFile;

/// Asks the engine for the recording, which takes a while with pseudonyms.
pub fn ask(page: Page, pseudonyms: bool) {
    page.notices.toast(page.prefs.lang.get_untracked().later().class_recording_begins.to_owned());
    to_engine(ToClass::Record(pseudonyms));
}

/// The engine has made it: saves the file.
pub fn save(page: Page, recorded: RecordedClass) {
    let RecordedClass { session, kept } = recorded;
    let (name, background) = page.class.joined.with_untracked(|joined| {
        joined.as_ref().map(|j| (j.name.clone(), j.background.clone())).unwrap_or_default()
    });
    let file = SessionFile::of_recording(page.site.get_untracked(), background, session);
    download::bytes(&format!("{name}.sandbatch.txt"), file.text().as_bytes());
    if !kept.is_empty() {
        let text = page.prefs.lang.get_untracked().later().class_recording_kept;
        page.notices.toast(format!("{text} {}", kept.join(", ")));
    }
}
