//! A terminal that a teacher shows to all, through real connections.

use crate::{ClassProcess, TIMEOUT, joined};
use classroom::wire::{ClassShow, ToClassServer};
use protocol::Pace;

#[test]
fn everyone_sees_the_terminal_that_is_shown() {
    let process = ClassProcess::start(&[]);
    let (learner, teacher) = process.secrets;
    let mut anna = joined(&process, learner, "anna");
    let mut bert = joined(&process, learner, "bert");
    let mut prof = joined(&process, teacher, "prof");
    anna.types("echo only-anna");
    assert!(anna.until(TIMEOUT, |tab| tab.screen.contains("only-anna\n")));
    prof.sends(&ToClassServer::Show(Some(ClassShow::Terminal(1))));
    for tab in [&mut bert, &mut anna, &mut prof] {
        assert!(tab.until(TIMEOUT, |tab| tab.shown.as_ref().is_some_and(|shown| shown.owner == "anna")));
        assert!(tab.until(TIMEOUT, |tab| matches!(tab.until, Some((_, Pace::Paused)))));
    }
    let seen = |bert: &mut serve::participant::Participant, seat| {
        bert.looks(Some(seat));
        bert.screens.iter().map(|s| String::from_utf8_lossy(&s.output).into_owned()).collect::<String>()
    };
    let began = std::time::Instant::now();
    while !seen(&mut bert, 1).contains("$ echo only-anna\nonly-anna\n") {
        bert.step();
        assert!(began.elapsed() < TIMEOUT, "{:?}", bert.screens);
    }
    bert.looks(None);
    assert_eq!(bert.screens.len(), 1, "no other terminal");
    // What a participant types is handed back.
    bert.types("echo later");
    assert!(
        bert.until(TIMEOUT, |tab| tab.notices.iter().any(|why| why.contains("Not sent: echo later"))),
        "{:?}",
        bert.notices
    );
    // One who comes meanwhile sees it, too. The teacher ends it.
    let mut cem = serve::participant::Participant::new(process.address, "c", learner, "cem", true);
    assert!(cem.until(TIMEOUT, |tab| tab.shown.is_some()), "{:?}", cem.ended);
    prof.sends(&ToClassServer::Show(None));
    for tab in [&mut bert, &mut cem] {
        assert!(tab.until(TIMEOUT, |tab| tab.shown.is_none()));
        tab.looks(Some(1));
        assert_eq!(tab.screens, []);
    }
    bert.types("echo again");
    assert!(bert.until(TIMEOUT, |tab| tab.screen.contains("again\n")), "{}", bert.screen);
}
