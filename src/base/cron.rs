//! Cron schedules as in crontab(5): `*/10 8-18 * * mon-fri`, `@daily`.

use super::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Days to search ahead: 29 February occurs at least every eight years.
const MAX_DAYS: i64 = 8 * 366;
const DAY: i64 = 86_400;

/// A schedule with a resolution of one minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    minutes: u64,
    hours: u32,
    days: u32,
    months: u16,
    weekdays: u8,
    /// Day of the month and day of the week are both restricted: either may match.
    either: bool,
}

const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: &[&str] = &["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// Nicknames for all five fields.
const WORDS: &[(&str, &str)] = &[
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@elevenses", "0 11 * * *"),
    ("@fika", "0 15 * * *"),
    ("@teatime", "0 16 * * *"),
];

impl Schedule {
    /// Parses the schedule at the start of a line; returns it with the rest of the line.
    #[must_use]
    pub fn parse(line: &str) -> Option<(Self, &str)> {
        let line = line.trim_start();
        if line.starts_with('@') {
            let end = line.find(char::is_whitespace).unwrap_or(line.len());
            let (word, rest) = line.split_at(end);
            let (_, fields) = WORDS.iter().find(|(w, _)| w.eq_ignore_ascii_case(word))?;
            return Some((Self::parse(fields)?.0, rest.trim_start()));
        }
        let mut rest = line;
        let mut fields = [""; 5];
        for field in &mut fields {
            rest = rest.trim_start();
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            (*field, rest) = rest.split_at(end);
        }
        let [minute, hour, day, month, weekday] = fields;
        let bits = |text: &str, low, high, names| set(text, low, high, names);
        // Sunday is 0 and 7.
        let week = bits(weekday, 0, 7, WEEKDAYS)?;
        let schedule = Self {
            minutes: bits(minute, 0, 59, &[])?,
            hours: u32::try_from(bits(hour, 0, 23, &[])?).ok()?,
            days: u32::try_from(bits(day, 1, 31, &[])?).ok()?,
            months: u16::try_from(bits(month, 1, 12, MONTHS)?).ok()?,
            weekdays: u8::try_from((week | week >> 7) & 0x7f).ok()?,
            either: !day.starts_with('*') && !weekday.starts_with('*'),
        };
        Some((schedule, rest.trim_start()))
    }

    /// The first matching minute after `after`, or `None` if there is none within eight years.
    #[must_use]
    pub fn next(&self, after: Time) -> Option<Time> {
        let first = (after.secs().div_euclid(60) + 1) * 60;
        let midnight = first.div_euclid(DAY) * DAY;
        (0..MAX_DAYS).find_map(|n| {
            let start = midnight + n * DAY;
            self.on_day(Time::from_secs(start)).then_some(())?;
            let from = if n == 0 { (first - midnight) / 60 } else { 0 };
            let minute = (from..1440)
                .find(|m| self.hours >> (m / 60) & 1 == 1 && self.minutes >> (m % 60) & 1 == 1)?;
            Some(Time::from_secs(start) + Span::from_secs(minute * 60))
        })
    }

    fn on_day(&self, day: Time) -> bool {
        let civil = day.civil();
        let dom = self.days >> civil.day() & 1 == 1;
        let dow = self.weekdays >> civil.weekday().to_sunday_zero_offset() & 1 == 1;
        self.months >> civil.month() & 1 == 1 && if self.either { dom || dow } else { dom && dow }
    }
}

/// Parses `1-5,10-20/2` or `*/15` into a bit set.
fn set(text: &str, low: u32, high: u32, names: &[&str]) -> Option<u64> {
    let number = |word: &str| -> Option<u32> {
        let named =
            names.iter().position(|n| word.len() >= 3 && n.eq_ignore_ascii_case(word.get(..3).unwrap_or("")));
        let n = match named {
            Some(at) => u32::try_from(at).ok()? + low,
            None => word.parse().ok()?,
        };
        (low..=high).contains(&n).then_some(n)
    };
    let mut bits = 0;
    for part in text.split(',') {
        let (range, step) = part.split_once('/').map_or((part, None), |(r, s)| (r, Some(s)));
        let step: usize = step.map_or(Some(1), |s| s.parse().ok().filter(|s| *s > 0))?;
        let (first, last) = match range.split_once('-') {
            _ if range == "*" => (low, if names.len() == 7 { 6 } else { high }),
            Some((a, b)) => (number(a)?, number(b)?),
            None => {
                let n = number(range)?;
                (n, if part.contains('/') { high } else { n })
            }
        };
        (first <= last).then_some(())?;
        (first..=last).step_by(step).for_each(|n| bits |= 1u64 << n);
    }
    Some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_times() {
        // Sat Nov 21 05:54:28 UTC 2026
        let now = Time::from_secs(1_795_240_468);
        for (line, want) in [
            ("* * * * * x", "2026-11-21T05:55:00"),
            ("*/10 * * * * x", "2026-11-21T06:00:00"),
            ("30 2 * * * x", "2026-11-22T02:30:00"),
            ("0 8-18/2 * * mon-fri x", "2026-11-23T08:00:00"),
            ("0 0 1 * * x", "2026-12-01T00:00:00"),
            ("0 0 29 feb * x", "2028-02-29T00:00:00"),
            ("0 0 25 * 0 x", "2026-11-22T00:00:00"),
            ("0 12 * * 7 x", "2026-11-22T12:00:00"),
            ("@hourly x", "2026-11-21T06:00:00"),
            ("@teatime x", "2026-11-21T16:00:00"),
        ] {
            let (schedule, rest) = Schedule::parse(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((schedule.next(now).map(Time::iso).as_deref(), rest), (Some(want), "x"), "{line}");
        }
        for bad in [
            "",
            "* * * *",
            "60 * * * * x",
            "* 24 * * * x",
            "*/0 * * * * x",
            "5-1 * * * * x",
            "@nosuch x",
            "a b c d e",
        ] {
            assert!(Schedule::parse(bad).is_none(), "{bad}");
        }
        assert_eq!(Schedule::parse("0 0 31 feb * x").unwrap().0.next(now), None);
    }
}
