//! The class that this tab belongs to, as signals.

use classroom::wire::Person;
use leptos::prelude::*;

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
    /// The participant's name.
    pub person: String,
    /// This is a teacher's tab.
    pub teacher: bool,
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
            ask: RwSignal::new(None),
        }
    }
}
