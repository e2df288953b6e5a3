//! Host lists: [`expand`] turns `cn[01-08,10],gpu1` into names, [`compress`] folds names back.
//!
//! Mirrors "HOSTLIST EXPRESSIONS" of scontrol(1). Difference: only decimal numbers are allowed in brackets;
//! Slurm also supports base 36 for torus machines.
//!
//! Expansion is bounded by [`MAX_HOSTS`], so untrusted input is safe.
//!
//! ```
//! use base::hostlist::{compress, expand};
//!
//! let names = expand("cn[01-03,10],gpu1").unwrap();
//! assert_eq!(names, ["cn01", "cn02", "cn03", "cn10", "gpu1"]);
//! assert_eq!(compress(&names), "cn[01-03,10],gpu1");
//! assert_eq!(expand("cn[03-01]").unwrap_err(), "Invalid range: `03-01'");
//! ```

use crate::pad::zeros;

/// Maximum number of names in one expression.
pub const MAX_HOSTS: usize = 100_000;
/// Maximum length of a name in bytes.
const MAX_NAME: usize = 255;
/// Maximum total length of the names of one expression in bytes.
const MAX_BYTES: usize = 8 << 20;

/// Expands a host list into names, in order, with duplicates. At most [`MAX_HOSTS`] names.
///
/// Commas and white space separate names. Several brackets in one name vary like an odometer, the last one
/// fastest: `r[1-2]n[1-2]` is r1n1, r1n2, r2n1, r2n2.
///
/// # Errors
/// The message of Slurm where it has one: ``Invalid range: `03-01'``.
pub fn expand(text: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut bytes = 0;
    for part in split(text)? {
        expand_one(part, &mut names, &mut bytes)?;
    }
    Ok(names)
}

/// Splits a list as Slurm does: at commas and white space outside brackets.
fn split(text: &str) -> Result<Vec<&str>, String> {
    let (mut parts, mut start, mut inside) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '[' if inside => return Err(format!("Nested brackets in `{text}'")),
            '[' => inside = true,
            ']' if !inside => return Err(format!("Unmatched bracket in `{text}'")),
            ']' => inside = false,
            ',' | ' ' | '\t' | '\n' | '\r' if !inside => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    if inside {
        return Err(format!("Unmatched bracket in `{text}'"));
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.is_empty());
    Ok(parts)
}

/// Expands one element without commas outside its brackets.
fn expand_one(part: &str, names: &mut Vec<String>, bytes: &mut usize) -> Result<(), String> {
    let mut heads = vec![String::new()];
    let mut rest = part;
    while let Some((prefix, tail)) = rest.split_once('[') {
        let (inside, tail) = tail.split_once(']').unwrap_or((tail, ""));
        let ranges = ranges(inside)?;
        let count = ranges.iter().fold(0u64, |n, r| n.saturating_add(r.hi - r.lo + 1));
        let room = (MAX_HOSTS - names.len().min(MAX_HOSTS)) as u64;
        if count.saturating_mul(heads.len() as u64) > room {
            return Err(format!("Too many hosts in `{part}'"));
        }
        let mut next = Vec::with_capacity(heads.len());
        for head in &heads {
            for range in &ranges {
                next.extend(
                    (range.lo..=range.hi).map(|n| format!("{head}{prefix}{}", zeros(n, range.width))),
                );
            }
        }
        if next.iter().any(|name| name.len() > MAX_NAME) {
            return Err(format!("Host name too long in `{part}'"));
        }
        heads = next;
        rest = tail;
    }
    if heads.len() + names.len() > MAX_HOSTS {
        return Err(format!("Too many hosts in `{part}'"));
    }
    for head in heads {
        let name = head + rest;
        *bytes += name.len();
        if name.len() > MAX_NAME || *bytes > MAX_BYTES {
            return Err("Host name too long".to_owned());
        }
        names.push(name);
    }
    Ok(())
}

/// A range `lo-hi` in brackets, printed with at least `width` digits.
struct NumberRange {
    lo: u64,
    hi: u64,
    width: usize,
}

/// Parses the text between brackets: `01-04,07`.
fn ranges(text: &str) -> Result<Vec<NumberRange>, String> {
    let mut all = Vec::new();
    for range in text.split(',') {
        let (lo, hi) = range.split_once('-').unwrap_or((range, range));
        match (number(lo), number(hi)) {
            (Some(lo_n), Some(hi_n)) if lo_n <= hi_n => {
                all.push(NumberRange { lo: lo_n, hi: hi_n, width: lo.len() });
            }
            _ => return Err(format!("Invalid range: `{range}'")),
        }
    }
    Ok(all)
}

/// Parses a text of at most eighteen digits.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// Splits a name into the part before its last number and that number as written.
fn cut(name: &str) -> (&str, &str) {
    let digits = name.bytes().rev().take(18).take_while(u8::is_ascii_digit).count();
    name.split_at(name.len() - digits)
}

/// Compresses names in the given order, as Slurm does: `cn[01-02,05],gpu01`.
///
/// Only the last number of a name is folded and only adjacent names are joined. Names are neither sorted nor
/// deduplicated: `cn08,cn01,cn02` becomes `cn[08,01-02]`.
#[must_use]
pub fn compress<S: AsRef<str>>(names: &[S]) -> String {
    let mut out = String::new();
    let mut rest = names;
    while let Some(first) = rest.first() {
        let (prefix, digits) = cut(first.as_ref());
        let same = |name: &S| {
            let (p, d) = cut(name.as_ref());
            p == prefix && !d.is_empty()
        };
        let count = if digits.is_empty() { 1 } else { rest.iter().take_while(|n| same(n)).count() };
        let (group, tail) = rest.split_at(count);
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(prefix);
        if count == 1 {
            out.push_str(digits);
        } else {
            out.push('[');
            out.push_str(&fold(group.iter().map(|name| cut(name.as_ref()).1)));
            out.push(']');
        }
        rest = tail;
    }
    out
}

/// Folds `01,02,05` to `01-02,05`. A number extends a range if it is the successor and prints with the
/// range's width.
fn fold<'a>(numbers: impl Iterator<Item = &'a str>) -> String {
    let mut out: Vec<(&str, &str)> = Vec::new();
    let mut next = None;
    for text in numbers {
        let n = number(text);
        let long = n.map_or(0, |n| n.checked_ilog10().map_or(1, |digits| digits as usize + 1));
        match out.last_mut() {
            Some((lo, hi)) if n.is_some() && n == next && text.len() == lo.len().max(long) => *hi = text,
            Some(_) | None => out.push((text, text)),
        }
        next = n.map(|n| n + 1);
    }
    let mut folded = String::new();
    for (lo, hi) in out {
        if !folded.is_empty() {
            folded.push(',');
        }
        folded.push_str(lo);
        if lo != hi {
            folded.push('-');
            folded.push_str(hi);
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands_as_recorded() {
        for (text, names) in [
            ("", ""),
            ("cn01", "cn01"),
            ("cn[01-03,07],gpu[01-02]", "cn01 cn02 cn03 cn07 gpu01 gpu02"),
            ("cn[1-3,10-11]", "cn1 cn2 cn3 cn10 cn11"),
            ("rack[1-2]n[1-2]", "rack1n1 rack1n2 rack2n1 rack2n2"),
            ("cn[001-003]", "cn001 cn002 cn003"),
            ("cn[01-02],", "cn01 cn02"),
            ("cn1,2,3", "cn1 2 3"),
            ("cn[08-11]-ib", "cn08-ib cn09-ib cn10-ib cn11-ib"),
            (" a , b\tc ", "a b c"),
            ("cn[1,1]", "cn1 cn1"),
        ] {
            assert_eq!(expand(text).map(|n| n.join(" ")), Ok(names.to_owned()), "{text}");
        }
    }

    #[test]
    fn invalid_lists_are_refused() {
        for (text, error) in [
            ("cn[03-01]", "Invalid range: `03-01'"),
            ("cn[]", "Invalid range: `'"),
            ("cn[a-b]", "Invalid range: `a-b'"),
            ("cn[1-]", "Invalid range: `1-'"),
            ("cn[1", "Unmatched bracket in `cn[1'"),
            ("cn1]", "Unmatched bracket in `cn1]'"),
            ("cn[1[2]]", "Nested brackets in `cn[1[2]]'"),
            ("cn[0-999999999]", "Too many hosts in `cn[0-999999999]'"),
            ("a[1-400]b[1-400]", "Too many hosts in `a[1-400]b[1-400]'"),
            ("cn[1-99999999999999999999]", "Invalid range: `1-99999999999999999999'"),
        ] {
            assert_eq!(expand(text), Err(error.to_owned()), "{text}");
        }
        assert!(expand("a[1-60000],b[1-60000]").is_err(), "the bound counts all parts");
        assert!(expand(&"[1-2]".repeat(64)).is_err(), "many brackets");
    }

    #[test]
    fn compresses_as_recorded() {
        for (names, text) in [
            ("", ""),
            ("cn5", "cn5"),
            ("cn01 cn02 cn03 cn07 gpu01", "cn[01-03,07],gpu01"),
            ("cn1 cn2 cn10", "cn[1-2,10]"),
            ("cn1 2 3", "cn1,[2-3]"),
            ("cn08 cn01 cn02 cn09 cn10", "cn[08,01-02,09-10]"),
            ("cn1 cn01 cn2", "cn[1,01,2]"),
            ("a1b1 a1b2 a2b1", "a1b[1-2],a2b1"),
            ("cn01 cn01 cn02", "cn[01,01-02]"),
            ("cn9 cn10 cn11", "cn[9-11]"),
            ("cn099 cn100", "cn[099-100]"),
            ("login login", "login,login"),
            ("é1 é2", "é[1-2]"),
        ] {
            let names: Vec<&str> = names.split_whitespace().collect();
            assert_eq!(compress(&names), text);
        }
    }

    #[test]
    fn compressed_lists_expand_to_the_same_names() {
        testing::for_seeds(0..2000, |_, numbers| {
            let mut random = |n: u64| numbers.below(n);
            let mut names = Vec::new();
            for _ in 0..random(12) {
                let prefix = ["cn", "gpu-", "r1n", "", "x"][random(5) as usize];
                let (width, start) = (random(4) as usize, random(1200));
                for n in start..start + 1 + random(5) {
                    names.push(format!("{prefix}{}", zeros(n, width)));
                }
            }
            let text = compress(&names);
            assert_eq!(expand(&text).as_ref(), Ok(&names), "{text}");
        });
    }
}
