//! The session in the page: starts the engine, stores what a reload needs, and restarts the engine after a crash.

use crate::crash::{self, SessionRescue};
use crate::notices::NoticeOffer;
use crate::page::{DEFAULT_SITE, Page, Selection};
use crate::storage::KeptSession;
use crate::{fetch, js, location, origin, progress, storage, tab_lock, worker_link};
use base::front;
use base::hash::{fnv1a, more};
use js_sys::Uint8Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::class::ClassSeat;
use protocol::{Micros, Pace, ToEngine};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use view::compare::HISTORY;
use view::opened_files::SessionFile;
use view::recovery::{CrashVerdict, JournaledInput, Recovery};

/// The seed of background jobs, unless the address contains one.
const SEED: u64 = 1;
/// The start of the simulation: 2026-03-02 09:00, a Monday morning.
const START: Micros = 1_772_442_000_000_000;

/// The session as it is stored.
#[derive(Default)]
struct StoredSession {
    recovery: Recovery<Uint8Array>,
    /// The site's files by name.
    files: Vec<(String, String)>,
    /// The site's imported history.
    history: Option<String>,
    /// Whether it is going to be written to storage.
    dirty: bool,
    /// Number of crashes without output in between.
    deaths: u32,
    /// The clock stops when the engine has started again: it crashed without an input.
    pause: bool,
    /// Its key in the browser's storage; empty until it is loaded.
    name: String,
    /// Seed, start and seat of a class.
    class: Option<(u64, Micros, ClassSeat)>,
}

thread_local! {
    static STORED: RefCell<StoredSession> = RefCell::new(StoredSession::default());
}

/// Loads the site's files and the stored session, then starts the engine.
pub fn open(page: Page) {
    worker_link::spawn(page);
    if origin::class().is_some() {
        // The class gives the rest; see `open_class`.
        storage::set_guest(true);
        return;
    }
    origin::fetch_link();
    let asked = location::parameter("site");
    if !asked.is_empty() {
        page.site.set(asked);
    }
    spawn_local(async move {
        if let Some(file) = origin::fetch_lesson(page).await
            && let Some(site) = front::value(&file.text, "site")
        {
            page.site.set(site.to_owned());
        }
        let mut files = site_files(page).await;
        let history = files.iter().position(|(name, _)| name == HISTORY);
        let history = history.map(|at| files.swap_remove(at).1);
        let amount = origin::background();
        if amount != "off" && origin::lesson().is_none() && origin::link().is_none() {
            files.push(("background".to_owned(), amount));
        }
        let name = origin::session_name(page);
        crash::note_site(&name);
        let alone = tab_lock::is_only_tab(&name).await;
        let embedded = origin::is_embedded();
        storage::set_guest(!alone || embedded);
        if !alone && !embedded {
            page.tell(|w| w.other_tab, String::new(), NoticeOffer::None);
        }
        // A framed page neither reads nor writes the browser's storage.
        let kept = if embedded { Ok(KeptSession::None) } else { storage::session(&name).await };
        let mut old = Vec::new();
        let recovery = match kept {
            Ok(KeptSession::None) => Recovery::default(),
            Ok(KeptSession::Some(rest, saved)) => {
                Recovery::from_bytes(&rest, saved.clone()).unwrap_or_else(|| {
                    let key = storage::keep_old(&name, &rest, saved.as_ref());
                    old.push((key, rest, saved));
                    Recovery::default()
                })
            }
            Ok(KeptSession::Strange(key)) => {
                old.push((key, Vec::new(), None));
                Recovery::default()
            }
            Err(()) => {
                page.notices.storage_works.set(false);
                // A storage that works later has an older session, which this one must not replace.
                storage::set_guest(true);
                Recovery::default()
            }
        };
        for (key, rest, saved) in old {
            let offer = NoticeOffer::OldSession(key, file_of(page, rest, saved.as_ref()));
            page.tell(|w| w.saved_unreadable, String::new(), offer);
        }
        STORED.with_borrow_mut(|stored| {
            *stored = StoredSession { recovery, files, history, name, ..StoredSession::default() }
        });
        READY.with_borrow_mut(|ready| ready.loaded = true);
        start_if_ready(page);
        if !embedded {
            offer_old(page).await;
        }
    });
}

/// Offers the sessions of earlier visits that could not be opened.
async fn offer_old(page: Page) {
    let offered = page
        .notices
        .all
        .with_untracked(|all| all.iter().any(|notice| matches!(notice.offer, NoticeOffer::OldSession(..))));
    if offered {
        return;
    }
    for (key, rest, saved) in storage::old_sessions(&origin::session_name(page)).await {
        let offer = NoticeOffer::OldSession(key, file_of(page, rest, saved.as_ref()));
        page.tell(|w| w.old_session, String::new(), offer);
    }
}

/// Opens a session that came as a file, beside those of this browser.
pub fn open_file(page: Page, file: SessionFile) {
    keep(page);
    spawn_local(async move {
        let saved = file.state.as_ref().map(|state| Uint8Array::from(state.as_slice()));
        let sum = file.state.iter().fold(fnv1a(&file.journal), |sum, state| more(sum, state));
        let id = format!("{sum:016x}");
        match storage::put_session(&origin::file_place(&id), &file.journal, saved.as_ref()).await {
            Ok(()) => {
                let site = if file.site.is_empty() { page.site.get_untracked() } else { file.site };
                location::go(&location::here().at_session(&site, &id, &file.seed, &file.background));
            }
            Err(why) => page.tell(|w| w.storage_off, why, NoticeOffer::None),
        }
    });
}

/// Starts the engine for a seat in a class. Nothing of it is stored: the class's server has all inputs.
pub fn open_class(page: Page, site: &str, background: &str, (seed, start): (u64, Micros), seat: ClassSeat) {
    page.site.set(site.to_owned());
    let background = background.to_owned();
    spawn_local(async move {
        let mut files = site_files(page).await;
        if background != "off" {
            files.push(("background".to_owned(), background));
        }
        STORED.with_borrow_mut(|stored| {
            *stored = StoredSession { files, class: Some((seed, start, seat)), ..StoredSession::default() }
        });
        READY.with_borrow_mut(|ready| ready.loaded = true);
        start_if_ready(page);
    });
}

/// The site's files by name, as the session began with them. Empty while they load, and if a link contains them.
pub fn files() -> Vec<(String, String)> {
    STORED
        .with_borrow(|stored| stored.files.iter().filter(|(name, _)| name != "background").cloned().collect())
}

/// The site's imported history, if it has one. The engine does not get it, because a saved session contains the site's files.
pub fn history() -> Option<String> {
    STORED.with_borrow(|stored| stored.history.clone())
}

/// The files of the chosen site. If a custom site is not stored in this browser, shows a notice and loads the
/// default site.
async fn site_files(page: Page) -> Vec<(String, String)> {
    let site = page.site.get_untracked();
    let own = site.starts_with(protocol::OWN_SITE);
    match fetch::site(&site).await {
        Ok(files) => files,
        // The link contains the site's files.
        Err(_) if own && origin::link().is_some() => Vec::new(),
        Err(why) if own => {
            page.tell(|w| w.own_missing, why, NoticeOffer::None);
            storage::remove("site");
            page.site.set(DEFAULT_SITE.to_owned());
            fetch::site(DEFAULT_SITE).await.unwrap_or_default()
        }
        Err(why) => {
            page.tell(|w| w.site_fetch, why, NoticeOffer::None);
            Vec::new()
        }
    }
}

/// The conditions for sending the first message to the engine.
#[derive(Default)]
struct Readiness {
    /// The site and the stored session are loaded.
    loaded: bool,
    /// The worker is running.
    worker: bool,
}

thread_local! {
    static READY: RefCell<Readiness> = RefCell::new(Readiness::default());
}

/// Sends the first message once the worker runs and everything is loaded.
fn start_if_ready(page: Page) {
    let go = READY.with_borrow_mut(|ready| ready.loaded && std::mem::take(&mut ready.worker));
    if go {
        let site = page.site.get_untracked();
        let (start, saved) = STORED.with_borrow(|stored| {
            let also = (origin::lesson(), origin::link());
            let own = (origin::seed().unwrap_or(SEED), START);
            let begins = stored.class.as_ref().map_or(own, |(seed, start, _)| (*seed, *start));
            let seat = stored.class.as_ref().map(|(_, _, seat)| seat.clone());
            let start = stored.recovery.start(&site, stored.files.clone(), begins, also).with_class(seat);
            (start, stored.recovery.saved.clone())
        });
        worker_link::send_start(&start, saved.as_ref());
    }
}

/// The worker is running.
pub fn worker_ready(page: Page) {
    READY.with_borrow_mut(|ready| ready.worker = true);
    start_if_ready(page);
}

/// The engine has read the stored inputs, so those that made it crash need not be left out again.
pub fn engine_started() {
    if STORED.with_borrow_mut(|stored| std::mem::take(&mut stored.pause)) {
        worker_link::send(&ToEngine::Pace(Pace::Paused));
    }
    if STORED.with_borrow(|stored| !stored.recovery.set_aside.is_empty()) {
        worker_link::send(&ToEngine::Save);
    }
}

/// The engine works, so earlier crashes no longer count.
pub fn engine_works() {
    STORED.with_borrow_mut(|stored| stored.deaths = 0);
}

/// Stores an entry of the journal.
pub fn journaled(page: Page, entry: JournaledInput) {
    crash::note_input(&entry.what);
    STORED.with_borrow_mut(|stored| stored.recovery.journaled(entry));
    keep_soon(page);
}

/// These inputs are not finished.
pub fn unfinished(seqs: &[u64]) {
    STORED.with_borrow_mut(|stored| stored.recovery.unfinished(seqs));
}

/// Sets a session aside that this build cannot read, under a key of its own, and offers it for download.
pub fn unreadable(page: Page, why: String) {
    let old = STORED.with_borrow_mut(|stored| std::mem::take(&mut stored.recovery));
    let rest = old.to_bytes();
    let key = storage::keep_old(&origin::session_name(page), &rest, old.saved.as_ref());
    let offer = NoticeOffer::OldSession(key, file_of(page, rest, old.saved.as_ref()));
    page.tell(|w| w.saved_unreadable, why, offer);
}

/// Stores the saved session, which includes the journal up to the entry `seq`, or all of it.
pub fn saved(page: Page, seq: Option<u64>, bytes: Uint8Array) {
    let before = STORED.with_borrow_mut(|stored| stored.recovery.saved(seq, bytes));
    if let Some(before) = before {
        js::free_buffer(&before);
    }
    keep_soon(page);
}

/// Writes the session to the browser's storage soon. Changes until then share one write.
fn keep_soon(page: Page) {
    let first = STORED.with_borrow_mut(|stored| !std::mem::replace(&mut stored.dirty, true));
    if first {
        set_timeout(move || keep(page), Duration::from_millis(100));
    }
}

/// Writes the session to the browser's storage now.
pub fn keep(page: Page) {
    if crash::happened() {
        return;
    }
    let changed = STORED.with_borrow_mut(|stored| {
        let dirty = std::mem::take(&mut stored.dirty);
        dirty.then(|| (stored.recovery.to_bytes(), stored.recovery.saved.clone()))
    });
    if let Some((rest, saved)) = changed {
        storage::keep_session(&origin::session_name(page), &rest, saved.as_ref(), move |stored| {
            page.notices.storage_works.set(stored);
        });
    }
}

/// The page has crashed: stores the session, unless the crash interrupted a change of it. `done` is called with the
/// result.
pub fn rescue(done: Rc<dyn Fn(bool)>) -> SessionRescue {
    let held = storage::holds_session();
    STORED.with(|stored| match stored.try_borrow() {
        _ if storage::is_guest() => SessionRescue::NotStored,
        Ok(stored) if !stored.name.is_empty() => {
            let rest = stored.recovery.to_bytes();
            let saved = stored.recovery.saved.as_ref();
            storage::keep_session(&stored.name, &rest, saved, move |stored| done(stored));
            SessionRescue::Storing
        }
        Ok(_) | Err(_) if held == Some(false) => SessionRescue::NotStored,
        Ok(_) | Err(_) => SessionRescue::AsStored,
    })
}

/// A session's file for a download. The page opens it (`bring`).
fn file_of(page: Page, journal: Vec<u8>, saved: Option<&Uint8Array>) -> Arc<Vec<u8>> {
    let file = SessionFile {
        site: page.site.get_untracked(),
        seed: location::parameter("seed"),
        background: origin::background(),
        journal,
        state: saved.map(Uint8Array::to_vec),
    };
    Arc::new(file.text().into_bytes())
}

/// The worker crashed. A new one continues without the input that caused it.
pub fn died(page: Page, why: &str) {
    leptos::logging::warn!("the engine died: {why}");
    if origin::class().is_some() {
        // Its server has all inputs, and leaving one out would give another world than the others have.
        worker_link::stop();
        page.tell(|w| w.class_lost, why.to_owned(), NoticeOffer::Reload);
        return;
    }
    let (rest, saved, verdict, deaths) = STORED.with_borrow_mut(|stored| {
        stored.deaths += 1;
        let (rest, saved) = (stored.recovery.to_bytes(), stored.recovery.saved.clone());
        let verdict = stored.recovery.died();
        stored.pause = verdict == CrashVerdict::NoInput;
        (rest, saved, verdict, stored.deaths)
    });
    page.notices.engine_answers();
    let offer = NoticeOffer::Download(file_of(page, rest, saved.as_ref()));
    // Without an input to leave out, it would crash again and again.
    if deaths > 2 && verdict == CrashVerdict::NoInput {
        worker_link::stop();
        page.tell(|w| w.engine_stopped, why.to_owned(), offer);
        return;
    }
    match verdict {
        CrashVerdict::SetAside(what) => page.tell(|w| w.engine_restarted, what.trim().to_owned(), offer),
        CrashVerdict::NoInput => page.tell(|w| w.engine_again, why.to_owned(), offer),
    }
    keep_soon(page);
    worker_link::spawn(page);
}

/// The user requested a new worker. It continues without the last input that is not finished.
pub fn restart(page: Page) {
    died(page, "restarted by hand");
}

/// Loads the page with another site. This one's session is stored.
pub fn open_site(page: Page, site: &str) {
    // A choice that cannot be stored is lost at the next visit.
    let _ = storage::set("site", site);
    keep(page);
    location::go(&location::here().at_lesson(""));
}

/// Drops the session and starts over. Drafts in the editor stay.
pub fn reset(page: Page) {
    // A class cannot be started over from here.
    if origin::class().is_some() {
        location::reload();
        return;
    }
    worker_link::stop();
    STORED.with_borrow_mut(|stored| *stored = StoredSession::default());
    READY.with_borrow_mut(|ready| *ready = Readiness::default());
    page.selection.set(Selection::None);
    page.terminals.last_job.set(None);
    page.notices.all.set(Vec::new());
    if let Some(lesson) = origin::forget_steps() {
        progress::forget(&lesson);
    }
    let name = origin::session_name(page);
    spawn_local(async move {
        storage::forget_session(&name).await;
        open(page);
    });
}
