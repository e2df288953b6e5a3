//! A teacher who looks at terminals, and types in those of raised hands.

use super::{TestServer, refusal, secret};
use crate::wire::*;
use protocol::class::ClassAction;

fn class() -> TestServer {
    let mut server = TestServer::new();
    for (name, link, visit) in [("anna", 1, 1), ("bert", 1, 2), ("prof", 2, 3), ("aide", 2, 4)] {
        server.join(SeatClaim::New(name.into()), secret(link), visit).unwrap();
    }
    server
}

#[test]
fn participants_see_who_looks() {
    let mut server = class();
    let watchers = |server: &TestServer| [1, 2, 3].map(|seat| server.class.watchers(seat).join(" "));
    assert!(refusal(&server.send(1, ToClassServer::Look(ClassLook::One(2)))).contains("Only a teacher"));
    server.send(3, ToClassServer::Look(ClassLook::One(1)));
    assert_eq!(watchers(&server), ["prof", "", ""]);
    server.send(4, ToClassServer::Look(ClassLook::Everyone));
    assert_eq!(watchers(&server), ["prof aide", "aide", ""]);
    server.send(3, ToClassServer::Look(ClassLook::Nobody));
    server.class.leave(4, 4);
    assert_eq!(watchers(&server), ["", "", ""], "a teacher who leaves looks at nothing");
}

#[test]
fn a_teacher_types_only_where_a_hand_is_up() {
    let mut server = class();
    let mut token = 0;
    let mut help = |server: &mut TestServer, by, seat, terminal, bytes: &[u8]| {
        token += 1;
        let action = ClassAction::Help { seat, terminal, bytes: bytes.to_vec() };
        server.send(by, ToClassServer::Request { token, action })
    };
    assert!(refusal(&help(&mut server, 3, 1, 1, b"ls\n")).contains("anna's hand is down"));
    assert!(refusal(&help(&mut server, 3, 4, 1, b"ls\n")).contains("no such participant"));
    assert!(refusal(&help(&mut server, 3, 99, 1, b"ls\n")).contains("no such participant"));
    server.send(1, ToClassServer::Hand { seat: 1, up: true });
    assert!(refusal(&help(&mut server, 2, 1, 1, b"ls\n")).contains("Only a teacher"));
    assert!(refusal(&help(&mut server, 3, 1, 2, b"ls\n")).contains("closed"));
    assert!(refusal(&help(&mut server, 3, 1, 1, b"")).contains("1 to"));
    let before = server.class.last();
    assert_eq!(help(&mut server, 3, 1, 1, b"ls\n"), []);
    let entry = &server.class.block_after(before)[0];
    assert_eq!(
        (entry.seat, &entry.action),
        (3, &ClassAction::Help { seat: 1, terminal: 1, bytes: b"ls\n".to_vec() })
    );
    server.send(3, ToClassServer::Hand { seat: 1, up: false });
    assert!(refusal(&help(&mut server, 3, 1, 1, b"ls\n")).contains("down"));
}
