//! The class that this tab belongs to, as signals.

use classroom::wire::Person;
use leptos::prelude::*;
use protocol::class::ClassWork;

/// The state of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassLine {
    /// Connected.
    Open,
    /// Lost; another attempt follows.
    Lost,
    /// Over.
    Ended,
}

/// The class that this tab has joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedClass {
    /// The class's name.
    pub name: String,
    /// The amount of background jobs.
    pub background: String,
    /// The participant's name.
    pub person: String,
    /// This is a teacher's tab.
    pub teacher: bool,
    /// The participant's seat.
    pub seat: u32,
    /// For a teacher: the link for participants.
    pub invite: String,
}

/// The class, as signals.
#[derive(Clone, Copy)]
pub struct ClassState {
    /// The class, once the tab has a seat.
    pub joined: RwSignal<Option<JoinedClass>>,
    pub line: RwSignal<ClassLine>,
    /// Number of inputs that wait for the server.
    pub waiting: RwSignal<usize>,
    /// The participants, for a teacher.
    pub people: RwSignal<Vec<Person>>,
    /// The participants' work, for a teacher.
    pub work: RwSignal<Vec<ClassWork>>,
    /// The dashboard is open.
    pub board: RwSignal<bool>,
    /// This participant's hand is up.
    pub hand: RwSignal<bool>,
    /// The dialog that asks for a name, with why the last one was refused.
    pub ask: RwSignal<Option<String>>,
}

impl ClassState {
    /// No class.
    pub fn new() -> Self {
        Self {
            joined: RwSignal::new(None),
            line: RwSignal::new(ClassLine::Open),
            waiting: RwSignal::new(0),
            people: RwSignal::new(Vec::new()),
            work: RwSignal::new(Vec::new()),
            board: RwSignal::new(false),
            hand: RwSignal::new(false),
            ask: RwSignal::new(None),
        }
    }
}
