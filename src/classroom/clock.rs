//! The class's clock: how far virtual time has been given out. No tab runs ahead of it, so an input that is ordered
//! now is in nobody's past.

use protocol::{Micros, Pace};

/// Most real milliseconds that count between two ticks: after a pause of the server the class goes on where it was.
const MAX_TICK: u64 = 1000;
/// Fastest pace, in virtual seconds per real second.
const MAX_TIMES: u32 = 3600;
/// Real milliseconds at 1x that a command gets while the clock is paused.
const GRACE: u64 = 2000;
/// Farthest skip: 30 days.
const MAX_SKIP: Micros = 30 * 86_400 * 1_000_000;
/// Real milliseconds for which time is reserved in the class's file at once.
const RESERVE: i64 = 5000;

/// The clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassClock {
    /// The virtual time given out.
    until: Micros,
    pace: Pace,
    /// Real milliseconds at the last tick.
    real: u64,
    /// The rest of [`GRACE`], in milliseconds.
    grace: u64,
    /// Time up to this moment may have been given out, according to the class's file.
    reserved: Micros,
}

impl ClassClock {
    /// A clock at 1x from a virtual time on.
    #[must_use]
    pub const fn new(start: Micros, real: u64) -> Self {
        Self { until: start, pace: Pace::Times(1), real, grace: 0, reserved: start }
    }

    /// The virtual time given out.
    #[must_use]
    pub const fn until(&self) -> Micros {
        self.until
    }

    /// Its pace.
    #[must_use]
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// The time after a tick at this real time, without the tick.
    fn next(&self, real: u64) -> (Micros, u64) {
        // A clock that went back, or far ahead, moves nothing by that.
        let elapsed = real.saturating_sub(self.real).min(MAX_TICK);
        let (millis, times) = match self.pace {
            Pace::Paused => (elapsed.min(self.grace), 1),
            Pace::Times(times) => (elapsed, times),
        };
        let micros = i64::try_from(millis).unwrap_or(0).saturating_mul(1000).saturating_mul(i64::from(times));
        (self.until.saturating_add(micros), self.grace.saturating_sub(millis))
    }

    /// The reservation that has to be stored before the clock can go on to this real time.
    #[must_use]
    pub fn needs(&self, real: u64) -> Option<Micros> {
        let (until, _) = self.next(real);
        let times = match self.pace {
            Pace::Paused => 1,
            Pace::Times(times) => i64::from(times),
        };
        (until > self.reserved).then(|| until.saturating_add(RESERVE * 1000 * times))
    }

    /// Time passes, up to what is reserved.
    pub fn tick(&mut self, real: u64) {
        let (until, grace) = self.next(real);
        (self.until, self.grace, self.real) = (until.min(self.reserved.max(self.until)), grace, real);
    }

    /// A reservation was stored.
    pub fn reserve(&mut self, reserved: Micros) {
        self.reserved = self.reserved.max(reserved);
    }

    /// The class was read from its file: what was reserved may have been given out.
    pub fn restore(&mut self, real: u64) {
        (self.until, self.real) = (self.reserved.max(self.until), real);
    }

    /// An input was ordered at this time. If the clock is paused, its command may run for a moment if `runs`.
    pub fn ordered(&mut self, time: Micros, runs: bool) {
        self.until = self.until.max(time);
        if runs {
            self.grace = GRACE;
        }
    }

    /// Sets the pace at a time. What was reserved beyond it was not given out.
    pub fn choose(&mut self, pace: Pace, until: Micros) {
        self.until = self.until.max(until);
        self.reserved = self.until;
        self.pace = limited(pace);
        self.grace = 0;
    }

    /// Checks a skip.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn check_skip(&self, until: Micros) -> Result<(), String> {
        match until.checked_sub(self.until) {
            Some(1..=MAX_SKIP) => Ok(()),
            Some(0) | Some(..0) => Err("That moment is in the past.".to_owned()),
            Some(_) | None => Err("The clock can skip at most 30 days.".to_owned()),
        }
    }

    /// Skips to a moment.
    pub fn skip(&mut self, until: Micros) {
        self.until = self.until.max(until);
        self.reserve(until);
    }
}

/// A pace within the bounds.
#[must_use]
pub const fn limited(pace: Pace) -> Pace {
    match pace {
        Pace::Paused | Pace::Times(0) => Pace::Paused,
        Pace::Times(n) if n > MAX_TIMES => Pace::Times(MAX_TIMES),
        Pace::Times(n) => Pace::Times(n),
    }
}
