//! Virtual time: integer microseconds since 1970-01-01 UTC.
//!
//! `now` is always a parameter; nothing here reads a clock. Texts are those that Slurm prints
//! (`squeue`, `sacct`, `scontrol` manual pages, "TIME FORMATS").

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A moment of virtual time, microseconds since the epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(pub i64);

/// A distance between two moments, microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span(pub i64);

/// Microseconds in a second.
pub const SECOND: i64 = 1_000_000;

impl Time {
    /// The moment `secs` seconds after the epoch.
    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs * SECOND)
    }

    /// Whole seconds since the epoch, rounded down as `time(2)` gives them.
    #[must_use]
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(SECOND)
    }

    /// The same moment without its fraction of a second.
    #[must_use]
    pub const fn floor(self) -> Self {
        Self::from_secs(self.secs())
    }

    /// Date and time of day in UTC, the zone of every simulated cluster.
    #[must_use]
    pub fn civil(self) -> DateTime {
        // Bounded: `jiff` covers the years -9999 to 9999, virtual time is clamped to them.
        let secs = self.secs().clamp(-377_705_023_201, 253_402_207_200);
        let nanos = self.0.rem_euclid(SECOND) * 1000;
        jiff::Timestamp::new(secs, i32::try_from(nanos).unwrap_or(0))
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
            .to_zoned(TimeZone::UTC)
            .datetime()
    }

    /// The moment of a civil date and time in UTC; `None` outside of the calendar.
    #[must_use]
    pub fn from_civil(civil: DateTime) -> Option<Self> {
        let stamp = civil.to_zoned(TimeZone::UTC).ok()?.timestamp();
        Some(Self(stamp.as_microsecond()))
    }

    /// `2026-11-21T05:54:28`, as Slurm prints times.
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

    /// `2026-11-21T05:54:28.042`, as the daemons' logs print times.
    #[must_use]
    pub fn iso_millis(self) -> String {
        format!("{}.{:03}", self.iso(), self.0.rem_euclid(SECOND) / 1000)
    }

    /// This moment in a `strftime` format; an unknown conversion gives the format back.
    #[must_use]
    pub fn strftime(self, format: &str) -> String {
        jiff::fmt::strtime::format(format, &self.civil().to_zoned(TimeZone::UTC).unwrap_or_default())
            .unwrap_or_else(|_| format.to_owned())
    }
}

impl Span {
    /// A span of whole seconds.
    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs * SECOND)
    }

    /// A span of milliseconds.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis * 1000)
    }

    /// A span of whole minutes.
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

/// A time limit in whole minutes, as `--time` and `MaxTime` carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Limit {
    /// So many minutes.
    Minutes(u32),
    /// No limit; sorts above every number.
    Unlimited,
}

impl Limit {
    /// The limit as a span; `None` when there is none.
    #[must_use]
    pub const fn span(self) -> Option<Span> {
        match self {
            Self::Minutes(m) => Some(Span::from_mins(m as i64)),
            Self::Unlimited => None,
        }
    }
}

/// `1-02:03:04` or `02:03:04`: whole seconds as `scontrol` and `sacct` print them.
#[must_use]
pub fn hms(secs: i64) -> String {
    let secs = secs.max(0);
    let (days, rest) = (secs / 86_400, secs % 86_400);
    let (h, m, s) = (rest / 3600, rest / 60 % 60, rest % 60);
    if days > 0 { format!("{days}-{h:02}:{m:02}:{s:02}") } else { format!("{h:02}:{m:02}:{s:02}") }
}

/// `1-02:03:04`, `2:03:04` or `3:04`: whole seconds as `squeue` prints them.
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

/// A number below 100 in two digits: a long queue's times are written so some hundred thousand times.
fn push_two(text: &mut String, n: i64) {
    push_digit(text, n / 10);
    push_digit(text, n % 10);
}

fn push_digit(text: &mut String, n: i64) {
    text.extend(u32::try_from(n).ok().and_then(|n| char::from_digit(n, 10)));
}

/// The first of the points `from`, `from` + `step`, ... that is not before `t`.
#[must_use]
pub fn grid(from: Time, step: Span, t: Time) -> Time {
    let steps = ((t - from).0.max(0) + step.0 - 1).div_euclid(step.0.max(1));
    from + Span(steps * step.0)
}

/// The next tick of the background loop after `now`.
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
