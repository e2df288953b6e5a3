//! The same journal gives the same state, also across another run, saving, and time travel.

use super::site::inserm;
use base::time::{Span, Time};
use engine::session::{SCENARIOS, Session, scenario};
use engine::world::{Input, InputResult};
use protocol::UserNotice;
use std::collections::BTreeSet;

const FUEL: u64 = 2_000_000;

fn run(session: &mut Session, user: &str, command: &str, seconds: i64) {
    session.apply(Input::Run { user: user.to_owned(), command: command.to_owned() });
    pass(session, seconds);
}

fn pass(session: &mut Session, seconds: i64) {
    let until = session.world().now + Span::from_secs(seconds);
    assert!(session.run_until(until, FUEL), "too many events");
}

fn busy_session() -> Session {
    let mut session = Session::new(inserm(3));
    let InputResult::Terminal(tty) =
        session.apply(Input::Login { user: "alice".to_owned(), columns: 80, rows: 24 })
    else {
        panic!("alice logs in")
    };
    pass(&mut session, 1);
    session.apply(Input::Type(tty, b"sbatch mon_job.slurm; for i in 1 2 3; do echo $i; done\n".to_vec()));
    pass(&mut session, 5);
    run(&mut session, "bob", "sbatch --array=1-20%4 -n 2 --wrap='sleep 50; echo done'", 30);
    run(
        &mut session,
        "carol",
        "a=$(sbatch --parsable --wrap='sleep 20'); sbatch -d afterok:$a --wrap='hostname'",
        2,
    );
    session.apply(Input::Type(tty, b"sleep 100\n".to_vec()));
    pass(&mut session, 3);
    session.apply(Input::Type(tty, vec![3]));
    session.apply(Input::NodeUp { node: "cpu4-02".to_owned(), up: false });
    pass(&mut session, 400);
    session.apply(Input::NodeUp { node: "cpu4-02".to_owned(), up: true });
    pass(&mut session, 60);
    session
}

#[test]
fn the_same_twice() {
    let (a, b) = (busy_session(), busy_session());
    assert_eq!(a.world().hash(), b.world().hash());
    assert!(a.steps() > 100);
    for name in SCENARIOS {
        let hashes = scenario(name);
        assert_eq!(hashes, scenario(name), "{name}");
        assert!(hashes.len() > 3, "{name}: {hashes:?}");
        if *name == "lesson" {
            assert_eq!((hashes[1], hashes[3]), (0, 0), "findings");
        }
        if !["saving", "python", "lesson", "class"].contains(name) {
            assert!(hashes.windows(2).all(|w| w[0] != w[1]), "{name}: nothing happened in a step");
        }
    }
}

#[test]
fn saved_and_resumed() {
    let mut original = busy_session();
    let bytes = original.save();
    let (mut copy, notices) =
        Session::resume(inserm(99), Some(&bytes), &[], &BTreeSet::new()).expect("a good session");
    assert_eq!(notices, []);
    assert_eq!(copy.world().hash(), original.world().hash());
    for session in [&mut original, &mut copy] {
        run(session, "dave", "sbatch -t 5 --wrap='sleep 10'; squeue", 100);
    }
    assert_eq!(copy.world().hash(), original.world().hash(), "both go on the same way");
}

#[test]
fn saved_while_running() {
    let mut session = busy_session();
    let at_once = session.save();
    let mut saving = session.saving();
    while saving.step() {
        run(&mut session, "dave", "squeue", 1);
    }
    assert_ne!(session.save(), at_once);
    assert_eq!(saving.finish(), at_once, "as it was when saving began");
}

#[test]
fn some_entries_have_a_hash() {
    let mut session = busy_session();
    while session.journal().entries().len() < 140 {
        run(&mut session, "dave", "true", 1);
    }
    let with: Vec<u64> =
        session.journal().entries().iter().filter(|e| e.hash.is_some()).map(|e| e.seq).collect();
    assert_eq!(with, [64, 128]);
    let entries: Vec<Vec<u8>> = session.journal().entries().iter().map(|e| e.encode()).collect();
    let (_, notices) = Session::resume(inserm(3), None, &entries, &BTreeSet::new()).expect("a journal");
    assert_eq!(notices, [], "they are right");
}

#[test]
fn replayed_from_the_journal_alone() {
    let session = busy_session();
    let entries: Vec<Vec<u8>> = session.journal().entries().iter().map(|e| e.encode()).collect();
    let (mut copy, notices) =
        Session::resume(inserm(3), None, &entries, &BTreeSet::new()).expect("a journal");
    assert_eq!(notices, []);
    assert!(copy.run_until(session.world().now, FUEL));
    assert_eq!(copy.world().hash(), session.world().hash());
}

#[test]
fn a_replay_that_drifts_gives_a_notice() {
    let session = busy_session();
    let mut entries = session.journal().entries().to_vec();
    let last = entries.last_mut().expect("entries");
    last.hash = Some(1);
    let entries: Vec<Vec<u8>> = entries.iter().map(|e| e.encode()).collect();
    let (_, notices) = Session::resume(inserm(3), None, &entries, &BTreeSet::new()).expect("a journal");
    assert!(matches!(&notices[..], [UserNotice::Rebuilt(text)] if text.contains("differs")), "{notices:?}");
}

#[test]
fn inputs_are_skipped() {
    let session = busy_session();
    let bytes = session.save();
    let killer = session.journal().entries()[2].seq;
    let (copy, notices) =
        Session::resume(inserm(3), Some(&bytes), &[], &BTreeSet::from([killer])).expect("a session");
    assert!(matches!(&notices[..], [UserNotice::InputSetAside(what)] if what.contains("bob")), "{notices:?}");
    assert!(copy.journal().entries().iter().all(|e| e.seq != killer));
    assert_eq!(copy.journal().entries().len() + 1, session.journal().entries().len());
    // The skipped inputs are removed for good: the next resume needs no list.
    let (again, notices) =
        Session::resume(inserm(3), Some(&copy.save()), &[], &BTreeSet::new()).expect("a session");
    assert_eq!(notices, []);
    assert_eq!(again.world().hash(), copy.world().hash());
}

#[test]
fn the_past_is_still_there() {
    let mut session = Session::new(inserm(5));
    let mut moments: Vec<(Time, u64)> = Vec::new();
    for i in 0..40 {
        run(&mut session, "alice", &format!("sbatch -t 5 --wrap='sleep {}'", i * 7 % 90), 97);
        moments.push((session.world().now, session.world().hash()));
        // The next input comes at another moment, because a past moment includes its own inputs.
        pass(&mut session, 1);
    }
    for (time, hash) in moments {
        let world = session.seek(time).expect("the journal reaches back to the start");
        assert_eq!((world.now, world.hash()), (time, hash));
    }
    let start = session.seek(Time::from_secs(0));
    assert!(start.is_none(), "before the beginning there is nothing");
}

#[test]
fn a_fork_is_independent() {
    let mut session = busy_session();
    let before = session.world().hash();
    let mut fork = session.fork();
    let until = fork.now + Span::from_secs(500);
    while fork.step(until) {}
    assert_eq!(session.world().hash(), before);
    pass(&mut session, 500);
    assert_eq!(session.world().hash(), fork.hash(), "left alone, both do the same");
}

#[test]
fn damaged_sessions_are_refused_or_reported_or_rebuilt() {
    let original = busy_session();
    let bytes = original.save();
    let check = |bad: &[u8], what: String| {
        let Ok((session, notices)) = Session::resume(inserm(3), Some(bad), &[], &BTreeSet::new()) else {
            return;
        };
        assert!(!notices.is_empty() || session.world().hash() == original.world().hash(), "{what}");
    };
    for i in (0..bytes.len()).step_by(bytes.len() / 15 + 1) {
        let mut bad = bytes.clone();
        bad[i] ^= 0x55;
        check(&bad, format!("byte {i}"));
        check(&bytes[..i], format!("cut at {i}"));
    }
    let other = engine::session::Setup { site: "lab".to_owned(), ..inserm(3) };
    assert!(Session::resume(other, Some(&bytes), &[], &BTreeSet::new()).is_err());
    let nonsense = vec![vec![0xff; 30], vec![]];
    let (session, _) =
        Session::resume(inserm(3), None, &nonsense, &BTreeSet::new()).expect("a fresh session");
    assert!(session.journal().entries().is_empty());
}
