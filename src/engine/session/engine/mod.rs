//! A session behind the messages of [`protocol`], driven by the web worker.
//!
//! The worker passes messages in, then calls [`Engine::slice`] until its few milliseconds are used up. An input
//! goes through three stages: queued, journaled, and applied at the beginning of the next slice. Its journal
//! message leaves before it is applied, so that the page can set the input aside if it kills the engine.

mod ask;
mod class;
mod lesson;
mod opening;
mod own_site;
mod placeholder;
mod running;
mod saving;
mod start;
mod task;
mod travel;
mod unfinished;
mod why;

use opening::OpeningSession;
use placeholder::PlaceholderWorld;
use protocol::{FromEngine, ToEngine, UserNotice, VERSION};
use running::RunningSession;
use start::StartedSession;

/// Events per slice: two or three milliseconds of the page's worker if all of them start jobs.
const SLICE: u32 = 8;

/// The engine that the web worker drives.
pub struct Engine {
    running: Option<RunningSession>,
    /// A saved session or a link that is being opened. It becomes the running session.
    opening: Option<Box<OpeningSession>>,
    placeholder: Option<PlaceholderWorld>,
    deferred: DeferredModule,
    /// The page has drawn all its zones.
    drawn: bool,
    out: Vec<FromEngine>,
}

/// Whether the deferred module is loaded: the part of the program that the first prompt does not need.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DeferredModule {
    /// Not requested yet.
    NotRequested,
    /// It is being loaded.
    Loading,
    /// Loaded.
    Loaded,
    /// Loading failed. A call into it tries again and blocks.
    Failed,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine without a session. Its first message is [`FromEngine::Ready`].
    #[must_use]
    pub fn new() -> Self {
        let out = vec![FromEngine::Ready { version: VERSION }];
        Self {
            running: None,
            opening: None,
            placeholder: None,
            deferred: DeferredModule::NotRequested,
            drawn: false,
            out,
        }
    }

    /// Accepts a message. Inputs are queued and journaled, but not yet applied.
    pub fn receive(&mut self, message: ToEngine) {
        match (message, &mut self.running) {
            (ToEngine::Start { version, .. }, _) if version != VERSION => {
                let text =
                    format!("the page has protocol version {version}, the engine {VERSION}: reload the page");
                self.out.push(FromEngine::Notice(UserNotice::Site(text)));
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
                    class,
                },
                _,
            ) => {
                let mut request = start::StartRequest {
                    site,
                    files,
                    seed,
                    start,
                    saved,
                    since,
                    set_aside,
                    lesson,
                    link,
                    class,
                };
                self.placeholder = if self.deferred == DeferredModule::Loaded {
                    None
                } else {
                    PlaceholderWorld::of(&mut request)
                };
                (self.running, self.opening) = match start::start(request, &mut self.out) {
                    StartedSession::Running(running) => (Some(*running), None),
                    StartedSession::Opening(opening) => (None, Some(opening)),
                };
            }
            (ToEngine::Drawn, _) => self.drawn = true,
            (ToEngine::ReadSite(files), _) => {
                self.out.push(FromEngine::SiteRead(Box::new(own_site::read(files))));
            }
            (message, Some(running)) => {
                let taken = match &mut self.placeholder {
                    Some(placeholder) => placeholder.take(message),
                    None => Some(message),
                };
                if let Some(message) = taken {
                    running.receive(message, &mut self.out);
                }
            }
            (message, None) => {
                if let Some(opening) = &mut self.opening {
                    opening.receive(message, &mut self.out);
                }
            }
        }
    }

    /// Whether a message needs the deferred module immediately: the first module lacks time travel, lessons and links.
    #[must_use]
    pub const fn needs_all(message: &ToEngine) -> bool {
        let ToEngine::Start { saved, since, lesson, link, class, .. } = message else { return false };
        saved.is_some() || !since.is_empty() || lesson.is_some() || link.is_some() || class.is_some()
    }

    /// Whether to start loading the deferred module now. Returns true once: when something needs it, or when
    /// the engine is idle (every shell has its prompt and the page is drawn).
    pub fn wants_deferred(&mut self) -> bool {
        let idle = self.drawn && self.running.as_ref().is_some_and(RunningSession::is_prompted);
        let wanted = self.placeholder.as_ref().is_some_and(PlaceholderWorld::is_wanted);
        let now = self.deferred == DeferredModule::NotRequested && (idle || wanted);
        if now {
            self.deferred = DeferredModule::Loading;
        }
        now
    }

    /// The deferred module was loaded, or failed to load. A placeholder machine is then replaced as soon as its
    /// prompt has been shown.
    pub const fn deferred_loaded(&mut self, loaded: bool) {
        self.deferred = if loaded { DeferredModule::Loaded } else { DeferredModule::Failed };
    }

    /// Does a bounded amount of work. True if more is due now.
    pub fn slice(&mut self) -> bool {
        if let Some(mut opening) = self.opening.take() {
            if opening.step() {
                self.opening = Some(opening);
            } else {
                let (running, waiting) = opening.open(&mut self.out);
                self.running = Some(running);
                waiting.into_iter().for_each(|message| self.receive(message));
            }
            return true;
        }
        let Some(running) = &mut self.running else { return false };
        let deferred = self.deferred;
        let goes = |placeholder: &mut PlaceholderWorld| match deferred {
            DeferredModule::NotRequested | DeferredModule::Loading => false,
            DeferredModule::Loaded => placeholder.is_wanted() || running.is_prompted(),
            DeferredModule::Failed => placeholder.is_wanted(),
        };
        let mut more = false;
        if let Some(mut placeholder) = self.placeholder.take_if(goes) {
            more = true;
            if placeholder.go_on(running) {
                self.placeholder = Some(placeholder);
            } else {
                for message in placeholder.leave(running, &mut self.out) {
                    running.receive(message, &mut self.out);
                }
            }
        }
        running.set_complete(deferred == DeferredModule::Loaded);
        running.slice(SLICE, &mut self.out) || more
    }

    /// The messages for the page, in order. Called before and after each slice.
    pub fn take_messages(&mut self) -> Vec<FromEngine> {
        std::mem::take(&mut self.out)
    }
}
