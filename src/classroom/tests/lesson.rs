//! The lesson of a class.

use super::{TestServer, refusal, secret};
use crate::wire::*;
use crate::{Record, Sequencer, record};
use protocol::class::{ClassAction, ClassLesson, LessonDeed};

fn lesson() -> ClassLesson {
    ClassLesson {
        name: "en/x".into(),
        text: "---".into(),
        deeds: vec![
            LessonDeed::Once { user: "bob".into(), command: "sbatch b".into() },
            LessonDeed::Each("sbatch own".into()),
            LessonDeed::File { path: "~/x".into(), text: "data".into() },
        ],
    }
}

fn chosen() -> ToClassServer {
    ToClassServer::Lesson(Some(Box::new(lesson())))
}

/// What prepares the cluster, with its users.
fn prepared(server: &TestServer, after: u64) -> Vec<String> {
    let said = |action: &ClassAction| match action {
        ClassAction::Prepare { user, command } => Some(format!("{user} {command}")),
        ClassAction::Save { user, path, text } => Some(format!("{user} {path} {text}")),
        _ => None,
    };
    server.class.block_after(after).iter().filter_map(|entry| said(&entry.action)).collect()
}

#[test]
fn a_lesson_is_prepared_once_and_for_each_participant() {
    let mut server = TestServer::new();
    for (name, link, visit) in [("anna", 1, 1), ("prof", 2, 2)] {
        server.join(SeatClaim::New(name.into()), secret(link), visit).unwrap();
    }
    assert!(refusal(&server.send(1, chosen())).contains("Only a teacher"));
    assert_eq!(server.class.lesson().0, None);
    let before = server.class.last();
    server.send(2, chosen());
    assert_eq!(server.class.lesson(), (Some(&lesson()), before));
    let first = ["bob sbatch b", "anna sbatch own", "anna /home/anna/x data"];
    assert_eq!(prepared(&server, before), first);
    // A participant who comes later, after a restart.
    server.restart(server.file.len());
    assert_eq!(server.class.lesson(), (Some(&lesson()), before));
    let before = server.class.last();
    server.join(SeatClaim::New("bert".into()), secret(1), 3).unwrap();
    assert_eq!(prepared(&server, before), ["bert sbatch own", "bert /home/bert/x data"]);
    // Its user is there before.
    assert!(matches!(server.class.block_after(before)[0].action, ClassAction::Enrol(_)));
    server.send(2, ToClassServer::Lesson(None));
    assert_eq!(server.class.lesson().0, None);
    let before = server.class.last();
    server.join(SeatClaim::New("carl".into()), secret(1), 4).unwrap();
    assert_eq!(prepared(&server, before), Vec::<String>::new());
}

#[test]
fn a_class_begins_with_a_lesson() {
    let mut server = TestServer::new();
    let record = server.class.begin_with(lesson()).unwrap();
    server.store(crate::ClassDecision { records: vec![record], ..crate::ClassDecision::default() });
    server.restart(server.file.len());
    server.join(SeatClaim::New("prof".into()), secret(2), 1).unwrap();
    server.join(SeatClaim::New("anna".into()), secret(1), 2).unwrap();
    server.join(SeatClaim::New("bert".into()), secret(1), 3).unwrap();
    let all = prepared(&server, 0);
    assert_eq!(all.iter().filter(|line| line.starts_with("bob")).count(), 1, "{all:?}");
    assert_eq!(all.len(), 5, "{all:?}");
}

#[test]
fn lessons_are_bounded() {
    let mut server = TestServer::new();
    server.join(SeatClaim::New("prof".into()), secret(2), 1).unwrap();
    let many = ClassLesson { deeds: vec![LessonDeed::Each(String::new()); 101], ..lesson() };
    let large = ClassLesson { text: "x".repeat(400 << 10), ..lesson() };
    for lesson in [many, large] {
        let message = ToClassServer::Lesson(Some(Box::new(lesson.clone())));
        assert!(refusal(&server.send(1, message)).contains("too large"));
        assert!(server.class.begin_with(lesson.clone()).is_err());
        server.pass(60_000);
        let mut file = server.file.clone();
        file.extend(record::frame(&Record::Lesson(Some(Box::new(lesson)))));
        let records = record::read(&file).unwrap().records;
        assert!(Sequencer::restore(&records, 0).is_err(), "also from a file");
    }
    let prepare = ClassAction::Prepare { user: "root".into(), command: "reboot".into() };
    let asked = ToClassServer::Request { token: 1, action: prepare };
    assert!(refusal(&server.send(1, asked)).contains("by the server"));
}
