//! Reading the values of options: times, memory, node counts, signals, GRES. Mirrors "Time Formats" and the like of
//! sbatch(1).

use super::Bad;
use crate::base::time::{Limit, Span, Time};
use crate::host::Signal;
use crate::slurmctld::job::{GresReq, WarnSignal};

/// A time limit: `min`, `min:sec`, `h:m:s`, `d-h`, `d-h:m`, `d-h:m:s`, `unlimited`; rounded up to minutes.
#[must_use]
pub fn time_limit(text: &str) -> Option<Limit> {
    if ["infinite", "unlimited"].iter().any(|w| text.eq_ignore_ascii_case(w)) {
        return Some(Limit::Unlimited);
    }
    if let Some(below) = text.strip_prefix('-').and_then(|n| n.parse::<u32>().ok()) {
        // A number without a sign in Slurm: -1 is its "infinite", others are limits that nobody has and nobody can show.
        return Some(if below <= 1 { Limit::Unlimited } else { Limit::Minutes(below.wrapping_neg()) });
    }
    let seconds = duration(text)?;
    let minutes = u32::try_from(seconds.div_ceil(60)).ok()?;
    Some(if minutes == 0 { Limit::Unlimited } else { Limit::Minutes(minutes) })
}

/// The same as seconds.
#[must_use]
pub fn duration(text: &str) -> Option<u64> {
    let number = |t: &str| t.parse::<u64>().ok().filter(|n| *n < 1 << 32 && !t.starts_with('+'));
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(number(days)?), rest),
        None => (None, text),
    };
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

/// Memory in MiB: a number with K, M, G or T, and perhaps a B.
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

/// Whether this is a list of events of `--mail-type`.
#[must_use]
pub fn is_mail_type(text: &str) -> bool {
    const KNOWN: &[&str] = &[
        "NONE",
        "ALL",
        "BEGIN",
        "END",
        "FAIL",
        "REQUEUE",
        "INVALID_DEPEND",
        "STAGE_OUT",
        "TIME_LIMIT",
        "TIME_LIMIT_90",
        "TIME_LIMIT_80",
        "TIME_LIMIT_50",
        "ARRAY_TASKS",
    ];
    text.split(',').any(|word| KNOWN.iter().any(|k| k.eq_ignore_ascii_case(word)))
}

/// A number from 1 up, or Slurm's message.
///
/// # Errors
/// `Invalid numeric value "0" for --ntasks.`
pub fn positive(option: &str, text: &str) -> Result<u32, Bad> {
    text.parse::<u32>()
        .ok()
        .filter(|n| (1..=i32::MAX as u32).contains(n))
        .ok_or_else(|| Bad::error(format!("Invalid numeric value \"{text}\" for {option}.")).with_exit(1))
}

/// `--switches`: `1`, `1@5:00`. How many, and how many seconds to wait for them.
///
/// # Errors
/// `Invalid numeric value "0" for --switches.`
pub fn switches(text: &str) -> Result<(u32, Option<u32>), Bad> {
    let (count, wait) = text.split_once('@').map_or((text, None), |(c, w)| (c, Some(w)));
    let seconds = |w| duration(w).and_then(|seconds| u32::try_from(seconds).ok());
    Ok((positive("--switches", count)?, wait.and_then(seconds)))
}

/// `--nodes`: `2`, `2-4`, `1k`, `2,4`.
///
/// # Errors
/// `"abc" is not a valid node count`, `Maximum node count 2 is less than minimum node count 4`.
pub fn nodes(text: &str) -> Result<(u32, Option<u32>), Bad> {
    let bad_count = |word: &str| Bad::error(format!("\"{word}\" is not a valid node count"));
    let bad = || bad_count(text);
    let count = |t: &str| -> Option<u32> {
        let (digits, factor) = match t.chars().last() {
            Some('k' | 'K') => (&t[..t.len() - 1], 1024),
            Some('m' | 'M') => (&t[..t.len() - 1], 1_048_576),
            _ => (t, 1),
        };
        digits.parse::<u32>().ok()?.checked_mul(factor)
    };
    if text.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok()) {
        return Ok((1, None));
    }
    let (low, high) =
        text.split_once('-').or_else(|| text.split_once(',')).map_or((text, None), |(a, b)| (a, Some(b)));
    let low = count(low).ok_or_else(bad)?;
    let Some(high) = high else { return Ok((low, Some(low))) };
    let high_text = if high.is_empty() { "-1" } else { high };
    let less = || Bad::error(format!("Maximum node count {high_text} is less than minimum node count {low}"));
    if high.is_empty() {
        return Err(less());
    }
    let high = count(high).ok_or_else(|| bad_count(if text.contains('-') { high } else { text }))?;
    if high < low { Err(less()) } else { Ok((low, Some(high))) }
}

/// `--signal=[{R|B}:]USR1[@120]`.
#[must_use]
pub fn signal(text: &str) -> Option<WarnSignal> {
    let (flags, rest) = text.split_once(':').unwrap_or(("", text));
    if !flags.chars().all(|c| matches!(c, 'B' | 'b' | 'R' | 'r')) {
        return None;
    }
    let (name, seconds) = rest.split_once('@').unwrap_or((rest, "60"));
    Some(WarnSignal {
        signal: Signal::parse(name)?,
        seconds: seconds.parse().ok().filter(|s| *s <= 65_535)?,
        batch_only: flags.contains(['B', 'b']),
    })
}

/// `gpu:a100:2,fpga`; `default` is the name that may be left out (`--gpus=a100:2`).
///
/// # Errors
/// Slurm's message for a bad specification.
pub fn gres(text: &str, default: Option<&str>) -> Result<Vec<GresReq>, Bad> {
    let mut list = Vec::new();
    if text.eq_ignore_ascii_case("none") || text == "0" && default.is_some() {
        return Ok(list);
    }
    for part in text.split(',').filter(|p| !p.is_empty()) {
        let part = part.strip_prefix("gres/").or_else(|| part.strip_prefix("gres:")).unwrap_or(part);
        let mut words: Vec<&str> = part.split([':', '=']).collect();
        if let Some(name) = default.filter(|n| words[0] != *n) {
            words.insert(0, name);
        }
        let invalid = |text: &str| Bad::error(text).with_exit(1);
        if part.contains('=') || words.iter().any(|w| w.is_empty()) {
            return Err(invalid("Invalid generic resource (gres) specification"));
        }
        let (kind, number) = match words.as_slice() {
            [_] => (None, "1"),
            [_, last] if last.starts_with(|c: char| c.is_ascii_digit()) => (None, *last),
            [_, kind] => (Some(*kind), "1"),
            [_, kind, number] => (Some(*kind), *number),
            _ => return Err(invalid("Invalid generic resource (gres) specification")),
        };
        let Some(count) = gres_count(number) else {
            return Err(invalid("Invalid Trackable RESource (TRES) specification"));
        };
        list.push(GresReq { name: words[0].to_owned(), kind: kind.map(str::to_owned), count });
    }
    list.retain(|g| g.count > 0);
    Ok(list)
}

fn gres_count(text: &str) -> Option<u64> {
    let factor = match text.chars().last()?.to_ascii_lowercase() {
        'k' => 1 << 10,
        'm' => 1 << 20,
        'g' => 1 << 30,
        _ => 1,
    };
    let digits = if factor == 1 { text } else { &text[..text.len() - 1] };
    digits.parse::<u64>().ok().filter(|n| *n < 1 << 32).map(|n| n * factor)
}

/// A moment as `--begin`, `sacct -S` and `scontrol update starttime=` take it. `past`: a time of day without a date
/// is today's and a date without a year is the last one, instead of the next ones.
///
/// # Errors
/// Where reading stopped, for `Invalid time specification (pos=0): yesterday`.
pub fn moment(text: &str, now: Time, past: bool) -> Result<Time, usize> {
    let word = text.trim();
    if word.is_empty() {
        return Err(0);
    }
    if let Some(rest) = strip_word(word, "now") {
        return relative(rest, now).map_err(|at| at + 3);
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
    // Slurm says where it stopped reading.
    let place = |part: &str| word.find(part).unwrap_or(0);
    let day = date.map(|date| calendar_date(date, now, past).map_err(|at| place(date) + at)).transpose()?;
    let clock = match clock {
        Some(text) => time_of_day(text).map_err(|at| place(text) + at)?,
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

/// `+10minutes`, `-1hour`, nothing.
fn relative(rest: &str, now: Time) -> Result<Time, usize> {
    if rest.is_empty() {
        return Ok(now);
    }
    let sign = match rest.as_bytes()[0] {
        b'+' => 1,
        b'-' => -1,
        _ => return Err(0),
    };
    let body = &rest[1..];
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number: i64 = body[..digits].parse().map_err(|_| 0usize)?;
    let unit = body[digits..].trim().to_ascii_lowercase();
    let seconds = match unit.as_str() {
        "" | "s" | "sec" | "secs" | "second" | "seconds" => 1,
        "m" | "min" | "mins" | "minute" | "minutes" => 60,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3600,
        "d" | "day" | "days" => 86_400,
        "w" | "week" | "weeks" => 604_800,
        _ => return Err(1),
    };
    if number > 1 << 32 {
        return Err(1);
    }
    Ok(now + Span::from_secs(sign * number * seconds))
}

fn looks_like_date(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower == "today"
        || lower == "tomorrow"
        || text.contains(['/', '.'])
        || (text.contains('-') && text.len() >= 8)
        || (matches!(text.len(), 4 | 6) && text.bytes().all(|b| b.is_ascii_digit()))
}

/// Seconds of a time of day, or where it is none: at the minutes of `12:60`.
fn time_of_day(text: &str) -> Result<i64, usize> {
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
    let (body, half) = match lower.strip_suffix("am").or_else(|| lower.strip_suffix("pm")) {
        Some(body) => (body.trim(), Some(lower.ends_with("pm"))),
        None => (lower.as_str(), None),
    };
    let mut parts = Vec::new();
    let mut at = 0;
    for (part, most) in body.split(':').zip([24, 60, 60, 0]) {
        parts.push(part.parse().ok().filter(|n| (0..most).contains(n)).ok_or(at)?);
        at += part.len() + 1;
    }
    let (mut hour, minute, second) = match parts.as_slice() {
        [h, m] => (*h, *m, 0),
        [h, m, s] => (*h, *m, *s),
        // An hour alone is none, with its half of the day neither.
        [_] => return Err(body.len()),
        _ => return Err(at),
    };
    if let Some(pm) = half {
        if !(1..=12).contains(&hour) {
            return Err(0);
        }
        hour = hour % 12 + if pm { 12 } else { 0 };
    }
    Ok(hour * 3600 + minute * 60 + second)
}

/// Midnight of a date, or where it is none: at the month of `2030-13-01`. February's thirtieth is the second of March.
fn calendar_date(text: &str, now: Time, past: bool) -> Result<Time, usize> {
    let today = Time::from_secs(now.secs() - now.secs().rem_euclid(86_400));
    match text.to_ascii_lowercase().as_str() {
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
        [y, m, d] if text.contains('-') => (Some(number(*y, 0, 9000)?), *m, *d),
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
