//! The start message: a new session, or a saved one that resumes.

use super::class::ClassSession;
use super::lesson::{Lessons, OpenedLesson};
use super::opening::OpeningSession;
use super::running::RunningSession;
use crate::session::frame;
use crate::session::link::Link;
use crate::session::recorded::{Session, Setup};
use crate::session::resume::Resuming;
use crate::world::{Input, World};
use base::time::Time;
use config::SiteFiles;
use protocol::class::ClassSeat;
use protocol::{FromEngine, LessonFile, MachineInfo, Micros, Started, ToEngine, UserNotice};
use std::collections::{BTreeMap, BTreeSet};

/// Largest file of a site, in bytes.
const MAX_SITE_FILE: usize = 4 << 20;

/// The contents of [`protocol::ToEngine::Start`].
pub struct StartRequest {
    pub site: String,
    pub files: Vec<(String, String)>,
    pub seed: u64,
    pub start: Micros,
    pub saved: Option<Vec<u8>>,
    pub since: Vec<Vec<u8>>,
    pub set_aside: Vec<u64>,
    pub lesson: Option<LessonFile>,
    pub link: Option<Vec<u8>>,
    pub class: Option<ClassSeat>,
}

/// The result of a start request.
pub enum StartedSession {
    /// A new session.
    Running(Box<RunningSession>),
    /// A saved session or a link is being opened.
    Opening(Box<OpeningSession>),
}

/// The part of a start request that a new session and an opened one share.
pub struct StartContext {
    lesson: Option<OpenedLesson>,
    /// Steps of the lesson that are done.
    passed: u32,
    notices: Vec<UserNotice>,
}

/// Starts a session and reports it to the page.
pub fn start(request: StartRequest, out: &mut Vec<FromEngine>) -> StartedSession {
    let mut notices = Vec::new();
    let files = request.files.into_iter().filter(|(name, text)| {
        let fits = text.len() <= MAX_SITE_FILE;
        if !fits {
            notices.push(UserNotice::Site(format!("{name} is too large and was skipped")));
        }
        fits
    });
    let mut setup = Setup {
        site: request.site,
        files: SiteFiles(files.collect()),
        seed: request.seed,
        start: Time(request.start),
    };
    if let Some(seat) = request.class {
        return StartedSession::Running(Box::new(start_class(setup, seat, notices, out)));
    }
    let mut passed = request.lesson.as_ref().map_or(0, |file| file.passed);
    let lesson = request.lesson.map(|file| Lessons::open(&file, &mut setup));
    // The link itself may contain the site.
    let link = request.link.map(|bytes| Link::decode(&bytes));
    if let Some(Ok(link)) = &link {
        link.bring(&mut setup);
    }
    let aside: BTreeSet<u64> = request.set_aside.into_iter().collect();
    let wanted = request.saved.is_some() || !request.since.is_empty();
    let resuming = if wanted {
        let saved = request.saved.as_deref();
        Resuming::begin(setup.clone(), saved, &request.since, &aside)
            .map_err(|why| UserNotice::SavedUnreadable(why.to_string()))
            .map(Some)
    } else {
        match link {
            Some(Ok(link)) => {
                passed = link.passed;
                Ok(Some(link.opening(setup.clone())))
            }
            Some(Err(why)) => Err(UserNotice::Link(why.to_string())),
            None => Ok(None),
        }
    };
    let resuming = resuming.unwrap_or_else(|notice| {
        notices.push(notice);
        None
    });
    let context = StartContext { lesson, passed, notices };
    match resuming {
        Some(resuming) => StartedSession::Opening(Box::new(OpeningSession::new(resuming, context))),
        None => StartedSession::Running(Box::new(context.begin(Session::new(setup), Vec::new(), false, out))),
    }
}

impl StartContext {
    /// Reports a session to the page.
    pub fn begin(
        self,
        session: Session,
        more: Vec<UserNotice>,
        resumed: bool,
        out: &mut Vec<FromEngine>,
    ) -> RunningSession {
        let Self { lesson, passed, mut notices } = self;
        notices.extend(more);
        let started = started(session.world(), &session, resumed);
        let first = started.users.first().cloned();
        out.push(FromEngine::Started(Box::new(started)));
        out.extend(notices.into_iter().map(FromEngine::Notice));
        for (tty, screen) in session.terminals() {
            out.push(FromEngine::Opened { tty: tty.0, user: screen.user.clone() });
        }
        let mut running = RunningSession::new(session);
        if let Some(lesson) = lesson {
            running.lesson = lesson.begin(&mut running.session, resumed.then_some(passed), out);
            // The page has not yet been told about the inputs that were replayed.
            if !resumed && !running.session.journal().entries().is_empty() {
                running.autosave.save_now(&running.session, out);
            }
        }
        let no_terminal = running.session.terminals().next().is_none();
        if let (true, Some(user)) = (no_terminal, running.lesson.user().or(first)) {
            running.receive(ToEngine::Login(user), out);
        }
        running
    }
}

/// Starts the world of a class. Its terminals come with the entries.
#[inline(never)] // A cut point of the deferred module (xtask).
fn start_class(
    setup: Setup,
    seat: ClassSeat,
    notices: Vec<UserNotice>,
    out: &mut Vec<FromEngine>,
) -> RunningSession {
    let session = Session::new_class(setup);
    let mut started = started(session.world(), &session, false);
    if !seat.teacher {
        started.users = vec![seat.user.clone()];
        started.accounts.retain(|(user, _)| *user == seat.user);
    }
    out.push(FromEngine::Started(Box::new(started)));
    out.extend(notices.into_iter().map(FromEngine::Notice));
    let mut running = RunningSession::new(session);
    running.autosave.off = true;
    running.class = Some(Box::new(ClassSession::new(seat, running.session.world().now)));
    running
}

fn started(world: &World, session: &Session, resumed: bool) -> Started {
    let site = &world.site;
    let texts = |map: &BTreeMap<String, String>| {
        map.iter().map(|(lang, text)| (lang.clone(), text.clone())).collect()
    };
    let MachineInfo { nodes, partitions, switches } = frame::machine(&world.ctld);
    let first_home =
        world.kernel.users.0.iter().find(|u| site.users.first().is_some_and(|f| f.name == u.name));
    // The recording of a class also has its participants.
    let enrolled = session.journal().entries().iter().filter_map(|entry| match &entry.input {
        Input::Enrol(user) => Some(user.as_str()),
        _ => None,
    });
    let users: Vec<&str> = site.users.iter().map(|u| u.name.as_str()).chain(enrolled).collect();
    Started {
        site: site.name.clone(),
        title: texts(&site.title),
        motd: texts(&site.motd),
        // The user of the page may also act as root.
        accounts: users
            .iter()
            .filter_map(|user| Some(((*user).to_owned(), world.ctld.dbd.default_account(user)?.to_owned())))
            .collect(),
        users: users.into_iter().chain(["root"]).map(str::to_owned).collect(),
        open: match (&site.open, first_home) {
            (Some(path), Some(user)) => Some(host::path::resolve(&user.home, path)),
            (Some(_) | None, _) => None,
        },
        nodes,
        partitions,
        switches,
        diagnostics: session.diagnostics().iter().map(ToString::to_string).collect(),
        resumed,
        seed: session.setup().seed,
    }
}
