//! A teacher who shows a terminal or a job to all.

use super::{START, TestServer, refusal, secret, typed};
use crate::wire::*;
use protocol::Pace;
use protocol::class::ClassAction;

fn class() -> TestServer {
    let mut server = TestServer::new();
    for (name, link, visit) in [("anna", 1, 1), ("bert", 1, 2), ("prof", 2, 3)] {
        server.join(SeatClaim::New(name.into()), secret(link), visit).unwrap();
    }
    server
}

fn terminal(seat: u32) -> ToClassServer {
    ToClassServer::Show(Some(ClassShow::Terminal(seat)))
}

#[test]
fn only_what_a_teacher_may_look_at_is_shown() {
    let mut server = class();
    assert!(refusal(&server.send(1, terminal(2))).contains("Only a teacher"));
    assert!(refusal(&server.send(1, ToClassServer::Show(None))).contains("Only a teacher"));
    for seat in [0, 3, 9] {
        assert!(refusal(&server.send(3, terminal(seat))).contains("no such participant"), "{seat}");
    }
    for id in ["", "x", "1 2", "4<b>", &"1".repeat(33)] {
        let job = ToClassServer::Show(Some(ClassShow::Job(id.to_owned())));
        assert!(refusal(&server.send(3, job)).contains("no job"), "{id}");
    }
    assert_eq!(server.class.shown(), None);
    assert_eq!(server.class.time().1, Pace::Times(1));
    assert_eq!(server.send(3, ToClassServer::Show(None)), [], "nothing is shown, so nothing ends");
    assert_eq!(server.send(3, ToClassServer::Show(Some(ClassShow::Job("12_[1-3]".into())))), []);
    let shown = server.class.shown().unwrap();
    assert_eq!((shown.by.as_str(), shown.owner.as_str()), ("prof", ""));
}

#[test]
fn the_clock_is_paused_and_only_the_teacher_types() {
    let mut server = class();
    server.send(3, ToClassServer::Pace(Pace::Times(60)));
    server.pass(1000);
    assert_eq!(server.send(3, terminal(1)), []);
    assert_eq!(server.class.shown().map(|shown| shown.owner.as_str()), Some("anna"));
    let frozen = server.class.time();
    assert_eq!(frozen, (START + 60_000_000, Pace::Paused));
    let entries = server.class.last();
    assert!(refusal(&server.send(1, typed(1, "ls\n"))).contains("showing something"));
    // The page tells the size of a terminal by itself, and the clock stays.
    let size = ToClassServer::Request { token: 2, action: ClassAction::Resize(1, 90, 20) };
    assert_eq!(server.send(1, size), []);
    assert_eq!(server.class.last(), entries + 1);
    for clock in [ToClassServer::Pace(Pace::Times(1)), ToClassServer::Skip(START + 900_000_000)] {
        assert!(refusal(&server.send(3, clock)).contains("End that first"));
    }
    // A newcomer changes nothing.
    server.join(SeatClaim::New("cem".into()), secret(1), 4).unwrap();
    server.pass(1000);
    assert_eq!(server.class.time(), frozen);
    // The teacher's command runs.
    assert_eq!(server.send(3, typed(1, "squeue\n")), []);
    server.pass(1000);
    assert_eq!(server.class.time().0, frozen.0 + 1_000_000);
    // Something else is shown; then one click restores the pace of before.
    assert_eq!(server.send(3, terminal(2)), []);
    assert_eq!(server.class.shown().map(|shown| shown.owner.as_str()), Some("bert"));
    assert_eq!(server.send(3, ToClassServer::Show(None)), []);
    assert_eq!((server.class.shown(), server.class.time().1), (None, Pace::Times(60)));
    assert_eq!(server.send(1, typed(3, "ls\n")), []);
}

#[test]
fn a_restart_ends_it_with_the_clock_paused() {
    let mut server = class();
    server.send(3, terminal(1));
    server.restart(server.file.len());
    assert_eq!((server.class.shown(), server.class.time().1), (None, Pace::Paused));
    assert_eq!(server.send(1, typed(1, "ls\n")), []);
}

#[test]
fn a_member_learns_what_is_shown() {
    let mut server = class();
    server.send(3, terminal(1));
    let mut member = crate::ClassMember::new(secret(1), SeatClaim::New("dora".into()));
    let told = decode(&encode(&server.class.shown_message())).unwrap();
    let Some(crate::MemberNews::Shown(Some(shown))) = member.receive(told) else { panic!("news") };
    assert_eq!(shown.what, ClassShow::Terminal(1));
}
