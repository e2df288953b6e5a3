//! What a teacher sees and does, through real connections.

use crate::{ClassProcess, TIMEOUT, joined};
use classroom::board::{Stuck, board};
use classroom::wire::{FarewellNext, ToClassServer};
use serve::participant::Participant;

#[test]
fn hands_and_failures_reach_the_dashboard() {
    let process = ClassProcess::start(&[]);
    let (learner, teacher) = process.secrets;
    let mut anna = joined(&process, learner, "anna");
    let mut bert = joined(&process, learner, "bert");
    let mut prof = joined(&process, teacher, "prof");
    for round in 1..=3 {
        anna.types("sbatch --nonsense");
        assert!(anna.until(TIMEOUT, |tab| tab.prompts > round), "{}", anna.screen);
    }
    bert.types("sbatch --wrap 'sleep 3000'");
    assert!(bert.until(TIMEOUT, |tab| tab.prompts > 1), "{}", bert.screen);
    bert.sends(&ToClassServer::Hand { seat: 2, up: true });
    assert!(bert.until(TIMEOUT, |tab| tab.hand));
    let rows = |prof: &mut Participant| {
        prof.reports();
        board(&prof.people, &prof.work)
    };
    let mut last = Vec::new();
    let began = std::time::Instant::now();
    while began.elapsed() < TIMEOUT {
        prof.step();
        last = rows(&mut prof);
        let seen: Vec<_> =
            last.iter().map(|row| (row.person.name.as_str(), row.stuck, row.work.running)).collect();
        if seen == [("bert", None, 1), ("anna", Some(Stuck::Failures), 0)] {
            break;
        }
    }
    assert!(last.len() == 2 && last[0].person.hand.is_some() && last[1].work.failures == 3, "{last:?}");
    assert!(last.iter().all(|row| row.person.here));
    prof.sends(&ToClassServer::Hand { seat: 2, up: false });
    assert!(bert.until(TIMEOUT, |tab| !tab.hand), "the teacher lowers it");
}

#[test]
fn a_freed_name_is_chosen_again() {
    let process = ClassProcess::start(&[]);
    let (learner, teacher) = process.secrets;
    let mut anna = joined(&process, learner, "anna");
    let mut prof = joined(&process, teacher, "prof");
    anna.types("echo kept > file");
    assert!(anna.until(TIMEOUT, |tab| tab.prompts > 1));
    prof.sends(&ToClassServer::Free(1));
    assert!(anna.until(TIMEOUT, |tab| tab.ended.is_some()));
    let ended = anna.ended.expect("a farewell");
    assert!(ended.next == FarewellNext::Stop && ended.why.contains("freed"), "{ended:?}");
    assert!(prof.until(TIMEOUT, |tab| tab.people.iter().any(|p| p.free && !p.here)));
    let mut again = joined(&process, learner, "anna");
    assert_eq!(again.seat.as_ref().map(|seat| seat.seat), Some(1));
    again.types("cat file");
    assert!(again.until(TIMEOUT, |tab| tab.screen.contains("kept\n")), "{}", again.screen);
}

#[cfg(unix)]
#[test]
fn keep_none_forgets_the_class_at_its_end_but_not_at_a_crash() {
    let mut process = ClassProcess::start(&["--keep", "none"]);
    assert!(process.log().contains("forgotten"), "{}", process.log());
    let (learner, _) = process.secrets;
    drop(joined(&process, learner, "anna"));
    let file = process.state().join("c.class");
    process.kill();
    assert!(file.is_file(), "a server that is killed can resume");
    process.start_again();
    assert!(process.log().contains("resumes"), "{}", process.log());
    process.interrupt();
    assert!(!file.exists());
    process.start_again();
    assert!(process.log().contains("is new"), "{}", process.log());
    assert!(process.secrets.0 != learner);
}
