//! A session behind the messages of [`crate::protocol`], driven by the web worker.
//!
//! The worker hands over messages, then calls [`Engine::slice`] until its few milliseconds are over. An input goes
//! three steps: queued, journaled (its message leaves before anything is carried out, so that the page can set the
//! input aside if the engine dies of it), carried out at the beginning of the next slice.

mod ask;
mod lesson;
mod live;
mod start;
mod travel;
mod why;

use crate::protocol::{FromEngine, Notice, ToEngine, VERSION};
use live::Live;

/// Events in one slice.
const SLICE: u32 = 512;

/// What the web worker drives.
pub struct Engine {
    live: Option<Live>,
    out: Vec<FromEngine>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine without a session; its first message is [`FromEngine::Ready`].
    #[must_use]
    pub fn new() -> Self {
        Self { live: None, out: vec![FromEngine::Ready { version: VERSION }] }
    }

    /// Takes a message. Inputs are queued and journaled, not yet carried out.
    pub fn receive(&mut self, message: ToEngine) {
        match (message, &mut self.live) {
            (ToEngine::Start { version, .. }, _) if version != VERSION => {
                let text = format!(
                    "the page speaks version {version} and the engine {VERSION}: load the page again"
                );
                self.out.push(FromEngine::Notice(Notice::Site(text)));
            }
            (
                ToEngine::Start {
                    version: _,
                    site,
                    files,
                    seed,
                    start,
                    saved,
                    since,
                    set_aside,
                    lesson,
                    link,
                },
                _,
            ) => {
                let request =
                    start::Request { site, files, seed, start, saved, since, set_aside, lesson, link };
                self.live = Some(start::start(request, &mut self.out));
            }
            (message, Some(live)) => live.receive(message, &mut self.out),
            (_, None) => {}
        }
    }

    /// Does a bounded bit of work; true when more is due now.
    pub fn slice(&mut self) -> bool {
        self.live.as_mut().is_some_and(|live| live.slice(SLICE, &mut self.out))
    }

    /// What is to be sent to the page, in order. Called before and after each slice.
    pub fn take_messages(&mut self) -> Vec<FromEngine> {
        std::mem::take(&mut self.out)
    }
}
