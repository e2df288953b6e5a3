//! The file of a class: a sample with a record of each kind, and its contents as a text.

use base::time::Time;
use classroom::wire::{SeatClaim, ToClassServer};
use classroom::{AccountPlan, ClassDescription, ClassMember, Record, Secret, Sequencer, record};
use protocol::Pace;
use protocol::class::{ClassAction, ClassEntry};
use std::fmt::Write as _;

const START: i64 = super::START.0;

fn secret(n: u8) -> Secret {
    Secret::new([n; 16])
}

/// The records of a small class: two participants, and each kind of action.
fn records() -> Vec<Record> {
    let class = ClassDescription {
        name: "sample".to_owned(),
        site: "lab".to_owned(),
        seed: 7,
        background: "off".to_owned(),
        start: START,
        plan: AccountPlan::Groups(2),
        people: 30,
        taken: vec!["alice".to_owned()],
    };
    let mut class = Sequencer::new(class, secret(1), secret(2), 0).expect("a class");
    let mut records = vec![class.first_record()];
    let mut keep = |class: &mut Sequencer, record: Record| {
        class.apply(&record);
        records.push(record);
    };
    for (name, link, key) in [("zoe", 1, 11), ("prof", 2, 12)] {
        let claim = SeatClaim::New(name.to_owned());
        let ToClassServer::Hello(hello) = ClassMember::new(secret(link), claim).hello() else {
            panic!("a greeting")
        };
        let (_, decision) = class.greet(&hello, secret(key)).expect("a seat");
        for record in decision.records {
            keep(&mut class, record);
        }
    }
    let text = "#!/bin/bash\necho é\n".to_owned();
    let actions = [
        ClassAction::Login { user: "zoe".to_owned(), columns: 90, rows: 31 },
        ClassAction::Type(1, "echo é > a.txt\n".as_bytes().to_vec()),
        ClassAction::Resize(1, 120, 40),
        ClassAction::Save { user: "zoe".to_owned(), path: "/home/zoe/a.sh".to_owned(), text },
        ClassAction::Announce("ten minutes left".to_owned()),
        ClassAction::Administer("scontrol update nodename=c01 state=drain reason=class".to_owned()),
        ClassAction::Enrol("guest".to_owned()),
        ClassAction::Logout(1),
    ];
    keep(&mut class, Record::Paced(Pace::Times(60), START + 1_000_000));
    keep(&mut class, Record::Reserved(START + 30_000_000));
    for (token, action) in (1..).zip(actions) {
        let number = class.last() + 1;
        let time = START + 30_000_000;
        keep(&mut class, Record::Entered(ClassEntry { number, time, seat: 1, token, action }));
    }
    keep(&mut class, Record::Skipped(START + 600_000_000));
    keep(&mut class, Record::Freed(1));
    keep(&mut class, Record::Taken { seat: 1, key: secret(13) });
    keep(&mut class, Record::Paced(Pace::Paused, START + 600_000_000));
    records
}

/// The bytes of the sample.
pub fn make() -> Vec<u8> {
    let mut bytes = record::HEADER.to_vec();
    records().iter().for_each(|record| bytes.extend(record::frame(record)));
    bytes
}

/// The contents of a class's file, and what a server knows after reading it.
pub fn facts(bytes: &[u8]) -> String {
    let file = record::read(bytes).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(file.whole, bytes.len());
    let mut text = String::new();
    let pace = |pace: &Pace| match pace {
        Pace::Paused => "paused".to_owned(),
        Pace::Times(times) => format!("{times}x"),
    };
    for record in &file.records {
        let line = match record {
            Record::Class { class, learner, teacher } => {
                let ClassDescription { name, site, seed, background, start, plan, people, taken } = &**class;
                let plan = match plan {
                    AccountPlan::Each => "each".to_owned(),
                    AccountPlan::Together => "together".to_owned(),
                    AccountPlan::Groups(n) => format!("{n} groups"),
                };
                let start = Time(*start).iso();
                format!(
                    "class {name}: site {site}, seed {seed}, background {background}, start {start}, accounts {plan}, \
                     {people} people, taken {taken:?}, secrets {} {}",
                    learner.text(),
                    teacher.text()
                )
            }
            Record::Seated { name, teacher, key } => {
                format!("seat of {name}, teacher {teacher}, key {}", key.text())
            }
            Record::Lesson(lesson) => format!("lesson {lesson:?}"),
            Record::Freed(seat) => format!("the name of seat {seat} is freed"),
            Record::Taken { seat, key } => format!("seat {seat} is taken, key {}", key.text()),
            Record::Paced(to, at) => format!("pace {} at {at}", pace(to)),
            Record::Skipped(to) => format!("skip to {to}"),
            Record::Reserved(to) => format!("time until {to}"),
            Record::Entered(ClassEntry { number, time, seat, token, action }) => {
                let action = match action {
                    ClassAction::Enrol(user) => format!("{user} is added"),
                    ClassAction::Administer(command) => format!("root runs {command:?}"),
                    ClassAction::Login { user, columns, rows } => {
                        format!("login of {user}, {columns}x{rows}")
                    }
                    ClassAction::Logout(tty) => format!("logout of terminal {tty}"),
                    ClassAction::Type(tty, bytes) => {
                        format!("typed at {tty}: {:?}", String::from_utf8_lossy(bytes))
                    }
                    ClassAction::Resize(tty, columns, rows) => format!("terminal {tty} is {columns}x{rows}"),
                    ClassAction::Save { user, path, text } => format!("{user} saves {path}: {text:?}"),
                    ClassAction::Announce(text) => format!("announced {text:?}"),
                    ClassAction::Prepare { user, command } => {
                        format!("{user} runs {command:?} for the lesson")
                    }
                    ClassAction::Help { seat, terminal, bytes } => {
                        let bytes = String::from_utf8_lossy(bytes);
                        format!("typed at {terminal} of seat {seat}: {bytes:?}")
                    }
                };
                format!("entry {number} at {time}, seat {seat}, token {token}: {action}")
            }
        };
        let _ = writeln!(text, "{line}");
    }
    let class = Sequencer::restore(&file.records, 0).unwrap_or_else(|why| panic!("{why}"));
    let seats: Vec<&str> = class.seats().iter().map(|seat| seat.name.as_str()).collect();
    let _ = writeln!(text, "---- result\nlast entry {}, seats {}", class.last(), seats.join(" "));
    text
}
