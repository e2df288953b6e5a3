//! The messages between a tab and the server: postcard bytes, one message in each WebSocket message.

use super::{ClassDescription, Secret};
use protocol::class::{ClassAction, ClassEntry, ClassLesson};
use protocol::{Micros, Pace};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Raised with every change of these types or of what an entry means. Tab and server must agree.
pub const VERSION: u32 = 5;
/// Largest message in either direction.
pub const MAX_MESSAGE: usize = 512 << 10;
/// About the most bytes of entries in a message.
pub const MAX_BLOCK: usize = 64 << 10;
/// Longest name in a message.
pub const MAX_NAME: usize = 64;

/// From a tab to the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToClassServer {
    /// The first message.
    Hello(Box<Hello>),
    /// The participant wants this. Tokens ascend; a request that is sent again after a lost connection keeps its token.
    Request {
        /// From 1.
        token: u64,
        /// The requested action.
        action: ClassAction,
    },
    /// The hash of the state before an entry.
    Hash {
        /// The entry's number.
        number: u64,
        /// The hash.
        hash: u64,
    },
    /// The teacher sets the clock.
    Pace(Pace),
    /// The teacher skips to a time.
    Skip(Micros),
    /// A hand goes up or down. A teacher can lower the hands of others.
    Hand {
        /// Whose.
        seat: u32,
        /// Up.
        up: bool,
    },
    /// The teacher frees the name of a seat: the next tab that chooses the name gets the seat.
    Free(u32),
    /// The teacher chooses the lesson of the class; none: no lesson.
    Lesson(Option<Box<ClassLesson>>),
    /// The teacher looks at terminals.
    Look(ClassLook),
    /// The teacher shows something to all, or ends that.
    Show(Option<ClassShow>),
}

/// Something that a teacher shows to all, while the clock is paused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClassShow {
    /// The terminal of a participant, by the seat.
    Terminal(u32),
    /// A job, by its id as text.
    Job(String),
}

/// What all see. Each tab draws it from its own world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownToAll {
    /// The name of the teacher who shows it.
    pub by: String,
    /// The name of the terminal's owner; empty for a job.
    pub owner: String,
    /// What it is.
    pub what: ClassShow,
}

/// The terminals that a teacher looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClassLook {
    /// None.
    #[default]
    Nobody,
    /// Those of a seat.
    One(u32),
    /// Those of all participants.
    Everyone,
}

/// The start of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`VERSION`]. It comes first, so that a server reads it whatever follows.
    pub version: u32,
    /// The program's version.
    pub program: String,
    /// The secret of the link.
    pub secret: Secret,
    /// The participant.
    pub claim: SeatClaim,
    /// The entries that the tab has.
    pub have: Progress,
}

/// The participant that a tab belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeatClaim {
    /// A new participant with this name.
    New(String),
    /// The participant of a seat.
    Seat(u32, Secret),
}

/// How far a tab is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The number of its last entry; 0: none.
    pub number: u64,
    /// See [`super::chain`].
    pub chain: u64,
}

impl Default for Progress {
    fn default() -> Self {
        Self { number: 0, chain: base::hash::SEED }
    }
}

/// From the server to a tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromClassServer {
    /// The tab has its seat.
    Welcome(Box<Welcome>),
    /// The next entries.
    Entries(Vec<ClassEntry>),
    /// The world may run to this time, at about this pace.
    Until(Micros, Pace),
    /// A request was refused, with the reason.
    Refused {
        /// Its token; 0 for the clock.
        token: u64,
        /// A sentence.
        why: String,
    },
    /// The participants, for a teacher.
    People(Vec<Person>),
    /// This tab's state at an entry differs from that of most tabs.
    Differs(u64),
    /// The server closes the connection.
    Farewell(Farewell),
    /// Whether this seat's hand is up. It is down at the start of a connection.
    Hand(bool),
    /// The lesson of the class, whose steps count after the entry of this number. There is none at the start of a connection.
    Lesson(Option<Box<ClassLesson>>, u64),
    /// The names of the teachers who look at this seat's terminals. There are none at the start of a connection.
    Watched(Vec<String>),
    /// What all see. There is nothing at the start of a connection.
    Shown(Option<Box<ShownToAll>>),
}

/// Why a connection ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Farewell {
    /// A sentence.
    pub why: String,
    /// What the tab can do.
    pub next: FarewellNext,
}

/// What a tab can do after the end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FarewellNext {
    /// Nothing: the link or the program does not fit.
    Stop,
    /// Choose another name.
    Name,
    /// Start again without entries: the server has others.
    Restart,
    /// Try again later.
    Later,
}

/// The answer to a greeting: the seat and the state of the class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The seat.
    pub seat: u32,
    /// Its name.
    pub name: String,
    /// Its login name.
    pub user: String,
    /// The secret that proves the seat at the next visit.
    pub key: Secret,
    /// It leads the class.
    pub teacher: bool,
    /// The class.
    pub class: ClassDescription,
    /// The token of the seat's last request that was ordered.
    pub token: u64,
    /// The number of the last entry. The tab has caught up when it has it.
    pub last: u64,
    /// For a teacher: the secret of the participants' link.
    pub invite: Option<Secret>,
}

/// A participant, as a teacher sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The seat.
    pub seat: u32,
    /// The name.
    pub name: String,
    /// It is a teacher.
    pub teacher: bool,
    /// Its tab is connected.
    pub here: bool,
    /// Seconds since its last input.
    pub idle: Option<u64>,
    /// Seconds since its hand went up, if it is up.
    pub hand: Option<u64>,
    /// Its name was freed and is not taken yet.
    pub free: bool,
}

/// Encodes a message.
#[must_use]
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Serialising plain data into memory does not fail. An empty message would be refused by the reader.
    postcard::to_allocvec(message).unwrap_or_default()
}

/// Decodes a message from untrusted bytes.
#[must_use]
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    if bytes.len() > MAX_MESSAGE {
        return None;
    }
    match postcard::take_from_bytes::<T>(bytes) {
        Ok((message, [])) => Some(message),
        Ok(_) | Err(_) => None,
    }
}

/// The version in a greeting, also of one with another layout.
#[must_use]
pub fn greeting_version(bytes: &[u8]) -> Option<u32> {
    // The number of the variant `Hello`, which stays the first one.
    let rest = bytes.strip_prefix(&[0])?;
    postcard::take_from_bytes::<u32>(rest).ok().map(|(version, _)| version)
}
