//! What opening a session keeps: the site that it began with, the inputs before damage, and the page's patience.

use super::facts::Facts;
use super::{Folder, opened, read_folder, resumed, setup, since, site_of};
use crate::page::Page;
use crate::site::{files, path};
use engine::session::{Engine, Link, Session};
use engine::world::{Input, InputResult};
use protocol::*;
use std::collections::BTreeSet;

fn layout_6() -> Folder {
    read_folder(&path("tests/formats/0.1.0-layout-6"))
}

/// A session in which someone has worked, with jobs that depend on the number of nodes and on background jobs.
fn worked() -> Session {
    let mut session = Session::new(super::with_background(setup("lab", files("examples/sites/lab"))));
    let login = Input::Login { user: "alice".to_owned(), columns: 80, rows: 24 };
    let InputResult::Terminal(tty) = session.apply(login) else { panic!("alice logs in") };
    for line in ["sbatch -n 40 --wrap 'sleep 500'", "sinfo > made-alice.txt", "squeue"] {
        session.apply(Input::Type(tty, format!("{line}\n").into_bytes()));
        let until = session.world().now + base::time::Span::from_secs(90);
        assert!(session.run_until(until, 1_000_000));
    }
    session
}

#[test]
fn a_session_keeps_the_site_that_it_began_with() {
    let original = worked();
    let bytes = original.save();
    // A later release: other nodes, and other background jobs.
    let mut edited = setup("lab", files("examples/sites/lab"));
    let conf = edited.files.0.get_mut("slurm.conf").expect("slurm.conf");
    *conf = conf.replace("CoresPerSocket=8", "CoresPerSocket=4");
    edited.files.0.insert("background".to_owned(), "busy".to_owned());
    let (session, notices) = resumed(edited.clone(), Some(&bytes), &[]);
    assert!(matches!(&notices[..], [UserNotice::Session(text)] if text.contains("keeps")), "{notices:?}");
    assert_eq!(session.world().hash(), original.world().hash());
    // Looking back and replaying agree with the present.
    let middle = original.journal().entries()[2].time;
    let then = |session: &Session| session.seek(middle).expect("the past").hash();
    assert_eq!(then(&session), then(&original));
    let entries: Vec<Vec<u8>> = session.journal().entries().iter().map(|e| e.encode()).collect();
    let (mut replayed, notices) = resumed(session.setup().clone(), None, &entries);
    assert_eq!(notices, []);
    assert!(replayed.run_until(original.world().now, 1_000_000));
    assert_eq!(replayed.world().hash(), original.world().hash());
    // Saved and resumed again, it still does.
    let (again, _) = resumed(edited.clone(), Some(&session.save()), &[]);
    assert_eq!(Facts::of(&again).text(), Facts::of(&original).text());
    // A link to it carries these files, because who opens it has others.
    let link = Link::of(&again, 0).and_then(|link| link.encode()).expect("a link");
    let (linked, notices) = opened(&link, edited.clone());
    assert_eq!((linked.world().hash(), notices.as_slice()), (original.world().hash(), &[][..]));
    assert_eq!(Link::of(&linked, 0).and_then(|link| link.encode()).as_deref(), Ok(link.as_slice()));
    // One without them says that the site differs.
    let plain = Link::of(&original, 0).and_then(|link| link.encode()).expect("a link");
    let (linked, notices) = opened(&plain, edited);
    assert!(
        matches!(&notices[..], [UserNotice::Session(text)] if text.contains("the site has changed")),
        "{notices:?}"
    );
    assert_ne!(linked.world().hash(), original.world().hash());
}

#[test]
fn a_damaged_entry_stops_the_replay_with_a_sentence() {
    let folder = layout_6();
    let lab = setup("lab", site_of(&folder, "site/"));
    let whole = since(&folder, "journal.bin");
    let (session, _) = resumed(lab.clone(), None, &whole);
    let encoded: Vec<Vec<u8>> = session.journal().entries().iter().map(|e| e.encode()).collect();
    assert_eq!(encoded.len(), whole.len());
    for (at, byte) in [(0, 0), (5, 9), (40, 2), (69, 30)] {
        let mut bad = encoded.clone();
        let place = byte % bad[at].len();
        bad[at][place] ^= 0x40;
        let (session, notices) = resumed(lab.clone(), None, &bad);
        let missing = format!("{} later inputs are missing", bad.len() - at);
        assert!(
            matches!(&notices[..], [UserNotice::Session(text)] if text.contains(&missing)),
            "entry {at}: {notices:?}"
        );
        assert_eq!(
            session.journal().entries(),
            resumed(lab.clone(), None, &encoded[..at]).0.journal().entries()
        );
    }
    // Entries without what came before them are not taken for a new session.
    let error =
        Session::resume(lab, None, &encoded[3..], &BTreeSet::new()).map(|_| ()).expect_err("an error");
    assert!(error.to_string().contains("before input 4"), "{error}");
}

#[test]
fn what_is_not_damaged_of_a_saved_session_is_used() {
    let original = worked();
    let bytes = original.save();
    let setup = original.setup().clone();
    let place = |name: &[u8; 4]| {
        let mut at = 12;
        loop {
            let long: [u8; 8] = bytes[at + 4..at + 12].try_into().expect("a length");
            let long = usize::try_from(u64::from_le_bytes(long)).expect("a length");
            if bytes[at..].starts_with(name) {
                break (at, long);
            }
            at += 20 + long;
        }
    };
    let damaged = |name: &[u8; 4], offset: usize| {
        let (at, long) = place(name);
        let mut bad = bytes.clone();
        bad[at + 20 + offset.min(long - 1)] ^= 1;
        bad
    };
    // Without the state, the journal leads to the same moment.
    for name in [b"wrld", b"stat"] {
        let (mut session, _) = resumed(setup.clone(), Some(&damaged(name, 99)), &[]);
        assert!(session.run_until(original.world().now, 1_000_000));
        assert_eq!(Facts::of(&session).text(), Facts::of(&original).text());
    }
    // Without the journal, the state is there, and the past is not.
    let (session, notices) = resumed(setup.clone(), Some(&damaged(b"jrnl", 60)), &[]);
    assert_eq!(session.world().hash(), original.world().hash());
    assert!(session.journal().is_cut());
    let told = |part: &str| notices.iter().any(|n| matches!(n, UserNotice::Session(t) if t.contains(part)));
    assert!(told("inputs are missing") && told("earlier moments can't be shown"), "{notices:?}");
    // Without its site's files, it uses the current ones.
    let (session, notices) = resumed(setup.clone(), Some(&damaged(b"site", 7)), &[]);
    assert_eq!(session.world().hash(), original.world().hash());
    assert!(
        matches!(&notices[..], [UserNotice::Session(t)] if t.contains("copy of the site")),
        "{notices:?}"
    );
    // Without its head there is no session.
    assert!(Session::resume(setup, Some(&damaged(b"head", 3)), &[], &BTreeSet::new()).is_err());
}

#[test]
fn a_session_of_another_layout_is_rebuilt_in_slices() {
    let folder = layout_6();
    let lab = setup("lab", site_of(&folder, "site/"));
    let busy = super::with_background(lab);
    let mut engine = Engine::new();
    engine.receive(ToEngine::Start {
        version: VERSION,
        site: "lab".to_owned(),
        files: busy.files.0.into_iter().collect(),
        seed: 1,
        start: super::START.0,
        saved: Some(super::bytes(&folder, "background.bin").to_vec()),
        since: Vec::new(),
        set_aside: Vec::new(),
        lesson: None,
        link: None,
        class: None,
    });
    // The user acts while the session is opened.
    engine.receive(ToEngine::ReadFile {
        user: "alice".to_owned(),
        path: "/home/alice/made-alice.txt".to_owned(),
    });
    let (mut slices, mut progress, mut all) = (0, Vec::new(), Vec::new());
    while !all.iter().any(|m| matches!(m, FromEngine::File { .. })) {
        engine.receive(ToEngine::Tick(16));
        engine.slice();
        slices += 1;
        assert!(slices < 1_000_000);
        for message in engine.take_messages() {
            match message {
                FromEngine::Opening { done, total } => progress.push((done, total)),
                other => all.push(other),
            }
        }
    }
    assert!(slices > 20, "{slices} slices");
    assert!(progress.windows(2).all(|w| w[0] <= w[1]), "{progress:?}");
    assert!(progress.iter().any(|(done, total)| done < total), "{progress:?}");
    let file = all.iter().find_map(|m| if let FromEngine::File { text, .. } = m { Some(text) } else { None });
    assert_eq!(file, Some(&Ok("mine\n".to_owned())));
    let rebuilt =
        |m: &FromEngine| matches!(m, FromEngine::Notice(UserNotice::Rebuilt(t)) if t.contains("format 6"));
    assert!(all.iter().any(rebuilt), "{all:?}");
}

#[test]
fn only_unfinished_inputs_may_be_blamed() {
    let mut page = Page::start(None, Vec::new());
    page.types("echo done");
    let unfinished = |page: &Page| {
        page.others
            .iter()
            .rev()
            .find_map(|m| if let FromEngine::Unfinished(all) = m { Some(all.clone()) } else { None })
    };
    assert_eq!(unfinished(&page), Some(Vec::new()), "what has ended is not told");
    let tty = page.tty();
    page.send(ToEngine::Type { tty, bytes: b"sleep 1000\n".to_vec() });
    page.ticks(5);
    let Some((slept, _)) = page.journal.last().cloned() else { panic!("an entry") };
    assert_eq!(unfinished(&page), Some(vec![slept]));
    page.send(ToEngine::SaveFile { user: "alice".into(), path: "/home/alice/x".into(), text: "x".into() });
    page.ticks(5);
    assert_eq!(unfinished(&page), Some(vec![slept]), "a saved file is finished at once");
    page.send(ToEngine::Type { tty, bytes: vec![3] });
    page.ticks(60);
    assert_eq!(unfinished(&page), Some(Vec::new()));
}
