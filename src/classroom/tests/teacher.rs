//! Raised hands, and names that a teacher frees.

use super::{TestServer, refusal, secret, typed};
use crate::wire::*;
use crate::{Record, record};
use protocol::class::ClassAction;

fn class() -> TestServer {
    let mut server = TestServer::new();
    for (name, link, visit) in [("anna", 1, 1), ("bert", 1, 2), ("prof", 2, 3)] {
        server.join(SeatClaim::New(name.into()), secret(link), visit).unwrap();
    }
    server
}

#[test]
fn a_hand_is_raised_by_its_owner_and_lowered_by_either() {
    let mut server = class();
    let hand = |seat, up| ToClassServer::Hand { seat, up };
    let file = server.file.len();
    assert_eq!(server.send(1, hand(1, true)), [(1, FromClassServer::Hand(true))]);
    server.real += 5000;
    assert_eq!(server.send(1, hand(1, true)), [(1, FromClassServer::Hand(true))]);
    let up =
        |server: &TestServer| server.class.people(server.real).iter().map(|p| p.hand).collect::<Vec<_>>();
    assert_eq!(up(&server), [Some(5), None, None], "a second press keeps the place in the line");
    assert!(refusal(&server.send(2, hand(1, false))).contains("only your own"));
    assert!(
        refusal(&server.send(3, hand(2, true))).contains("only your own"),
        "a teacher raises nobody's hand"
    );
    assert!(refusal(&server.send(3, hand(3, true))).contains("only your own"));
    assert!(refusal(&server.send(3, hand(99, false))).contains("only your own"));
    assert_eq!(server.send(3, hand(1, false)), [(1, FromClassServer::Hand(false))]);
    assert_eq!(server.send(2, hand(2, true)), [(2, FromClassServer::Hand(true))]);
    assert_eq!(server.send(2, hand(2, false)), [(2, FromClassServer::Hand(false))]);
    assert_eq!(up(&server), [None, None, None]);
    assert_eq!(server.file.len(), file, "hands are not stored");
}

#[test]
fn a_freed_name_gives_the_seat_to_the_next_who_chooses_it() {
    let mut server = class();
    let first = server.class.seat(1).unwrap().key;
    server.send(1, typed(1, "echo kept > file\n"));
    for (by, of) in [(1, 2), (1, 1), (3, 3), (3, 9), (3, 0)] {
        assert!(refusal(&server.send(by, ToClassServer::Free(of))).contains("cannot free"), "{by} {of}");
    }
    assert_eq!(server.send(3, ToClassServer::Free(1)), []);
    assert!(!server.class.holds(1, 1), "the tab that has the seat loses it");
    assert!(server.class.is_free(1) && server.class.people(0)[0].free);
    assert_eq!(server.send(3, ToClassServer::Free(1)), [], "twice changes nothing");
    // The old key opens nothing any more, also after a restart.
    server.restart(server.file.len());
    let gone = server.join(SeatClaim::Seat(1, first), secret(1), 4).unwrap_err();
    assert_eq!(gone.next, FarewellNext::Name);
    // A teacher's link takes no participant's seat.
    assert!(server.join(SeatClaim::New("anna".into()), secret(2), 5).is_err());
    let entries = server.class.last();
    let again = server.join(SeatClaim::New("anna".into()), secret(1), 6).unwrap();
    assert_eq!((again.seat, again.user.as_str(), again.token), (1, "anna", 1));
    assert_eq!(server.class.last(), entries, "the user and the terminals are those of before");
    assert!(again.key != first && again.invite.is_none());
    let action = ClassAction::Type(1, b"cat file\n".to_vec());
    assert_eq!(server.send(1, ToClassServer::Request { token: 2, action }), []);
    server.restart(server.file.len());
    assert_eq!(server.join(SeatClaim::Seat(1, again.key), secret(1), 7).unwrap().seat, 1);
    let taken = server.join(SeatClaim::New("anna".into()), secret(1), 8).unwrap_err();
    assert!(taken.why.contains("taken"), "{taken:?}");
}

#[test]
fn the_teacher_gets_the_secret_for_participants() {
    let mut server = class();
    let key = server.class.seat(3).unwrap().key;
    let welcome = server.join(SeatClaim::Seat(3, key), secret(2), 9).unwrap();
    assert_eq!(welcome.invite, Some(secret(1)));
}

#[test]
fn a_file_that_frees_an_unknown_seat_is_refused() {
    for record in [Record::Freed(7), Record::Taken { seat: 0, key: secret(3) }] {
        let mut server = class();
        server.file.extend(record::frame(&record));
        let records = record::read(&server.file).unwrap().records;
        assert!(crate::Sequencer::restore(&records, 0).is_err(), "{record:?}");
    }
}
