//! A class without sockets: a sequencer, and an engine for each participant that gets its entries.

use classroom::wire::{FromClassServer, Hello, Progress, SeatClaim, ToClassServer, Welcome, encode};
use classroom::{
    AccountPlan, ClassDecision, ClassDescription, ClassEvent, ClassMember, MemberNews, Record, Secret,
    Sequencer,
};
use config::sites;
use engine::session::Engine;
use protocol::class::{ClassAction, ClassSeat, ClassWork, FromClass, ToClass};
use protocol::{FromEngine, Pace, Skip, ToEngine, UserNotice, VERSION};

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
                // For the page.
                _ => continue,
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

#[test]
fn everybody_sees_the_same_queue_and_only_their_own_terminal() {
    let mut server = ClassServer::new();
    let mut tabs: Vec<Tab> =
        ["anna", "bert", "cem"].iter().map(|name| joined(&mut server, name, 1)).collect();
    all(&mut server, &mut tabs, 10);
    for (tab, name) in tabs.iter_mut().zip(["anna", "bert", "cem"]) {
        assert_eq!(tab.ttys.len(), 1);
        assert!(tab.prompts > 0, "{name} has a prompt");
        tab.types("echo I am $USER in $PWD; sbatch -J $USER --wrap 'sleep 600'");
    }
    all(&mut server, &mut tabs, 30);
    for (tab, name) in tabs.iter().zip(["anna", "bert", "cem"]) {
        assert!(tab.screen.contains(&format!("I am {name} in /home/{name}\n")), "{}", tab.screen);
        assert!(tab.screen.contains("Submitted batch job"), "{}", tab.screen);
        assert_eq!((tab.notices.len(), &tab.lost), (0, &None));
    }
    tabs[2].types("squeue -h -o '%u %a %T' | sort; sshare -a -h -o User%10 | sort -u");
    all(&mut server, &mut tabs, 20);
    let seen = &tabs[2].screen;
    for name in ["anna", "bert", "cem"] {
        assert!(seen.contains(&format!("{name} {name} RUNNING")), "{seen}");
    }
    assert!(!tabs[0].screen.contains("cem"), "the others' output stays with them");
    same(&mut tabs);
}

#[test]
fn a_reload_and_a_latecomer_get_everything() {
    let mut server = ClassServer::new();
    let mut tabs = vec![joined(&mut server, "anna", 1), joined(&mut server, "prof", 2)];
    all(&mut server, &mut tabs, 10);
    tabs[0].types("echo kept > file; sbatch -J first --wrap 'sleep 60'");
    tabs[1].types("scontrol update nodename=$(sinfo -h -N -o %N | head -1) state=drain reason=class");
    all(&mut server, &mut tabs, 30);
    // The same seat in a new tab, and a newcomer.
    let key = server.key_of(1);
    let welcome = server.join(SeatClaim::Seat(1, key), secret(1));
    tabs[0] = Tab::open(welcome, secret(1));
    tabs.push(joined(&mut server, "late", 1));
    all(&mut server, &mut tabs, 10);
    assert!(
        tabs[0].screen.contains("Submitted batch job 1"),
        "the screen is there again: {}",
        tabs[0].screen
    );
    assert_eq!(tabs[0].ttys.len(), 1);
    tabs[0].types("cat file");
    tabs[2].types("squeue -h -o %j; sinfo -h -R -o %E");
    all(&mut server, &mut tabs, 20);
    assert!(tabs[0].screen.contains("kept\n"), "{}", tabs[0].screen);
    assert!(tabs[2].screen.contains("first\n") && tabs[2].screen.contains("class\n"), "{}", tabs[2].screen);
    same(&mut tabs);
}

#[test]
fn the_teacher_sets_the_clock_and_speaks_to_all() {
    let mut server = ClassServer::new();
    let mut tabs = vec![joined(&mut server, "anna", 1), joined(&mut server, "prof", 2)];
    all(&mut server, &mut tabs, 10);
    for message in [ToEngine::Pace(Pace::Paused), ToEngine::Skip(Skip::Until(START + 3_600_000_000))] {
        tabs[0].engine.receive(message);
    }
    all(&mut server, &mut tabs, 1);
    assert_eq!(tabs[0].notices.len(), 2, "{:?}", tabs[0].notices);
    assert!(server.class.time().0 < START + 60_000_000);
    // `date` shows the same moment to all, whatever their real clocks do.
    tabs[1].engine.receive(ToEngine::Skip(Skip::Until(START + 3_600_000_000)));
    all(&mut server, &mut tabs, 2);
    tabs[1].engine.receive(ToEngine::Pace(Pace::Paused));
    all(&mut server, &mut tabs, 2);
    let paused = server.class.time().0;
    all(&mut server, &mut tabs, 10);
    assert_eq!(server.class.time().0, paused);
    tabs[0].types("date +%H:%M");
    all(&mut server, &mut tabs, 30);
    assert!(
        tabs[0].screen.contains("10:00\n"),
        "a command runs while the clock is paused: {}",
        tabs[0].screen
    );
    let announce = ToClassServer::Request {
        token: 50,
        action: ClassAction::Announce("Look at \x1b[31mthe queue".into()),
    };
    let decision = server.class.receive(2, announce, 30, server.real).expect("no end");
    assert_eq!(server.store(decision), []);
    all(&mut server, &mut tabs, 10);
    for tab in &tabs {
        assert!(tab.screen.contains("Broadcast message from root@login"), "{}", tab.screen);
        assert!(tab.screen.contains("Look at [31mthe queue"), "no escape sequence: {}", tab.screen);
    }
    same(&mut tabs);
}

#[test]
fn the_teacher_s_tab_counts_failed_commands_and_jobs() {
    let mut server = ClassServer::new();
    let mut tabs: Vec<Tab> = ["anna", "bert"].iter().map(|name| joined(&mut server, name, 1)).collect();
    tabs.push(joined(&mut server, "prof", 2));
    all(&mut server, &mut tabs, 10);
    let report = |server: &mut ClassServer, tabs: &mut Vec<Tab>| {
        tabs[2].engine.receive(ToEngine::Class(ToClass::Report));
        all(server, tabs, 1);
        tabs[2].report.clone()
    };
    let idle = report(&mut server, &mut tabs);
    assert_eq!(
        idle.iter().map(|work| work.seat).collect::<Vec<_>>(),
        [1, 2],
        "participants without the teacher"
    );
    assert!(idle.iter().all(|work| work.quiet.is_none() && work.commands == 0), "{idle:?}");
    // Three mistakes; a line that a program reads is no command, and neither is an empty one.
    for line in ["sbatch --nonsense", "ls /nowhere", "", "false"] {
        tabs[0].types(line);
        all(&mut server, &mut tabs, 8);
    }
    tabs[1].types("cat; sbatch --wrap 'sleep 3000'; sbatch --wrap 'exit 3'; sbatch -H --wrap true; sbatch -t 1 --wrap true");
    all(&mut server, &mut tabs, 8);
    tabs[1].types("this goes into cat");
    all(&mut server, &mut tabs, 4);
    let tty = tabs[1].ttys[0];
    tabs[1].engine.receive(ToEngine::Type { tty, bytes: vec![4] });
    all(&mut server, &mut tabs, 60);
    let work = report(&mut server, &mut tabs);
    assert_eq!((work[0].commands, work[0].failures), (3, 3), "{work:?}");
    assert_eq!(work[0].quiet, work[0].quiet.filter(|quiet| (0..10).contains(quiet)), "{work:?}");
    assert_eq!((work[1].commands, work[1].failures), (1, 0), "{work:?}\n{}", tabs[1].screen);
    let jobs = |w: &ClassWork| (w.pending, w.running, w.completed, w.failed, w.cancelled);
    assert_eq!(jobs(&work[1]), (1, 1, 1, 1, 0), "{work:?}");
    tabs[0].types("true");
    tabs[1].types("scancel 1");
    all(&mut server, &mut tabs, 20);
    let work = report(&mut server, &mut tabs);
    assert_eq!((work[0].commands, work[0].failures), (4, 0), "a success ends the row");
    assert_eq!(jobs(&work[1]), (1, 0, 1, 1, 1), "{work:?}");
    // A participant's tab reports nothing, and a look changes no world.
    tabs[0].engine.receive(ToEngine::Class(ToClass::Report));
    all(&mut server, &mut tabs, 1);
    assert_eq!(tabs[0].report, []);
    same(&mut tabs);
    // A reload computes everything again, and counts the same.
    let key = server.key_of(3);
    let welcome = server.join(SeatClaim::Seat(3, key), secret(2));
    tabs[2] = Tab::open(welcome, secret(2));
    all(&mut server, &mut tabs, 5);
    let again = report(&mut server, &mut tabs);
    let commands = |all: &[ClassWork]| all.iter().map(|w| (w.commands, w.failures)).collect::<Vec<_>>();
    assert_eq!(commands(&again), commands(&work));
}

#[test]
fn the_teacher_s_buttons_drain_fail_fill_and_requeue() {
    let mut server = ClassServer::new();
    let mut tabs = vec![joined(&mut server, "anna", 1), joined(&mut server, "prof", 2)];
    all(&mut server, &mut tabs, 10);
    tabs[0].types("sbatch -n 4 -t 30 --requeue --wrap 'sleep 1200'");
    all(&mut server, &mut tabs, 20);
    let press = |server: &mut ClassServer, tabs: &mut Vec<Tab>, event: ClassEvent| {
        let action = ClassAction::Administer(event.command().to_owned());
        tabs[1].engine.receive(ToEngine::Class(ToClass::Teach(action)));
        all(server, tabs, 30);
    };
    let says = |server: &mut ClassServer, tabs: &mut Vec<Tab>, command: &str| {
        let before = tabs[0].screen.len();
        tabs[0].types(command);
        all(server, tabs, 20);
        tabs[0].screen[before..].trim().to_owned()
    };
    press(&mut server, &mut tabs, ClassEvent::Drain);
    let node = says(&mut server, &mut tabs, "squeue -h -t R -o %N");
    assert_eq!(says(&mut server, &mut tabs, "sinfo -h -R -o '%n %E %T'"), format!("{node} class draining"));
    press(&mut server, &mut tabs, ClassEvent::Fail);
    assert_eq!(says(&mut server, &mut tabs, "squeue -h -o '%T %r'"), "PENDING BeginTime");
    press(&mut server, &mut tabs, ClassEvent::Resume);
    assert_eq!(says(&mut server, &mut tabs, "sinfo -h -R"), "");
    press(&mut server, &mut tabs, ClassEvent::Fill);
    let count = |text: String| text.parse::<u32>().unwrap_or_else(|e| panic!("{text}: {e}"));
    let filled = count(says(&mut server, &mut tabs, "squeue -h -n fill | wc -l"));
    let running = count(says(&mut server, &mut tabs, "squeue -h -t R | wc -l"));
    assert!(filled == 40 && running > 0, "{filled} {running}");
    press(&mut server, &mut tabs, ClassEvent::Requeue);
    assert_eq!(
        says(&mut server, &mut tabs, "squeue -h -t PD -o %r | grep -c BeginTime"),
        "2",
        "{}",
        tabs[0].screen
    );
    assert_eq!((&tabs[0].lost, &tabs[1].notices), (&None, &Vec::new()));
    same(&mut tabs);
}

#[test]
fn the_teacher_s_button_preempts_the_newest_job_of_low_priority() {
    let mut server = ClassServer::new();
    let mut tabs = vec![joined(&mut server, "anna", 1), joined(&mut server, "prof", 2)];
    all(&mut server, &mut tabs, 10);
    // Participants have the default QOS only.
    tabs[1].types("sacctmgr -i modify account root set qos+=low");
    all(&mut server, &mut tabs, 10);
    tabs[0].types("sbatch -J kept -n 2 -t 30 --wrap 'sleep 1200'");
    all(&mut server, &mut tabs, 10);
    tabs[0].types("sbatch -J cheap -q low -n 2 -t 30 --wrap 'sleep 1200'");
    all(&mut server, &mut tabs, 100);
    let action = ClassAction::Administer(ClassEvent::Preempt.command().to_owned());
    tabs[1].engine.receive(ToEngine::Class(ToClass::Teach(action)));
    all(&mut server, &mut tabs, 100);
    let before = tabs[0].screen.len();
    tabs[0].types("sacct -X -n -P --duplicates -a -o JobName,User,State");
    all(&mut server, &mut tabs, 20);
    let said = tabs[0].screen[before..].to_owned();
    assert!(said.contains("kept|anna|RUNNING") && said.contains("cheap|anna|PREEMPTED"), "{said}");
    assert!(said.contains("urgent|root|RUNNING"), "{said}");
    same(&mut tabs);
}

#[test]
fn hashes_of_checkpoints_agree() {
    let mut server = ClassServer::new();
    let mut tabs: Vec<Tab> = (0..4).map(|n| joined(&mut server, &format!("p{n}"), 1)).collect();
    all(&mut server, &mut tabs, 10);
    for round in 0..20 {
        for tab in &mut tabs {
            tab.types(&format!("sbatch -n 2 -t {} --wrap 'sleep {}'", 1 + round, 20 + round));
        }
        all(&mut server, &mut tabs, 8);
    }
    assert!(server.class.last() > 64);
    // `exchange` fails if the server tells a tab that it differs. A wrong report is told to the one who sent it.
    let lie = ToClassServer::Hash { number: 64, hash: 1 };
    let late = server.join(SeatClaim::New("eve".into()), secret(1));
    let decision = server.class.receive(late.seat, lie, 10, server.real).expect("no end");
    assert_eq!(decision.answers, [(late.seat, FromClassServer::Differs(64))]);
    same(&mut tabs);
}

#[test]
fn a_terminal_that_ends_frees_its_place() {
    let mut server = ClassServer::new();
    let mut tabs = vec![joined(&mut server, "anna", 1)];
    all(&mut server, &mut tabs, 10);
    for _ in 0..4 {
        tabs[0].engine.receive(ToEngine::Login("anna".into()));
    }
    tabs[0].engine.receive(ToEngine::Login("root".into()));
    all(&mut server, &mut tabs, 10);
    assert_eq!((tabs[0].ttys.len(), tabs[0].notices.len()), (4, 2), "{:?}", tabs[0].notices);
    tabs[0].types("exit");
    all(&mut server, &mut tabs, 20);
    tabs[0].engine.receive(ToEngine::Login("anna".into()));
    all(&mut server, &mut tabs, 10);
    assert_eq!(tabs[0].ttys.len(), 5, "{:?}", tabs[0].notices);
}

#[test]
fn entries_that_do_not_follow_stop_the_tab() {
    let mut server = ClassServer::new();
    let mut tab = joined(&mut server, "anna", 1);
    let mut entries = server.class.block_after(0).to_vec();
    entries.remove(1);
    tab.engine.receive(ToEngine::Class(ToClass::Ordered(entries)));
    let told = tab.work();
    assert!(matches!(told.as_slice(), [FromClass::Lost(_)]), "{told:?}");
}
