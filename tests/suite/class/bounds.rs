//! What a participant's endless loops cost the others, who compute the same world.

use super::START;
use base::time::{Span, Time};
use config::sites;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult};

/// Events of a fifth of a second in which this many loops run.
fn events(user: &str, loops: u32) -> u64 {
    let files = sites::built_in("lab").expect("a site");
    let mut session = Session::new(Setup { site: "lab".into(), files, seed: 1, start: Time(START) });
    session.apply(Input::Enrol("eve".into()));
    let login = session.apply(Input::Login { user: user.into(), columns: 80, rows: 24 });
    let InputResult::Terminal(tty) = login else { panic!("{login:?}") };
    assert!(session.run_until(Time(START) + Span::from_secs(5), 100_000));
    let line = format!("for i in $(seq {loops}); do while :; do :; done & done\n");
    session.apply(Input::Type(tty, line.into_bytes()));
    let before = session.steps();
    let until = session.world().now + Span::from_millis(200);
    assert!(session.run_until(until, 1_000_000));
    session.steps() - before
}

#[test]
fn many_loops_of_a_participant_cost_what_one_does() {
    let (one, many) = (events("eve", 1), events("eve", 12));
    assert!(one > 500 && many < 2 * one, "{one} {many}");
}
