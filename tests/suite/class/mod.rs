//! A class without sockets: a sequencer, and an engine for each participant that gets its entries.

mod bounds;
mod recording;
mod teacher;
mod worlds;

use classroom::wire::{FromClassServer, Hello, Progress, SeatClaim, ToClassServer, Welcome, encode};
use classroom::{
    AccountPlan, ClassDecision, ClassDescription, ClassMember, MemberNews, Record, Secret, Sequencer,
};
use config::sites;
use engine::session::Engine;
use protocol::class::{ClassSeat, ClassWork, FromClass, RecordedClass, ToClass};
use protocol::{FromEngine, ToEngine, UserNotice, VERSION};

const START: i64 = 1_772_442_000_000_000;

fn secret(n: u8) -> Secret {
    Secret::new([n; 16])
}

struct ClassServer {
    class: Sequencer,
    records: Vec<Record>,
    real: u64,
    visits: u64,
}

impl ClassServer {
    fn new() -> Self {
        let class = ClassDescription {
            name: "c".into(),
            site: "lab".into(),
            seed: 1,
            background: "off".into(),
            start: START,
            plan: AccountPlan::Each,
            people: 100,
            taken: Vec::new(),
        };
        let class = Sequencer::new(class, secret(1), secret(2), 0).expect("a class");
        Self { records: vec![class.first_record()], class, real: 0, visits: 0 }
    }

    fn store(&mut self, decision: ClassDecision) -> Vec<(u32, FromClassServer)> {
        for record in decision.records {
            self.class.apply(&record);
            self.records.push(record);
        }
        self.class.change_show(decision.show);
        decision.answers
    }

    fn pass(&mut self, millis: u64) {
        self.real += millis;
        let due = self.class.due(self.real);
        self.store(due);
        self.class.tick(self.real);
    }

    /// The secret of a seat.
    fn key_of(&self, seat: usize) -> Secret {
        let key = |r: &Record| if let Record::Seated { key, .. } = r { Some(*key) } else { None };
        self.records.iter().filter_map(key).nth(seat - 1).expect("a seat")
    }

    fn join(&mut self, claim: SeatClaim, link: Secret) -> Welcome {
        self.visits += 1;
        let ToClassServer::Hello(hello) = ClassMember::new(link, claim).hello() else { panic!("a greeting") };
        let hello = Hello { have: Progress::default(), ..*hello };
        let (seat, decision) = self.class.greet(&hello, secret(100 + self.visits as u8)).expect("a seat");
        self.store(decision);
        self.class.take_seat(seat, self.visits).expect("a seat")
    }
}

/// A tab without a page.
struct Tab {
    engine: Engine,
    member: ClassMember,
    seat: u32,
    ttys: Vec<u32>,
    screen: String,
    prompts: u32,
    hash: Option<u64>,
    notices: Vec<String>,
    lost: Option<String>,
    /// The last report of the participants' work.
    report: Vec<ClassWork>,
    /// The last recording.
    recorded: Option<RecordedClass>,
}

impl Tab {
    fn open(welcome: Welcome, link: Secret) -> Self {
        let mut engine = Engine::new();
        let files = sites::built_in(&welcome.class.site).expect("a site").0;
        engine.receive(ToEngine::Start {
            version: VERSION,
            site: welcome.class.site.clone(),
            files: files.into_iter().collect(),
            seed: welcome.class.seed,
            start: welcome.class.start,
            saved: None,
            since: Vec::new(),
            set_aside: Vec::new(),
            lesson: None,
            link: None,
            class: Some(ClassSeat {
                seat: welcome.seat,
                user: welcome.user.clone(),
                teacher: welcome.teacher,
                token: welcome.token + 1,
                last: welcome.last,
            }),
        });
        let mut member = ClassMember::new(link, SeatClaim::Seat(welcome.seat, welcome.key));
        let seat = welcome.seat;
        member.receive(FromClassServer::Welcome(Box::new(welcome)));
        Self {
            engine,
            member,
            seat,
            ttys: Vec::new(),
            screen: String::new(),
            prompts: 0,
            hash: None,
            notices: Vec::new(),
            lost: None,
            report: Vec::new(),
            recorded: None,
        }
    }

    /// Gets what the server has, works, and sends what the engine wants.
    fn exchange(&mut self, server: &mut ClassServer) {
        loop {
            let block = server.class.block_after(self.member.number()).to_vec();
            if block.is_empty() {
                break;
            }
            self.get(FromClassServer::Entries(block));
        }
        let (until, pace) = server.class.time();
        self.get(FromClassServer::Until(until, pace));
        self.engine.receive(ToEngine::Tick(16));
        for message in self.work() {
            let message = match message {
                FromClass::Request(token, action) => self.member.request(token, action).expect("room"),
                FromClass::Hash(number, hash) => ToClassServer::Hash { number, hash },
                FromClass::Pace(pace) => ToClassServer::Pace(pace),
                FromClass::Skip(time) => ToClassServer::Skip(time),
                FromClass::Lost(why) => {
                    self.lost = Some(why);
                    continue;
                }
                FromClass::Report(work) => {
                    self.report = work;
                    continue;
                }
                FromClass::Recorded(recorded) => {
                    self.recorded = Some(*recorded);
                    continue;
                }
                // For the page.
                FromClass::Lesson(_)
                | FromClass::Opened(_)
                | FromClass::Passed(_)
                | FromClass::Screens(_) => continue,
            };
            let size = encode(&message).len();
            let decision = server.class.receive(self.seat, message, size, server.real).expect("no end");
            for (seat, answer) in server.store(decision) {
                assert_eq!(seat, self.seat, "{answer:?}");
                self.get(answer);
            }
        }
    }

    fn get(&mut self, message: FromClassServer) {
        let to = match self.member.receive(message).expect("sense") {
            MemberNews::Ordered(entries) => ToClass::Ordered(entries),
            MemberNews::Until(until, pace) => ToClass::Until(until, pace),
            MemberNews::Refused(token, _, why) => ToClass::Refused(token, why),
            other => panic!("{other:?}"),
        };
        self.engine.receive(ToEngine::Class(to));
    }

    fn work(&mut self) -> Vec<FromClass> {
        let mut wants = Vec::new();
        for _ in 0..100_000 {
            let more = self.engine.slice();
            for message in self.engine.take_messages() {
                match message {
                    FromEngine::Class(message) => wants.push(*message),
                    FromEngine::Opened { tty, .. } => self.ttys.push(tty),
                    FromEngine::Terminal { tty, output, prompt } => {
                        assert!(self.ttys.contains(&tty), "another's terminal");
                        self.screen.push_str(&String::from_utf8_lossy(&output));
                        self.prompts += u32::from(prompt.is_some());
                    }
                    FromEngine::Hash(hash) => self.hash = Some(hash),
                    FromEngine::Notice(UserNotice::Bound(text)) => self.notices.push(text),
                    FromEngine::Journaled { .. } | FromEngine::Saved { .. } => {
                        panic!("the page stores nothing of a class")
                    }
                    _ => {}
                }
            }
            if !more {
                return wants;
            }
        }
        panic!("the engine does not come to rest");
    }

    fn types(&mut self, line: &str) {
        let tty = *self.ttys.first().expect("a terminal");
        self.engine.receive(ToEngine::Type { tty, bytes: format!("{line}\n").into_bytes() });
    }

    fn hash(&mut self) -> u64 {
        self.hash = None;
        self.engine.receive(ToEngine::Hash);
        assert_eq!(self.work(), []);
        self.hash.expect("a hash")
    }
}

fn all(server: &mut ClassServer, tabs: &mut [Tab], times: u32) {
    for _ in 0..times {
        server.pass(100);
        tabs.iter_mut().for_each(|tab| tab.exchange(server));
    }
}

fn joined(server: &mut ClassServer, name: &str, link: u8) -> Tab {
    let welcome = server.join(SeatClaim::New(name.into()), secret(link));
    Tab::open(welcome, secret(link))
}

fn same(tabs: &mut [Tab]) -> u64 {
    let hashes: Vec<u64> = tabs.iter_mut().map(Tab::hash).collect();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
    hashes[0]
}
