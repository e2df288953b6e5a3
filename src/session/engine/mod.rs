//! A session behind the messages of [`crate::protocol`], driven by the web worker.
//!
//! The worker hands over messages, then calls [`Engine::slice`] until its few milliseconds are over. An input goes
//! three steps: queued, journaled (its message leaves before anything is carried out, so that the page can set the
//! input aside if the engine dies of it), carried out at the beginning of the next slice.

mod ask;
mod lesson;
mod live;
mod own_site;
mod saving;
mod stand_in;
mod start;
mod travel;
mod why;

use crate::protocol::{FromEngine, Notice, ToEngine, VERSION};
use live::Live;
use stand_in::StandIn;

/// Events in one slice: two or three milliseconds of the page's worker where all of them start jobs.
const SLICE: u32 = 8;

/// What the web worker drives.
pub struct Engine {
    live: Option<Live>,
    stand_in: Option<StandIn>,
    rest: Rest,
    /// All of the page is drawn.
    drawn: bool,
    out: Vec<FromEngine>,
}

/// Where the rest of the program is: what the build splits off, as it is not needed for the first prompt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// Nobody has asked for it.
    Away,
    /// It is being loaded.
    Coming,
    /// It was loaded.
    Here,
    /// It could not be loaded: whoever needs it tries again, while everything else waits.
    Failed,
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
        let out = vec![FromEngine::Ready { version: VERSION }];
        Self { live: None, stand_in: None, rest: Rest::Away, drawn: false, out }
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
                let mut request =
                    start::Request { site, files, seed, start, saved, since, set_aside, lesson, link };
                self.stand_in = if self.rest == Rest::Here { None } else { StandIn::of(&mut request) };
                self.live = Some(start::start(request, &mut self.out));
            }
            (ToEngine::Drawn, _) => self.drawn = true,
            (ToEngine::ReadSite(files), _) => {
                self.out.push(FromEngine::SiteRead(Box::new(own_site::read(files))));
            }
            (message, Some(live)) => {
                let taken = match &mut self.stand_in {
                    Some(stand_in) => stand_in.take(message),
                    None => Some(message),
                };
                if let Some(message) = taken {
                    live.receive(message, &mut self.out);
                }
            }
            (_, None) => {}
        }
    }

    /// Whether the whole program is needed for a message at once: a session's past, a lesson and a link are not in its first half.
    #[must_use]
    pub const fn needs_all(message: &ToEngine) -> bool {
        let ToEngine::Start { saved, since, lesson, link, .. } = message else { return false };
        saved.is_some() || !since.is_empty() || lesson.is_some() || link.is_some()
    }

    /// Whether the rest of the program is to be loaded now, beside the work; it is said once. Somebody waits for it, or nobody
    /// minds: whoever waits for a shell has it, and all of the page is drawn.
    pub fn wants_rest(&mut self) -> bool {
        let in_nobodys_way = self.drawn && self.live.as_ref().is_some_and(Live::is_prompted);
        let wanted = self.stand_in.as_ref().is_some_and(StandIn::is_wanted);
        let now = self.rest == Rest::Away && (in_nobodys_way || wanted);
        if now {
            self.rest = Rest::Coming;
        }
        now
    }

    /// The rest of the program was loaded, or could not be: whatever stands in for something that needs it makes room, once the
    /// prompt is out.
    pub const fn rest_came(&mut self, loaded: bool) {
        self.rest = if loaded { Rest::Here } else { Rest::Failed };
    }

    /// Does a bounded bit of work; true when more is due now.
    pub fn slice(&mut self) -> bool {
        let Some(live) = &mut self.live else { return false };
        let rest = self.rest;
        let goes = |stand_in: &mut StandIn| match rest {
            Rest::Away | Rest::Coming => false,
            Rest::Here => stand_in.is_wanted() || live.is_prompted(),
            Rest::Failed => stand_in.is_wanted(),
        };
        let mut more = false;
        if let Some(mut stand_in) = self.stand_in.take_if(goes) {
            more = true;
            if stand_in.go_on(live) {
                self.stand_in = Some(stand_in);
            } else {
                for message in stand_in.leave(live, &mut self.out) {
                    live.receive(message, &mut self.out);
                }
            }
        }
        live.slice(SLICE, &mut self.out) || more
    }

    /// What is to be sent to the page, in order. Called before and after each slice.
    pub fn take_messages(&mut self) -> Vec<FromEngine> {
        std::mem::take(&mut self.out)
    }
}
