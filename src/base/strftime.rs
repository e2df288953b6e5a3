//! Dates and times as GNU date(1) formats them.

use crate::time::Time;

/// GNU date's conversions, with the flags `-`, `_`, `0`, `^` and a width.
#[must_use]
pub fn strftime(time: Time, format: &str) -> String {
    let mut out = String::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut raw = String::from("%");
        let (mut pad, mut upper) = (None, false);
        while let Some(flag) = rest.next_if(|c| "-_0^#".contains(*c)) {
            raw.push(flag);
            match flag {
                '^' => upper = true,
                '#' => {}
                flag => pad = Some(flag),
            }
        }
        let mut width = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            raw.push(digit);
            width.push(digit);
        }
        let colons = std::iter::from_fn(|| rest.next_if_eq(&':')).count();
        let Some(letter) = rest.next() else {
            out += &raw;
            break;
        };
        let text = match conversion(time, letter, colons, width.parse().ok()) {
            Some((text, natural)) => padded(&text, natural, pad, width.parse().unwrap_or(0)),
            None => {
                raw.extend(std::iter::repeat_n(':', colons));
                raw.push(letter);
                raw
            }
        };
        out += &if upper { text.to_uppercase() } else { text };
    }
    out
}

/// If a number has no padding, its default padding character and width.
fn padded(text: &str, natural: Option<(char, usize)>, flag: Option<char>, width: usize) -> String {
    let (sign, least) = natural.unwrap_or((' ', 0));
    let sign = match flag {
        Some('-') => return text.to_owned(),
        Some('_') => ' ',
        Some('0') => '0',
        Some(_) | None => sign,
    };
    let missing = least.max(width.min(256)).saturating_sub(text.chars().count());
    std::iter::repeat_n(sign, missing).chain(text.chars()).collect()
}

type Converted = (String, Option<(char, usize)>);

fn conversion(time: Time, letter: char, colons: usize, width: Option<usize>) -> Option<Converted> {
    let t = time.civil();
    let zero = |n: i64, width: usize| Some((n.to_string(), Some(('0', width))));
    let blank = |n: i64| Some((n.to_string(), Some((' ', 2))));
    let plain = |format: &str| Some((time.strftime(format), None));
    let twelve = |h: i8| i64::from(if h % 12 == 0 { 12 } else { h % 12 });
    let iso = t.date().iso_week_date();
    let yday = i64::from(t.day_of_year());
    let sunday = i64::from(t.weekday().to_sunday_zero_offset());
    let monday = i64::from(t.weekday().to_monday_zero_offset());
    match letter {
        '%' => Some(("%".into(), None)),
        'n' => Some(("\n".into(), None)),
        't' => Some(("\t".into(), None)),
        'a' | 'A' | 'b' | 'B' => plain(&format!("%{letter}")),
        'h' => plain("%b"),
        'p' => Some((if t.hour() < 12 { "AM" } else { "PM" }.into(), None)),
        'P' => Some((if t.hour() < 12 { "am" } else { "pm" }.into(), None)),
        'c' => plain("%a %b %e %H:%M:%S %Y"),
        'D' | 'x' => plain("%m/%d/%y"),
        'F' => plain("%Y-%m-%d"),
        'T' | 'X' => plain("%H:%M:%S"),
        'R' => plain("%H:%M"),
        'r' => Some((
            format!(
                "{:02}:{:02}:{:02} {}",
                twelve(t.hour()),
                t.minute(),
                t.second(),
                if t.hour() < 12 { "AM" } else { "PM" }
            ),
            None,
        )),
        'C' => zero(i64::from(t.year().div_euclid(100)), 2),
        'd' => zero(i64::from(t.day()), 2),
        'e' => blank(i64::from(t.day())),
        'H' => zero(i64::from(t.hour()), 2),
        'I' => zero(twelve(t.hour()), 2),
        'k' => blank(i64::from(t.hour())),
        'l' => blank(twelve(t.hour())),
        'M' => zero(i64::from(t.minute()), 2),
        'm' => zero(i64::from(t.month()), 2),
        'S' => zero(i64::from(t.second()), 2),
        'Y' => zero(i64::from(t.year()), 1),
        'y' => zero(i64::from(t.year().rem_euclid(100)), 2),
        'G' => zero(i64::from(iso.year()), 1),
        'g' => zero(i64::from(iso.year().rem_euclid(100)), 2),
        'V' => zero(i64::from(iso.week()), 2),
        'U' => zero((yday + 6 - sunday) / 7, 2),
        'W' => zero((yday + 6 - monday) / 7, 2),
        'j' => zero(yday, 3),
        'u' => zero(monday + 1, 1),
        'w' => zero(sunday, 1),
        'q' => zero(i64::from((t.month() - 1) / 3 + 1), 1),
        's' => zero(time.secs(), 1),
        'N' => {
            let text = format!("{:09}", t.subsec_nanosecond());
            Some((text.get(..width.unwrap_or(9).min(9))?.to_owned(), None))
        }
        'Z' => Some(("UTC".into(), None)),
        'z' => Some((["+0000", "+00:00", "+00:00:00", "+00"][colons.min(3)].into(), None)),
        _ => None,
    }
}
