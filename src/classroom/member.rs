//! The tab's side of the connection: which entries it has, which requests are on their way, and when to connect again.

use super::wire::{
    Farewell, FarewellNext, FromClassServer, Hello, Person, Progress, SeatClaim, ShownToAll, ToClassServer,
    VERSION, Welcome,
};
use super::{Secret, chain};
use protocol::class::{ClassAction, ClassEntry, ClassLesson};
use protocol::{Micros, Pace};
use std::collections::VecDeque;

/// Most requests that wait for the server.
const MAX_WAITING: usize = 200;
/// Milliseconds before the first new attempt to connect, and the longest pause.
const PAUSES: (u32, u32) = (250, 8000);

/// A participant's connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassMember {
    secret: Secret,
    claim: SeatClaim,
    have: Progress,
    /// The time of the last entry.
    time: Micros,
    waiting: VecDeque<(u64, ClassAction)>,
    welcomed: bool,
    attempts: u32,
}

/// What a message means for the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberNews {
    /// The seat is there, for the first time in this tab.
    Seated(Box<Welcome>),
    /// The connection is back. These messages have to be sent again.
    Back(Vec<ToClassServer>),
    /// For the engine.
    Ordered(Vec<ClassEntry>),
    /// For the engine.
    Until(Micros, Pace),
    /// A request was refused: its token, what it was, and why.
    Refused(u64, Option<ClassAction>, String),
    /// For the teacher's panel.
    People(Vec<Person>),
    /// This tab's state differs from the others'.
    Differs(u64),
    /// This seat's hand is up, or down again.
    Hand(bool),
    /// For the engine.
    Lesson(Option<Box<ClassLesson>>, u64),
    /// The teachers who look at this seat's terminals.
    Watched(Vec<String>),
    /// What all see.
    Shown(Option<Box<ShownToAll>>),
    /// The connection ends.
    Ended(Farewell),
}

impl ClassMember {
    /// A participant with the secret of a link.
    #[must_use]
    pub fn new(secret: Secret, claim: SeatClaim) -> Self {
        Self {
            secret,
            claim,
            have: Progress::default(),
            time: Micros::MIN,
            waiting: VecDeque::new(),
            welcomed: false,
            attempts: 0,
        }
    }

    /// The first message of a connection.
    #[must_use]
    pub fn hello(&self) -> ToClassServer {
        ToClassServer::Hello(Box::new(Hello {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            secret: self.secret,
            claim: self.claim.clone(),
            have: self.have,
        }))
    }

    /// The number of the last entry.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.have.number
    }

    /// Number of requests on their way.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes a request. The message is to be sent if there is a connection; otherwise it is sent after the next one begins.
    ///
    /// # Errors
    /// Too many requests wait: this one is handed back.
    pub fn request(&mut self, token: u64, action: ClassAction) -> Result<ToClassServer, ClassAction> {
        if self.waiting.len() >= MAX_WAITING {
            return Err(action);
        }
        self.waiting.push_back((token, action.clone()));
        Ok(ToClassServer::Request { token, action })
    }

    /// The connection was lost. Returns the milliseconds until the next attempt.
    pub fn lost(&mut self) -> u32 {
        let pause = PAUSES.0.saturating_mul(1 << self.attempts.min(5)).min(PAUSES.1);
        self.attempts = self.attempts.saturating_add(1);
        pause
    }

    /// Takes a message of the server. None: it makes no sense, and the connection should be closed.
    pub fn receive(&mut self, message: FromClassServer) -> Option<MemberNews> {
        Some(match message {
            FromClassServer::Welcome(welcome) => {
                self.attempts = 0;
                self.claim = SeatClaim::Seat(welcome.seat, welcome.key);
                // These were ordered before the connection was lost; they come as entries.
                self.waiting.retain(|(token, _)| *token > welcome.token);
                if std::mem::replace(&mut self.welcomed, true) {
                    let again = |(token, action): &(u64, ClassAction)| ToClassServer::Request {
                        token: *token,
                        action: action.clone(),
                    };
                    MemberNews::Back(self.waiting.iter().map(again).collect())
                } else {
                    MemberNews::Seated(welcome)
                }
            }
            FromClassServer::Entries(entries) => {
                for entry in &entries {
                    if entry.number != self.have.number + 1 || entry.time < self.time {
                        return None;
                    }
                    self.have = Progress { number: entry.number, chain: chain(self.have.chain, entry) };
                    self.time = entry.time;
                    if let SeatClaim::Seat(seat, _) = &self.claim
                        && entry.seat == *seat
                    {
                        self.waiting.retain(|(token, _)| *token != entry.token);
                    }
                }
                MemberNews::Ordered(entries)
            }
            FromClassServer::Until(until, pace) => MemberNews::Until(until, pace),
            FromClassServer::Refused { token, why } => {
                let at = self.waiting.iter().position(|(waiting, _)| *waiting == token);
                let action = at.and_then(|at| self.waiting.remove(at)).map(|(_, action)| action);
                MemberNews::Refused(token, action, why)
            }
            FromClassServer::People(people) => MemberNews::People(people),
            FromClassServer::Differs(number) => MemberNews::Differs(number),
            FromClassServer::Hand(up) => MemberNews::Hand(up),
            FromClassServer::Lesson(lesson, from) => MemberNews::Lesson(lesson, from),
            FromClassServer::Watched(names) => MemberNews::Watched(names),
            FromClassServer::Shown(shown) => MemberNews::Shown(shown),
            FromClassServer::Farewell(farewell) => {
                if farewell.next == FarewellNext::Restart {
                    (self.have, self.time, self.welcomed) = (Progress::default(), Micros::MIN, false);
                }
                MemberNews::Ended(farewell)
            }
        })
    }
}
