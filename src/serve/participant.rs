//! A participant with a world but without a page: what a tab does, for tests and measurements.

use crate::client::Client;
use crate::real_now;
use classroom::wire::{
    ClassShow, Farewell, FarewellNext, Person, SeatClaim, ShownToAll, ToClassServer, Welcome,
};
use classroom::{ClassDescription, ClassMember, MemberNews, Secret};
use config::sites;
use engine::session::Engine;
use protocol::class::{ClassAction, ClassScreen, ClassSeat, ClassWork, FromClass, RecordedClass, ToClass};
use protocol::{FromEngine, LessonFile, Pace, ToEngine, UserNotice, VERSION};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Slices of the engine between two looks at the connection.
const SLICES: u32 = 5000;
/// Longest wait for a message.
const WAIT: Duration = Duration::from_millis(10);

/// A participant.
pub struct Participant {
    address: SocketAddr,
    class: String,
    member: ClassMember,
    client: Option<Client>,
    /// When to connect again.
    again: Instant,
    /// None: the entries are only counted.
    engine: Option<Engine>,
    computes: bool,
    /// The seat, once there is one.
    pub seat: Option<Welcome>,
    /// The next token, without an engine.
    token: u64,
    /// This seat's terminals.
    pub ttys: Vec<u32>,
    /// Their output.
    pub screen: String,
    /// Prompts that were shown.
    pub prompts: u32,
    /// Checkpoints whose hash was reported.
    pub checkpoints: u32,
    /// Checkpoints at which this world differs, according to the server.
    pub differs: Vec<u64>,
    /// Messages about refused requests and bounds.
    pub notices: Vec<String>,
    /// How the connection ended, if the server said so.
    pub ended: Option<Farewell>,
    /// The class's time and pace.
    pub until: Option<(i64, Pace)>,
    /// Number of connections that were lost.
    pub lost: u32,
    /// The list of participants, for a teacher.
    pub people: Vec<Person>,
    /// Whether this seat's hand is up, according to the server.
    pub hand: bool,
    /// The last report of the participants' work, for a teacher.
    pub work: Vec<ClassWork>,
    /// The title of the lesson, and the steps that are done in this seat's tab.
    pub lesson: Option<(String, u32)>,
    /// The teachers who look at this seat's terminals.
    pub watched: Vec<String>,
    /// What all see.
    pub shown: Option<ShownToAll>,
    /// The last report of terminals.
    pub screens: Vec<ClassScreen>,
    /// The recording that was made.
    pub recorded: Option<RecordedClass>,
    /// When the entries of participants came, by seat and token.
    pub arrived: Vec<(u32, u64, Instant)>,
    hash: Option<u64>,
}

impl Participant {
    /// A participant who has not connected yet. One that does not compute only counts the entries.
    #[must_use]
    pub fn new(address: SocketAddr, class: &str, link: Secret, name: &str, computes: bool) -> Self {
        Self {
            address,
            class: class.to_owned(),
            member: ClassMember::new(link, SeatClaim::New(name.to_owned())),
            client: None,
            again: real_now(),
            engine: None,
            computes,
            seat: None,
            token: 1,
            ttys: Vec::new(),
            screen: String::new(),
            prompts: 0,
            checkpoints: 0,
            differs: Vec::new(),
            notices: Vec::new(),
            ended: None,
            until: None,
            lost: 0,
            people: Vec::new(),
            hand: false,
            work: Vec::new(),
            lesson: None,
            watched: Vec::new(),
            shown: None,
            screens: Vec::new(),
            recorded: None,
            arrived: Vec::new(),
            hash: None,
        }
    }

    /// A participant of an earlier visit.
    #[must_use]
    pub fn again(address: SocketAddr, class: &str, link: Secret, seat: u32, key: Secret) -> Self {
        let member = ClassMember::new(link, SeatClaim::Seat(seat, key));
        Self { member, ..Self::new(address, class, link, "", true) }
    }

    /// The number of the last entry that came.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.member.number()
    }

    /// Whether requests are on their way.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.member.waiting() > 0
    }

    /// Types a line at the first terminal. Returns its token, if the world is not computed.
    pub fn types(&mut self, line: &str) -> u64 {
        let bytes = format!("{line}\n").into_bytes();
        if let (Some(engine), Some(tty)) = (&mut self.engine, self.ttys.first()) {
            engine.receive(ToEngine::Type { tty: *tty, bytes });
            return 0;
        }
        let token = self.token;
        self.token += 1;
        self.want(FromClass::Request(token, ClassAction::Type(1, bytes)));
        token
    }

    /// Sends a message about the clock.
    pub fn sends(&mut self, message: &ToClassServer) {
        self.put(message);
    }

    /// Asks the world for the participants' work, for a teacher.
    pub fn reports(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.receive(ToEngine::Class(ToClass::Report));
        }
        self.run();
    }

    /// Chooses a lesson, for a teacher.
    pub fn chooses(&mut self, lesson: LessonFile) {
        if let Some(engine) = &mut self.engine {
            engine.receive(ToEngine::Class(ToClass::ReadLesson(lesson)));
        }
        self.run();
    }

    /// Asks the world for the terminal of a participant or of all.
    pub fn looks(&mut self, seat: Option<u32>) {
        if let Some(engine) = &mut self.engine {
            engine.receive(ToEngine::Class(ToClass::Screens(seat)));
        }
        self.run();
    }

    /// Makes a recording of the class, for a teacher.
    pub fn records(&mut self, pseudonyms: bool) {
        if let Some(engine) = &mut self.engine {
            engine.receive(ToEngine::Class(ToClass::Record(pseudonyms)));
        }
    }

    /// Does something without a terminal, for a teacher.
    pub fn teaches(&mut self, action: ClassAction) {
        if let Some(engine) = &mut self.engine {
            engine.receive(ToEngine::Class(ToClass::Teach(action)));
        }
        self.run();
    }

    /// Cuts the connection.
    pub fn unplug(&mut self) {
        self.client = None;
        self.again = real_now() + Duration::from_millis(u64::from(self.member.lost()));
        self.lost += 1;
    }

    /// Looks at the connection, and lets the world run as far as the server has given out time.
    pub fn step(&mut self) {
        if self.client.is_none() {
            self.connect();
        }
        let began = real_now();
        while began.elapsed() < WAIT {
            let Some(client) = &mut self.client else { break };
            match client.news(&mut self.member) {
                Ok(Some(news)) => self.take(news),
                Ok(None) => break,
                Err(_) => self.unplug(),
            }
        }
        self.run();
    }

    /// Steps until something holds. False if that takes longer.
    pub fn until(&mut self, patience: Duration, holds: impl Fn(&Self) -> bool) -> bool {
        let began = real_now();
        while !holds(self) {
            if began.elapsed() > patience {
                return false;
            }
            self.step();
        }
        true
    }

    /// The hash of the world, which must be computed here.
    pub fn hash(&mut self) -> Option<u64> {
        self.hash = None;
        self.engine.as_mut()?.receive(ToEngine::Hash);
        self.run();
        self.hash
    }

    /// The hash of the world after a time without new entries.
    pub fn hash_at_rest(&mut self, rest: Duration) -> Option<u64> {
        let mut since = (real_now(), self.number());
        while since.0.elapsed() < rest {
            self.step();
            if self.number() != since.1 {
                since = (real_now(), self.number());
            }
        }
        self.hash()
    }

    fn connect(&mut self) {
        if self.ended.is_some() || real_now() < self.again {
            std::thread::sleep(WAIT);
            return;
        }
        match Client::join(self.address, &self.class, WAIT, &self.member) {
            Ok(client) => self.client = Some(client),
            Err(_) => self.again = real_now() + Duration::from_millis(u64::from(self.member.lost())),
        }
    }

    fn put(&mut self, message: &ToClassServer) {
        let sent = self.client.as_mut().is_none_or(|client| client.send(message).is_ok());
        if !sent {
            self.unplug();
        }
    }

    fn take(&mut self, news: MemberNews) {
        let to_engine = match news {
            MemberNews::Seated(welcome) => {
                self.token = welcome.token + 1;
                if self.computes {
                    let seat = ClassSeat {
                        seat: welcome.seat,
                        user: welcome.user.clone(),
                        teacher: welcome.teacher,
                        token: welcome.token + 1,
                        last: welcome.last,
                    };
                    self.engine = start(&welcome.class, seat);
                }
                self.seat = Some(*welcome);
                return;
            }
            MemberNews::Back(again) => {
                again.iter().for_each(|message| self.put(message));
                self.shown = None;
                ToClass::Shown(None)
            }
            MemberNews::Ordered(entries) => {
                let now = real_now();
                let requests = entries.iter().filter(|e| e.token > 0);
                self.arrived.extend(requests.map(|e| (e.seat, e.token, now)));
                ToClass::Ordered(entries)
            }
            MemberNews::Until(until, pace) => {
                self.until = Some((until, pace));
                ToClass::Until(until, pace)
            }
            MemberNews::Refused(token, _, why) => {
                if self.engine.is_none() {
                    self.notices.push(why.clone());
                }
                ToClass::Refused(token, why)
            }
            MemberNews::People(people) => {
                self.people = people;
                return;
            }
            MemberNews::Differs(number) => {
                self.differs.push(number);
                return;
            }
            MemberNews::Hand(up) => {
                self.hand = up;
                return;
            }
            MemberNews::Watched(names) => {
                self.watched = names;
                return;
            }
            MemberNews::Shown(shown) => {
                self.shown = shown.map(|shown| *shown);
                ToClass::Shown(self.shown.as_ref().and_then(|shown| match &shown.what {
                    ClassShow::Terminal(seat) => Some(*seat),
                    ClassShow::Job(_) => None,
                }))
            }
            MemberNews::Lesson(lesson, from) => ToClass::Lesson(lesson, from),
            MemberNews::Ended(farewell) => {
                match farewell.next {
                    FarewellNext::Later => {}
                    FarewellNext::Restart => (self.engine, self.ttys) = (None, Vec::new()),
                    FarewellNext::Stop | FarewellNext::Name => self.ended = Some(farewell),
                }
                self.unplug();
                return;
            }
        };
        if let Some(engine) = &mut self.engine {
            engine.receive(ToEngine::Class(to_engine));
        }
    }

    fn run(&mut self) {
        let Some(engine) = &mut self.engine else { return };
        let (mut wants, mut messages) = (Vec::new(), Vec::new());
        engine.receive(ToEngine::Tick(16));
        for _ in 0..SLICES {
            let more = engine.slice();
            messages.extend(engine.take_messages());
            if !more {
                break;
            }
        }
        for message in messages {
            match message {
                FromEngine::Class(message) => wants.push(*message),
                FromEngine::Opened { tty, .. } => self.ttys.push(tty),
                FromEngine::Terminal { output, prompt, .. } => {
                    self.screen.push_str(&String::from_utf8_lossy(&output));
                    self.prompts += u32::from(prompt.is_some());
                }
                FromEngine::Hash(hash) => self.hash = Some(hash),
                FromEngine::Notice(UserNotice::Bound(text)) => self.notices.push(text),
                _ => {}
            }
        }
        wants.into_iter().for_each(|want| self.want(want));
    }

    fn want(&mut self, want: FromClass) {
        let message = match want {
            FromClass::Request(token, action) => match self.member.request(token, action) {
                Ok(message) => message,
                Err(_) => {
                    self.notices.push("too many requests wait".to_owned());
                    return;
                }
            },
            FromClass::Hash(number, hash) => {
                self.checkpoints += 1;
                ToClassServer::Hash { number, hash }
            }
            FromClass::Pace(pace) => ToClassServer::Pace(pace),
            FromClass::Skip(time) => ToClassServer::Skip(time),
            FromClass::Report(work) => {
                self.work = work;
                return;
            }
            FromClass::Opened(info) => {
                self.lesson = info.map(|info| (info.title, info.progress.passed));
                return;
            }
            FromClass::Screens(screens) => {
                self.screens = screens;
                return;
            }
            FromClass::Recorded(recorded) => {
                self.recorded = Some(*recorded);
                return;
            }
            FromClass::Passed(progress) => {
                if let Some((_, passed)) = &mut self.lesson {
                    *passed = progress.passed;
                }
                return;
            }
            FromClass::Lesson(Ok(lesson)) => ToClassServer::Lesson(Some(lesson)),
            FromClass::Lesson(Err(why)) | FromClass::Lost(why) => {
                self.notices.push(why);
                return;
            }
        };
        self.put(&message);
    }
}

/// The engine of a seat; none if the site is unknown here.
#[must_use]
pub fn start(class: &ClassDescription, seat: ClassSeat) -> Option<Engine> {
    let mut files: Vec<(String, String)> = sites::built_in(&class.site)?.0.into_iter().collect();
    if class.background != "off" {
        files.push(("background".to_owned(), class.background.clone()));
    }
    let mut engine = Engine::new();
    engine.receive(ToEngine::Start {
        version: VERSION,
        site: class.site.clone(),
        files,
        seed: class.seed,
        start: class.start,
        saved: None,
        since: Vec::new(),
        set_aside: Vec::new(),
        lesson: None,
        link: None,
        class: Some(seat),
    });
    Some(engine)
}
