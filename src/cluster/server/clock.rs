//! Virtual time that follows real time.

use crate::real_now;
use base::time::{Span, Time};
use std::time::{Duration, Instant};

/// The longest sleep, after which the server checks whether its parent has ended.
const MAX_SLEEP: Duration = Duration::from_millis(500);

/// A pace, and the time since which it applies.
pub struct PacedClock {
    /// Virtual seconds per real second; 0 is as fast as possible.
    pace: u32,
    from: Time,
    since: Instant,
}

impl PacedClock {
    pub fn new(now: Time, pace: u32) -> Self {
        Self { pace, from: now, since: real_now() }
    }

    /// Changes the pace from now on.
    pub fn set_pace(&mut self, pace: u32, now: Time) {
        *self = Self::new(now, pace);
    }

    /// Whether waiting is skipped.
    pub const fn is_unbounded(&self) -> bool {
        self.pace == 0
    }

    /// Whether virtual time runs much faster than real time.
    pub const fn is_fast(&self) -> bool {
        self.pace == 0 || self.pace > 10
    }

    /// The pace in the format of the option.
    pub fn text(&self) -> String {
        if self.pace == 0 { "max".to_owned() } else { format!("{}x", self.pace) }
    }

    /// The virtual time that corresponds to the real time.
    pub fn due(&self) -> Time {
        let real = i64::try_from(self.since.elapsed().as_micros()).unwrap_or(i64::MAX);
        self.from + Span(real.saturating_mul(self.pace.max(1).into()).min(i64::MAX / 4))
    }

    /// Continues from a virtual time that was reached early or late.
    pub fn catch_up(&mut self, now: Time) {
        self.from = now;
        self.since = real_now();
    }

    /// How long to sleep until a virtual time is due.
    pub fn until(&self, at: Option<Time>) -> Duration {
        let Some(at) = at else { return MAX_SLEEP };
        let span = (at - self.due()).0.max(0) / i64::from(self.pace.max(1));
        Duration::from_micros(u64::try_from(span).unwrap_or(0)).min(MAX_SLEEP)
    }
}
