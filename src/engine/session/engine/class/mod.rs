//! A class: inputs are not applied here and now, but at the numbers and times that the class's server gives them.
//!
//! What the user does becomes a request, which leaves for the server. The entries of all participants come back in order,
//! and the world never runs past the time that the server has given out. Every tab thus computes the same world.
//! A terminal is known to the others by its seat and the number of the seat's login, so that a participant cannot name
//! another's terminal.

mod lesson;
mod pseudonyms;
mod recording;
mod screens;
mod work;

use super::running::{RunningSession, bound};
use crate::session::journal::{HASH_EVERY, shown};
use crate::world::{Input, InputResult};
use base::time::Time;
use host::tty::TtyId;
use lesson::SharedLesson;
use protocol::class::{ClassAction, ClassEntry, ClassSeat, FromClass, ToClass};
use protocol::{FromEngine, Skip, ToEngine};
use recording::ClassRecording;
use std::collections::{BTreeMap, VecDeque};
use work::WorkTracker;

/// Maximum number of requests without an answer.
const MAX_REQUESTS: usize = 500;
/// Size of a new terminal until the page has told its own.
const CELLS: (u16, u16) = (80, 24);

/// The class of a session.
pub struct ClassSession {
    me: ClassSeat,
    entries: VecDeque<ClassEntry>,
    /// The number of the last entry that was received.
    received: u64,
    /// The messages that led to the requests on their way, by token.
    requests: BTreeMap<u64, ToEngine>,
    token: u64,
    /// The entry that is journaled and not applied yet.
    entry: Option<ClassEntry>,
    /// Terminals by seat and number of the login.
    terminals: BTreeMap<(u32, u32), TtyId>,
    logins: BTreeMap<u32, u32>,
    /// The world may run to this time.
    until: Time,
    /// The checkpoint whose hash is being computed.
    checkpoint: Option<u64>,
    /// The page shows this seat's terminals: everything up to the time of its arrival is applied.
    shown: bool,
    /// The entries cannot be applied; nothing more is.
    lost: bool,
    /// The participants' work, in a teacher's tab.
    work: Option<WorkTracker>,
    /// Number of the last entry that was applied.
    applied: u64,
    /// Login names of the participants by seat.
    users: BTreeMap<u32, String>,
    /// The lesson.
    lesson: Option<SharedLesson>,
    /// The terminal of each seat that was typed in last.
    front: BTreeMap<u32, u32>,
    /// The seat whose terminal is shown to all.
    shown_seat: Option<u32>,
    /// A recording that is being made.
    recording: Option<ClassRecording>,
}

impl ClassSession {
    /// The class of a tab that has a seat, at the start of its world.
    pub fn new(me: ClassSeat, now: Time) -> Self {
        Self {
            token: me.token,
            work: me.teacher.then(WorkTracker::default),
            me,
            entries: VecDeque::new(),
            received: 0,
            requests: BTreeMap::new(),
            entry: None,
            terminals: BTreeMap::new(),
            logins: BTreeMap::new(),
            until: now,
            checkpoint: None,
            shown: false,
            lost: false,
            applied: 0,
            users: BTreeMap::new(),
            lesson: None,
            front: BTreeMap::new(),
            shown_seat: None,
            recording: None,
        }
    }

    /// The time up to which the world may run now: to the next entry, or to what the server has given out.
    pub fn limit(&self) -> Time {
        self.entries.front().map_or(self.until, |entry| Time(entry.time))
    }

    /// Real time passes.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub const fn tick(&mut self, millis: u32) {
        if let Some(lesson) = &mut self.lesson {
            lesson.tick(millis);
        }
        if let Some(work) = &mut self.work {
            work.tick(millis);
        }
    }

    /// Whether entries are left to be applied.
    pub fn has_entries(&self) -> bool {
        !self.entries.is_empty() && !self.lost
    }

    /// Whether the page sees a terminal.
    pub fn shows(&self, tty: TtyId) -> bool {
        self.shown && self.own_terminal(tty).is_some()
    }

    /// The number of one of this seat's terminals.
    fn own_terminal(&self, tty: TtyId) -> Option<u32> {
        let mut own = self.terminals.range((self.me.seat, 0)..=(self.me.seat, u32::MAX));
        own.find(|(_, open)| **open == tty).map(|((_, number), _)| *number)
    }

    fn terminal(&self, seat: u32, number: u32) -> TtyId {
        // The world ignores a terminal that does not exist, in every tab alike.
        self.terminals.get(&(seat, number)).copied().unwrap_or(TtyId(u32::MAX))
    }

    /// The input of an entry.
    fn input(&self, entry: &ClassEntry) -> Input {
        let terminal = |number: u32| self.terminal(entry.seat, number);
        match &entry.action {
            ClassAction::Enrol(user) => Input::Enrol(user.clone()),
            ClassAction::Administer(command) => {
                Input::Run { user: "root".to_owned(), command: command.clone() }
            }
            ClassAction::Login { user, columns, rows } => {
                Input::Login { user: user.clone(), columns: *columns, rows: *rows }
            }
            ClassAction::Logout(number) => Input::Logout(terminal(*number)),
            ClassAction::Type(number, bytes) => Input::Type(terminal(*number), bytes.clone()),
            ClassAction::Resize(number, columns, rows) => Input::Resize(terminal(*number), *columns, *rows),
            ClassAction::Save { user, path, text } => {
                Input::Save { user: user.clone(), path: path.clone(), data: text.clone().into_bytes() }
            }
            ClassAction::Announce(text) => Input::Announce(text.clone()),
            ClassAction::Help { seat, terminal, bytes } => {
                Input::Type(self.terminal(*seat, *terminal), bytes.clone())
            }
            ClassAction::Prepare { user, command } => {
                Input::Run { user: user.clone(), command: command.clone() }
            }
        }
    }

    /// The request behind a message; none if the terminal belongs to another participant or is gone.
    fn action(&self, message: &ToEngine) -> Option<ClassAction> {
        let own = |tty: u32| self.own_terminal(TtyId(tty));
        match message {
            ToEngine::Type { tty, bytes } => Some(ClassAction::Type(own(*tty)?, bytes.clone())),
            ToEngine::Resize { tty, columns, rows } => Some(ClassAction::Resize(own(*tty)?, *columns, *rows)),
            ToEngine::Login(user) => {
                Some(ClassAction::Login { user: user.clone(), columns: CELLS.0, rows: CELLS.1 })
            }
            ToEngine::Logout(tty) => Some(ClassAction::Logout(own(*tty)?)),
            ToEngine::SaveFile { user, path, text } => {
                Some(ClassAction::Save { user: user.clone(), path: path.clone(), text: text.clone() })
            }
            _ => None,
        }
    }
}

/// A message to the page about a class.
fn tell(out: &mut Vec<FromEngine>, message: FromClass) {
    out.push(FromEngine::Class(Box::new(message)));
}

impl RunningSession {
    /// Takes a message of the class's server.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn class_message(&mut self, message: ToClass, out: &mut Vec<FromEngine>) {
        let Some(class) = &mut self.class else { return };
        match message {
            ToClass::Ordered(entries) => {
                for entry in entries {
                    let before = class.entries.back().map_or(self.session.world().now, |e| Time(e.time));
                    if entry.number != class.received + 1 || Time(entry.time) < before || class.lost {
                        if !std::mem::replace(&mut class.lost, true) {
                            tell(out, FromClass::Lost(format!("entry {} does not follow", entry.number)));
                        }
                        return;
                    }
                    class.received = entry.number;
                    class.entries.push_back(entry);
                }
            }
            ToClass::Until(until, pace) => {
                class.until = class.until.max(Time(until));
                if self.clock.pace() != pace {
                    self.clock.choose(pace);
                    self.frame.dirty = true;
                }
            }
            ToClass::Lesson(lesson, from) => self.class_lesson(lesson.as_deref(), from, out),
            ToClass::ReadLesson(file) => self.read_class_lesson(&file, out),
            ToClass::Shown(seat) => class.shown_seat = seat,
            ToClass::Screens(seat) => {
                let screens = self.class_screens(seat);
                tell(out, FromClass::Screens(screens));
            }
            ToClass::Record(pseudonyms) => self.begin_recording(pseudonyms),
            ToClass::Report => {
                let work = self.class_work();
                tell(out, FromClass::Report(work));
            }
            ToClass::Teach(action) => {
                let token = class.token;
                class.token += 1;
                tell(out, FromClass::Request(token, action));
            }
            ToClass::Refused(token, why) => {
                match class.requests.remove(&token) {
                    Some(ToEngine::SaveFile { path, .. }) => {
                        out.push(FromEngine::FileSaved { path, error: Some(why) });
                    }
                    Some(ToEngine::Type { tty, bytes }) => {
                        // The page waits for the next prompt.
                        if let Some(screen) = self.session.screen_mut(TtyId(tty)) {
                            screen.typed();
                        }
                        let text = shown(&Input::Type(TtyId(tty), bytes));
                        bound(out, format!("{why} Not sent: {text}"));
                    }
                    Some(_) | None => bound(out, why),
                }
            }
        }
    }

    /// Turns a message that would be an input into a request.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn request(&mut self, message: ToEngine, out: &mut Vec<FromEngine>) {
        let Some(class) = &mut self.class else { return };
        let Some(action) = class.action(&message) else { return };
        if class.requests.len() >= MAX_REQUESTS {
            bound(out, "too many inputs wait for the class's server; the last one was dropped".into());
            return;
        }
        let token = class.token;
        class.token += 1;
        class.requests.insert(token, message);
        tell(out, FromClass::Request(token, action));
    }

    /// A message about the clock or time, which belongs to the teacher. False if it is no such message.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn class_clock(&mut self, message: &ToEngine, out: &mut Vec<FromEngine>) -> bool {
        let Some(class) = &self.class else { return false };
        let teacher = class.me.teacher;
        match message {
            ToEngine::Typing(_) | ToEngine::Save | ToEngine::Skip(Skip::Stop) => {}
            ToEngine::Pace(pace) if teacher => tell(out, FromClass::Pace(*pace)),
            ToEngine::Skip(Skip::Until(time)) if teacher => tell(out, FromClass::Skip(*time)),
            ToEngine::Skip(Skip::NextEvent) if teacher => {
                // Nothing is left to happen, or it is due already.
                let next = self.session.world().next_event().filter(|at| *at > class.until);
                if let Some(next) = next {
                    tell(out, FromClass::Skip(next.0));
                }
            }
            ToEngine::Skip(_) if teacher => {
                bound(out, "in a class, the clock can skip only to a time or to the next event".into());
            }
            ToEngine::Pace(_) | ToEngine::Skip(_) => {
                bound(out, "the teacher sets the clock of this class".into());
            }
            ToEngine::Travel(_) => bound(out, "a class has no way back in time".into()),
            ToEngine::Share(_) => {
                out.push(FromEngine::Link(Err("a moment of a class cannot be shared as a link".into())));
            }
            _ => return false,
        }
        true
    }

    /// Journals the next entry if everything before it has happened. Its message is what this tab asked for, if it did.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn next_ordered(&mut self, out: &mut Vec<FromEngine>) {
        let Some(class) = &mut self.class else { return };
        let world = self.session.world();
        let due = |entry: &ClassEntry| {
            let time = Time(entry.time);
            world.now >= time && world.next_event().is_none_or(|at| at > time)
        };
        if class.lost || class.entry.is_some() || !class.entries.front().is_some_and(due) {
            return;
        }
        let Some(entry) = class.entries.pop_front() else { return };
        class.look_before(entry.seat, &self.session, out);
        class.note_front(&entry);
        let input = class.input(&entry);
        match (&mut class.work, &entry.action, &input) {
            (Some(work), ClassAction::Enrol(user), _) => work.enrol(entry.seat, user),
            (Some(work), ClassAction::Type(_, bytes), Input::Type(tty, _)) => {
                work.types(&self.session, *tty, entry.seat, bytes);
            }
            _ => {}
        }
        let mine = entry.seat == class.me.seat;
        let asked = if mine { class.requests.remove(&entry.token) } else { None };
        let message = match (&entry.action, asked) {
            (_, Some(message)) => message,
            // A terminal of this seat that this tab did not ask for: the first one, or one of an earlier visit.
            (ClassAction::Login { user, .. }, None) if mine => ToEngine::Login(user.clone()),
            // Others' inputs have no answer here.
            (_, None) => ToEngine::Hash,
        };
        let (number, at) = (entry.number, Time(entry.time));
        let action = entry.action.clone();
        class.entry = Some(entry);
        let late = world.now > at;
        if let (ClassAction::Help { bytes, .. }, Input::Type(tty, _)) = (&action, &input) {
            self.show_help(*tty, bytes);
        }
        let Some(class) = &mut self.class else { return };
        let (journaled, _) = self.session.journal_input(input);
        if late || journaled.seq != number {
            class.lost = true;
            tell(out, FromClass::Lost(format!("entry {number} is in the past of this tab")));
            return;
        }
        if number.is_multiple_of(HASH_EVERY) {
            class.checkpoint = Some(number);
        }
        self.put_ready(journaled, message);
    }

    /// After an entry was applied. Returns whether the page gets its result.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn entry_applied(&mut self, applied: &InputResult, out: &mut Vec<FromEngine>) -> bool {
        let Some(class) = &mut self.class else { return true };
        let Some(entry) = class.entry.take() else { return true };
        class.applied = entry.number;
        match (&entry.action, applied) {
            (ClassAction::Login { .. }, applied) => {
                let number = class.logins.entry(entry.seat).or_insert(0);
                *number += 1;
                if let InputResult::Terminal(tty) = applied {
                    class.terminals.insert((entry.seat, *number), *tty);
                }
            }
            (ClassAction::Enrol(user), _) => class.enrolled(entry.seat, user, self.session.world(), out),
            (ClassAction::Logout(number), _) => {
                class.terminals.remove(&(entry.seat, *number));
            }
            _ => {}
        }
        let mine = entry.seat == class.me.seat;
        let arrived = !class.shown && entry.number >= class.me.last;
        let answers = mine && class.shown;
        if arrived {
            self.show_class_terminals(out);
        }
        answers
    }

    /// Everything before this tab's arrival is applied: shows its terminals, with what they have printed.
    fn show_class_terminals(&mut self, out: &mut Vec<FromEngine>) {
        let Some(class) = &mut self.class else { return };
        class.shown = true;
        let open: Vec<(TtyId, String)> = self
            .session
            .terminals()
            .filter(|(tty, _)| class.own_terminal(*tty).is_some())
            .map(|(tty, screen)| (tty, screen.user.clone()))
            .collect();
        for (tty, user) in open {
            if let Some(screen) = self.session.screen_mut(tty) {
                screen.replay();
            }
            out.push(FromEngine::Opened { tty: tty.0, user });
        }
    }

    /// Drops the output of a terminal that belongs to another participant. False if it is shown here.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn is_hidden(&mut self, tty: TtyId) -> bool {
        let Some(class) = &self.class else { return false };
        if class.shows(tty) {
            return false;
        }
        let gone = !self.session.world().logged_in(tty);
        if let Some(screen) = self.session.screen_mut(tty) {
            screen.take(usize::MAX);
            screen.take_lost();
        }
        if gone {
            self.session.drop_terminal(tty);
        }
        true
    }

    /// A terminal of this seat has ended: informs the server, which counts open terminals.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn class_terminal_ended(&mut self, tty: TtyId, out: &mut Vec<FromEngine>) {
        if self.class.is_some() {
            self.request(ToEngine::Logout(tty.0), out);
        }
    }

    /// Reports the hash of the last checkpoint once it is computed.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn report_checkpoint(&mut self, out: &mut Vec<FromEngine>) {
        let Some(class) = &mut self.class else { return };
        let Some(number) = class.checkpoint else { return };
        let journal = self.session.journal();
        let entry = journal.index_after(number).checked_sub(1).and_then(|at| journal.entries().get(at));
        match entry.filter(|entry| entry.seq == number) {
            Some(entry) => {
                if let Some(hash) = entry.hash {
                    class.checkpoint = None;
                    tell(out, FromClass::Hash(number, hash));
                }
            }
            None => class.checkpoint = None,
        }
    }
}
