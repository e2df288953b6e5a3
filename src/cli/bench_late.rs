//! The last part of `sandbatch bench class`: how long a tab computes that comes after an hour of a class, without a network.

use super::class::{entries, settle};
use ::cluster::real_now;
use ::serve::participant;
use classroom::wire::{SeatClaim, ToClassServer};
use classroom::{AccountPlan, ClassDecision, ClassDescription, ClassMember, Secret, Sequencer};
use protocol::class::{ClassAction, ClassSeat, ToClass};
use protocol::{Pace, ToEngine};

/// People, and seconds.
const PEOPLE: u32 = 30;
const HOUR: u32 = 3600;
/// Seconds between two inputs of a participant.
const PAUSE: u32 = 30;
/// The lines that they type: commands of a lesson, with jobs that fill the queue.
const LINES: [&str; 6] = [
    "squeue",
    "sbatch -n 2 -t 10 --wrap 'sleep 300'",
    "sinfo",
    "sbatch --array=1-5 -n 4 -t 30 --wrap 'sleep 900'",
    "sacct -X | tail",
    "squeue --me --start",
];

/// What one of them types in the tenth minute, in some of the runs: programs without end.
const FLOOD: &str = "while :; do squeue > /dev/null; done";

fn class() -> ClassDescription {
    ClassDescription {
        name: "late".to_owned(),
        site: "lab".to_owned(),
        seed: 1,
        background: "off".to_owned(),
        start: super::args::START.0,
        plan: AccountPlan::Each,
        people: PEOPLE,
        taken: Vec::new(),
    }
}

/// An hour of a class whose clock runs at this pace for ten minutes of it, and in real time otherwise. One may loop.
fn hour(pace: u32, floods: bool) -> Result<Sequencer, String> {
    let (link, teacher) = (Secret::new([1; 16]), Secret::new([2; 16]));
    let mut sequencer = Sequencer::new(class(), link, teacher, 0)?;
    let apply = |sequencer: &mut Sequencer, decision: ClassDecision| {
        decision.records.iter().for_each(|record| sequencer.apply(record));
    };
    let people = (1..=PEOPLE).map(|n| (link, format!("person{n}"), n));
    for (secret, name, visit) in people.chain([(teacher, "prof".to_owned(), PEOPLE + 1)]) {
        let ToClassServer::Hello(hello) = ClassMember::new(secret, SeatClaim::New(name)).hello() else {
            return Err("a greeting comes first".to_owned());
        };
        let fresh = Secret::new([u8::try_from(visit).unwrap_or(0); 16]);
        let (seat, decision) = sequencer.greet(&hello, fresh).map_err(|farewell| farewell.why)?;
        apply(&mut sequencer, decision);
        sequencer.take_seat(seat, visit.into());
    }
    for second in 0..HOUR {
        let real = u64::from(second) * 1000;
        let clock = match second {
            1800 => Some(Pace::Times(pace)),
            2400 => Some(Pace::Times(1)),
            _ => None,
        };
        let clock = clock.map(|pace| (PEOPLE + 1, ToClassServer::Pace(pace)));
        let typed = (1..=PEOPLE).filter(|n| (second + n) % PAUSE == 0).map(|n| {
            let round = second / PAUSE + 1;
            let line = LINES[usize::try_from(round + n).unwrap_or(0) % LINES.len()];
            let line = if floods && n == 1 && second / 60 == 10 { FLOOD } else { line };
            let action = ClassAction::Type(1, format!("{line}\n").into_bytes());
            (n, ToClassServer::Request { token: u64::from(round) + 1, action })
        });
        for (seat, message) in clock.into_iter().chain(typed) {
            let decision = sequencer.receive(seat, message, 100, real).map_err(|farewell| farewell.why)?;
            apply(&mut sequencer, decision);
        }
        let due = sequencer.due(real + 1000);
        apply(&mut sequencer, due);
        sequencer.tick(real + 1000);
    }
    Ok(sequencer)
}

/// What a latecomer's tab computes, as a sentence.
///
/// # Errors
/// The class cannot be made.
pub fn run() -> Result<String, String> {
    let mut text = String::new();
    for (pace, floods) in [(1, false), (1, true), (60, false), (60, true)] {
        let sequencer = hour(pace, floods)?;
        let (until, _) = sequencer.time();
        let hours = (until - sequencer.class().start) / 3_600_000_000;
        let last = sequencer.last();
        let seat = ClassSeat { seat: 1, user: "person1".to_owned(), teacher: false, token: 1, last };
        let mut engine = participant::start(sequencer.class(), seat).ok_or("the site is unknown")?;
        let all = entries(&sequencer);
        let began = real_now();
        engine.receive(ToEngine::Class(ToClass::Ordered(all)));
        engine.receive(ToEngine::Class(ToClass::Until(until, Pace::Paused)));
        settle(&mut engine)?;
        let took = began.elapsed().as_secs_f64();
        let flood = if floods { " with an endless loop of programs" } else { "" };
        text.push_str(&format!(
            "A latecomer after an hour of {PEOPLE} people{flood} ({last} inputs, {hours} virtual hours) computes for {took:.2} s.\n"
        ));
    }
    Ok(text)
}
