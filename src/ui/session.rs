//! The session as the page keeps it: starting it, taking the engine's messages, starting again when the engine died,
//! and keeping all that a reload needs.

use super::i18n::Words;
use super::state::{Listing, Offer, Own, Page, Selection, Terminal};
use super::{editor, embed, files, js, lesson, share, storage, terminal, worker_link};
use crate::base::front;
use crate::base::order::Order as _;
use crate::protocol::{FromEngine, Idle, Micros, Notice, ToEngine};
use crate::view::motd;
use crate::view::recovery::{Entry, Recovery, Verdict};
use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};

/// Seed of the sites' background work, where the address says no other.
const SEED: u64 = 1;
/// The site of whoever comes for the first time.
pub const DEFAULT_SITE: &str = "lab";
/// A Monday morning, when people come to work: 2026-03-02 09:00.
const START: Micros = 1_772_442_000_000_000;

#[derive(Default)]
struct Kept {
    recovery: Recovery<Uint8Array>,
    files: Vec<(String, String)>,
    /// To be written to storage soon.
    dirty: bool,
    /// Deaths without a single message that worked in between.
    deaths: u32,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::new(Kept::default());
}

/// Loads the site's files and what was kept, then starts the engine.
pub fn open(page: Page) {
    worker_link::spawn(page);
    share::fetch();
    let asked = js::address("site");
    if !asked.is_empty() {
        page.site.set(asked);
    }
    spawn_local(async move {
        if let Some(file) = lesson::fetch(page).await
            && let Some(site) = front::value(&file.text, "site")
        {
            page.site.set(site.to_owned());
        }
        let mut files = site_files(page).await;
        let amount = background();
        if amount != "off" && lesson::file().is_none() && share::link().is_none() {
            files.push(("background".to_owned(), amount));
        }
        let place = lesson::place(page);
        // A browser that knows no locks has one tab, as far as anybody knows.
        let alone = js::only_tab(&place).await.ok().and_then(|v| v.as_bool()).unwrap_or(true);
        let embedded = embed::is_embedded();
        storage::set_guest(!alone || embedded);
        if !alone && !embedded {
            page.tell(|w| w.other_tab, String::new(), Offer::None);
        }
        // What another page has framed neither sees nor changes what is kept here.
        let kept = if embedded { Ok(None) } else { storage::session(&place).await };
        let recovery = match kept {
            Ok(None) => Recovery::default(),
            Ok(Some((rest, saved))) => Recovery::from_bytes(&rest, saved.clone()).unwrap_or_else(|| {
                let bytes = saved.map_or(rest, |saved| saved.to_vec());
                page.tell(|w| w.saved_unreadable, String::new(), Offer::Download(Arc::new(bytes)));
                Recovery::default()
            }),
            Err(()) => {
                page.storage_works.set(false);
                Recovery::default()
            }
        };
        KEPT.with_borrow_mut(|kept| *kept = Kept { recovery, files, ..Kept::default() });
        READY.with_borrow_mut(|ready| ready.loaded = true);
        start_if_ready(page);
    });
}

/// The files of the site that is chosen. One of somebody's own that is not in this browser is told, and a site that comes with
/// the page stands in for it.
async fn site_files(page: Page) -> Vec<(String, String)> {
    let site = page.site.get_untracked();
    let own = site.starts_with(crate::protocol::OWN_SITE);
    match js::fetch_site(&site).await {
        Ok(list) => pairs(&list),
        // Its files are in the link.
        Err(_) if own && share::link().is_some() => Vec::new(),
        Err(error) if own => {
            page.tell(|w| w.own_missing, words_of(&error), Offer::None);
            storage::remove("site");
            page.site.set(DEFAULT_SITE.to_owned());
            js::fetch_site(DEFAULT_SITE).await.map(|list| pairs(&list)).unwrap_or_default()
        }
        Err(error) => {
            page.tell(|w| w.site_fetch, words_of(&error), Offer::None);
            Vec::new()
        }
    }
}

/// The seed that the address says.
pub fn seed() -> Option<u64> {
    js::address("seed").parse().ok()
}

/// How much of other people's work there is: as the address says, else as it was chosen, else as on an ordinary day.
pub fn background() -> String {
    let asked = js::address("background");
    let kept = if asked.is_empty() { storage::get("background") } else { Some(asked) };
    kept.unwrap_or_else(|| "normal".to_owned())
}

#[derive(Default)]
struct Ready {
    /// Site and storage were read.
    loaded: bool,
    /// The worker said that it is there.
    worker: bool,
}

thread_local! {
    static READY: RefCell<Ready> = RefCell::new(Ready::default());
}

/// The first message goes only when the worker said that it is there and everything is loaded.
fn start_if_ready(page: Page) {
    let go = READY.with_borrow_mut(|ready| ready.loaded && std::mem::take(&mut ready.worker));
    if go {
        let site = page.site.get_untracked();
        let (start, saved) = KEPT.with_borrow(|kept| {
            let also = (lesson::file(), share::link());
            let start = kept.recovery.start(&site, kept.files.clone(), (seed().unwrap_or(SEED), START), also);
            (start, kept.recovery.saved.clone())
        });
        worker_link::send_start(&start, saved.as_ref());
    }
}

/// `[[name, text], ...]`.
pub fn pairs(list: &JsValue) -> Vec<(String, String)> {
    let text = |value: JsValue| value.as_string().unwrap_or_default();
    Array::from(list)
        .iter()
        .map(|pair| {
            let pair = Array::from(&pair);
            (text(pair.get(0)), text(pair.get(1)))
        })
        .collect()
}

/// What a JavaScript error says.
pub fn words_of(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |e| String::from(e.message()))
}

/// Takes a message of the engine.
pub fn receive(page: Page, message: FromEngine) {
    match message {
        FromEngine::Ready { version: _ } => {
            READY.with_borrow_mut(|ready| ready.worker = true);
            start_if_ready(page);
        }
        FromEngine::Started(started) => {
            terminal::forget_all(page);
            page.started.set(Some(Arc::new(*started)));
            worker_link::send(&untrack(|| page.subscription()));
            worker_link::send(&ToEngine::Options);
            if KEPT.with_borrow(|kept| !kept.recovery.set_aside.is_empty()) {
                // From here on nothing needs to be left out.
                worker_link::send(&ToEngine::Save);
            }
            editor::session_started(page);
        }
        FromEngine::Frame(frame) => page.frame(*frame),
        FromEngine::Lesson(info) => lesson::opened(page, *info),
        FromEngine::Passed(standing) => lesson::passed(page, standing),
        FromEngine::SiteRead(report) => {
            // Who has closed the dialog wants no site.
            if page.own.with_untracked(Option::is_some) {
                page.own.set(Some(Own::Read(Arc::new(*report))));
            }
        }
        FromEngine::Why(why) => page.explained(*why),
        FromEngine::Terminal { tty, output, prompt } => {
            KEPT.with_borrow_mut(|kept| kept.deaths = 0);
            let language = page.lang.get_untracked().code();
            let output = page.started.with_untracked(|started| {
                motd::in_language(output, started.as_ref().map_or(&[], |s| &s.motd), language)
            });
            terminal::output(page, tty, &output, prompt);
        }
        FromEngine::Keys(tty, single) => terminal::single_keys(tty, single),
        FromEngine::Edit(_, path) => editor::edit(page, path),
        FromEngine::Opened { tty, user } => opened(page, tty, user),
        FromEngine::Terminals(open) => other_moment(page, open),
        FromEngine::Closed(tty) => terminal::closed(page, tty),
        FromEngine::Completions { token, start, words } => {
            terminal::completions(page, token, start as usize, &words)
        }
        FromEngine::Files { path, entries, error } => match error {
            None => page.listing.set(Listing { path, entries }),
            Some(error) => page.tell(|w| w.open_failed, format!("{path}: {error}"), Offer::None),
        },
        FromEngine::File { path, text } => editor::file(page, &path, text),
        FromEngine::FileSaved { path, error } => {
            editor::saved(page, &path, error);
            files::refresh(page);
        }
        FromEngine::Lint { token, findings } => editor::lint(page.lang.get_untracked(), token, findings),
        FromEngine::Options(options) => editor::options(options),
        // It comes as it is, to `saved`.
        FromEngine::Saved { .. } => {}
        FromEngine::Link(link) => share::made(page, link),
        FromEngine::Hash(_) => {}
        FromEngine::Journaled { seq, entry, what } => {
            KEPT.with_borrow_mut(|kept| kept.recovery.journaled(Entry { seq, bytes: entry, what }));
            keep_soon(page);
        }
        FromEngine::Notice(notice) => tell(page, notice),
    }
}

/// The engine has saved itself, with what was journaled up to a number; none: with all that is told.
pub fn saved(page: Page, seq: Option<u64>, bytes: Uint8Array) {
    let before = KEPT.with_borrow_mut(|kept| kept.recovery.saved(seq, bytes));
    if let Some(before) = before {
        js::let_go(&before);
    }
    keep_soon(page);
}

fn opened(page: Page, tty: u32, user: String) {
    if page.user.with_untracked(String::is_empty) {
        page.user.set(user.clone());
    }
    page.terminals.update(|all| {
        all.retain(|t| t.tty != tty);
        all.push(Terminal { tty, user: user.clone() });
        all.order_by_key(|t| t.tty);
    });
    if page.awaited.with_untracked(|awaited| awaited.as_ref() == Some(&user)) {
        page.awaited.set(None);
        terminal::bring(page, tty);
    }
    files::refresh(page);
    // A session that started anew may have no terminal for who typed last: whoever has one types then, unless somebody else is to.
    set_timeout(
        move || {
            if untrack(|| page.tty()).is_none() && page.awaited.with_untracked(Option::is_none) {
                page.user.set(user);
            }
        },
        Duration::from_millis(200),
    );
}

/// The terminals of another moment.
fn other_moment(page: Page, open: Vec<(u32, String)>) {
    let open: Vec<Terminal> = open.into_iter().map(|(tty, user)| Terminal { tty, user }).collect();
    terminal::other_moment(page, &open);
    if page.terminals.with_untracked(|all| *all != open) {
        page.terminals.set(open);
    }
    editor::reread(page);
}

fn tell(page: Page, notice: Notice) {
    match notice {
        Notice::SavedUnreadable(why) => {
            let old = KEPT.with_borrow_mut(|kept| std::mem::take(&mut kept.recovery));
            page.tell(|w| w.saved_unreadable, why, Offer::Download(Arc::new(whole(&old))));
        }
        Notice::InputSetAside(what) => page.tell(|w| w.set_aside, what, Offer::None),
        Notice::Bound(what) => page.tell(|w| w.bound, what, Offer::None),
        Notice::Link(what) => page.tell(|w| w.link_failed, what, Offer::None),
        Notice::Idle(why) => page.tell(idle(why), String::new(), Offer::None),
        Notice::Site(what) => page.tell(|w| w.site_trouble, what, Offer::None),
    }
}

/// Why a skip came to nothing, in a line.
const fn idle(why: Idle) -> fn(&Words) -> &'static str {
    match why {
        Idle::NoneWaits => |w| w.idle_start,
        Idle::NoneRuns => |w| w.idle_end,
        Idle::QueueEmpty => |w| w.idle_empty,
        Idle::Past => |w| w.idle_past,
        Idle::TooFar => |w| w.idle_far,
    }
}

/// Writes what is kept to the browser's storage, a moment later and once.
fn keep_soon(page: Page) {
    let first = KEPT.with_borrow_mut(|kept| !std::mem::replace(&mut kept.dirty, true));
    if first {
        set_timeout(move || keep(page), Duration::from_millis(100));
    }
}

/// Writes what is kept to the browser's storage now.
pub fn keep(page: Page) {
    let kept = KEPT.with_borrow_mut(|kept| {
        let dirty = std::mem::take(&mut kept.dirty);
        dirty.then(|| (kept.recovery.to_bytes(), kept.recovery.saved.clone()))
    });
    if let Some((rest, saved)) = kept {
        storage::keep_session(page, lesson::place(page), &rest, saved.as_ref());
    }
}

/// A session's bytes for who wants to have them: what was saved, else the journal.
fn whole(recovery: &Recovery<Uint8Array>) -> Vec<u8> {
    recovery.saved.as_ref().map_or_else(|| recovery.to_bytes(), Uint8Array::to_vec)
}

/// The worker died: a fresh one goes on without the input that is to blame.
pub fn died(page: Page, why: &str) {
    leptos::logging::warn!("the engine died: {why}");
    let (journal, verdict, deaths) = KEPT.with_borrow_mut(|kept| {
        kept.deaths += 1;
        let journal = whole(&kept.recovery);
        (journal, kept.recovery.died(), kept.deaths)
    });
    let offer = Offer::Download(Arc::new(journal));
    match &verdict {
        Verdict::SetAside(what) => page.tell(|w| w.engine_restarted, what.trim().to_owned(), offer),
        Verdict::StartAnew => page.tell(|w| w.engine_anew, why.to_owned(), offer),
    }
    // With nothing left to leave out, another start would fail for ever.
    if deaths > 2 && verdict == Verdict::StartAnew {
        worker_link::stop();
        page.tell(|w| w.engine_stopped, String::new(), Offer::None);
        return;
    }
    keep_soon(page);
    worker_link::spawn(page);
}

/// The person asked for a fresh worker: the last input is left out.
pub fn restart(page: Page) {
    died(page, "restarted by hand");
}

/// Forgets the session and starts anew. Drafts of the editor stay.
pub fn reset(page: Page) {
    worker_link::stop();
    KEPT.with_borrow_mut(|kept| *kept = Kept::default());
    READY.with_borrow_mut(|ready| *ready = Ready::default());
    page.selection.set(Selection::None);
    page.last_job.set(None);
    page.notes.set(Vec::new());
    lesson::begin_again();
    let place = lesson::place(page);
    spawn_local(async move {
        storage::forget_session(&place).await;
        open(page);
    });
}
