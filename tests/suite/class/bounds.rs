//! What a participant's endless loops cost the others, who compute the same world.

use super::START;
use base::time::{Span, Time};
use config::sites;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult};
use host::tty::TtyId;

/// A class of two, with a terminal for each.
fn class() -> (Session, [TtyId; 2]) {
    let files = sites::built_in("lab").expect("a site");
    let mut session = Session::new(Setup { site: "lab".into(), files, seed: 1, start: Time(START) });
    let ttys = ["eve", "ben"].map(|user| {
        session.apply(Input::Enrol(user.into()));
        let account = format!("sacctmgr -iQ add account {user}; sacctmgr -iQ add user {user} account={user}");
        session.apply(Input::Run { user: "root".into(), command: account });
        let login = session.apply(Input::Login { user: user.into(), columns: 80, rows: 24 });
        let InputResult::Terminal(tty) = login else { panic!("{login:?}") };
        tty
    });
    assert!(session.run_until(Time(START) + Span::from_secs(5), 100_000));
    (session, ttys)
}

/// Events of a fifth of a second in which this many loops run.
fn events(loops: u32) -> u64 {
    let (mut session, [tty, _]) = class();
    let line = format!("for i in $(seq {loops}); do while :; do :; done & done\n");
    session.apply(Input::Type(tty, line.into_bytes()));
    let before = session.steps();
    let until = session.world().now + Span::from_millis(200);
    assert!(session.run_until(until, 1_000_000));
    session.steps() - before
}

#[test]
fn many_loops_of_a_participant_cost_what_one_does() {
    let (one, many) = (events(1), events(12));
    assert!(one > 500 && many < 2 * one, "{one} {many}");
}

/// Endless loops of programs, subshells and pipelines. None of their processes uses up its slices.
const FLOODS: [&str; 8] = [
    "while :; do /bin/true; done",
    "while :; do ( : ); done",
    "while :; do sbatch --wrap 'sleep 10' > /dev/null; done",
    "while :; do seq 1000 > /dev/null; done",
    "while :; do true & done",
    "while :; do echo x | cat > /dev/null; done",
    "echo 'exec bash loop' > loop; bash loop",
    "for i in $(seq 12); do while :; do /bin/true; done & done",
];

/// Before there were shares, these loops took no virtual time at all: the world stood still for everyone.
#[test]
fn programs_without_end_do_not_stop_the_other_participants() {
    for line in FLOODS {
        let (mut session, [eve, ben]) = class();
        session.apply(Input::Type(eve, format!("{line}\n").into_bytes()));
        for second in 1..=20 {
            let before = session.steps();
            let until = session.world().now + Span::from_secs(1);
            assert!(session.run_until(until, 20_000), "{line}: second {second} does not end");
            // In the long run: 500 slices, timers and what the jobs of these programs do.
            let (steps, most) = (session.steps() - before, if second > 15 { 1_500 } else { 4_000 });
            assert!(steps < most, "{line}: {steps} events in second {second}");
        }
        // What another participant types is answered at once.
        session.screen_mut(ben).expect("a terminal").take(usize::MAX);
        session.apply(Input::Type(ben, b"echo here; squeue -h | wc -l; echo there\n".to_vec()));
        let until = session.world().now + Span::from_millis(50);
        assert!(session.run_until(until, 1_000), "{line}: no answer");
        let said = session.screen_mut(ben).expect("a terminal").take(usize::MAX);
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains("here") && said.contains("there\n"), "{line}: {said}");
    }
}
