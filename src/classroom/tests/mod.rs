//! Classes of many simulated participants, whose connections and servers fail.

mod failures;
mod lesson;
mod look;
mod show;
mod teacher;

use super::record::{self, HEADER};
use super::wire::*;
use super::*;
use protocol::class::{ClassAction, ClassEntry};
use protocol::{Micros, Pace};
use testing::for_seeds;

const START: Micros = 1_772_442_000_000_000;

fn secret(n: u8) -> Secret {
    Secret::new([n; 16])
}

fn description() -> ClassDescription {
    ClassDescription {
        name: "hpc1".into(),
        site: "lab".into(),
        seed: 1,
        background: "off".into(),
        start: START,
        plan: AccountPlan::Each,
        people: 30,
        taken: vec!["alice".into()],
    }
}

/// A server without sockets: a sequencer, its file, and the real time.
struct TestServer {
    class: Sequencer,
    file: Vec<u8>,
    real: u64,
}

impl TestServer {
    fn new() -> Self {
        let class = Sequencer::new(description(), secret(1), secret(2), 0).unwrap();
        let mut file = HEADER.to_vec();
        file.extend(record::frame(&class.first_record()));
        Self { class, file, real: 0 }
    }

    fn store(&mut self, decision: ClassDecision) -> Vec<(u32, FromClassServer)> {
        for record in &decision.records {
            self.file.extend(record::frame(record));
            self.class.apply(record);
        }
        self.class.change_show(decision.show);
        decision.answers
    }

    fn join(&mut self, claim: SeatClaim, link: Secret, visit: u64) -> Result<Welcome, Farewell> {
        self.greet(&ClassMember::new(link, claim).hello(), visit)
    }

    fn greet(&mut self, hello: &ToClassServer, visit: u64) -> Result<Welcome, Farewell> {
        let ToClassServer::Hello(hello) = hello else { panic!("a greeting") };
        let (seat, decision) = self.class.greet(hello, secret((visit % 200) as u8 + 50))?;
        self.store(decision);
        Ok(self.class.take_seat(seat, visit).expect("the seat"))
    }

    fn send(&mut self, seat: u32, message: ToClassServer) -> Vec<(u32, FromClassServer)> {
        let size = encode(&message).len();
        let decision = self.class.receive(seat, message, size, self.real).expect("no end of the connection");
        self.store(decision)
    }

    fn pass(&mut self, millis: u64) {
        self.real += millis;
        let due = self.class.due(self.real);
        self.store(due);
        self.class.tick(self.real);
    }

    /// Killed and started again, with this many bytes of the file.
    fn restart(&mut self, bytes: usize) {
        let file = record::read(&self.file[..bytes]).expect("readable");
        self.file.truncate(file.whole);
        self.class = Sequencer::restore(&file.records, self.real).expect("a class");
    }
}

fn typed(token: u64, text: &str) -> ToClassServer {
    ToClassServer::Request { token, action: ClassAction::Type(1, text.as_bytes().to_vec()) }
}

fn refusal(answers: &[(u32, FromClassServer)]) -> &str {
    match answers {
        [(_, FromClassServer::Refused { why, .. })] => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_participant_gets_a_user_an_account_and_a_terminal() {
    let mut server = TestServer::new();
    let welcome = server.join(SeatClaim::New("anna".into()), secret(1), 1).unwrap();
    assert_eq!((welcome.seat, welcome.user.as_str(), welcome.teacher), (1, "anna", false));
    let actions: Vec<&ClassAction> = server.class.block_after(0).iter().map(|e| &e.action).collect();
    assert_eq!(actions[0], &ClassAction::Enrol("anna".into()));
    let accounting = "sacctmgr -i add account anna; sacctmgr -i add user anna Account=anna";
    assert_eq!(actions[1], &ClassAction::Administer(accounting.into()));
    assert!(matches!(actions[2], ClassAction::Login { user, .. } if user == "anna"));
    let teacher = server.join(SeatClaim::New("prof".into()), secret(2), 2).unwrap();
    assert_eq!((teacher.user.as_str(), teacher.teacher, server.class.last()), ("root", true, 4));
}

#[test]
fn groups_are_filled_in_turn() {
    let class = ClassDescription { plan: AccountPlan::Groups(2), ..description() };
    let accounts = (1..=3).map(|n| class.account(&Seat::new(n, "x".into(), false, secret(1))));
    assert_eq!(accounts.collect::<Vec<_>>(), ["group1", "group2", "group1"]);
}

#[test]
fn names_are_unique_and_harmless() {
    let mut server = TestServer::new();
    server.join(SeatClaim::New("anna".into()), secret(1), 1).unwrap();
    for (name, part) in [
        ("anna", "taken"),
        ("alice", "taken"),
        ("root", "system"),
        ("", "1 to 16"),
        ("Anna", "lower-case"),
        ("a b", "lower-case"),
        ("a;reboot", "lower-case"),
        ("1a", "starts with a letter"),
        (&"a".repeat(17), "1 to 16"),
        (&"a".repeat(5000), "too long"),
    ] {
        let refused = server.join(SeatClaim::New(name.into()), secret(1), 2).unwrap_err();
        assert!(refused.next == FarewellNext::Name && refused.why.contains(part), "{name}: {refused:?}");
    }
    assert_eq!(server.class.seats().len(), 1);
}

#[test]
fn a_wrong_secret_or_version_opens_nothing() {
    let mut server = TestServer::new();
    let wrong = server.join(SeatClaim::New("eve".into()), secret(9), 1).unwrap_err();
    assert_eq!(wrong.next, FarewellNext::Stop);
    // Another's seat with a guessed key, and a teacher's seat with the participants' link.
    server.join(SeatClaim::New("anna".into()), secret(1), 1).unwrap();
    let prof = server.join(SeatClaim::New("prof".into()), secret(2), 2).unwrap();
    for claim in [SeatClaim::Seat(1, secret(9)), SeatClaim::Seat(2, prof.key), SeatClaim::Seat(0, secret(9))]
    {
        assert_eq!(server.join(claim, secret(1), 3).unwrap_err().next, FarewellNext::Name);
    }
    let ToClassServer::Hello(mut hello) = ClassMember::new(secret(1), SeatClaim::New("bob".into())).hello()
    else {
        panic!("a greeting")
    };
    hello.version = VERSION + 1;
    let old = server.greet(&ToClassServer::Hello(hello.clone()), 4).unwrap_err();
    assert!(old.next == FarewellNext::Stop && old.why.contains("Reload"), "{old:?}");
    assert_eq!(greeting_version(&encode(&ToClassServer::Hello(hello))), Some(VERSION + 1));
    assert_eq!(server.class.seats().len(), 2);
    assert_eq!(format!("{:?}", secret(7)), "Secret");
    assert_eq!(Secret::parse(&secret(7).text()), Some(secret(7)));
    assert_eq!(Secret::parse("AA"), None);
}

#[test]
fn a_class_has_so_many_seats_and_the_teacher_still_finds_one() {
    let mut server = TestServer::new();
    for n in 0..30 {
        server.join(SeatClaim::New(format!("p{n}")), secret(1), n).unwrap();
    }
    let full = server.join(SeatClaim::New("late".into()), secret(1), 40).unwrap_err();
    assert!(full.why.contains("All 30 seats"), "{full:?}");
    server.join(SeatClaim::New("prof".into()), secret(2), 41).unwrap();
    // A reload takes no further seat, and the earlier tab loses it.
    let key = server.class.seat(3).unwrap().key;
    assert_eq!(server.join(SeatClaim::Seat(3, key), secret(1), 42).unwrap().seat, 3);
    assert!(server.class.holds(3, 42) && !server.class.holds(3, 2));
    server.class.leave(3, 2);
    assert!(server.class.holds(3, 42), "the earlier tab's end changes nothing");
}

#[test]
fn no_participant_acts_for_another() {
    let mut server = TestServer::new();
    server.join(SeatClaim::New("anna".into()), secret(1), 1).unwrap();
    server.join(SeatClaim::New("prof".into()), secret(2), 2).unwrap();
    let before = server.class.last();
    let save = |user: &str, path: &str, text: String| ClassAction::Save {
        user: user.into(),
        path: path.into(),
        text,
    };
    let login = |user: &str| ClassAction::Login { user: user.into(), columns: 80, rows: 24 };
    for (action, part) in [
        (ClassAction::Enrol("mallory".into()), "by the server"),
        (ClassAction::Administer("reboot".into()), "Only a teacher"),
        (ClassAction::Announce("hello".into()), "Only a teacher"),
        (login("root"), "You are anna"),
        (login("bob"), "You are anna"),
        (save("bob", "/home/bob/x", String::new()), "You are anna"),
        (save("anna", "x", String::new()), "absolute path"),
        (save("anna", "/x", "x".repeat(300 << 10)), "at most"),
        (ClassAction::Type(2, b"ls\n".to_vec()), "closed"),
        (ClassAction::Type(1, Vec::new()), "1 to"),
        (ClassAction::Type(1, vec![b'x'; 65 << 10]), "1 to"),
        (ClassAction::Logout(7), "closed"),
        (ClassAction::Resize(1, 0, 24), "1 to 1000"),
        (ClassAction::Resize(1, 80, 65_535), "1 to 1000"),
    ] {
        let answers = server.send(1, ToClassServer::Request { token: 1, action: action.clone() });
        assert!(refusal(&answers).contains(part), "{action:?}: {answers:?}");
    }
    for clock in [ToClassServer::Pace(Pace::Paused), ToClassServer::Skip(START + 1_000_000)] {
        assert!(refusal(&server.send(1, clock)).contains("The teacher sets"));
    }
    assert_eq!(server.class.last(), before);
    // The teacher may.
    server.pass(10_000);
    for (token, action) in [(1, ClassAction::Announce("hello".into())), (2, login("alice"))] {
        assert_eq!(server.send(2, ToClassServer::Request { token, action }), []);
    }
    assert_eq!(server.class.last(), before + 2);
}

#[test]
fn terminals_are_counted() {
    let mut server = TestServer::new();
    server.join(SeatClaim::New("anna".into()), secret(1), 1).unwrap();
    let login = |token| ToClassServer::Request {
        token,
        action: ClassAction::Login { user: "anna".into(), columns: 80, rows: 24 },
    };
    (1..=3).for_each(|token| assert_eq!(server.send(1, login(token)), []));
    assert!(refusal(&server.send(1, login(4))).contains("at most 4"));
    assert_eq!(server.send(1, ToClassServer::Request { token: 5, action: ClassAction::Logout(2) }), []);
    assert_eq!(server.send(1, login(6)), []);
    // The new terminal is number 5; number 2 stays closed.
    assert_eq!(
        server.send(1, ToClassServer::Request { token: 7, action: ClassAction::Type(5, b"ls\n".to_vec()) }),
        []
    );
    assert!(
        refusal(&server.send(1, ToClassServer::Request { token: 8, action: ClassAction::Logout(2) }))
            .contains("closed")
    );
}

#[test]
fn the_clock_runs_stops_and_skips() {
    let mut server = TestServer::new();
    server.join(SeatClaim::New("prof".into()), secret(2), 1).unwrap();
    let at = |server: &TestServer| server.class.time().0 - START;
    server.pass(500);
    assert_eq!(at(&server), 500_000);
    // A server that slept, or a clock that jumps ahead, moves the class by a second.
    server.pass(1_000_000);
    assert_eq!(at(&server), 1_500_000);
    // A clock that goes back moves nothing.
    server.real -= 900_000;
    server.pass(0);
    assert_eq!(at(&server), 1_500_000);
    server.send(1, ToClassServer::Pace(Pace::Times(60)));
    server.pass(100);
    assert_eq!(at(&server), 7_500_000);
    server.send(1, ToClassServer::Pace(Pace::Times(u32::MAX)));
    assert_eq!(server.class.time().1, Pace::Times(3600));
    server.send(1, ToClassServer::Pace(Pace::Paused));
    server.pass(1000);
    assert_eq!(at(&server), 7_500_000);
    // A command gets two seconds while the clock is paused.
    assert_eq!(server.send(1, typed(1, "sinfo\n")), []);
    (0..50).for_each(|_| server.pass(100));
    assert_eq!(at(&server), 9_500_000);
    let now = server.class.time().0;
    for (until, part) in [(now, "past"), (0, "past"), (now + 31 * 86_400_000_000, "30 days"), (i64::MIN, "")]
    {
        assert!(refusal(&server.send(1, ToClassServer::Skip(until))).contains(part));
    }
    server.send(1, ToClassServer::Skip(now + 3_600_000_000));
    assert_eq!(server.class.time().0, now + 3_600_000_000);
}

#[test]
fn a_flood_is_refused_and_affects_no_other_tab() {
    let mut server = TestServer::new();
    server.join(SeatClaim::New("eve".into()), secret(1), 1).unwrap();
    server.join(SeatClaim::New("bob".into()), secret(1), 2).unwrap();
    let before = server.class.last();
    let mut ended = false;
    for token in 1..=1000 {
        let message = typed(token, "squeue\n");
        match server.class.receive(1, message, 20, server.real) {
            Ok(decision) => {
                server.store(decision);
            }
            Err(farewell) => {
                assert_eq!(farewell.next, FarewellNext::Later);
                ended = true;
                break;
            }
        }
    }
    assert!(ended && server.class.last() - before == 40, "{}", server.class.last() - before);
    assert_eq!(server.send(2, typed(1, "ls\n")), []);
    // Bytes are bounded, too.
    server.pass(60_000);
    let big = || "x".repeat(60 << 10);
    let taken = (0..40).filter(|n| server.send(2, typed(10 + n, &big())).is_empty()).count();
    assert!((7..=9).contains(&taken), "{taken}");
    server.pass(60_000);
    assert_eq!(server.send(1, typed(2000, "ls\n")), [], "later it may type again");
}

#[test]
fn a_member_with_another_hash_gets_a_notice() {
    let mut server = TestServer::new();
    for n in 0..5 {
        server.join(SeatClaim::New(format!("p{n}")), secret(1), n).unwrap();
    }
    for token in 1..=60 {
        server.pass(1000);
        server.send(1, typed(token, "ls\n"));
    }
    assert!(server.class.last() > 64);
    let hash = |number, hash| ToClassServer::Hash { number, hash };
    assert_eq!(server.send(1, hash(64, 7)), []);
    // With one tab for each state, neither is known to be right.
    assert_eq!(
        server.send(2, hash(64, 8)),
        [(1, FromClassServer::Differs(64)), (2, FromClassServer::Differs(64))]
    );
    assert_eq!(server.send(3, hash(64, 7)), []);
    assert_eq!(server.send(4, hash(64, 9)), [(4, FromClassServer::Differs(64))]);
    // A second report, one of no checkpoint, and one of the future count for nothing.
    for message in [hash(64, 9), hash(63, 1), hash(0, 1), hash(128, 1), hash(u64::MAX, 1)] {
        assert_eq!(server.send(4, message), []);
    }
}

#[test]
fn garbage_is_refused() {
    for_seeds(0..200, |_, random| {
        let bytes: Vec<u8> = (0..random.below(60_u32)).map(|_| random.bits() as u8).collect();
        if let Some(message) = decode::<ToClassServer>(&bytes) {
            let mut server = TestServer::new();
            server.join(SeatClaim::New("p".into()), secret(1), 1).unwrap();
            if let Ok(decision) = server.class.receive(1, message, bytes.len(), 0) {
                server.store(decision);
            }
        }
        assert!(record::read(&bytes).is_err() || bytes.is_empty());
    });
    assert_eq!(decode::<ToClassServer>(&vec![0; MAX_MESSAGE + 1]), None);
    let mut long = encode(&typed(1, "ls\n"));
    long.push(0);
    assert_eq!(decode::<ToClassServer>(&long), None);
}

#[test]
fn a_torn_record_is_cut_off_and_damage_is_an_error() {
    let mut server = TestServer::new();
    server.join(SeatClaim::New("anna".into()), secret(1), 1).unwrap();
    let all = record::read(&server.file).unwrap();
    assert_eq!(all.whole, server.file.len());
    for bytes in 0..server.file.len() {
        let file = record::read(&server.file[..bytes]).unwrap();
        assert!(file.whole <= bytes && all.records.starts_with(&file.records));
    }
    // Zeros at the end, and a last record whose bytes are wrong.
    let zeros = [server.file.clone(), vec![0; 100]].concat();
    assert_eq!(record::read(&zeros).unwrap().records, all.records);
    let mut wrong = server.file.clone();
    *wrong.last_mut().unwrap() ^= 1;
    assert_eq!(record::read(&wrong).unwrap().records.len(), all.records.len() - 1);
    // Any other wrong byte.
    for at in HEADER.len()..server.file.len() {
        let mut wrong = server.file.clone();
        wrong[at] ^= 0x10;
        let read = record::read(&wrong);
        assert!(read.is_err() || read.unwrap().records != all.records, "byte {at}");
    }
    assert!(record::read(b"something else").is_err());
    // Records that do not follow each other.
    assert!(Sequencer::restore(&all.records[1..], 0).is_err());
    let mut missing = all.records.clone();
    missing.remove(2);
    assert!(Sequencer::restore(&missing, 0).is_err());
}

#[test]
fn a_tab_with_other_entries_starts_again() {
    let mut server = TestServer::new();
    let mut member = ClassMember::new(secret(1), SeatClaim::New("anna".into()));
    let welcome = server.greet(&member.hello(), 1).unwrap();
    member.receive(FromClassServer::Welcome(Box::new(welcome))).unwrap();
    member.receive(FromClassServer::Entries(server.class.block_after(0).to_vec())).unwrap();
    // The machine stopped, and the last record was lost.
    let shorter = server.file.len() - 1;
    server.restart(shorter);
    assert_eq!(server.class.last(), 2);
    let again = server.greet(&member.hello(), 2).unwrap_err();
    assert_eq!(again.next, FarewellNext::Restart);
    member.receive(FromClassServer::Farewell(again)).unwrap();
    assert!(server.greet(&member.hello(), 3).is_ok());
    // An inconsistent entry is detected.
    let entry = ClassEntry { number: 9, time: START, seat: 1, token: 0, action: ClassAction::Logout(1) };
    assert_eq!(member.receive(FromClassServer::Entries(vec![entry])), None);
}

#[test]
fn pauses_between_attempts_grow_and_end() {
    let mut member = ClassMember::new(secret(1), SeatClaim::New("anna".into()));
    let pauses: Vec<u32> = (0..8).map(|_| member.lost()).collect();
    assert_eq!(pauses, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
}
