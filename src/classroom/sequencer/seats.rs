//! The seats of a class: who gets one, who has it, and what a teacher learns about it.

use super::super::names::check_user_name;
use super::super::record::Record;
use super::super::seat::Seat;
use super::super::wire::{
    ClassLook, Farewell, FarewellNext, FromClassServer, Hello, MAX_NAME, Person, SeatClaim, VERSION, Welcome,
};
use super::super::{ClassDecision, Secret, Sequencer};
use super::{CELLS, farewell};
use protocol::class::ClassAction;

impl Sequencer {
    /// Decides on a greeting. On success, also returns the seat, which has its records only after they are applied.
    /// `fresh` is random.
    ///
    /// # Errors
    /// Why the connection ends.
    pub fn greet(&self, hello: &Hello, fresh: Secret) -> Result<(u32, ClassDecision), Farewell> {
        if hello.version != VERSION || hello.program != env!("CARGO_PKG_VERSION") {
            let (old, new) = (hello.program.chars().take(20).collect::<String>(), env!("CARGO_PKG_VERSION"));
            let why = format!("This tab has version {old} of the program, the class {new}. Reload the page.");
            return Err(farewell(FarewellNext::Stop, why));
        }
        // Both are compared always, so that the time tells nothing.
        let (learner, teacher) = (hello.secret == self.learner, hello.secret == self.teacher);
        if !(learner | teacher) {
            return Err(farewell(FarewellNext::Stop, "This link does not fit the class. Ask for a new one."));
        }
        self.check_progress(hello.have)?;
        match &hello.claim {
            SeatClaim::Seat(number, key) => match self.seat(*number) {
                Some(seat) if seat.key == *key && seat.teacher == teacher && !seat.freed => {
                    Ok((*number, ClassDecision::default()))
                }
                Some(_) | None => {
                    Err(farewell(FarewellNext::Name, "This browser's seat is not known here. Choose a name."))
                }
            },
            SeatClaim::New(name) => {
                let freed = |seat: &&Seat| seat.freed && seat.teacher == teacher && seat.name == *name;
                if let Some(seat) = self.seats.iter().find(freed) {
                    let taken = Record::Taken { seat: seat.number, key: fresh };
                    return Ok((seat.number, ClassDecision::of(vec![taken])));
                }
                let seat =
                    self.new_seat(name, teacher, fresh).map_err(|why| farewell(FarewellNext::Name, why))?;
                Ok((seat.number, self.seating(&seat)))
            }
        }
    }

    fn new_seat(&self, name: &str, teacher: bool, key: Secret) -> Result<Seat, String> {
        if name.len() > MAX_NAME {
            return Err("That name is too long.".to_owned());
        }
        check_user_name(name)?;
        let taken =
            self.seats.iter().any(|seat| seat.name == name) || self.class.taken.iter().any(|t| t == name);
        if taken {
            return Err(format!("{name} is taken. Choose another name."));
        }
        // A teacher always finds room.
        let people = self.seats.iter().filter(|seat| seat.teacher == teacher).count();
        let most = if teacher { 10 } else { self.class.people };
        if people >= usize::try_from(most).unwrap_or(usize::MAX) {
            return Err(format!("All {most} seats of this class are taken."));
        }
        let number = u32::try_from(self.seats.len() + 1).map_err(|_| "The class is full.".to_owned())?;
        Ok(Seat::new(number, name.to_owned(), teacher, key))
    }

    /// The records of a new participant: the seat, the user with an account, and a terminal.
    fn seating(&self, seat: &Seat) -> ClassDecision {
        let seated = Record::Seated { name: seat.name.clone(), teacher: seat.teacher, key: seat.key };
        let login = ClassAction::Login { user: seat.user().to_owned(), columns: CELLS.0, rows: CELLS.1 };
        let mut actions = Vec::new();
        if !seat.teacher {
            actions.push(ClassAction::Enrol(seat.name.clone()));
            actions.push(ClassAction::Administer(self.class.accounting(seat)));
            actions.extend(self.preparation(seat));
        }
        actions.push(login);
        let entered = self.entered(seat.number, actions);
        ClassDecision::of(std::iter::once(seated).chain(entered).collect())
    }

    /// A connection takes a seat. An earlier connection of the seat has lost it.
    pub fn take_seat(&mut self, number: u32, visit: u64) -> Option<Welcome> {
        let (last, class, learner) = (self.last(), self.class.clone(), self.learner);
        let seat = self.seat_mut(number)?;
        (seat.visit, seat.looks) = (Some(visit), ClassLook::Nobody);
        Some(Welcome {
            seat: seat.number,
            name: seat.name.clone(),
            user: seat.user().to_owned(),
            key: seat.key,
            teacher: seat.teacher,
            class,
            token: seat.token,
            last,
            invite: seat.teacher.then_some(learner),
        })
    }

    /// Whether a connection has a seat.
    #[must_use]
    pub fn holds(&self, number: u32, visit: u64) -> bool {
        self.seat(number).is_some_and(|seat| seat.visit == Some(visit))
    }

    /// A connection has ended.
    pub fn leave(&mut self, number: u32, visit: u64) {
        if let Some(seat) = self.seat_mut(number).filter(|seat| seat.visit == Some(visit)) {
            (seat.visit, seat.looks) = (None, ClassLook::Nobody);
        }
    }

    /// A teacher looks at terminals. Only the server's memory knows of it.
    pub(super) fn look(&mut self, by: u32, at: ClassLook) -> ClassDecision {
        match self.seat_mut(by).filter(|seat| seat.teacher) {
            Some(seat) => {
                seat.looks = at;
                ClassDecision::default()
            }
            None => ClassDecision::refused(by, 0, "Only a teacher can do that.".to_owned()),
        }
    }

    /// The names of the teachers who look at a participant's terminals.
    #[must_use]
    pub fn watchers(&self, number: u32) -> Vec<String> {
        let looks = |seat: &&Seat| match seat.looks {
            ClassLook::Nobody => false,
            ClassLook::One(at) => at == number,
            ClassLook::Everyone => true,
        };
        let of_teacher = self.leads(number);
        let watchers = self.seats.iter().filter(looks).filter(|_| !of_teacher);
        watchers.map(|seat| seat.name.clone()).collect()
    }

    /// A hand goes up or down: a participant's own, or that of any participant by a teacher. Only the server's memory knows of it.
    pub(super) fn hand(&mut self, by: u32, of: u32, up: bool, real: u64) -> ClassDecision {
        let allowed = by == of || (self.leads(by) && !up);
        let Some(seat) = self.seat_mut(of).filter(|seat| allowed && !seat.teacher) else {
            let why = "You can raise and lower only your own hand.".to_owned();
            return ClassDecision::refused(by, 0, why);
        };
        // A second press does not change the place in the line.
        seat.hand = if up { seat.hand.or(Some(real)) } else { None };
        ClassDecision { answers: vec![(of, FromClassServer::Hand(up))], ..ClassDecision::default() }
    }

    /// Whether a participant's hand is up.
    #[must_use]
    pub fn has_hand_up(&self, number: u32) -> bool {
        self.seat(number).is_some_and(|seat| seat.hand.is_some())
    }

    /// Whether a seat was freed and is not taken yet.
    #[must_use]
    pub fn is_free(&self, number: u32) -> bool {
        self.seat(number).is_some_and(|seat| seat.freed)
    }

    /// A teacher frees a name: the next tab that chooses it gets the seat, with its user and files.
    pub(super) fn free(&self, by: u32, of: u32) -> ClassDecision {
        match self.seat(of) {
            Some(seat) if self.leads(by) && by != of && !seat.freed => {
                ClassDecision::of(vec![Record::Freed(of)])
            }
            // It is free already.
            Some(seat) if self.leads(by) && seat.freed => ClassDecision::default(),
            Some(_) | None => ClassDecision::refused(by, 0, "You cannot free that name.".to_owned()),
        }
    }

    /// The participants, for a teacher.
    #[must_use]
    pub fn people(&self, real: u64) -> Vec<Person> {
        let person = |seat: &Seat| Person {
            seat: seat.number,
            name: seat.name.clone(),
            teacher: seat.teacher,
            here: seat.visit.is_some(),
            idle: seat.last.map(|last| real.saturating_sub(last) / 1000),
            hand: seat.hand.map(|since| real.saturating_sub(since) / 1000),
            free: seat.freed,
        };
        self.seats.iter().map(person).collect()
    }
}
