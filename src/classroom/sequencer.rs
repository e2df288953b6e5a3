//! Orders the inputs of a class.
//!
//! A message is decided on without changing the class: the decision is a list of records and an answer. The caller
//! stores the records, then applies them, then lets the tabs see them. So no tab knows of anything that a restart forgets.

mod lesson;
mod seats;
mod show;

use super::clock::{ClassClock, limited};
use super::flow::FlowVerdict;
use super::hashes::HashReports;
use super::record::Record;
use super::seat::Seat;
use super::wire::{Farewell, FarewellNext, FromClassServer, MAX_BLOCK, Progress, ToClassServer};
use super::{ClassDescription, MAX_BYTES, MAX_ENTRIES, Secret, chain, requests};
use protocol::class::{ClassAction, ClassEntry, ClassLesson};
use protocol::{Micros, Pace};
pub use show::{ShowChange, Showing};

/// Size of a new terminal until the page has informed its own.
const CELLS: (u16, u16) = (80, 24);

/// A class in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequencer {
    class: ClassDescription,
    learner: Secret,
    teacher: Secret,
    seats: Vec<Seat>,
    /// The lesson, and the number of the last entry before its steps count.
    lesson: (Option<Box<ClassLesson>>, u64),
    entries: Vec<ClassEntry>,
    /// [`chain`] up to each entry.
    chains: Vec<u64>,
    bytes: usize,
    clock: ClassClock,
    hashes: HashReports,
    /// What a teacher shows to all.
    showing: Option<Showing>,
}

/// The outcome of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassDecision {
    /// To be stored, and then applied.
    pub records: Vec<Record>,
    /// Answers to this and other seats.
    pub answers: Vec<(u32, FromClassServer)>,
    /// To be applied after the records.
    pub show: ShowChange,
}

impl ClassDecision {
    fn refused(seat: u32, token: u64, why: String) -> Self {
        Self { answers: vec![(seat, FromClassServer::Refused { token, why })], ..Self::default() }
    }

    fn of(records: Vec<Record>) -> Self {
        Self { records, ..Self::default() }
    }
}

fn farewell(next: FarewellNext, why: impl Into<String>) -> Farewell {
    Farewell { why: why.into(), next }
}

impl Sequencer {
    /// A new class at this real time.
    ///
    /// # Errors
    /// The description is out of its bounds.
    pub fn new(class: ClassDescription, learner: Secret, teacher: Secret, real: u64) -> Result<Self, String> {
        class.check()?;
        let clock = ClassClock::new(class.start, real);
        Ok(Self {
            class,
            learner,
            teacher,
            seats: Vec::new(),
            lesson: (None, 0),
            entries: Vec::new(),
            chains: Vec::new(),
            bytes: 0,
            clock,
            hashes: HashReports::default(),
            showing: None,
        })
    }

    /// The class that these records describe.
    ///
    /// # Errors
    /// The records do not begin with a class, or do not follow each other.
    pub fn restore(records: &[Record], real: u64) -> Result<Self, String> {
        let Some((Record::Class { class, learner, teacher }, rest)) = records.split_first() else {
            return Err("it does not begin with a class".to_owned());
        };
        let mut restored = Self::new((**class).clone(), *learner, *teacher, real)?;
        for record in rest {
            let follows = match record {
                Record::Entered(entry) => {
                    entry.number == restored.last() + 1
                        && entry.time >= restored.entries.last().map_or(restored.class.start, |e| e.time)
                        && restored.seat(entry.seat).is_some()
                }
                Record::Class { .. } => false,
                Record::Freed(seat) | Record::Taken { seat, .. } => restored.seat(*seat).is_some(),
                Record::Lesson(lesson) => {
                    lesson.as_deref().is_none_or(|lesson| lesson::check(lesson).is_ok())
                }
                Record::Seated { .. } | Record::Paced(..) | Record::Skipped(_) | Record::Reserved(_) => true,
            };
            if !follows {
                return Err("its records do not follow each other".to_owned());
            }
            restored.apply(record);
        }
        restored.clock.restore(real);
        Ok(restored)
    }

    /// The first record of the class's file.
    #[must_use]
    pub fn first_record(&self) -> Record {
        Record::Class { class: Box::new(self.class.clone()), learner: self.learner, teacher: self.teacher }
    }

    /// The class.
    #[must_use]
    pub const fn class(&self) -> &ClassDescription {
        &self.class
    }

    /// The secrets of the links: of the participants and of the teacher.
    #[must_use]
    pub const fn secrets(&self) -> (Secret, Secret) {
        (self.learner, self.teacher)
    }

    /// The number of the last entry.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The time up to which the worlds may run, and the pace.
    #[must_use]
    pub const fn time(&self) -> (Micros, Pace) {
        (self.clock.until(), self.clock.pace())
    }

    /// The seats.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// A seat by its number.
    #[must_use]
    pub fn seat(&self, number: u32) -> Option<&Seat> {
        self.seats.get(usize::try_from(number.checked_sub(1)?).ok()?)
    }

    fn seat_mut(&mut self, number: u32) -> Option<&mut Seat> {
        self.seats.get_mut(usize::try_from(number.checked_sub(1)?).ok()?)
    }

    /// The next entries after a number, about [`MAX_BLOCK`] bytes.
    #[must_use]
    pub fn block_after(&self, number: u64) -> &[ClassEntry] {
        let rest = self.entries.get(usize::try_from(number).unwrap_or(usize::MAX)..).unwrap_or_default();
        let mut bytes = 0;
        let fits = |entry: &&ClassEntry| {
            let first = bytes == 0;
            bytes += requests::weight(&entry.action);
            first || bytes <= MAX_BLOCK
        };
        &rest[..rest.iter().take_while(fits).count()]
    }

    /// Whether the tab's entries are those of the class.
    fn check_progress(&self, have: Progress) -> Result<(), Farewell> {
        if self.check_chain(have.number) == Some(have.chain) {
            return Ok(());
        }
        Err(farewell(
            FarewellNext::Restart,
            "The server has other inputs than this tab. The tab starts again.",
        ))
    }

    /// [`chain`] up to the entry of this number.
    #[must_use]
    pub fn check_chain(&self, number: u64) -> Option<u64> {
        match number.checked_sub(1) {
            None => Some(Progress::default().chain),
            Some(at) => self.chains.get(usize::try_from(at).ok()?).copied(),
        }
    }

    /// Decides on a message of a seat. `size` is the number of its bytes.
    ///
    /// # Errors
    /// Why the connection ends.
    pub fn receive(
        &mut self,
        seat: u32,
        message: ToClassServer,
        size: usize,
        real: u64,
    ) -> Result<ClassDecision, Farewell> {
        let token = match &message {
            ToClassServer::Request { token, .. } => *token,
            ToClassServer::Hello(_)
            | ToClassServer::Hash { .. }
            | ToClassServer::Pace(_)
            | ToClassServer::Skip(_)
            | ToClassServer::Hand { .. }
            | ToClassServer::Free(_)
            | ToClassServer::Lesson(_)
            | ToClassServer::Look(_)
            | ToClassServer::Show(_) => 0,
        };
        let Some(who) = self.seat_mut(seat) else {
            return Err(farewell(FarewellNext::Stop, "There is no such seat."));
        };
        match who.flow.charge(size, real) {
            FlowVerdict::Within => {}
            FlowVerdict::Over => {
                let why = "That was too much at once. Wait a moment and try again.".to_owned();
                return Ok(ClassDecision::refused(seat, token, why));
            }
            FlowVerdict::Flood => {
                return Err(farewell(
                    FarewellNext::Later,
                    "This tab sent far too much and was disconnected.",
                ));
            }
        }
        match message {
            ToClassServer::Hello(_) => Err(farewell(FarewellNext::Stop, "A greeting comes once.")),
            ToClassServer::Request { token, action } => Ok(self.request(seat, token, action, real)),
            ToClassServer::Hash { number, hash } => {
                let informed = self.hashes.report(seat, number, hash, self.last());
                let answers =
                    informed.into_iter().map(|seat| (seat, FromClassServer::Differs(number))).collect();
                Ok(ClassDecision { answers, ..ClassDecision::default() })
            }
            ToClassServer::Pace(_) | ToClassServer::Skip(_) if !self.leads(seat) => {
                Ok(ClassDecision::refused(seat, 0, "The teacher sets the clock of this class.".to_owned()))
            }
            ToClassServer::Pace(_) | ToClassServer::Skip(_) if self.showing.is_some() => {
                let why = "The clock is paused while something is shown to all. End that first.".to_owned();
                Ok(ClassDecision::refused(seat, 0, why))
            }
            ToClassServer::Pace(pace) => {
                Ok(ClassDecision::of(vec![Record::Paced(limited(pace), self.clock.until())]))
            }
            ToClassServer::Skip(until) => Ok(match self.clock.check_skip(until) {
                Ok(()) => ClassDecision::of(vec![Record::Skipped(until)]),
                Err(why) => ClassDecision::refused(seat, 0, why),
            }),
            ToClassServer::Hand { seat: of, up } => Ok(self.hand(seat, of, up, real)),
            ToClassServer::Free(of) => Ok(self.free(seat, of)),
            ToClassServer::Look(at) => Ok(self.look(seat, at)),
            ToClassServer::Show(what) => Ok(self.show(seat, what)),
            ToClassServer::Lesson(lesson) => Ok(self.choose_lesson(seat, lesson)),
        }
    }

    fn leads(&self, seat: u32) -> bool {
        self.seat(seat).is_some_and(|seat| seat.teacher)
    }

    fn request(&mut self, number: u32, token: u64, action: ClassAction, real: u64) -> ClassDecision {
        let full = self.entries.len() >= MAX_ENTRIES || self.bytes + requests::weight(&action) > MAX_BYTES;
        let (next, time) = (self.last() + 1, self.clock.until());
        let frozen = self.check_show(number, &action);
        let helps = match &action {
            ClassAction::Help { seat, terminal, .. } if self.leads(number) => {
                requests::check_help(self.seat(*seat), *terminal)
            }
            _ => Ok(()),
        };
        let Some(seat) = self.seat_mut(number) else { return ClassDecision::default() };
        // It was ordered already, before the connection was lost.
        if token <= seat.token {
            return ClassDecision::default();
        }
        if full {
            let why = "This class has reached its limit of inputs. Start a new one.".to_owned();
            return ClassDecision::refused(number, token, why);
        }
        if let Err(why) = requests::check(seat, &action).and(helps).and(frozen) {
            return ClassDecision::refused(number, token, why);
        }
        seat.last = Some(real);
        ClassDecision::of(vec![Record::Entered(ClassEntry {
            number: next,
            time,
            seat: number,
            token,
            action,
        })])
    }

    /// Decides on the passing of time: what has to be stored before [`Self::tick`].
    #[must_use]
    pub fn due(&self, real: u64) -> ClassDecision {
        ClassDecision::of(self.clock.needs(real).map(Record::Reserved).into_iter().collect())
    }

    /// Real time passes.
    pub fn tick(&mut self, real: u64) {
        self.clock.tick(real);
    }

    /// Applies a record that was stored.
    pub fn apply(&mut self, record: &Record) {
        match record {
            // The first record; see `restore`.
            Record::Class { .. } => {}
            Record::Seated { name, teacher, key } => {
                let number = u32::try_from(self.seats.len() + 1).unwrap_or(u32::MAX);
                self.seats.push(Seat::new(number, name.clone(), *teacher, *key));
            }
            Record::Freed(seat) => {
                if let Some(seat) = self.seat_mut(*seat) {
                    (seat.freed, seat.visit, seat.hand) = (true, None, None);
                }
            }
            Record::Taken { seat, key } => {
                if let Some(seat) = self.seat_mut(*seat) {
                    (seat.freed, seat.key) = (false, *key);
                }
            }
            Record::Lesson(lesson) => self.lesson = (lesson.clone(), self.last()),
            Record::Entered(entry) => self.enter(entry),
            Record::Paced(pace, at) => self.clock.choose(*pace, *at),
            Record::Skipped(until) => self.clock.skip(*until),
            Record::Reserved(until) => self.clock.reserve(*until),
        }
    }

    fn enter(&mut self, entry: &ClassEntry) {
        let before = self.chains.last().copied().unwrap_or(Progress::default().chain);
        if let Some(seat) = self.seat_mut(entry.seat) {
            seat.token = seat.token.max(entry.token);
            match &entry.action {
                ClassAction::Login { .. } => {
                    seat.logins += 1;
                    seat.terminals.insert(seat.logins);
                }
                ClassAction::Logout(terminal) => {
                    seat.terminals.remove(terminal);
                }
                ClassAction::Enrol(_)
                | ClassAction::Administer(_)
                | ClassAction::Type(..)
                | ClassAction::Resize(..)
                | ClassAction::Save { .. }
                | ClassAction::Announce(_)
                | ClassAction::Prepare { .. }
                | ClassAction::Help { .. } => {}
            }
        }
        // While something is shown to all, only a teacher's command moves the clock.
        let runs = self.showing.is_none() || self.leads(entry.seat);
        self.clock.ordered(entry.time, runs);
        self.bytes += requests::weight(&entry.action);
        self.chains.push(chain(before, entry));
        self.entries.push(entry.clone());
    }
}
