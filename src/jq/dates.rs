//! `gmtime`, `mktime`, `strftime` and `strptime`. Local time is UTC, as everywhere on the simulated cluster.

use crate::access::{fail, wrong};
use crate::value::Json;
use base::time::{Span, Time};
use jaq_core::{Error, ValR};
use jiff::civil::DateTime;

/// Seconds since 1970 as `[year, month, day, hours, minutes, seconds, day of the week, day of the year]`.
pub fn broken_down(value: &Json, name: &str) -> ValR<Json> {
    let Some(seconds) = value.number() else { return fail(format_args!("{name}() requires a number")) };
    let whole = seconds.floor();
    let time = date_of(whole as i64)?;
    let parts = [
        f64::from(time.year()),
        f64::from(time.month()) - 1.0,
        f64::from(time.day()),
        f64::from(time.hour()),
        f64::from(time.minute()),
        f64::from(time.second()) + (seconds - whole),
        f64::from(time.weekday().to_sunday_zero_offset()),
        f64::from(time.day_of_year()) - 1.0,
    ];
    Ok(parts.into_iter().map(Json::Number).collect())
}

fn date_of(seconds: i64) -> Result<DateTime, Error<Json>> {
    match jiff::Timestamp::from_second(seconds) {
        Ok(time) => Ok(jiff::tz::Offset::UTC.to_datetime(time)),
        Err(_) => fail("error converting number of seconds since epoch to datetime"),
    }
}

/// The seconds since 1970 of a broken-down time.
fn moment(value: &Json, name: &str) -> Result<i64, Error<Json>> {
    let Some(items) = value.items() else { return fail(format_args!("{name} requires array of 6 numbers")) };
    let mut parts = [0.0; 6];
    if items.len() < 6 {
        return fail(format_args!("{name} requires array of 6 numbers"));
    }
    for (part, item) in parts.iter_mut().zip(items) {
        let Some(n) = item.number() else {
            return fail(format_args!("{name} requires parsed datetime inputs"));
        };
        *part = n;
    }
    // Parts out of their range carry over, as in C's timegm.
    let months = parts[0].clamp(-9e3, 9e3) as i64 * 12 + parts[1].clamp(-1e5, 1e5) as i64;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let first = i16::try_from(year).ok().zip(i8::try_from(month).ok());
    let Some(first) = first.and_then(|(year, month)| jiff::civil::Date::new(year, month, 1).ok()) else {
        return fail(format_args!("{name}: invalid gmtime representation"));
    };
    let start = first.to_datetime(jiff::civil::Time::midnight());
    let start = jiff::tz::Offset::UTC.to_timestamp(start).map_or(0, jiff::Timestamp::as_second);
    let part = |n: f64, scale: i64| (n.clamp(-1e9, 1e9) as i64).saturating_mul(scale);
    Ok(start
        + part(parts[2] - 1.0, 86_400)
        + part(parts[3], 3600)
        + part(parts[4], 60)
        + part(parts[5].floor(), 1))
}

/// `mktime`: the seconds since 1970 of a broken-down time.
pub fn seconds(value: &Json) -> ValR<Json> {
    moment(value, "mktime").map(|seconds| Json::Number(seconds as f64))
}

/// Formats a time as strftime(3) does.
pub fn print(value: &Json, format: &Json, name: &str) -> ValR<Json> {
    let seconds = match value.number() {
        Some(seconds) => seconds.floor() as i64,
        None if value.items().is_some() => moment(value, name)?,
        None => return fail(format_args!("{name} requires parsed datetime inputs")),
    };
    let Some(format) = format.str() else { return fail(format_args!("{name} requires a string format")) };
    date_of(seconds)?;
    let time = Time::default() + Span::from_secs(seconds);
    Ok(Json::text(base::strftime::strftime(time, &format.replace("%Z", "UTC"))))
}

/// Parses a text as strptime(3) does, to a broken-down time.
pub fn read(text: &Json, format: &Json) -> ValR<Json> {
    let (Some(words), Some(format)) = (text.str(), format.str()) else {
        return wrong(text, "strptime/1 requires string inputs and arguments");
    };
    // The zone is read and ignored: jq has no zones either.
    let (words_, format_) =
        (words.trim_end_matches('Z'), format.trim_end_matches("%Z").trim_end_matches('Z'));
    let parsed = jiff::fmt::strtime::parse(format_, words_).ok();
    let time = parsed.and_then(|parsed| {
        let date = parsed.to_date().ok()?;
        let clock = parsed.to_time().unwrap_or_else(|_| jiff::civil::Time::midnight());
        Some(date.to_datetime(clock))
    });
    let Some(time) = time else {
        return fail(format_args!("date \"{words}\" does not match format \"{format}\""));
    };
    let seconds = jiff::tz::Offset::UTC.to_timestamp(time).map_or(0, jiff::Timestamp::as_second);
    broken_down(&Json::Number(seconds as f64), "gmtime")
}
