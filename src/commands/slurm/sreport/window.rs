//! The period of a report: whole hours, yesterday by default.

use crate::Cx;
use crate::slurm::opt::values;
use base::time::{Span, Time};

const HOUR: i64 = 3600;
const DAY: i64 = 86_400;

/// A time range; the end is exclusive.
pub struct Period {
    pub start: Time,
    pub end: Time,
    /// The past part of the range, in whole hours, since the cluster started; may be empty.
    pub rolled: (Time, Time),
}

impl Period {
    /// The requested range. Unreadable times are reported and ignored.
    pub fn asked(cx: &mut Cx, start: Option<&str>, end: Option<&str>) -> Self {
        let now = cx.now;
        let mut moment = |text: Option<&str>| {
            let text = text?;
            match values::moment(text, now, true) {
                Ok(moment) => Some(moment),
                Err(pos) => {
                    cx.complain(&format!("Invalid time specification (pos={pos}): {text}"));
                    None
                }
            }
        };
        let (start, end) = (moment(start), moment(end));
        Self::of(start, end, now, cx.cluster.state().boot)
    }

    /// Starts are rounded down to the hour, ends up. The default end is midnight; Slurm adds the minutes of the
    /// current time to it before rounding.
    pub fn of(start: Option<Time>, end: Option<Time>, now: Time, boot: Time) -> Self {
        let midnight = now.secs().div_euclid(DAY) * DAY;
        let first = start.map_or(midnight - DAY, |s| s.min(now).secs());
        let last = end.map_or(midnight + now.secs().rem_euclid(HOUR), |e| e.min(now).secs());
        let start = Time::from_secs(first.div_euclid(HOUR) * HOUR);
        let end =
            Time::from_secs((last + HOUR - 1).div_euclid(HOUR) * HOUR).max(start + Span::from_secs(HOUR));
        let over = Time::from_secs(now.secs().div_euclid(HOUR) * HOUR);
        let from = start.max(boot);
        Self { start, end, rolled: (from, end.min(over).max(from)) }
    }

    /// Seconds of the whole range.
    pub fn seconds(&self) -> i64 {
        (self.end - self.start).secs()
    }

    /// Seconds of the overlap between an interval and the rolled-up part. An interval without an end continues.
    pub fn overlap(&self, from: Time, to: Option<Time>) -> u64 {
        let (first, last) = (from.max(self.rolled.0), to.unwrap_or(self.rolled.1).min(self.rolled.1));
        u64::try_from(last.secs() - first.secs()).unwrap_or(0)
    }

    /// Seconds of the rolled-up part.
    pub fn rolled_seconds(&self) -> u64 {
        self.overlap(self.rolled.0, None)
    }

    /// `2026-11-20T00:00:00 - 2026-11-20T23:59:59`.
    pub fn text(&self) -> String {
        format!("{} - {}", self.start.iso(), (self.end - Span::from_secs(1)).iso())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_as_recorded() {
        let at = |text: &str| values::moment(text, Time::default(), true).unwrap_or_default();
        let now = at("2026-11-21T06:02:30");
        for (start, end, want, seconds) in [
            (None, None, "2026-11-20T00:00:00 - 2026-11-21T00:59:59", 90_000),
            (Some("2026-11-21"), Some("2026-11-22"), "2026-11-21T00:00:00 - 2026-11-21T06:59:59", 25_200),
            (Some("2026-11-01"), None, "2026-11-01T00:00:00 - 2026-11-21T00:59:59", 1_731_600),
            (Some("2020-01-01"), Some("2020-01-02"), "2020-01-01T00:00:00 - 2020-01-01T23:59:59", 86_400),
            (Some("2026-11-21T04:10:00"), None, "2026-11-21T04:00:00 - 2026-11-21T04:59:59", 3600),
        ] {
            let window = Period::of(start.map(at), end.map(at), now, at("2026-11-21T05:00:00"));
            assert_eq!((window.text().as_str(), window.seconds()), (want, seconds));
        }
    }

    #[test]
    fn only_completed_hours_count() {
        let at = |text: &str| values::moment(text, Time::default(), true).unwrap_or_default();
        let now = at("2026-11-21T06:02:30");
        let window = Period::of(Some(at("2026-11-21")), Some(now), now, at("2026-11-21T05:54:00"));
        assert_eq!(window.rolled_seconds(), 360, "from the cluster's start to six o'clock");
        assert_eq!(window.overlap(at("2026-11-21T05:59:00"), None), 60);
        assert_eq!(window.overlap(at("2026-11-21T06:01:00"), None), 0);
    }
}
