//! A teacher who looks at terminals and helps, through real connections.

use crate::{ClassProcess, TIMEOUT, joined};
use classroom::wire::{ClassLook, ToClassServer};
use protocol::class::ClassAction;
use serve::participant::Participant;

/// What the teacher sees of a seat's terminal.
fn seen(prof: &mut Participant, of: Option<u32>, seat: u32) -> String {
    prof.looks(of);
    prof.step();
    let screen = prof.screens.iter().find(|screen| screen.seat == seat);
    screen.map(|screen| String::from_utf8_lossy(&screen.output).into_owned()).unwrap_or_default()
}

fn until_seen(prof: &mut Participant, of: Option<u32>, seat: u32, text: &str) {
    let began = std::time::Instant::now();
    loop {
        let screen = seen(prof, of, seat);
        if screen.contains(text) {
            return;
        }
        assert!(began.elapsed() < TIMEOUT, "{screen}");
    }
}

#[test]
fn the_teacher_looks_and_types_with_a_participant() {
    let process = ClassProcess::start(&[]);
    let (learner, teacher) = process.secrets;
    let mut anna = joined(&process, learner, "anna");
    let mut bert = joined(&process, learner, "bert");
    let mut prof = joined(&process, teacher, "prof");
    anna.types("echo only-anna");
    assert!(anna.until(TIMEOUT, |tab| tab.screen.contains("only-anna\n")));
    prof.sends(&ToClassServer::Look(ClassLook::One(1)));
    until_seen(&mut prof, Some(1), 1, "$ echo only-anna\nonly-anna\n");
    assert!(anna.until(TIMEOUT, |tab| tab.watched == ["prof"]));
    bert.step();
    assert_eq!(bert.watched, Vec::<String>::new());
    // Bert sees no terminal but his own.
    bert.looks(None);
    assert_eq!((&bert.screens, bert.screen.contains("only-anna")), (&Vec::new(), false));
    let help = |bytes: &[u8]| ClassAction::Help { seat: 1, terminal: 1, bytes: bytes.to_vec() };
    prof.teaches(help(b"echo helped > file\n"));
    assert!(
        prof.until(TIMEOUT, |tab| tab.notices.iter().any(|why| why.contains("hand is down"))),
        "{:?}",
        prof.notices
    );
    anna.sends(&ToClassServer::Hand { seat: 1, up: true });
    assert!(anna.until(TIMEOUT, |tab| tab.hand));
    prof.teaches(help(b"echo helped > file; cat file\n"));
    // Anna sees what was typed, and what it printed.
    let shown = "$ echo helped > file; cat file\nhelped\n";
    assert!(anna.until(TIMEOUT, |tab| tab.screen.contains(shown)), "{}", anna.screen);
    until_seen(&mut prof, None, 1, shown);
    anna.types("ls -l file");
    assert!(anna.until(TIMEOUT, |tab| tab.screen.contains("anna anna")), "{}", anna.screen);
    drop(prof);
    assert!(anna.until(TIMEOUT, |tab| tab.watched.is_empty()), "the teacher has left");
}
