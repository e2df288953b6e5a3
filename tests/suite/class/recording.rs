//! The recording of a class: a session that replays to the same state, also under pseudonyms.

use super::{ClassServer, START, Tab, all, joined};
use base::time::Time;
use config::sites;
use engine::session::{Session, Setup};
use host::tty::TtyId;
use protocol::class::{RecordedClass, ToClass};
use protocol::{ToEngine, UserNotice};
use std::collections::BTreeSet;

fn record(server: &mut ClassServer, tabs: &mut [Tab], pseudonyms: bool) -> RecordedClass {
    let teacher = tabs.last_mut().expect("a teacher");
    teacher.engine.receive(ToEngine::Class(ToClass::Record(pseudonyms)));
    teacher.exchange(server);
    teacher.recorded.take().expect("a recording")
}

fn opened(bytes: &[u8]) -> (Session, Vec<UserNotice>) {
    let files = sites::built_in("lab").expect("a site");
    let setup = Setup { site: "lab".into(), files, seed: 9, start: Time(1) };
    Session::resume(setup, Some(bytes), &[], &BTreeSet::new()).expect("a session")
}

/// The same without its state: everything comes from the inputs.
fn replayed(bytes: &[u8]) -> (Session, Vec<UserNotice>) {
    let mut bytes = bytes.to_vec();
    *bytes.last_mut().expect("a byte of the world") ^= 1;
    opened(&bytes)
}

fn screen(session: &Session, tty: u32) -> String {
    let found = session.terminals().find(|(id, _)| *id == TtyId(tty));
    String::from_utf8_lossy(&found.expect("a terminal").1.tail(9000)).into_owned()
}

#[test]
fn a_recording_replays_to_the_same_state() {
    let mut server = ClassServer::new();
    // More terminals than an ordinary session has.
    let mut tabs: Vec<Tab> = (1..=5).map(|n| joined(&mut server, &format!("learner{n}"), 1)).collect();
    tabs.push(joined(&mut server, "prof", 2));
    all(&mut server, &mut tabs, 10);
    for (tab, n) in tabs.iter_mut().zip(1..=5) {
        for _ in 0..3 {
            tab.engine.receive(ToEngine::Login(format!("learner{n}")));
        }
    }
    all(&mut server, &mut tabs, 10);
    for tab in &mut tabs {
        tab.types("echo $USER > mark; sbatch -J $USER -t 5 --wrap 'sleep 100'; cat mark");
    }
    all(&mut server, &mut tabs, 40);
    let recorded = record(&mut server, &mut tabs, false);
    assert_eq!(recorded.kept, Vec::<String>::new());
    let hash = tabs.last_mut().expect("a teacher").hash();
    let (session, notices) = opened(&recorded.session);
    assert_eq!((session.world().hash(), notices), (hash, Vec::new()));
    assert_eq!(session.terminals().count(), 21);
    let texts: String = session.terminals().map(|(tty, _)| screen(&session, tty.0)).collect();
    assert!(texts.contains("learner5\n"), "{texts}");
    // The inputs alone give the same state, with all terminals.
    let (session, notices) = replayed(&recorded.session);
    assert_eq!((session.world().hash(), session.terminals().count()), (hash, 21), "{notices:?}");
    // Every moment since the start is there.
    let early = session.seek(Time(START + 500_000)).expect("the past");
    assert_eq!(early.ctld.dbd.jobs.len(), 0);
    // A participant's tab makes none.
    tabs[0].engine.receive(ToEngine::Class(ToClass::Record(false)));
    tabs[0].exchange(&mut server);
    assert_eq!(tabs[0].recorded, None);
}

#[test]
fn pseudonyms_replace_names_in_users_accounts_and_texts() {
    let mut server = ClassServer::new();
    let mut tabs: Vec<Tab> = ["zoe", "test"].iter().map(|name| joined(&mut server, name, 1)).collect();
    tabs.push(joined(&mut server, "prof", 2));
    all(&mut server, &mut tabs, 10);
    tabs[0].types("echo I am Zoe; sbatch -J zoe_1 --wrap 'sleep 600'; ls -d /home/zoe");
    tabs[1].types("test -d /home/zoe && sbatch -J mine --wrap 'sleep 600'");
    all(&mut server, &mut tabs, 20);
    tabs[1].types("squeue -h -o '%u %a %j'");
    all(&mut server, &mut tabs, 20);
    let recorded = record(&mut server, &mut tabs, true);
    assert_eq!(recorded.kept, ["test"]);
    let (session, notices) = opened(&recorded.session);
    assert_eq!(notices, []);
    let texts: String = session.terminals().map(|(tty, _)| screen(&session, tty.0)).collect();
    assert!(texts.contains("I am p1\n") && texts.contains("/home/p1\n"), "{texts}");
    assert!(texts.contains("p1 p1 p1_1\n") && texts.contains("p2 p2 mine\n"), "{texts}");
    assert!(!texts.to_lowercase().contains("zoe"), "{texts}");
    let users: Vec<&str> = session.world().kernel.users.0.iter().map(|user| user.name.as_str()).collect();
    assert!(users.contains(&"p1") && !users.contains(&"zoe") && !users.contains(&"test"), "{users:?}");
    // It replays as well.
    let (again, notices) = replayed(&recorded.session);
    assert_eq!(again.world().hash(), session.world().hash(), "{notices:?}");
}
