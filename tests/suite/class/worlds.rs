//! The worlds of all tabs are equal, and each participant sees only their own terminals.

use super::{ClassServer, START, Tab, all, joined, same, secret};
use classroom::wire::{FromClassServer, SeatClaim, ToClassServer};
use protocol::class::{ClassAction, FromClass, ToClass};
use protocol::{Pace, Skip, ToEngine};

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
