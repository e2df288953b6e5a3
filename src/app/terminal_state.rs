//! The open terminals, and what the page has learnt from their output.

use leptos::prelude::*;
use protocol::Refusal;
use std::collections::VecDeque;

/// A terminal of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTerminal {
    pub tty: u32,
    pub user: String,
}

/// A line that is typed at the next prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingLine {
    /// Whose terminal gets it; none: the one in front.
    pub user: Option<String>,
    pub line: String,
}

/// The terminals, as signals.
#[derive(Clone, Copy)]
pub struct Terminals {
    /// In the order of their numbers.
    pub open: RwSignal<Vec<OpenTerminal>>,
    /// The terminal that was chosen last.
    pub front: RwSignal<Option<u32>>,
    /// The user whose new terminal comes to the front when it opens.
    pub awaited: RwSignal<Option<String>>,
    /// Whether all terminals are shown side by side.
    pub beside: RwSignal<bool>,
    /// Whether the shell in front waits for a command.
    pub prompted: RwSignal<bool>,
    /// Counts the prompts: after each one files may have changed.
    pub prompts: RwSignal<u32>,
    /// Why the last command was refused, until the next one.
    pub refused: RwSignal<Option<Refusal>>,
    /// Whether the next key is one with Ctrl: a phone's keyboard lacks that key.
    pub control: RwSignal<bool>,
    /// The lines that wait for a prompt.
    pub waiting: RwSignal<VecDeque<WaitingLine>>,
    /// The last job that was submitted in this visit.
    pub last_job: RwSignal<Option<String>>,
}

impl Terminals {
    /// No terminal yet.
    pub fn new() -> Self {
        Self {
            open: RwSignal::new(Vec::new()),
            front: RwSignal::new(None),
            awaited: RwSignal::new(None),
            beside: RwSignal::new(false),
            prompted: RwSignal::new(false),
            prompts: RwSignal::new(0),
            refused: RwSignal::new(None),
            control: RwSignal::new(false),
            waiting: RwSignal::new(VecDeque::new()),
            last_job: RwSignal::new(None),
        }
    }

    /// A user's terminal in front: the chosen one, else their first. Reads signals.
    pub fn front_of(self, user: &str) -> Option<u32> {
        let front = self.front.get();
        self.open.with(|all| {
            let mut own = all.iter().filter(|t| t.user == user).map(|t| t.tty);
            let first = own.next();
            if own.any(|tty| Some(tty) == front) { front } else { first }
        })
    }
}
