//! A saved session or a link while it is opened: its inputs are replayed in steps, and messages wait.

use super::running::RunningSession;
use super::start::StartContext;
use crate::session::resume::Resuming;
use protocol::{FromEngine, ToEngine};

/// Maximum number of waiting messages.
const MAX_WAITING: usize = 1_000;

/// A session that is being opened.
pub struct OpeningSession {
    resuming: Resuming,
    context: StartContext,
    waiting: Vec<ToEngine>,
}

impl OpeningSession {
    /// A session that is not opened yet.
    pub const fn new(resuming: Resuming, context: StartContext) -> Self {
        Self { resuming, context, waiting: Vec::new() }
    }

    /// Keeps a message until the session is open. A tick, or the question whether the engine is alive, is answered by the
    /// progress.
    pub fn receive(&mut self, message: ToEngine, out: &mut Vec<FromEngine>) {
        match message {
            ToEngine::Tick(_) | ToEngine::Hash => {
                let (done, total) = self.resuming.progress();
                let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                out.push(FromEngine::Opening { done: number(done), total: number(total) });
            }
            ToEngine::Ack(_) => {}
            message if self.waiting.len() < MAX_WAITING => self.waiting.push(message),
            message => drop(message),
        }
    }

    /// Does a step. False when the session can be opened.
    pub fn step(&mut self) -> bool {
        self.resuming.step()
    }

    /// Opens the session. Also returns the messages that waited.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn open(self, out: &mut Vec<FromEngine>) -> (RunningSession, Vec<ToEngine>) {
        let (session, notices) = self.resuming.complete();
        (self.context.begin(session, notices, true, out), self.waiting)
    }
}
