//! date(1), in UTC, the time zone of every simulated cluster. `-s` is refused because the page controls the
//! clock.

use super::getopt::{self, Spec};
use crate::Cx;
use base::strftime::strftime;
use base::time::{SECOND, Span, Time};
use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time as Clock, Weekday};

/// date(1)
pub fn date(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "ud:I::Rr:s:f:3:",
        long: &[
            ("utc", 'u'),
            ("universal", 'u'),
            ("date", 'd'),
            ("iso-8601", 'I'),
            ("rfc-email", 'R'),
            ("reference", 'r'),
            ("set", 's'),
            ("rfc-3339", '3'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut time = cx.now;
    if let Some(text) = parsed.value('d') {
        match parse(text, cx.now) {
            Some(parsed) => time = parsed,
            None => {
                cx.error(&format!("invalid date '{text}'"));
                return 1;
            }
        }
    }
    if let Some(file) = parsed.value('r') {
        match cx.kernel.fs.stat(cx.uid(), &cx.path(file)) {
            Ok(stat) => time = stat.mtime,
            Err(errno) => {
                cx.error(&format!("{file}: {errno}"));
                return 1;
            }
        }
    }
    if parsed.has('s') {
        cx.error("cannot set date: Operation not permitted");
        return 1;
    }
    let format = match (parsed.operands.as_slice(), parsed.value('I'), parsed.value('3')) {
        ([], Some("" | "date"), _) | ([], None, Some("date")) => "%Y-%m-%d",
        ([], Some("hours"), _) => "%Y-%m-%dT%H+00:00",
        ([], Some("minutes"), _) => "%Y-%m-%dT%H:%M+00:00",
        ([], Some("ns"), _) => "%Y-%m-%dT%H:%M:%S,%N+00:00",
        ([], Some(_), _) => "%Y-%m-%dT%H:%M:%S+00:00",
        ([], None, Some("ns")) => "%Y-%m-%d %H:%M:%S.%N+00:00",
        ([], None, Some(_)) => "%Y-%m-%d %H:%M:%S+00:00",
        ([], None, None) if parsed.has('R') => "%a, %d %b %Y %H:%M:%S +0000",
        ([], None, None) => "%a %b %e %H:%M:%S UTC %Y",
        ([format], ..) => match format.strip_prefix('+') {
            Some(format) => format,
            None => {
                cx.error(&format!("invalid date '{format}'"));
                return 1;
            }
        },
        ([_, extra, ..], ..) => return getopt::extra_operand(cx, extra),
    };
    cx.line(&strftime(time, format));
    0
}

/// Parses the argument of `date -d` and `touch -d`: dates, times of day, `@N`, and relative items, in any order.
#[must_use]
pub fn parse(text: &str, now: Time) -> Option<Time> {
    let text = text.trim();
    if let Some(epoch) = text.strip_prefix('@') {
        let (whole, fraction) = epoch.split_once('.').unwrap_or((epoch, ""));
        let micros: i64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
        return Some(Time(whole.parse::<i64>().ok()?.checked_mul(SECOND)?.checked_add(micros)?));
    }
    let lower = text.to_ascii_lowercase().replace(',', " ");
    let words: Vec<&str> = lower.split_whitespace().collect();
    let mut parser =
        DateParser { date: now.civil().date(), clock: None, reset: false, months: 0, days: 0, exact: 0 };
    let mut i = 0;
    while i < words.len() {
        i += parser.word(words.get(i..)?)?;
    }
    let clock = match (parser.clock, parser.reset) {
        (Some(clock), _) => clock,
        (None, true) => Clock::midnight(),
        (None, false) => now.civil().time(),
    };
    let civil = DateTime::from_parts(parser.shifted()?, clock);
    Some(Time::from_civil(civil)? + Span(parser.exact))
}

struct DateParser {
    date: Date,
    clock: Option<Clock>,
    /// A date without a time of day means midnight.
    reset: bool,
    months: i64,
    days: i64,
    /// Seconds and fractions, in microseconds.
    exact: i64,
}

impl DateParser {
    /// Parses an item of one or more words. Returns their number.
    fn word(&mut self, words: &[&str]) -> Option<usize> {
        let word = *words.first()?;
        match word {
            "now" | "today" | "utc" | "z" | "gmt" | "at" | "of" | "and" => return Some(1),
            "midnight" => self.clock = Some(Clock::midnight()),
            "noon" => self.clock = Clock::new(12, 0, 0, 0).ok(),
            "tomorrow" => self.shift(1, "day", false)?,
            "yesterday" => self.shift(-1, "day", false)?,
            "next" | "last" => {
                let unit = words.get(1)?;
                let sign = if word == "next" { 1 } else { -1 };
                if let Some(day) = weekday(unit) {
                    self.weekday(day);
                    self.shift(if sign < 0 { -7 } else { 0 }, "day", false)?;
                } else {
                    self.shift(sign, unit, false)?;
                }
                return Some(2);
            }
            _ => return self.other(words, word),
        }
        Some(1)
    }

    fn other(&mut self, words: &[&str], word: &str) -> Option<usize> {
        if let Some(day) = weekday(word) {
            self.weekday(day);
            return Some(1);
        }
        if let Some((date, clock)) = word.split_once('t')
            && date.len() == 10
        {
            self.date = date.parse().ok()?;
            self.clock = Some(clock_of(clock.trim_end_matches('z').trim_end_matches("+00:00"))?);
            return Some(1);
        }
        if word.len() == 10 && word.as_bytes().get(4) == Some(&b'-') {
            self.date = word.parse().ok()?;
            self.reset = true;
            return Some(1);
        }
        if word.contains(':')
            || word.starts_with(|c: char| c.is_ascii_digit())
                && word.ends_with(['m'])
                && clock_of(word).is_some()
        {
            self.clock = Some(clock_of(word)?);
            return Some(1);
        }
        if let Some((month, rest)) = word.split_once('/') {
            let (day, year) = rest.split_once('/').map_or((rest, None), |(d, y)| (d, Some(y)));
            let year = year.map_or(Some(self.date.year()), |y| y.parse().ok())?;
            self.date = Date::new(year, month.parse().ok()?, day.parse().ok()?).ok()?;
            self.reset = true;
            return Some(1);
        }
        if let Some(month) = month(word) {
            return self.month_day(month, words, 1);
        }
        self.number(words, word)
    }

    /// `Nov 21 [2026]`, or the rest of `21 Nov [2026]` after the day.
    fn month_day(&mut self, month: i8, words: &[&str], at: usize) -> Option<usize> {
        let day = words.get(at)?.parse().ok()?;
        let year = words.get(at + 1).and_then(|y| y.parse::<i16>().ok()).filter(|y| *y > 1000);
        self.date = Date::new(year.unwrap_or(self.date.year()), month, day).ok()?;
        self.reset = true;
        Some(at + 1 + usize::from(year.is_some()))
    }

    /// `2 days ago`, `+3 hours`, `-1day`, `21 Nov`, `20261121`.
    fn number(&mut self, words: &[&str], word: &str) -> Option<usize> {
        let digits = word.strip_prefix('+').unwrap_or(word);
        let end = digits.char_indices().find(|(i, c)| !(c.is_ascii_digit() || *i == 0 && *c == '-'));
        let (number, unit) = digits.split_at(end.map_or(digits.len(), |(i, _)| i));
        if number.len() == 8 && unit.is_empty() && !words.get(1).is_some_and(|w| unit_of(w)) {
            let part = |r: std::ops::Range<usize>| number.get(r);
            self.date =
                Date::new(part(0..4)?.parse().ok()?, part(4..6)?.parse().ok()?, part(6..8)?.parse().ok()?)
                    .ok()?;
            self.reset = true;
            return Some(1);
        }
        let count: i64 = if number.is_empty() { 1 } else { number.parse().ok()? };
        let (unit, mut used) = if unit.is_empty() { (*words.get(1)?, 2) } else { (unit, 1) };
        if let Some(month) = month(unit) {
            let year = words.get(used).and_then(|y| y.parse::<i16>().ok()).filter(|y| *y > 1000);
            self.date = Date::new(year.unwrap_or(self.date.year()), month, i8::try_from(count).ok()?).ok()?;
            self.reset = true;
            return Some(used + usize::from(year.is_some()));
        }
        if number.is_empty() && !unit_of(unit) {
            return None;
        }
        let ago = words.get(used) == Some(&"ago");
        used += usize::from(ago);
        self.shift(count, unit, ago)?;
        Some(used)
    }

    fn shift(&mut self, count: i64, unit: &str, ago: bool) -> Option<()> {
        if count.unsigned_abs() > 100_000_000_000 {
            return None;
        }
        let count = if ago { -count } else { count };
        match unit.trim_end_matches('s') {
            "sec" | "second" => return self.exact(count, 1),
            "min" | "minute" => return self.exact(count, 60),
            "hour" => return self.exact(count, 3600),
            "day" => self.days += count,
            "week" => self.days += count * 7,
            "fortnight" => self.days += count * 14,
            "month" => self.months += count,
            "year" => self.months += count * 12,
            _ => return None,
        }
        Some(())
    }

    /// The date after all shifts. A day that the month lacks overflows into the next month, as in mktime(3).
    fn shifted(&self) -> Option<Date> {
        let months = i64::from(self.date.year()) * 12 + i64::from(self.date.month()) - 1 + self.months;
        let year = i16::try_from(months.div_euclid(12)).ok()?;
        let first = Date::new(year, i8::try_from(months.rem_euclid(12) + 1).ok()?, 1).ok()?;
        let days = i64::from(self.date.day()) - 1 + self.days;
        first.checked_add(jiff::Span::new().try_days(days).ok()?).ok()
    }

    fn exact(&mut self, count: i64, seconds: i64) -> Option<()> {
        self.exact = self.exact.checked_add(count.checked_mul(seconds * SECOND)?)?;
        Some(())
    }

    /// The next such weekday, including today.
    fn weekday(&mut self, day: Weekday) {
        let ahead = (day.to_monday_zero_offset() - self.date.weekday().to_monday_zero_offset()).rem_euclid(7);
        self.date = self.date.checked_add(i64::from(ahead).days()).unwrap_or(self.date);
        self.reset = true;
    }
}

fn unit_of(word: &str) -> bool {
    let units = ["sec", "second", "min", "minute", "hour", "day", "week", "fortnight", "month", "year"];
    units.contains(&word.trim_end_matches('s'))
}

fn weekday(word: &str) -> Option<Weekday> {
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let i = days.iter().position(|d| *d == word || word.len() == 3 && d.starts_with(word))?;
    Weekday::from_monday_zero_offset(i8::try_from(i).ok()?).ok()
}

fn month(word: &str) -> Option<i8> {
    let months = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let i = months.iter().position(|m| *m == word || word.len() == 3 && m.starts_with(word))?;
    i8::try_from(i + 1).ok()
}

/// `5:54`, `05:54:28`, `05:54:28.5`, `5:54pm`
fn clock_of(word: &str) -> Option<Clock> {
    let (text, pm) = match (word.strip_suffix("pm"), word.strip_suffix("am")) {
        (Some(text), _) => (text, Some(true)),
        (None, Some(text)) => (text, Some(false)),
        (None, None) => (word, None),
    };
    let (text, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = text.split(':').map(|p| p.parse::<i8>().ok());
    let mut hour = parts.next()??;
    let minute = parts.next().unwrap_or(Some(0))?;
    let second = parts.next().unwrap_or(Some(0))?;
    if let Some(pm) = pm {
        hour = hour % 12 + if pm { 12 } else { 0 };
    }
    let nanos: i32 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    if parts.next().is_some() { None } else { Clock::new(hour, minute, second, nanos).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, real};

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        let stamp = "@1795240468";
        for format in [
            "+%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %k %l %m %M %n %p %P %r %R %s %S %t %T %u %U %V %w %W %x %X %y %Y %z %:z %Z %%",
            "+%-d %_H %^a %05S %-H:%-M %3N %Q",
            "+%Y-%m-%dT%H:%M:%S",
        ] {
            host.same(&["date", "-u", "-d", stamp, format], "", &[]);
        }
        for args in [&["-R"][..], &["-I"], &["-Iseconds"], &[], &["--rfc-3339=seconds"], &["x"]] {
            host.same(&[&["date", "-u", "-d", stamp], args].concat(), "", &[]);
        }
        assert_eq!(host.out(&["date"]), "Sat Nov 21 05:54:28 UTC 2026\n");
    }

    #[test]
    fn relative_dates() {
        let now = Time::from_secs(1_795_240_468);
        let base = "2026-11-21 05:54:28";
        for text in [
            "2026-12-24",
            "2026-12-24 18:30",
            "2026-12-24T18:30:05",
            "Dec 24 2026",
            "24 Dec 2026 5pm",
            "12/24/2026",
            "20261224",
            "@86400",
            "2026-12-24 2 days ago",
            "2026-01-31 1 month",
            "2026-12-24 10:00 3 hours",
            "2026-12-24 next week",
            "bogus",
            "2026-13-01",
        ] {
            let real = real(&["date", "-u", "-d", text, "+%s"], "", &[]);
            let ours = parse(text, now).map_or(String::new(), |t| format!("{}\n", t.secs()));
            assert_eq!(ours, real.out, "{text}");
        }
        for (text, expected) in [
            ("now", base),
            ("tomorrow", "2026-11-22 05:54:28"),
            ("2 days ago", "2026-11-19 05:54:28"),
            ("yesterday", "2026-11-20 05:54:28"),
            ("10:00", "2026-11-21 10:00:00"),
            ("+90 minutes", "2026-11-21 07:24:28"),
            ("monday", "2026-11-23 00:00:00"),
            ("last monday", "2026-11-16 00:00:00"),
            ("1 week", "2026-11-28 05:54:28"),
            ("tomorrow 08:00", "2026-11-22 08:00:00"),
            ("1hour", "2026-11-21 06:54:28"),
        ] {
            let time = parse(text, now).expect(text);
            assert_eq!(strftime(time, "%F %T"), expected, "{text}");
        }
    }
}
