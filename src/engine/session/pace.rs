//! The clock: how far virtual time may advance, given real time, the chosen pace, and whether the user is typing.
//!
//! Integers only. Time that the engine could not keep up with is dropped, so that the backlog on a slow machine
//! stays bounded.

use base::time::{Span, Time};
use protocol::Pace;

/// Maximum real milliseconds per tick: a tab that was asleep does not catch up.
pub const MAX_TICK: u32 = 100;
/// The fastest pace: virtual seconds per real second.
pub const MAX_TIMES: u32 = 3600;
/// Maximum backlog, in real milliseconds.
const MAX_DEBT: i64 = 250;
/// Virtual time that a command typed while paused may take.
const PAUSED_GRACE: Span = Span::from_secs(2);

/// The clock's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaceClock {
    pace: Pace,
    typing: bool,
    /// The pace was changed after typing began.
    chosen: bool,
    /// The time that the world should have reached.
    due: Time,
    /// Commands typed while paused run until this time.
    grace: Time,
    behind: bool,
}

impl PaceClock {
    /// A clock at 1x from `now` on.
    #[must_use]
    pub const fn new(now: Time) -> Self {
        Self { pace: Pace::Times(1), typing: false, chosen: false, due: now, grace: now, behind: false }
    }

    /// The chosen pace.
    #[must_use]
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// Whether typing slows the clock down.
    #[must_use]
    pub fn held(&self) -> bool {
        self.typing && !self.chosen && matches!(self.pace, Pace::Times(n) if n > 1)
    }

    /// Whether the engine could not keep up recently.
    #[must_use]
    pub const fn behind(&self) -> bool {
        self.behind
    }

    /// The time up to which the world may run.
    #[must_use]
    pub const fn due(&self) -> Time {
        self.due
    }

    /// Sets the pace, limited to the valid range.
    pub fn choose(&mut self, pace: Pace) {
        self.pace = match pace {
            Pace::Paused | Pace::Times(0) => Pace::Paused,
            Pace::Times(n) => Pace::Times(n.min(MAX_TIMES)),
        };
        self.chosen = true;
    }

    /// The user starts or stops typing.
    pub fn typing(&mut self, typing: bool) {
        if typing && !self.typing {
            self.chosen = false;
        }
        self.typing = typing;
    }

    /// A line was entered at `now`: if the clock is paused, it gets its grace time.
    pub fn typed(&mut self, now: Time) {
        self.grace = now + PAUSED_GRACE;
    }

    /// The world was moved to `now` by a skip or a start.
    pub fn reset(&mut self, now: Time) {
        self.due = now;
        self.grace = now;
        self.behind = false;
    }

    /// Lets real time pass. `busy`: a terminal runs a command.
    pub fn tick(&mut self, millis: u32, now: Time, busy: bool) {
        let millis = i64::from(millis.min(MAX_TICK));
        let (times, end) = match self.pace {
            Pace::Paused if busy && self.grace > now => (1, Some(self.grace)),
            Pace::Paused => (0, None),
            Pace::Times(_) if self.held() => (1, None),
            Pace::Times(n) => (i64::from(n), None),
        };
        // Only a backlog older than this tick counts: the world had no chance to process the rest.
        let debt = (self.due - now).0.max(0);
        let limit = MAX_DEBT * 1000 * times;
        self.behind = times > 0 && debt > limit;
        let from = if debt > limit { now + Span(limit) } else { self.due.max(now) };
        let due = from + Span(millis * 1000 * times);
        self.due = end.map_or(due, |end| due.min(end).max(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Time = Time::from_secs(1000);

    fn ran(clock: &mut PaceClock, now: &mut Time, ticks: u32, millis: u32) -> i64 {
        let from = *now;
        for _ in 0..ticks {
            clock.tick(millis, *now, false);
            *now = clock.due();
        }
        (*now - from).0
    }

    #[test]
    fn paces() {
        for (pace, micros) in [
            (Pace::Paused, 0),
            (Pace::Times(0), 0),
            (Pace::Times(1), 1_020_000),
            (Pace::Times(60), 61_200_000),
            (Pace::Times(3600), 3_672_000_000),
            (Pace::Times(1_000_000), 3_672_000_000),
        ] {
            let (mut clock, mut now) = (PaceClock::new(T0), T0);
            clock.choose(pace);
            assert_eq!(ran(&mut clock, &mut now, 60, 17), micros, "{pace:?}");
        }
    }

    #[test]
    fn a_sleeping_tab_does_not_catch_up() {
        let (mut clock, mut now) = (PaceClock::new(T0), T0);
        assert_eq!(ran(&mut clock, &mut now, 1, u32::MAX), 100_000);
    }

    #[test]
    fn typing_slows_the_clock() {
        let (mut clock, mut now) = (PaceClock::new(T0), T0);
        clock.choose(Pace::Times(600));
        clock.typing(true);
        assert!(clock.held());
        assert_eq!(ran(&mut clock, &mut now, 10, 10), 100_000);
        clock.choose(Pace::Times(60));
        assert!(!clock.held(), "chosen while typing");
        assert_eq!(ran(&mut clock, &mut now, 10, 10), 6_000_000);
        clock.typing(false);
        clock.typing(true);
        assert!(clock.held(), "the next line holds again");
        clock.choose(Pace::Paused);
        assert!(!clock.held());
        assert_eq!(ran(&mut clock, &mut now, 10, 10), 0);
    }

    #[test]
    fn the_backlog_is_bounded() {
        let mut clock = PaceClock::new(T0);
        clock.choose(Pace::Times(3600));
        for _ in 0..1000 {
            clock.tick(16, T0, false);
        }
        assert!(clock.behind());
        assert!((clock.due() - T0).0 <= (250 + 16) * 1000 * 3600);
        let now = clock.due();
        clock.tick(16, now, false);
        assert!(!clock.behind());
    }

    #[test]
    fn a_line_typed_while_paused_gets_grace_time() {
        let (mut clock, mut now) = (PaceClock::new(T0), T0);
        clock.choose(Pace::Paused);
        clock.typed(now);
        for _ in 0..1000 {
            clock.tick(10, now, true);
            now = clock.due();
        }
        assert_eq!((now - T0).0, PAUSED_GRACE.0);
        clock.tick(10, now, false);
        assert_eq!(clock.due(), now);
    }
}
