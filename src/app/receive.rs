//! Receives the engine's messages and passes each to its feature.

use crate::dialogs::OwnSite;
use crate::i18n::Words;
use crate::notices::NoticeOffer;
use crate::page::{ClockState, DirectoryListing, set_if_new};
use crate::state::AppState;
use crate::terminal_state::OpenTerminal;
use crate::worker_link::{EngineListener, send};
use crate::{class, editor, files, lesson, origin, session, share, terminal, worker_link};
use base::order::StableSort as _;
use leptos::prelude::*;
use protocol::{Frame, FromEngine, Idle, ToEngine, UserNotice};
use std::sync::Arc;
use std::time::Duration;
use view::motd;
use view::recovery::JournaledInput;

/// How long the page waits for the current user's terminal when a session starts without one, before it shows
/// another user's.
const USER_TIMEOUT: Duration = Duration::from_millis(200);

/// Registers this module with the worker's link.
pub fn listen(app: AppState) {
    let page = app.page;
    worker_link::listen(EngineListener {
        message: Box::new(move |message| receive(app, message)),
        saved: Box::new(move |seq, bytes| session::saved(page, seq, bytes)),
        died: Box::new(move |why| session::died(page, why)),
    });
}

fn receive(app: AppState, message: FromEngine) {
    let page = app.page;
    match message {
        FromEngine::Ready { version: _ } => session::worker_ready(page),
        FromEngine::Opening { done, total } => page.opening.set(Some((done, total))),
        FromEngine::Unfinished(seqs) => session::unfinished(&seqs),
        FromEngine::Started(started) => {
            page.opening.set(None);
            terminal::forget_all(page);
            page.started.set(Some(Arc::new(*started)));
            send(&untrack(|| app.subscription()));
            send(&ToEngine::Options);
            session::engine_started();
            share::engine_started();
            if origin::class().is_some() {
                class::engine_started();
            }
            editor::session_started(page);
        }
        FromEngine::Frame(frame) => take_frame(app, *frame),
        FromEngine::Lesson(info) => lesson::opened(page, app.lesson(), *info),
        FromEngine::Passed(standing) => lesson::passed(app.lesson(), standing),
        FromEngine::SiteRead(report) => {
            // The dialog may have been closed meanwhile.
            if page.dialogs.own_site.with_untracked(Option::is_some) {
                page.dialogs.own_site.set(Some(OwnSite::Read(Arc::new(*report))));
            }
        }
        FromEngine::Why(why) => app.inspected.explain(*why),
        FromEngine::Terminal { tty, output, prompt } => {
            session::engine_works();
            let language = page.prefs.lang.get_untracked().code();
            let output = page.started.with_untracked(|started| {
                motd::in_language(output, started.as_ref().map_or(&[], |s| &s.motd), language)
            });
            terminal::output(page, tty, &output, prompt);
        }
        FromEngine::Class(message) => class::wants(page, app.lesson(), *message),
        FromEngine::Refused(_, refusal) => terminal::note_refusal(page, refusal),
        FromEngine::Keys(tty, single) => terminal::single_keys(tty, single),
        FromEngine::Edit(_, path) => editor::edit(page, path),
        FromEngine::Opened { tty, user } => terminal_opened(app, tty, user),
        FromEngine::Terminals(open) => other_moment(app, open),
        FromEngine::Closed(tty) => terminal::closed(page, tty),
        FromEngine::Completions { token, start, words } => {
            terminal::completions(page, token, start as usize, &words)
        }
        FromEngine::Files { path, entries, error } => match error {
            None => page.directory.set(DirectoryListing { path, entries }),
            Some(error) => page.tell(|w| w.open_failed, format!("{path}: {error}"), NoticeOffer::None),
        },
        FromEngine::File { path, text } => editor::file(page, &path, text),
        FromEngine::FileSaved { path, error } => {
            editor::saved(page, &path, error);
            files::refresh(page);
        }
        FromEngine::Lint { token, findings } => {
            editor::lint(page.prefs.lang.get_untracked(), token, findings)
        }
        FromEngine::Options(options) => editor::options(options),
        // The bytes come beside the messages, to `session::saved`.
        FromEngine::Saved { .. } => {}
        FromEngine::FoundJobs(typed, rows) => app.found.take(typed, rows),
        FromEngine::Link(link) => share::made(page, app.lesson(), link),
        FromEngine::Hash(_) => {}
        FromEngine::Journaled { seq, entry, what } => {
            session::journaled(page, JournaledInput { seq, bytes: entry, what });
        }
        FromEngine::Notice(notice) => tell(app, notice),
    }
}

fn take_frame(app: AppState, frame: Frame) {
    let clock = ClockState {
        now: frame.now,
        pace: frame.pace,
        paused: frame.paused,
        held: frame.held,
        skipping: frame.skipping,
        past: frame.past,
        behind: frame.behind,
        pending: frame.pending,
        running: frame.running,
    };
    set_if_new(app.page.clock, clock);
    if let Some(machine) = frame.machine {
        app.page.started.update(|started| {
            if let Some(started) = started {
                let started = Arc::make_mut(started);
                (started.nodes, started.partitions, started.switches) =
                    (machine.nodes, machine.partitions, machine.switches);
            }
        });
        // The editor's completion offers names of partitions and nodes.
        send(&ToEngine::Options);
    }
    if let Some(changes) = frame.cluster.filter(|c| c.all || !c.cells.is_empty()) {
        let count = app.page.started.with_untracked(|s| s.as_ref().map_or(0, |s| s.nodes.len()));
        app.nodes.change(changes, count);
    }
    if let Some(queue) = frame.queue {
        set_if_new(app.queue(), queue);
    }
    if let Some(own) = frame.own {
        set_if_new(app.panels.queue.own, own);
    }
    set_if_new(app.inspected.unsubmitted, frame.unsubmitted);
    set_if_new(app.inspected.job, frame.job);
    set_if_new(app.inspected.node, frame.node);
    // A frame without them leaves them as they are.
    if frame.load.is_some() {
        set_if_new(app.load, frame.load);
    }
    if frame.panel.is_some() {
        set_if_new(app.panels.picture, frame.panel);
    }
    if frame.line.is_some() {
        set_if_new(app.line, frame.line);
    }
}

fn terminal_opened(app: AppState, tty: u32, user: String) {
    let page = app.page;
    if page.user.with_untracked(String::is_empty) {
        page.user.set(user.clone());
    }
    page.terminals.open.update(|all| {
        all.retain(|t| t.tty != tty);
        all.push(OpenTerminal { tty, user: user.clone() });
        all.order_by_key(|t| t.tty);
    });
    if page.terminals.awaited.with_untracked(|awaited| awaited.as_ref() == Some(&user)) {
        page.terminals.awaited.set(None);
        terminal::show(page, tty);
    }
    files::refresh(page);
    // A session that starts over may have no terminal for the last user. The user of an open terminal then
    // becomes the current one, unless a terminal was requested.
    set_timeout(
        move || {
            let none = untrack(|| page.tty()).is_none();
            if none && page.terminals.awaited.with_untracked(Option::is_none) {
                page.user.set(user);
            }
        },
        USER_TIMEOUT,
    );
}

/// Another moment is shown, with the terminals that are open in it.
fn other_moment(app: AppState, open: Vec<(u32, String)>) {
    let page = app.page;
    let open: Vec<OpenTerminal> = open.into_iter().map(|(tty, user)| OpenTerminal { tty, user }).collect();
    terminal::other_moment(page, &open);
    if page.terminals.open.with_untracked(|all| *all != open) {
        page.terminals.open.set(open);
    }
    editor::reread(page);
}

fn tell(app: AppState, notice: UserNotice) {
    let page = app.page;
    match notice {
        UserNotice::SavedUnreadable(why) => session::unreadable(page, why),
        UserNotice::Rebuilt(how) => page.tell(|w| w.rebuilt, how, NoticeOffer::None),
        UserNotice::Session(what) => page.tell(|w| w.session_note, what, NoticeOffer::None),
        UserNotice::InputSetAside(what) => page.tell(|w| w.set_aside, what, NoticeOffer::None),
        UserNotice::Bound(what) => page.tell(|w| w.bound, what, NoticeOffer::None),
        UserNotice::Link(what) => page.tell(|w| w.link_failed, what, NoticeOffer::None),
        UserNotice::Idle(why) => page.toast(idle(why), ""),
        UserNotice::Site(what) => page.tell(|w| w.site_trouble, what, NoticeOffer::None),
    }
}

/// Why a skip had no effect.
const fn idle(why: Idle) -> fn(&Words) -> &'static str {
    match why {
        Idle::NoneWaits => |w| w.idle_start,
        Idle::NoneRuns => |w| w.idle_end,
        Idle::QueueEmpty => |w| w.idle_empty,
        Idle::Past => |w| w.idle_past,
        Idle::TooFar => |w| w.idle_far,
        Idle::AtRest => |w| w.idle_rest,
    }
}
