//! Virtual time: integer microseconds since 1970-01-01 UTC.
//!
//! Invariant: `now` is always a parameter; nothing here reads a clock.
//!
//! Texts follow the TIME FORMATS sections of squeue(1), sacct(1) and scontrol(1).

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A point in virtual time, in microseconds since the epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(pub i64);

/// A duration in microseconds; may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span(pub i64);

/// Microseconds in a second.
pub const SECOND: i64 = 1_000_000;

impl Time {
    /// The time `secs` seconds after the epoch. What is beyond the range, some 292,000 years, is its end.
    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(SECOND))
    }

    /// Seconds since the epoch, rounded down, as time(2) returns them.
    #[must_use]
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(SECOND)
    }

    /// The time rounded down to a whole second.
    #[must_use]
    pub const fn floor(self) -> Self {
        Self::from_secs(self.secs())
    }

    /// Date and time of day in UTC, the time zone of every simulated cluster.
    #[must_use]
    pub fn civil(self) -> DateTime {
        // `jiff` covers the years -9999 to 9999; clamp to them.
        let secs = self.secs().clamp(-377_705_023_201, 253_402_207_200);
        let nanos = self.0.rem_euclid(SECOND) * 1000;
        jiff::Timestamp::new(secs, i32::try_from(nanos).unwrap_or(0))
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
            .to_zoned(TimeZone::UTC)
            .datetime()
    }

    /// The time of a civil date and time in UTC; `None` outside the calendar.
    #[must_use]
    pub fn from_civil(civil: DateTime) -> Option<Self> {
        let stamp = civil.to_zoned(TimeZone::UTC).ok()?.timestamp();
        Some(Self(stamp.as_microsecond()))
    }

    /// The time as Slurm prints it: `2026-11-21T05:54:28`.
    #[must_use]
    pub fn iso(self) -> String {
        let t = self.civil();
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
            t.year(),
            t.month(),
            t.day(),
            t.hour(),
            t.minute(),
            t.second()
        )
    }

    /// The time as the daemons' logs print it: `2026-11-21T05:54:28.042`.
    #[must_use]
    pub fn iso_millis(self) -> String {
        format!("{}.{:03}", self.iso(), self.0.rem_euclid(SECOND) / 1000)
    }

    /// The time in a strftime(3) format; an unknown conversion returns the format unchanged.
    #[must_use]
    pub fn strftime(self, format: &str) -> String {
        jiff::fmt::strtime::format(format, &self.civil().to_zoned(TimeZone::UTC).unwrap_or_default())
            .unwrap_or_else(|_| format.to_owned())
    }
}

impl Span {
    /// A duration of whole seconds. What is beyond the range, some 292,000 years, is its end.
    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(SECOND))
    }

    /// A duration of milliseconds.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis * 1000)
    }

    /// A duration of whole minutes.
    #[must_use]
    pub const fn from_mins(mins: i64) -> Self {
        Self(mins * 60 * SECOND)
    }

    /// Whole seconds, rounded down.
    #[must_use]
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(SECOND)
    }
}

impl Add<Span> for Time {
    type Output = Self;
    fn add(self, rhs: Span) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl Sub<Span> for Time {
    type Output = Self;
    fn sub(self, rhs: Span) -> Self {
        Self(self.0.saturating_sub(rhs.0))
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, rhs: Self) -> Span {
        Span(self.0.saturating_sub(rhs.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, rhs: Span) {
        *self = *self + rhs;
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iso())
    }
}

/// A time limit in whole minutes, as in `--time` and `MaxTime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Limit {
    /// A limit in minutes.
    Minutes(u32),
    /// No limit; orders above every number.
    Unlimited,
}

impl Limit {
    /// The limit as a duration; `None` if unlimited.
    #[must_use]
    pub const fn span(self) -> Option<Span> {
        match self {
            Self::Minutes(m) => Some(Span::from_mins(m as i64)),
            Self::Unlimited => None,
        }
    }
}

/// Formats seconds as `scontrol` and `sacct` do: `1-02:03:04` or `02:03:04`.
#[must_use]
pub fn hms(secs: i64) -> String {
    let secs = secs.max(0);
    let (days, rest) = (secs / 86_400, secs % 86_400);
    let (h, m, s) = (rest / 3600, rest / 60 % 60, rest % 60);
    if days > 0 { format!("{days}-{h:02}:{m:02}:{s:02}") } else { format!("{h:02}:{m:02}:{s:02}") }
}

/// Formats seconds as `squeue` does: `1-02:03:04`, `2:03:04` or `3:04`.
#[must_use]
pub fn hms_short(secs: i64) -> String {
    let secs = secs.max(0);
    let (days, rest) = (secs / 86_400, secs % 86_400);
    let (h, m, s) = (rest / 3600, rest / 60 % 60, rest % 60);
    let mut text = String::with_capacity(12);
    if days > 0 {
        text = days.to_string();
        text.push('-');
        push_two(&mut text, h);
        text.push(':');
        push_two(&mut text, m);
    } else if h > 0 {
        text = h.to_string();
        text.push(':');
        push_two(&mut text, m);
    } else if m > 9 {
        push_two(&mut text, m);
    } else {
        push_digit(&mut text, m);
    }
    text.push(':');
    push_two(&mut text, s);
    text
}

/// Appends a number below 100 as two digits. A long queue formats several hundred thousand times.
fn push_two(text: &mut String, n: i64) {
    push_digit(text, n / 10);
    push_digit(text, n % 10);
}

fn push_digit(text: &mut String, n: i64) {
    text.extend(u32::try_from(n).ok().and_then(|n| char::from_digit(n, 10)));
}

/// The first of `from`, `from + step`, ... that is not before `t`.
#[must_use]
pub fn grid(from: Time, step: Span, t: Time) -> Time {
    let steps = ((t - from).0.max(0) + step.0 - 1).div_euclid(step.0.max(1));
    from + Span(steps * step.0)
}

/// The earlier of two times that may be missing.
#[must_use]
pub fn earlier(one: Option<Time>, other: Option<Time>) -> Option<Time> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (only, None) | (None, only) => only,
    }
}

/// The next tick of slurmctld's one-second background loop after `now`.
#[must_use]
pub fn next_second(boot: Time, now: Time) -> Time {
    boot + Span(((now - boot).0.div_euclid(SECOND) + 1) * SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let t = Time::from_secs(1_795_240_460) + Span::from_millis(42);
        assert_eq!(t.iso(), "2026-11-21T05:54:20");
        assert_eq!(t.iso_millis(), "2026-11-21T05:54:20.042");
        assert_eq!(t.strftime("%a %b %e %H:%M:%S %Y"), "Sat Nov 21 05:54:20 2026");
        assert_eq!(hms(90_061), "1-01:01:01");
        assert_eq!(hms_short(61), "1:01");
        assert_eq!(hms_short(3600), "1:00:00");
        assert_eq!([0, 754, 93_784, 864_000].map(hms_short), ["0:00", "12:34", "1-02:03:04", "10-00:00:00"]);
        assert_eq!(Time::from_civil(t.civil()), Some(t));
    }
}
