//! A class: the connection to its server. What the engine wants is sent there, and the entries and times that come back are
//! passed to the engine. [`classroom::ClassMember`] knows the rules of the connection.

mod board;
mod lesson;
mod look;
mod panel;
mod recording;
mod show;

use crate::class_state::{ClassLine, JoinedClass};
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::progress::LessonState;
use crate::{location, origin, session, storage, worker_link};
use classroom::wire::{FarewellNext, SeatClaim, ToClassServer, Welcome, decode, encode};
use classroom::{ClassMember, MemberNews, Secret};
use gloo_events::EventListener;
use js_sys::{ArrayBuffer, Uint8Array};
use leptos::prelude::*;
pub use panel::{draw, draw_join};
use protocol::ToEngine;
use protocol::class::{ClassAction, ClassSeat, FromClass, ToClass};
use std::cell::RefCell;
use std::time::Duration;
use view::address::ClassLink;
use wasm_bindgen::JsCast as _;
use web_sys::{BinaryType, MessageEvent, WebSocket};

/// The connection of this tab.
struct ClassTab {
    link: ClassLink,
    member: ClassMember,
    socket: Option<WebSocket>,
    listeners: Vec<EventListener>,
    /// The engine has started, and takes entries.
    started: bool,
    /// Messages that arrived before the start.
    held: Vec<ToClass>,
}

thread_local! {
    static TAB: RefCell<Option<ClassTab>> = const { RefCell::new(None) };
}

fn with<T>(f: impl FnOnce(&mut ClassTab) -> T) -> Option<T> {
    TAB.with_borrow_mut(|slot| slot.as_mut().map(f))
}

/// The key of a seat in the browser's storage. A class of the same name with another secret is another class.
fn seat_key(link: &ClassLink) -> String {
    format!("seat/{}/{:016x}", link.name, base::hash::fnv1a(link.secret.as_bytes()))
}

/// The seat of an earlier visit.
fn stored_seat(link: &ClassLink) -> Option<SeatClaim> {
    let text = storage::get(&seat_key(link))?;
    let (seat, key) = text.split_once('.')?;
    Some(SeatClaim::Seat(seat.parse().ok()?, Secret::parse(key)?))
}

/// Begins with the link in the page's address: takes the seat of an earlier visit, or asks for a name.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn begin(page: Page) {
    let Some(link) = origin::class() else { return };
    follow_address(link.clone());
    let Some(secret) = Secret::parse(&link.secret) else {
        page.tell(|w| w.class_ended, String::new(), NoticeOffer::None);
        return;
    };
    match stored_seat(&link) {
        Some(claim) => enter(page, link, secret, claim),
        None => page.class.ask.set(Some(String::new())),
    }
}

/// Loads the page again when another link of a class is opened in this tab: only the fragment differs, which loads nothing.
fn follow_address(link: ClassLink) {
    let another = move |_: &web_sys::Event| {
        if origin::class().is_some_and(|there| there != link) {
            location::reload();
        }
    };
    EventListener::new(&window(), "hashchange", another).forget();
}

/// Joins under a name.
fn join(page: Page, name: &str) {
    let Some(link) = origin::class() else { return };
    let Some(secret) = Secret::parse(&link.secret) else { return };
    if let Err(why) = classroom::check_user_name(name) {
        page.class.ask.set(Some(why));
        return;
    }
    enter(page, link, secret, SeatClaim::New(name.to_owned()));
}

fn enter(page: Page, link: ClassLink, secret: Secret, claim: SeatClaim) {
    let member = ClassMember::new(secret, claim);
    let tab =
        ClassTab { link, member, socket: None, listeners: Vec::new(), started: false, held: Vec::new() };
    TAB.set(Some(tab));
    connect(page);
}

fn connect(page: Page) {
    let Some(url) = with(|tab| location::here().class_socket(&tab.link.name)) else { return };
    let Ok(socket) = WebSocket::new(&url) else { return later(page) };
    socket.set_binary_type(BinaryType::Arraybuffer);
    let listeners = vec![
        EventListener::new(&socket, "open", |_| {
            with(|tab| send(tab, &tab.member.hello()));
        }),
        EventListener::new(&socket, "message", move |event| {
            let bytes = event.dyn_ref::<MessageEvent>().and_then(|e| e.data().dyn_into::<ArrayBuffer>().ok());
            if let Some(bytes) = bytes {
                receive(page, &Uint8Array::new(&bytes).to_vec());
            }
        }),
        EventListener::new(&socket, "close", move |_| later(page)),
    ];
    with(|tab| {
        tab.socket = Some(socket);
        // The earlier ones may be running.
        let old = std::mem::replace(&mut tab.listeners, listeners);
        set_timeout(move || drop(old), Duration::ZERO);
    });
}

/// The connection was lost: tries again after a pause.
fn later(page: Page) {
    if page.class.line.get_untracked() == ClassLine::Ended {
        return;
    }
    let pause = with(|tab| {
        tab.socket = None;
        tab.member.lost()
    });
    let Some(pause) = pause else { return };
    page.class.line.set(ClassLine::Lost);
    set_timeout(move || connect(page), Duration::from_millis(u64::from(pause)));
}

/// Closes the connection for good.
fn end(page: Page) {
    page.class.line.set(ClassLine::Ended);
    if let Some(socket) = with(|tab| tab.socket.take()).flatten() {
        // It may be closed already.
        let _ = socket.close();
    }
}

fn send(tab: &ClassTab, message: &ToClassServer) {
    if let Some(socket) = tab.socket.as_ref().filter(|socket| socket.ready_state() == WebSocket::OPEN) {
        // If it fails, the connection is about to close, and the message is sent again after the next one begins.
        let _ = socket.send_with_u8_array(&encode(message));
    }
}

fn receive(page: Page, bytes: &[u8]) {
    let change = decode(bytes).and_then(|message| with(|tab| tab.member.receive(message)).flatten());
    let Some(change) = change else {
        end(page);
        page.tell(|w| w.class_lost, String::new(), NoticeOffer::Reload);
        return;
    };
    match change {
        MemberNews::Seated(welcome) => seated(page, *welcome),
        MemberNews::Back(again) => {
            page.class.line.set(ClassLine::Open);
            page.class.hand.set(false);
            look::state().watched.set(Vec::new());
            show::shown(page, None);
            look::connected();
            with(|tab| again.iter().for_each(|message| send(tab, message)));
        }
        MemberNews::Ordered(entries) => to_engine(ToClass::Ordered(entries)),
        MemberNews::Until(until, pace) => to_engine(ToClass::Until(until, pace)),
        MemberNews::Refused(0, _, why) => page.tell(|w| w.class_says, why, NoticeOffer::None),
        MemberNews::Refused(token, _, why) => to_engine(ToClass::Refused(token, why)),
        MemberNews::People(people) => page.class.people.set(people),
        MemberNews::Hand(up) => page.class.hand.set(up),
        MemberNews::Watched(names) => look::state().watched.set(names),
        MemberNews::Shown(shown) => show::shown(page, shown.map(|shown| *shown)),
        MemberNews::Lesson(lesson, from) => to_engine(ToClass::Lesson(lesson, from)),
        MemberNews::Differs(number) => {
            page.tell(|w| w.class_differs, format!("#{number}"), NoticeOffer::Reload);
        }
        MemberNews::Ended(farewell) => match farewell.next {
            FarewellNext::Later => {}
            FarewellNext::Restart => location::reload(),
            FarewellNext::Stop => {
                end(page);
                page.tell(|w| w.class_ended, farewell.why, NoticeOffer::Reload);
            }
            FarewellNext::Name => {
                if let Some(tab) = TAB.take() {
                    storage::remove(&seat_key(&tab.link));
                    // Its listeners may be running.
                    set_timeout(move || drop(tab), Duration::ZERO);
                }
                page.class.ask.set(Some(farewell.why));
            }
        },
    }
    count_waiting(page);
}

fn count_waiting(page: Page) {
    let waiting = with(|tab| tab.member.waiting()).unwrap_or(0);
    if page.class.waiting.get_untracked() != waiting {
        page.class.waiting.set(waiting);
    }
}

/// The tab has a seat: starts the engine with the class's site.
fn seated(page: Page, welcome: Welcome) {
    with(|tab| {
        // Without storage, a reload asks for another name.
        let _ = storage::set(&seat_key(&tab.link), &format!("{}.{}", welcome.seat, welcome.key.text()));
    });
    page.class.ask.set(None);
    page.class.line.set(ClassLine::Open);
    page.class.hand.set(false);
    let invite = welcome.invite.map(|secret| location::here().at_class(&welcome.class.name, &secret.text()));
    page.class.joined.set(Some(JoinedClass {
        name: welcome.class.name.clone(),
        background: welcome.class.background.clone(),
        person: welcome.name,
        teacher: welcome.teacher,
        seat: welcome.seat,
        invite: invite.map_or_else(String::new, |link| link.href()),
    }));
    let seat = ClassSeat {
        seat: welcome.seat,
        user: welcome.user,
        teacher: welcome.teacher,
        token: welcome.token + 1,
        last: welcome.last,
    };
    let class = welcome.class;
    session::open_class(page, &class.site, &class.background, (class.seed, class.start), seat);
}

fn to_engine(message: ToClass) {
    let passed = with(|tab| {
        if tab.started {
            return Some(message);
        }
        tab.held.push(message);
        None
    });
    if let Some(message) = passed.flatten() {
        worker_link::send(&ToEngine::Class(message));
    }
}

/// The engine has started: passes it what came meanwhile.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn engine_started() {
    let held = with(|tab| {
        tab.started = true;
        std::mem::take(&mut tab.held)
    });
    held.into_iter().flatten().for_each(|message| worker_link::send(&ToEngine::Class(message)));
}

/// The engine wants something from the server.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn wants(page: Page, lesson: LessonState, message: FromClass) {
    match message {
        FromClass::Request(token, action) => {
            let refused = with(|tab| match tab.member.request(token, action) {
                Ok(message) => {
                    send(tab, &message);
                    false
                }
                Err(_) => true,
            });
            if refused == Some(true) {
                let why = page.prefs.lang.get_untracked().words().class_offline.to_owned();
                to_engine(ToClass::Refused(token, why));
            }
        }
        FromClass::Hash(number, hash) => tell(&ToClassServer::Hash { number, hash }),
        FromClass::Pace(pace) => tell(&ToClassServer::Pace(pace)),
        FromClass::Skip(time) => tell(&ToClassServer::Skip(time)),
        FromClass::Report(work) => {
            page.class.work.set(work);
            return;
        }
        FromClass::Screens(screens) => {
            show::screens(&screens);
            look::state().screens.set(screens);
            return;
        }
        FromClass::Recorded(recorded) => {
            recording::save(page, *recorded);
            return;
        }
        FromClass::Lesson(Ok(chosen)) => tell(&ToClassServer::Lesson(Some(chosen))),
        FromClass::Lesson(Err(why)) => page.tell(|w| w.lesson_failed, why, NoticeOffer::None),
        FromClass::Opened(info) => lesson::opened(page, lesson, info.map(|info| *info)),
        FromClass::Passed(progress) => {
            lesson.passed.set(progress.passed);
            lesson.score.set(progress);
        }
        FromClass::Lost(why) => {
            end(page);
            page.tell(|w| w.class_lost, why, NoticeOffer::Reload);
        }
    }
    count_waiting(page);
}

/// Sends what is not sent again if the connection is lost.
fn tell(message: &ToClassServer) {
    with(|tab| send(tab, message));
}

/// Raises this participant's hand, or lowers it.
fn raise_hand(page: Page, up: bool) {
    if let Some(seat) = page.class.joined.with_untracked(|joined| joined.as_ref().map(|j| j.seat)) {
        tell(&ToClassServer::Hand { seat, up });
    }
}

/// The teacher speaks to all. The engine gives the request its number.
fn announce(text: String) {
    teach(ClassAction::Announce(text));
}

/// The teacher does something without a terminal.
fn teach(action: ClassAction) {
    worker_link::send(&ToEngine::Class(ToClass::Teach(action)));
}
