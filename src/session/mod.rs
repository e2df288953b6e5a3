//! A world with a journal, a pace, keyframes and forks: what the page and the command line drive.

use crate::protocol::{FromEngine, ToEngine};

/// What the web worker drives: a session behind the messages of [`crate::protocol`].
#[derive(Default)]
pub struct Engine {}

impl Engine {
    /// An engine without a session; its first message is [`FromEngine::Ready`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a message. Inputs are queued and journaled, not yet carried out.
    pub fn receive(&mut self, _message: ToEngine) {}

    /// Does a bounded bit of work (some thousand events); true when more is due now.
    pub fn slice(&mut self) -> bool {
        false
    }

    /// What is to be sent to the page, in order. Called before and after each slice.
    pub fn take_messages(&mut self) -> Vec<FromEngine> {
        Vec::new()
    }
}
