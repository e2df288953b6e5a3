//! Parses option values: times, memory, node counts, signals. Mirrors "Time Formats" and similar
//! sections of sbatch(1).

use super::Bad;
use base::refusal::Refusal;
use base::time::{Limit, Span, Time};
use host::Signal;
use slurmctld::job::WarnSignal;

/// A time limit: `min`, `min:sec`, `h:m:s`, `d-h`, `d-h:m`, `d-h:m:s`, `unlimited`; rounded up to minutes.
#[must_use]
pub fn time_limit(text: &str) -> Option<Limit> {
    if ["infinite", "unlimited"].iter().any(|w| text.eq_ignore_ascii_case(w)) {
        return Some(Limit::Unlimited);
    }
    // Slurm counts seconds in signed and minutes in unsigned 32-bit numbers, so larger values wrap around to another
    // limit.
    let wrapped = |seconds: i32| match (seconds.wrapping_add(59) / 60).cast_unsigned() {
        0 | u32::MAX => Limit::Unlimited,
        minutes => Limit::Minutes(minutes),
    };
    let low =
        |number: &str| number.parse::<u64>().ok().and_then(|n| u32::try_from(n & u64::from(u32::MAX)).ok());
    if let Some(below) = text.strip_prefix('-').and_then(low) {
        // -1 means no limit; other negative numbers are days.
        let days = below.cast_signed().wrapping_neg();
        return Some(if below <= 1 { Limit::Unlimited } else { wrapped(days.wrapping_mul(86_400)) });
    }
    if let Some(minutes) = Some(text).filter(|t| t.bytes().all(|b| b.is_ascii_digit())).and_then(low) {
        return Some(wrapped(minutes.cast_signed().wrapping_mul(60)));
    }
    let seconds = duration(text)?;
    let minutes = u32::try_from(seconds.div_ceil(60)).ok()?;
    Some(if minutes == 0 { Limit::Unlimited } else { Limit::Minutes(minutes) })
}

/// The same in seconds.
#[must_use]
pub fn duration(text: &str) -> Option<u64> {
    let number = |t: &str| t.parse::<u64>().ok().filter(|n| *n < 1 << 32 && !t.starts_with('+'));
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(number(days)?), rest),
        None => (None, text),
    };
    // `1-` is a whole number of days.
    if let (Some(days), "") = (days, rest) {
        return Some(days * 86_400);
    }
    let parts: Vec<u64> = rest.split(':').map(number).collect::<Option<_>>()?;
    let rest = match (days, parts.as_slice()) {
        (None, [m]) => m * 60,
        (None, [m, s]) => m * 60 + s,
        (Some(_), [h]) => h * 3600,
        (Some(_), [h, m]) => h * 3600 + m * 60,
        (_, [h, m, s]) => h * 3600 + m * 60 + s,
        _ => return None,
    };
    Some(days.unwrap_or(0) * 86_400 + rest)
}

/// Memory in MiB: a number with an optional suffix K, M, G or T and an optional B.
#[must_use]
pub fn memory(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number: u64 = text[..digits].parse().ok()?;
    let unit = text[digits..].to_ascii_uppercase();
    let unit = unit.strip_suffix('B').filter(|u| !u.is_empty()).unwrap_or(&unit);
    match unit {
        "" | "M" => Some(number),
        "K" => Some(number.div_ceil(1024)),
        "G" => number.checked_mul(1 << 10),
        "T" => number.checked_mul(1 << 20),
        _ => None,
    }
    .filter(|mib| *mib < 1 << 50)
}

/// The events of `--mail-type`, in the order in which they are listed.
const MAIL_TYPES: [&str; 11] = [
    "ARRAY_TASKS",
    "INVALID_DEPEND",
    "BEGIN",
    "END",
    "FAIL",
    "REQUEUE",
    "STAGE_OUT",
    "TIME_LIMIT_50",
    "TIME_LIMIT_80",
    "TIME_LIMIT_90",
    "TIME_LIMIT",
];

/// `--mail-type` as listings show it: `ALL` in full, nothing for `NONE`. Unknown words are dropped.
///
/// None if it contains no event.
#[must_use]
pub fn mail_types(text: &str) -> Option<String> {
    let has = |name: &str| text.split(',').any(|word| word.eq_ignore_ascii_case(name));
    if has("NONE") {
        return Some(String::new());
    }
    let of_all = &MAIL_TYPES[1..7];
    let asked = |name: &&str| has(name) || has("ALL") && of_all.contains(name);
    let all: Vec<&str> = MAIL_TYPES.into_iter().filter(asked).collect();
    Some(all.join(",")).filter(|all| !all.is_empty())
}

/// Parses like strtoll(3): `abc` is 0.
#[must_use]
pub fn leading_number(v: &str) -> i64 {
    let end = v
        .char_indices()
        .find(|(i, c)| !(c.is_ascii_digit() || (*i == 0 && *c == '-')))
        .map_or(v.len(), |(i, _)| i);
    v[..end].parse().unwrap_or(0)
}

/// A number of at least 1, or Slurm's message.
///
/// # Errors
/// `Invalid numeric value "0" for --ntasks.`
pub fn positive(option: &str, text: &str) -> Result<u32, Bad> {
    text.parse::<u32>().ok().filter(|n| (1..=i32::MAX as u32).contains(n)).ok_or_else(|| {
        Bad::error(format!("Invalid numeric value \"{text}\" for {option}."))
            .with_exit(1)
            .because(Refusal::Value)
    })
}

/// `--switches`: `1`, `1@5:00`. The maximum number of switches and the maximum wait in seconds.
///
/// # Errors
/// `Invalid numeric value "0" for --switches.`
pub fn switches(text: &str) -> Result<(u32, Option<u32>), Bad> {
    let (count, wait) = text.split_once('@').map_or((text, None), |(c, w)| (c, Some(w)));
    let seconds = |w| duration(w).and_then(|seconds| u32::try_from(seconds).ok());
    Ok((positive("--switches", count)?, wait.and_then(seconds)))
}

/// Node counts as given by `--nodes`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// Minimum.
    pub min: u32,
    /// Maximum.
    pub max: Option<u32>,
    /// The acceptable counts, if they are a list; otherwise empty.
    pub list: Vec<u32>,
}

/// Maximum number of counts in a list.
const MAX_COUNTS: u32 = 100_000;

/// `--nodes`: `2`, `2-4`, `1k`, `-4`, and lists: `2,4`, `1-8:2`.
///
/// # Errors
/// `"abc" is not a valid node count`, `Maximum node count 2 is less than minimum node count 4`.
pub fn nodes(text: &str) -> Result<NodeCounts, Bad> {
    let bad =
        |word: &str| Bad::error(format!("\"{word}\" is not a valid node count")).because(Refusal::Value);
    if text.contains([',', ':']) {
        let list = node_list(text).ok_or_else(|| bad(text))?;
        let (Some(min), max) = (list.first().copied(), list.last().copied()) else { return Err(bad(text)) };
        return Ok(NodeCounts { min, max, list });
    }
    let (low, high) = text.split_once('-').map_or((text, None), |(a, b)| (a, Some(b)));
    // `-4`: up to four.
    let min = if text.starts_with('-') { 1 } else { node_number(low).ok_or_else(|| bad(text))? };
    let Some(high) = high else { return Ok(NodeCounts { min, max: Some(min), list: Vec::new() }) };
    let less = |high: &str| {
        Bad::error(format!("Maximum node count {high} is less than minimum node count {min}"))
            .because(Refusal::Contradiction)
    };
    if high.is_empty() {
        return Err(less("-1"));
    }
    let max = node_number(high).ok_or_else(|| bad(high))?;
    if max < min { Err(less(high)) } else { Ok(NodeCounts { min, max: Some(max), list: Vec::new() }) }
}

/// `2`, `1k`.
fn node_number(text: &str) -> Option<u32> {
    let (digits, factor) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 1024),
        Some('m' | 'M') => (&text[..text.len() - 1], 1_048_576),
        _ => (text, 1),
    };
    digits.parse::<u32>().ok()?.checked_mul(factor)
}

/// `2,4,6-10:2` as ascending numbers.
fn node_list(text: &str) -> Option<Vec<u32>> {
    let mut all = std::collections::BTreeSet::new();
    for part in text.split(',') {
        let (range, step) =
            part.split_once(':').map_or((part, 1), |(r, s)| (r, s.parse::<usize>().unwrap_or(0)));
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let (low, high) = (node_number(low)?, node_number(high)?);
        if step == 0 || low > high || high > MAX_COUNTS {
            return None;
        }
        all.extend((low..=high).step_by(step));
    }
    Some(all.into_iter().collect())
}

/// `--signal=[{R|B}:]USR1[@120]`. `Some(None)`: a number that no signal has, which Slurm accepts; nothing is sent then.
#[must_use]
pub fn signal(text: &str) -> Option<Option<WarnSignal>> {
    let (flags, rest) = text.split_once(':').unwrap_or(("", text));
    if !flags.chars().all(|c| matches!(c, 'B' | 'b' | 'R' | 'r')) {
        return None;
    }
    let (name, seconds) = rest.split_once('@').unwrap_or((rest, "60"));
    let seconds = if seconds.is_empty() { "0" } else { seconds };
    let seconds = seconds.parse().ok().filter(|s| *s <= 65_535)?;
    if name.parse::<u32>().is_ok_and(|number| number > LAST_SIGNAL) {
        return Some(None);
    }
    Some(Some(WarnSignal {
        signal: Signal::parse(name)?,
        seconds,
        batch_only: flags.contains(['B', 'b']),
        on_preempt: flags.contains(['R', 'r']),
    }))
}

/// The last of Linux's signals.
const LAST_SIGNAL: u32 = 64;

/// A time as `--begin`, `sacct -S` and `scontrol update starttime=` accept it. With `past`, a time without a date
/// is today and a date without a year is the most recent one, instead of the next.
///
/// # Errors
/// The position where parsing stopped, for `Invalid time specification (pos=0): yesterday`. It is -1 for `0am`: Slurm
/// steps back two characters from AM and PM.
pub fn moment(text: &str, now: Time, past: bool) -> Result<Time, i64> {
    let word = text.trim();
    if word.is_empty() {
        return Err(0);
    }
    let signed = |at: usize| i64::try_from(at).unwrap_or(0);
    if let Some(rest) = strip_word(word, "now") {
        return relative(rest, now).map_err(|at| signed(at + 3));
    }
    if let Some(seconds) = word.strip_prefix("uts") {
        return seconds.parse::<i64>().ok().filter(|s| s.abs() < 1 << 40).map(Time::from_secs).ok_or(3);
    }
    let (date, clock) = match word.split_once(['T', ' ']) {
        Some((a, b)) if looks_like_date(a) => (Some(a), Some(b.trim())),
        Some((a, b)) if looks_like_date(b.trim()) => (Some(b.trim()), Some(a)),
        _ if looks_like_date(word) => (Some(word), None),
        _ => (None, Some(word)),
    };
    let midnight = |t: Time| Time::from_secs(t.secs() - t.secs().rem_euclid(86_400));
    // Slurm reports the position where parsing stopped.
    let offset_of = |part: &str| word.find(part).unwrap_or(0);
    let day = date
        .map(|date| calendar_date(date, now, past).map_err(|at| signed(offset_of(date) + at)))
        .transpose()?;
    let clock = match clock {
        Some(text) => time_of_day(text).map_err(|at| signed(offset_of(text)) + at)?,
        None => 0,
    };
    let Some(day) = day else {
        let at = midnight(now) + Span::from_secs(clock);
        let gone = !past && at.secs() < now.secs();
        return Ok(if gone { at + Span::from_secs(86_400) } else { at });
    };
    Ok(day + Span::from_secs(clock))
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.get(..word.len()).filter(|t| t.eq_ignore_ascii_case(word)).map(|_| &text[word.len()..])
}

/// `+10minutes`, `-1hour`, or empty.
fn relative(rest: &str, now: Time) -> Result<Time, usize> {
    let all = rest.len();
    let rest = rest.trim_start();
    if rest.is_empty() {
        return Ok(now);
    }
    let sign = match rest.as_bytes()[0] {
        b'+' => 1,
        b'-' => -1,
        _ => return Err(0),
    };
    let body = rest[1..].trim_start();
    let begin = all - body.len();
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number: i64 = body[..digits].parse().map_err(|_| 0usize)?;
    let unit = body[digits..].trim().to_ascii_lowercase();
    const UNITS: [(&str, i64); 5] =
        [("second", 1), ("minute", 60), ("hour", 3600), ("day", 86_400), ("week", 604_800)];
    let known = UNITS.iter().find(|(name, _)| unit.starts_with(name));
    let seconds = match known {
        None if unit.is_empty() => 1,
        // Parsing stopped at the last digit, or after the unit.
        None => return Err((begin + digits).saturating_sub(1)),
        Some((name, seconds)) if matches!(&unit[name.len()..], "" | "s") => *seconds,
        Some((name, _)) => return Err(begin + digits + name.len()),
    };
    if number > 1 << 32 {
        return Err(1);
    }
    Ok(now + Span::from_secs(sign * number * seconds))
}

fn looks_like_date(text: &str) -> bool {
    text == "today"
        || text == "tomorrow"
        || text.contains(['/', '.'])
        || (text.contains('-') && text.len() >= 8)
        || (matches!(text.len(), 4 | 6) && text.bytes().all(|b| b.is_ascii_digit()))
}

/// The hours that AM and PM may follow.
const HALF_DAY: std::ops::RangeInclusive<i64> = 1..=12;

/// Seconds of a time of day, or the position of the error: at the minutes of `12:60`.
fn time_of_day(text: &str) -> Result<i64, i64> {
    let signed = |at: usize| i64::try_from(at).unwrap_or(0);
    let lower = text.to_ascii_lowercase();
    let named = match lower.as_str() {
        "midnight" => Some(0),
        "elevenses" => Some(11),
        "noon" => Some(12),
        "fika" => Some(15),
        "teatime" => Some(16),
        _ => None,
    };
    if let Some(hour) = named {
        return Ok(hour * 3600);
    }
    // A name followed by other text is parsed up to its end.
    let names = ["midnight", "elevenses", "noon", "fika", "teatime", "today", "tomorrow"];
    if let Some(name) = names.iter().find(|name| text.starts_with(**name)) {
        return Err(signed(name.len()));
    }
    // In upper case, the letter `T` begins a time.
    if lower != text && ["teatime", "today", "tomorrow"].contains(&lower.as_str()) {
        return Err(1);
    }
    let (body, half) = match lower.strip_suffix("am").or_else(|| lower.strip_suffix("pm")) {
        Some(body) => (body.trim(), Some(lower.ends_with("pm"))),
        None => (lower.as_str(), None),
    };
    // Slurm steps back two characters from AM or PM when the hour is none of a half day.
    let before_half = signed(lower.len()) - 4;
    let mut parts = Vec::new();
    let mut at = 0;
    for (part, most) in body.split(':').zip([24, 60, 60, 0]) {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        // An hour followed by other text is parsed up to that text.
        let stop = if at == 0 && digits > 0 && digits < part.len() { digits } else { at };
        parts.push(part.parse().ok().filter(|n| (0..most).contains(n)).ok_or_else(|| signed(stop))?);
        at += part.len() + 1;
    }
    let (mut hour, minute, second) = match parts.as_slice() {
        [h, m] => (*h, *m, 0),
        [h, m, s] => (*h, *m, *s),
        // An hour alone is invalid, even with AM or PM.
        [hour] if half.is_some() && !HALF_DAY.contains(hour) => return Err(before_half),
        [_] => return Err(signed(body.len())),
        _ => return Err(signed(at)),
    };
    if let Some(pm) = half {
        if !HALF_DAY.contains(&hour) {
            return Err(before_half);
        }
        hour = hour % 12 + if pm { 12 } else { 0 };
    }
    Ok(hour * 3600 + minute * 60 + second)
}

/// Midnight of a date, or the position of the error: at the month of `2030-13-01`. 30 February is 2 March.
fn calendar_date(text: &str, now: Time, past: bool) -> Result<Time, usize> {
    let today = Time::from_secs(now.secs() - now.secs().rem_euclid(86_400));
    match text {
        "today" => return Ok(today),
        "tomorrow" => return Ok(today + Span::from_secs(86_400)),
        _ => {}
    }
    let mut fields: Vec<(usize, &str)> = Vec::new();
    if text.bytes().all(|b| b.is_ascii_digit()) {
        fields.extend((0..text.len()).step_by(2).map(|i| (i, &text[i..i + 2])));
    } else {
        let mut at = 0;
        for part in text.split(['/', '.', '-']) {
            fields.push((at, part));
            at += part.len() + 1;
        }
    }
    let number = |(at, text): (usize, &str), least: i16, most: i16| {
        text.parse::<i16>().ok().filter(|n| (least..=most).contains(n)).ok_or(at)
    };
    let (year, month, day) = match fields.as_slice() {
        [y, m, d] if text.contains('-') && m.1.len() == 2 && d.1.len() == 2 => {
            (Some(number(*y, 0, 9000)?), *m, *d)
        }
        [..] if text.contains('-') => return Err(0),
        [m, d, y] => (Some(number(*y, 0, 9000)?).map(|y| if y < 100 { y + 2000 } else { y }), *m, *d),
        [m, d] => (None, *m, *d),
        _ => return Err(0),
    };
    let (month, day) = (number(month, 1, 12)?, number(day, 1, 31)?);
    let at = |year: i16| {
        let month = i8::try_from(month).map_err(|_| 0usize)?;
        let first = jiff::civil::DateTime::new(year, month, 1, 0, 0, 0, 0).map_err(|_| 0usize)?;
        let first = Time::from_civil(first).ok_or(0usize)?;
        Ok(first + Span::from_secs(i64::from(day - 1) * 86_400))
    };
    if let Some(year) = year {
        return at(year);
    }
    let this = now.civil().year();
    let date: Time = at(this)?;
    match past {
        true if date > now => at(this - 1),
        false if date < today => at(this + 1),
        _ => Ok(date),
    }
}
