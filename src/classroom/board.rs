//! The teacher's dashboard: what the server knows about the participants, with what the teacher's tab computes.

use super::wire::Person;
use protocol::class::ClassWork;

/// Failed commands in a row after which a participant counts as stuck.
const MAX_FAILURES: u32 = 3;
/// Seconds without success after which a participant who types counts as stuck.
const MAX_QUIET: u32 = 300;
/// Seconds on a step of the lesson after which a participant who types counts as stuck.
const MAX_STEP: u32 = 600;
/// Seconds after which a participant does not type any more.
const TYPES: u64 = 120;

/// Why a participant may need help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// Several commands have failed in a row.
    Failures,
    /// The participant types, and nothing has succeeded for a long time.
    Quiet,
    /// The participant types, and has been on a step of the lesson for a long time.
    Step,
}

/// A participant on the dashboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRow {
    /// What the server says.
    pub person: Person,
    /// What the world says.
    pub work: ClassWork,
    /// Whether help may be needed.
    pub stuck: Option<Stuck>,
}

/// The rows of the dashboard: raised hands in the order in which they went up, then those who are stuck, then the others in the order of arrival.
/// Teachers are not listed.
#[must_use]
pub fn board(people: &[Person], work: &[ClassWork]) -> Vec<BoardRow> {
    let row = |person: &Person| {
        let work = work.iter().find(|work| work.seat == person.seat).cloned().unwrap_or_default();
        BoardRow { stuck: stuck(person, &work), person: person.clone(), work }
    };
    let mut rows: Vec<BoardRow> = people.iter().filter(|person| !person.teacher).map(row).collect();
    rows.sort_by_key(|row| {
        let hand = row.person.hand.map_or((true, 0), |seconds| (false, u64::MAX - seconds));
        (hand, row.stuck.is_none(), row.person.seat)
    });
    rows
}

fn stuck(person: &Person, work: &ClassWork) -> Option<Stuck> {
    let types = person.here && person.idle.is_some_and(|idle| idle < TYPES);
    if person.here && work.failures >= MAX_FAILURES {
        return Some(Stuck::Failures);
    }
    let quiet = work.failures > 0 && work.quiet.is_some_and(|quiet| quiet >= MAX_QUIET);
    if types && quiet {
        return Some(Stuck::Quiet);
    }
    let step = work.lesson.is_some_and(|step| step.passed < step.total && step.seconds >= MAX_STEP);
    (types && step).then_some(Stuck::Step)
}

/// How many participants are connected, how many there are, and how many hands are up.
#[must_use]
pub fn counts(people: &[Person]) -> (usize, usize, usize) {
    let count = |holds: fn(&Person) -> bool| people.iter().filter(|p| !p.teacher && holds(p)).count();
    (count(|p| p.here), count(|_| true), count(|p| p.hand.is_some()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use protocol::class::ClassStep;

    pub(crate) fn person(seat: u32) -> Person {
        Person {
            seat,
            name: format!("p{seat}"),
            teacher: false,
            here: true,
            idle: Some(10),
            hand: None,
            free: false,
        }
    }

    pub(crate) fn work(seat: u32, failures: u32, quiet: u32) -> ClassWork {
        ClassWork { seat, commands: 9, failures, quiet: Some(quiet), ..ClassWork::default() }
    }

    #[test]
    fn hands_come_first_then_those_who_are_stuck() {
        let people = [
            person(1),
            person(2),
            Person { hand: Some(5), ..person(3) },
            Person { hand: Some(60), ..person(4) },
            Person { teacher: true, ..person(5) },
        ];
        let rows = board(&people, &[work(2, 3, 0), work(3, 0, 0)]);
        let order: Vec<_> = rows.iter().map(|row| (row.person.seat, row.stuck)).collect();
        assert_eq!(order, [(4, None), (3, None), (2, Some(Stuck::Failures)), (1, None)]);
        assert_eq!(rows[2].work.failures, 3);
        assert_eq!(counts(&people), (4, 4, 2));
    }

    #[test]
    fn someone_is_stuck_after_failures_or_a_long_time() {
        let of = |person: &Person, failures, quiet| stuck(person, &work(1, failures, quiet));
        let here = person(1);
        assert_eq!(of(&here, 2, 10), None);
        assert_eq!(of(&here, 3, 10), Some(Stuck::Failures));
        assert_eq!(of(&here, 1, 300), Some(Stuck::Quiet));
        assert_eq!(of(&here, 0, 9000), None, "the last command succeeded");
        assert_eq!(of(&Person { idle: Some(600), ..person(1) }, 1, 700), None, "nothing was typed for long");
        let on_step = |passed, seconds| {
            let lesson = Some(ClassStep { passed, total: 2, seconds, ..ClassStep::default() });
            stuck(&here, &ClassWork { lesson, ..work(1, 0, 0) })
        };
        assert_eq!(on_step(1, 599), None);
        assert_eq!(on_step(1, 600), Some(Stuck::Step));
        assert_eq!(on_step(2, 9000), None, "the lesson is done");
        assert_eq!(of(&Person { here: false, ..person(1) }, 9, 9000), None);
    }
}
