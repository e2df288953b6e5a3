//! Formatting of virtual time. Clusters use UTC; the calendar is computed here because a date library would add more
//! bytes to the page.

use protocol::Micros;

/// A time split into its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Civil {
    /// The year.
    pub year: i64,
    /// From 1.
    pub month: u8,
    /// From 1.
    pub day: u8,
    /// 0 is Monday.
    pub weekday: u8,
    /// Seconds of the day.
    pub second: u32,
}

/// Splits a time into fields (proleptic Gregorian calendar, UTC).
#[must_use]
pub fn civil(now: Micros) -> Civil {
    let seconds = now.div_euclid(1_000_000);
    let days = seconds.div_euclid(86_400);
    // Years start on 1 March, so the leap day is the last day of a year. 719468 days precede 1970.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let small = |n: i64| u8::try_from(n).unwrap_or(0);
    Civil {
        year: year_of_era + era * 400 + i64::from(month <= 2),
        month: small(month),
        day: small(day_of_year - (153 * from_march + 2) / 5 + 1),
        // 1 January 1970 was a Thursday.
        weekday: small((days + 3).rem_euclid(7)),
        second: u32::try_from(seconds.rem_euclid(86_400)).unwrap_or(0),
    }
}

impl Civil {
    /// `14:07`.
    #[must_use]
    pub fn hm(&self) -> String {
        format!("{:02}:{:02}", self.second / 3600, self.second / 60 % 60)
    }

    /// `14:07:31`.
    #[must_use]
    pub fn hms(&self) -> String {
        format!("{}:{:02}", self.hm(), self.second % 60)
    }

    /// `2026-11-21`.
    #[must_use]
    pub fn date(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// Date words of a language.
#[derive(Debug)]
pub struct Calendar {
    /// The word between a time and its date.
    pub on: &'static str,
    /// Abbreviated month names.
    pub months: [&'static str; 12],
    /// The first day of a month.
    pub first: &'static str,
}

impl Calendar {
    /// A day of the year: `2 Mar`, `1er mars`.
    #[must_use]
    pub fn day(&self, c: Civil) -> String {
        let month = self.months.get(usize::from(c.month.saturating_sub(1))).copied().unwrap_or_default();
        if c.day == 1 { format!("{} {month}", self.first) } else { format!("{} {month}", c.day) }
    }
}

/// English.
pub const EN: Calendar = Calendar {
    on: "on",
    months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    first: "1",
};

/// French.
pub const FR: Calendar = Calendar {
    on: "le",
    months: [
        "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
    ],
    first: "1er",
};

/// A time relative to `now`: `14:07:31` today, `02:32 on 3 Mar` on other days.
#[must_use]
pub fn when(at: Micros, now: Micros, words: &Calendar) -> String {
    let c = civil(at);
    date_apart(at, now, words).map_or_else(|| c.hms(), |date| format!("{} {} {date}", c.hm(), words.on))
}

/// The date of a time that is not on the same day as `now`: `3 Mar`, with the year if it differs.
#[must_use]
pub fn date_apart(at: Micros, now: Micros, words: &Calendar) -> Option<String> {
    let (at, now) = (civil(at), civil(now));
    let year = if at.year == now.year { String::new() } else { format!(" {}", at.year) };
    (at.date() != now.date()).then(|| format!("{}{year}", words.day(at)))
}

/// A time with its full date: `2 Mar 2026, 14:07:31`.
#[must_use]
pub fn dated(at: Micros, words: &Calendar) -> String {
    let c = civil(at);
    format!("{} {}, {}", words.day(c), c.year, c.hms())
}

/// A time in Slurm's format: only the time today, with the date on other days.
#[must_use]
pub fn moment(at: Micros, now: Micros) -> String {
    let (at, now) = (civil(at), civil(now));
    if at.date() == now.date() { at.hms() } else { format!("{} {}", at.date(), at.hm()) }
}

/// One hour.
pub const HOUR: Micros = 3_600_000_000;

/// The next 8:00.
#[must_use]
pub fn next_morning(now: Micros) -> Micros {
    const DAY: Micros = 24 * HOUR;
    (now - 8 * HOUR).div_euclid(DAY) * DAY + DAY + 8 * HOUR
}

/// Parses the value of an input field: `2026-03-02T14:07`, optionally with seconds.
#[must_use]
pub fn moment_of(text: &str) -> Option<Micros> {
    let (date, time) = text.split_once('T')?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let mut time = time.splitn(3, ':').map(|part| part.parse::<i64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next().flatten().unwrap_or(0));
    let sane = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !sane || !(0..24).contains(&hour) || !(0..60).contains(&minute) || !(0..60).contains(&second) {
        return None;
    }
    // As in `civil`, years start on 1 March.
    let year = if month <= 2 { year - 1 } else { year };
    let from_march = (month + 9) % 12;
    let days =
        year * 365 + year / 4 - year / 100 + year / 400 + (from_march * 306 + 5) / 10 + day - 1 - 719_468;
    Some((days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000)
}

/// A duration in its two largest units: `45 s`, `12 min 5 s`, `3 h 20 min`, `2 d 4 h`. Both languages share all units
/// but the day, which is a parameter.
#[must_use]
pub fn span(seconds: i64, day: &str) -> String {
    let s = seconds.max(0);
    let pair = |a: i64, unit: &str, b: i64, small: &str| {
        if b == 0 { format!("{a} {unit}") } else { format!("{a} {unit} {b} {small}") }
    };
    match s {
        0..60 => format!("{s} s"),
        60..3600 => pair(s / 60, "min", s % 60, "s"),
        3600..86_400 => pair(s / 3600, "h", s / 60 % 60, "min"),
        _ => pair(s / 86_400, day, s / 3600 % 24, "h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendar() {
        let table = [
            (1_795_240_460, "2026-11-21", "05:54:20", 5),
            (0, "1970-01-01", "00:00:00", 3),
            (-1, "1969-12-31", "23:59:59", 2),
            (951_782_400, "2000-02-29", "00:00:00", 1),
            (4_107_542_399, "2100-02-28", "23:59:59", 6),
        ];
        for (seconds, date, time, weekday) in table {
            let c = civil(seconds * 1_000_000);
            assert_eq!((c.date().as_str(), c.hms().as_str(), c.weekday), (date, time, weekday));
            if seconds >= 0 {
                assert_eq!(moment_of(&format!("{date}T{time}")), Some(seconds * 1_000_000));
            }
        }
    }

    #[test]
    fn moments_of_input_fields() {
        assert_eq!(moment_of("2026-11-21T05:54"), Some(1_795_240_440_000_000));
        for bad in ["", "2026-11-21", "T", "2026-13-01T00:00", "2026-1-1T25:00", "x-y-zTa:b"] {
            assert_eq!(moment_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn mornings() {
        let at = |text| moment_of(text).unwrap_or_default();
        assert_eq!(next_morning(at("2026-03-02T09:00")), at("2026-03-03T08:00"));
        assert_eq!(next_morning(at("2026-03-02T07:59:59")), at("2026-03-02T08:00"));
        assert_eq!(next_morning(at("2026-03-02T08:00")), at("2026-03-03T08:00"));
    }

    #[test]
    fn spans() {
        let texts = [5, 60, 725, 7200, 93_600].map(|s| span(s, "j"));
        assert_eq!(texts, ["5 s", "1 min", "12 min 5 s", "2 h", "1 j 2 h"]);
        assert_eq!(moment(0, 86_400_000_000), "1970-01-01 00:00");
        let at = |text| moment_of(text).unwrap_or_default();
        let now = at("2026-03-02T14:07");
        assert_eq!(when(at("2026-03-02T15:00"), now, &EN), "15:00:00");
        assert_eq!(when(at("2026-03-03T02:32"), now, &EN), "02:32 on 3 Mar");
        assert_eq!(when(at("2027-02-01T02:32"), now, &FR), "02:32 le 1er févr. 2027");
        assert_eq!(when(at("2026-03-01T02:32"), now, &EN), "02:32 on 1 Mar");
        assert_eq!(dated(now, &FR), "2 mars 2026, 14:07:00");
    }
}
