//! Files and messages that programs wrote: workloads, links, saved sessions, files and messages of classes.

use super::{START, corpus, lab, path, run};
use base::ids::Uid;
use base::time::Span;
use classroom::wire::{FromClassServer, SeatClaim, ToClassServer, decode, encode};
use classroom::{AccountPlan, ClassDescription, ClassMember, Secret, Sequencer, record};
use engine::session::replay::{events, swf};
use engine::session::{Link, Session};
use engine::world::Input;
use protocol::Pace;
use protocol::class::ClassAction;
use std::collections::BTreeSet;
use testing::{Corpus, fuzz, fuzz_texts};

#[test]
fn workloads() {
    const SWF: &str = "; MaxNodes: 4\n; MaxProcs: 16\n1 0 5 100 4 -1 1000 4 600 -1 1 1 1 -1 1 -1 -1 -1\n2 50 -1 20 8 -1 -1 8 60 -1 1 2 1 -1 -1 -1 -1 -1\n";
    const EVENTS: &str = "-dt 10 -e submit_batch_job | -J jobid_1 -sim-walltime 30 --uid=alice -t 01:00:00 -n 4 -A a pseudo.job\n-dt 3.5 -e submit_batch_job | --array=1-3 -n 1 job.sh\n-e begin | 2026-11-21T06:02:31\n-e exported |\n-dt 9 -e node | cn[01-02] DOWN reason\n";
    const WORDS: &[&str] = &[
        "-e node |",
        "-dt",
        "-e submit_batch_job |",
        "-e begin |",
        "-sim-walltime",
        "RESUME",
        "; MaxProcs:",
        "-1",
        " ",
        "\n",
        "--array=0-99999",
        "-d after:1",
        "-t ",
        "x[1-9999999]",
        "e308",
    ];
    let corpus = corpus("workloads", WORDS).with(SWF).with(EVENTS);
    let people = [(Uid(1001), "alice".to_owned())];
    fuzz_texts("workloads", 1_000, &corpus, |text| {
        let text = String::from_utf8_lossy(text);
        let (one, _) = swf::parse("t.swf", &text);
        let two = events::parse("t.events", &text, &people);
        for workload in [one, two] {
            assert!(workload.jobs.windows(2).all(|two| two[0].submit <= two[1].submit), "sorted by time");
        }
    });
}

/// A session with jobs, a terminal and a file.
fn session() -> Session {
    let mut session = Session::new(lab());
    let inputs = [
        Input::Login { user: "alice".to_owned(), columns: 80, rows: 24 },
        Input::Run {
            user: "alice".to_owned(),
            command: "sbatch --array=1-3 --wrap 'sleep 90; echo $x'".to_owned(),
        },
        Input::Save {
            user: "alice".to_owned(),
            path: "/home/alice/a.sh".to_owned(),
            data: b"#!/bin/sh\nid\n".to_vec(),
        },
        Input::NodeUp { node: "c01".to_owned(), up: false },
        Input::Run { user: "alice".to_owned(), command: "sbatch a.sh; squeue".to_owned() },
    ];
    for input in inputs {
        session.apply(input);
        let until = session.world().now + Span::from_secs(20);
        session.run_until(until, 100_000);
    }
    session
}

/// Links with a right checksum whose contents were edited. Those that decode are opened.
#[test]
fn links() {
    let link = Link::of(&session(), 3).expect("a link");
    let body = postcard::to_allocvec(&link).expect("bytes");
    let bodies = corpus("links", &["\0", "\u{7f}", "alice", "c01"]).with(body);
    let whole = Corpus::new(&[]).with(link.encode().expect("bytes"));
    fuzz("links", 20, |random| {
        assert!(Link::decode(&whole.edited(random)).is_ok() || !whole.texts().is_empty());
        let Ok(link) = postcard::from_bytes::<Link>(&bodies.edited(random)) else { return };
        let Ok(bytes) = link.encode() else { return };
        let Ok(link) = Link::decode(&bytes) else { return };
        let (session, _) = link.open(lab());
        assert_eq!(session.world().sound(), Ok(()));
    });
}

/// Saved sessions that were damaged, and journals after them.
#[test]
fn sessions() {
    let session = session();
    let saved = Corpus::new(&[]).with(session.save());
    let samples = [
        "tests/formats/0.1.0-layout-6",
        "tests/formats/0.1.0-layout-10",
        "tests/formats/0.1.0-layout-11",
        "tests/formats/0.1.0-layout-12",
    ];
    let mut more = corpus("sessions", &[]);
    for sample in samples {
        more = more.with_files(&path(sample), &["session.bin"]);
    }
    fuzz("sessions", 6, |random| {
        let bytes =
            if random.below(4) == 0 { more.edited(random) } else { damaged(random, &saved.texts()[0]) };
        let since = vec![more.edited(random).into_iter().take(200).collect::<Vec<u8>>()];
        let Ok((session, _)) = Session::resume(lab(), Some(&bytes), &since, &BTreeSet::new()) else { return };
        assert_eq!(session.world().sound(), Ok(()));
    });
}

/// A file with a few other bytes, or cut.
fn damaged(random: &mut testing::Random, file: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(3) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] ^= 1 << random.below(8),
            _ => bytes[at] = u8::try_from(random.below(256_u32)).unwrap_or(0),
        }
    }
    bytes
}

fn secret(n: u8) -> Secret {
    Secret::new([n; 16])
}

fn class() -> Sequencer {
    let class = ClassDescription {
        name: "sample".to_owned(),
        site: "lab".to_owned(),
        seed: 7,
        background: "off".to_owned(),
        start: START.0,
        plan: AccountPlan::Groups(2),
        people: 30,
        taken: vec!["alice".to_owned()],
    };
    Sequencer::new(class, secret(1), secret(2), 0).expect("a class")
}

/// Messages of a class: bytes that were edited, and what the sequencer does with those that decode.
#[test]
fn messages() {
    let hello = |name: &str, link| ClassMember::new(secret(link), SeatClaim::New(name.to_owned())).hello();
    let request = |token, action| ToClassServer::Request { token, action };
    let messages = [
        hello("zoe", 1),
        hello("prof", 2),
        request(1, ClassAction::Login { user: "zoe".to_owned(), columns: 80, rows: 24 }),
        request(2, ClassAction::Type(1, b"squeue\n".to_vec())),
        request(
            3,
            ClassAction::Save {
                user: "zoe".to_owned(),
                path: "/home/zoe/a".to_owned(),
                text: "x".to_owned(),
            },
        ),
        request(4, ClassAction::Administer("scontrol ping".to_owned())),
        request(5, ClassAction::Resize(1, 100, 40)),
        request(6, ClassAction::Logout(1)),
        ToClassServer::Hash { number: 64, hash: 5 },
        ToClassServer::Pace(Pace::Times(60)),
        ToClassServer::Skip(START.0 + 1_000_000),
    ];
    let corpus =
        messages.iter().fold(corpus("messages", &["zoe", "\u{1}", "root"]), |all, one| all.with(encode(one)));
    fuzz("messages", 500, |random| {
        let mut class = class();
        for (name, link, key) in [("zoe", 1, 11), ("prof", 2, 12)] {
            let ToClassServer::Hello(hello) = hello(name, link) else { continue };
            let (_, decision) = class.greet(&hello, secret(key)).expect("a seat");
            decision.records.iter().for_each(|record| class.apply(record));
        }
        for real in 1..=random.below(8) + 1 {
            let bytes = corpus.edited(random);
            drop(decode::<FromClassServer>(&bytes));
            let Some(message) = decode::<ToClassServer>(&bytes) else { continue };
            if let ToClassServer::Hello(hello) = &message {
                if let Ok((_, decision)) = class.greet(hello, secret(13)) {
                    decision.records.iter().for_each(|record| class.apply(record));
                }
                continue;
            }
            let seat = random.below(4_u32);
            if let Ok(decision) = class.receive(seat, message, bytes.len(), real * 1000) {
                decision.records.iter().for_each(|record| class.apply(record));
            }
            class.tick(real * 1000);
        }
        assert!(class.seats().len() <= 12);
    });
}

/// Files of classes that were damaged.
#[test]
fn classes() {
    let corpus = corpus("classes", &[]).with_files(&path("tests/formats"), &["class.bin"]);
    fuzz("classes", 500, |random| {
        let bytes = corpus.edited(random);
        let Ok(file) = record::read(&bytes) else { return };
        assert!(file.whole <= bytes.len());
        drop(Sequencer::restore(&file.records, 0));
    });
}

/// Files that Unix commands unpack and read: archives, JSON, differences.
#[test]
fn files() {
    const MAKE: &str = "cd; mkdir -p d/e; seq 40 > d/a; echo '{\"a\":[1,2,{\"b\":null}]}' > d/e/j; tar cf t.tar d; tar czf t.tgz d; \
        zip -qr t.zip d; gzip -k d/a; xz -k d/a; base64 d/a > b64; diff d/a d/e/j > p; cat t.tar | base64 -w0";
    let booted = super::booted();
    let mut world = booted.clone();
    run(&mut world, "alice", MAKE);
    let names = ["t.tar", "t.tgz", "t.zip", "d/a.gz", "d/a.xz", "b64", "d/e/j"];
    let corpus =
        names.iter().fold(corpus("files", &["ustar", "PK\u{3}\u{4}", "../", "/etc/x"]), |all, name| {
            let fs = &world.kernel.fs;
            all.with(fs.read(Uid(0), &format!("/home/alice/{name}")).map_or(Vec::new(), |data| data.to_vec()))
        });
    assert!(corpus.texts().iter().all(|text| !text.is_empty()), "all files were made");
    fuzz("files", 8, |random| {
        let mut world = booted.clone();
        let data = corpus.edited(random);
        world.apply(&Input::Save { user: "alice".to_owned(), path: "/home/alice/f".to_owned(), data });
        let tools = [
            "tar xf f",
            "tar tvf f",
            "tar xzf f",
            "unzip -o f",
            "unzip -l f",
            "gunzip -c < f",
            "xzcat < f",
            "base64 -d f",
            "jq . f",
            "cat f | zcat",
            "sort f",
            "od -c f",
        ];
        let command = format!("{} | tail -c 100; find . | wc -l", random.of(&tools));
        run(&mut world, "alice", &command);
        super::holds(&world, &command);
    });
}
