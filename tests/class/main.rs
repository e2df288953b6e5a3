//! `sandbatch serve` with real sockets: participants whose worlds must be equal, and what goes wrong on the way.
#![allow(clippy::disallowed_methods, reason = "the server runs in real time")]

mod lesson;
mod look;
mod server;
mod show;
mod teacher;

use classroom::Secret;
use classroom::wire::{FarewellNext, FromClassServer, Hello, Progress, SeatClaim, ToClassServer, VERSION};
use protocol::Pace;
use protocol::class::ClassAction;
use serve::client::Client;
use serve::participant::Participant;
use server::ClassProcess;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The result of a participant. Its world stays in its thread.
struct Outcome {
    hash: u64,
    differs: Vec<u64>,
    checkpoints: u32,
    lost: u32,
    notices: Vec<String>,
}

impl Outcome {
    fn of(mut tab: Participant, last: u64) -> Self {
        let hash = settle(&mut tab, last).expect("a hash");
        let Participant { differs, checkpoints, lost, notices, .. } = tab;
        Self { hash, differs, checkpoints, lost, notices }
    }
}

const TIMEOUT: Duration = Duration::from_secs(120);
const PEOPLE: usize = 30;

fn joined(process: &ClassProcess, link: Secret, name: &str) -> Participant {
    let mut tab = Participant::new(process.address, "c", link, name, true);
    let there = tab.until(TIMEOUT, |tab| tab.prompts > 0 || tab.ended.is_some());
    assert!(there && tab.ended.is_none(), "{name}: {:?} {:?}", tab.ended, tab.notices);
    tab
}

/// Runs a participant until the class is paused and this world has everything, then returns its hash.
fn settle(tab: &mut Participant, last: u64) -> Option<u64> {
    let paused = |tab: &Participant| {
        tab.number() >= last && !tab.is_waiting() && matches!(tab.until, Some((_, Pace::Paused)))
    };
    assert!(tab.until(TIMEOUT, paused), "the class is paused: {} of {last}, {:?}", tab.number(), tab.until);
    // A command may run for two seconds after the clock was paused.
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(4) {
        tab.step();
    }
    tab.hash()
}

#[test]
fn thirty_people_have_one_world_although_the_server_is_killed() {
    let mut process = ClassProcess::start(&[]);
    let (learner, teacher) = process.secrets;
    let (ready, killed) = (Barrier::new(PEOPLE + 1), Barrier::new(PEOPLE + 1));
    let (last, stop) = (AtomicU64::new(u64::MAX), AtomicBool::new(false));
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let learners: Vec<_> = (0..PEOPLE)
            .map(|n| {
                let (ready, killed, last, stop, address) = (&ready, &killed, &last, &stop, process.address);
                scope.spawn(move || {
                    let mut tab = Participant::new(address, "c", learner, &format!("p{n}"), true);
                    assert!(tab.until(TIMEOUT, |tab| tab.prompts > 0), "p{n}: {:?}", tab.ended);
                    for round in 0..3 {
                        tab.types(&format!(
                            "sbatch -J r{round} -n 2 --wrap 'sleep {}'; squeue -h | wc -l",
                            5 + n
                        ));
                        assert!(tab.until(TIMEOUT, |tab| tab.prompts > 1 + round), "p{n}: {}", tab.screen);
                    }
                    ready.wait();
                    // One types while the server is away.
                    killed.wait();
                    tab.types("echo $USER was here > mark; cat mark");
                    let here = format!("p{n} was here\n");
                    assert!(tab.until(TIMEOUT, |tab| tab.screen.contains(&here)), "p{n}: {}", tab.screen);
                    ready.wait();
                    while !stop.load(Ordering::SeqCst) {
                        tab.step();
                    }
                    Outcome::of(tab, last.load(Ordering::SeqCst))
                })
            })
            .collect();
        let mut prof = joined(&process, teacher, "prof");
        ready.wait();
        process.kill();
        killed.wait();
        // Participants notice, and try again.
        std::thread::sleep(Duration::from_millis(300));
        process.start_again();
        ready.wait();
        prof.types("squeue -h -t all -o %u | sort -u | wc -l");
        let count = format!("{PEOPLE}\n");
        assert!(prof.until(TIMEOUT, |tab| tab.screen.contains(&count)), "{}", prof.screen);
        assert!(prof.until(TIMEOUT, |tab| tab.people.iter().filter(|p| p.here).count() == PEOPLE + 1));
        prof.sends(&ToClassServer::Pace(Pace::Paused));
        assert!(prof.until(TIMEOUT, |tab| matches!(tab.until, Some((_, Pace::Paused)))));
        last.store(prof.number(), Ordering::SeqCst);
        stop.store(true, Ordering::SeqCst);
        let number = prof.number();
        let own = Outcome::of(prof, number);
        let others = learners.into_iter().map(|learner| learner.join().expect("a learner"));
        std::iter::once(own).chain(others).collect()
    });
    for tab in &outcomes {
        assert_eq!(tab.hash, outcomes[0].hash);
        assert_eq!((&tab.differs, &tab.notices), (&Vec::new(), &Vec::new()));
        assert!(tab.checkpoints > 0 && tab.lost > 0, "{} {}", tab.checkpoints, tab.lost);
    }
    assert_eq!(outcomes.len(), PEOPLE + 1);
}

#[test]
fn a_flood_affects_no_other_participant() {
    let process = ClassProcess::start(&[]);
    let (learner, _) = process.secrets;
    let mut anna = joined(&process, learner, "anna");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut eve = Participant::new(process.address, "c", learner, "eve", false);
            assert!(eve.until(TIMEOUT, |tab| tab.seat.is_some()));
            while !stop.load(Ordering::SeqCst) {
                for _ in 0..50 {
                    eve.types("squeue");
                }
                eve.step();
            }
        });
        std::thread::sleep(Duration::from_millis(500));
        let answered: Vec<bool> = (0..5)
            .map(|n| {
                anna.types(&format!("echo answer-{n}"));
                let answer = format!("answer-{n}\n");
                anna.until(Duration::from_secs(20), |tab| tab.screen.contains(&answer))
            })
            .collect();
        // Before anything fails, or the other thread would never end.
        stop.store(true, Ordering::SeqCst);
        assert_eq!(answered, [true; 5], "{}", anna.screen);
    });
}

#[test]
fn strangers_and_garbage_get_a_sentence_or_nothing() {
    let process = ClassProcess::start(&[]);
    let (learner, _) = process.secrets;
    let farewell = |client: &mut Client| {
        let began = Instant::now();
        while began.elapsed() < TIMEOUT {
            match client.message() {
                Ok(Some(FromClassServer::Farewell(farewell))) => return Some(farewell),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        panic!("the connection stays open")
    };
    let wait = Duration::from_millis(50);
    let connect = || Client::connect(process.address, "c", wait).expect("a connection");
    let hello = |version, secret| {
        ToClassServer::Hello(Box::new(Hello {
            version,
            program: env!("CARGO_PKG_VERSION").into(),
            secret,
            claim: SeatClaim::New("eve".into()),
            have: Progress::default(),
        }))
    };
    let mut client = connect();
    client.send(&hello(VERSION, Secret::new([0; 16]))).expect("sent");
    let wrong = farewell(&mut client).expect("a sentence");
    assert!(wrong.next == FarewellNext::Stop && wrong.why.contains("does not fit"), "{wrong:?}");
    let mut client = connect();
    client.send(&hello(VERSION + 1, learner)).expect("sent");
    assert!(farewell(&mut client).expect("a sentence").why.contains("Reload"));
    for bytes in [vec![], vec![0], vec![255; 1000], vec![0; 500 << 10], b"GET / HTTP/1.1".to_vec()] {
        let mut client = connect();
        client.send_bytes(bytes).expect("sent");
        farewell(&mut client);
    }
    // A request before a greeting, and garbage after one.
    let mut client = connect();
    client.send(&ToClassServer::Request { token: 1, action: ClassAction::Logout(1) }).expect("sent");
    assert_eq!(farewell(&mut client).map(|f| f.next), Some(FarewellNext::Stop));
    let mut client = connect();
    client.send(&hello(VERSION, learner)).expect("sent");
    client.send_bytes(vec![77; 77]).expect("sent");
    assert_eq!(farewell(&mut client).map(|f| f.next), Some(FarewellNext::Stop));
    // A message above the bound ends the connection, with a sentence if it arrives before the end.
    let mut client = connect();
    let _ = client.send_bytes(vec![0; 2 << 20]);
    farewell(&mut client);
    assert!(Client::connect(process.address, "other", wait).is_err(), "there is no such class");
    // The class goes on.
    joined(&process, learner, "anna");
}

#[test]
fn two_of_one_name_and_two_tabs_of_one_seat() {
    let process = ClassProcess::start(&[]);
    let (learner, _) = process.secrets;
    let mut anna = joined(&process, learner, "anna");
    let mut other = Participant::new(process.address, "c", learner, "anna", true);
    assert!(other.until(TIMEOUT, |tab| tab.ended.is_some()));
    let refused = other.ended.expect("a farewell");
    assert!(refused.next == FarewellNext::Name && refused.why.contains("taken"), "{refused:?}");
    // Users of the site are taken, too.
    let mut alice = Participant::new(process.address, "c", learner, "alice", true);
    assert!(alice.until(TIMEOUT, |tab| tab.ended.is_some()));
    let seat = anna.seat.clone().expect("a seat");
    let mut again = Participant::again(process.address, "c", learner, seat.seat, seat.key);
    assert!(again.until(TIMEOUT, |tab| tab.prompts > 0));
    assert!(anna.until(TIMEOUT, |tab| tab.ended.is_some()), "the earlier tab has lost its seat");
}

#[test]
fn a_torn_file_is_cut_and_the_class_resumes() {
    let mut process = ClassProcess::start(&[]);
    let (learner, _) = process.secrets;
    let mut anna = joined(&process, learner, "anna");
    anna.types("echo first > file");
    assert!(anna.until(TIMEOUT, |tab| tab.prompts > 1));
    let seat = anna.seat.clone().expect("a seat");
    drop(anna);
    process.kill();
    let file = process.state().join("c.class");
    let mut bytes = std::fs::read(&file).expect("the class's file");
    // The rest of a write that was interrupted.
    bytes.extend([40, 0, 0, 0, 1, 2, 3]);
    std::fs::write(&file, &bytes).expect("written");
    process.start_again();
    assert!(process.log().contains("7 bytes of its file were cut off"), "{}", process.log());
    assert!(process.log().contains("resumes"), "{}", process.log());
    let mut again = Participant::again(process.address, "c", learner, seat.seat, seat.key);
    assert!(again.until(TIMEOUT, |tab| tab.prompts > 0));
    again.types("cat file");
    assert!(again.until(TIMEOUT, |tab| tab.screen.contains("first\n")), "{}", again.screen);
    // A second server cannot open the class.
    assert!(process.second().contains("another server has this class open"));
    drop(again);
    process.kill();
    bytes[40] ^= 1;
    std::fs::write(&file, &bytes).expect("written");
    assert!(process.second().contains("damaged at byte"));
}
