//! Host lists: `cn[01-08,10],gpu1`. Mirrors "HOSTLIST EXPRESSIONS" of scontrol(1).
//!
//! Only decimal numbers are understood between brackets (Slurm has base 36 for its torus machines).

/// Most names in one expression.
pub const MAX_HOSTS: usize = 100_000;
/// Most bytes in one name.
const MAX_NAME: usize = 255;
/// Most bytes of all the names of one expression.
const MAX_BYTES: usize = 8 << 20;

/// Expands a host list into names, in order, duplicates kept. At most [`MAX_HOSTS`] names.
///
/// Commas and white space part the names; several brackets in one name count like an odometer, the last
/// one fastest: `r[1-2]n[1-2]` is r1n1, r1n2, r2n1, r2n2.
///
/// # Errors
/// What is wrong, in Slurm's words where it has some: ``Invalid range: `03-01'``.
pub fn expand(text: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut bytes = 0;
    for part in split(text)? {
        expand_one(part, &mut names, &mut bytes)?;
    }
    Ok(names)
}

/// The parts of a list, parted where Slurm does: at commas and white space outside of brackets.
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

/// Expands one part without commas outside of its brackets.
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
                next.extend((range.lo..=range.hi).map(|n| format!("{head}{prefix}{n:0w$}", w = range.width)));
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

/// `lo-hi` of a bracket, printed with at least `width` digits.
struct Range {
    lo: u64,
    hi: u64,
    width: usize,
}

/// What stands between two brackets: `01-04,07`.
fn ranges(text: &str) -> Result<Vec<Range>, String> {
    let mut all = Vec::new();
    for range in text.split(',') {
        let (lo, hi) = range.split_once('-').unwrap_or((range, range));
        match (number(lo), number(hi)) {
            (Some(lo_n), Some(hi_n)) if lo_n <= hi_n => {
                all.push(Range { lo: lo_n, hi: hi_n, width: lo.len() });
            }
            _ => return Err(format!("Invalid range: `{range}'")),
        }
    }
    Ok(all)
}

/// A whole text of digits as a number; eighteen digits are enough for everybody.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// A name without its last number, and that number as written.
fn cut(name: &str) -> (&str, &str) {
    let digits = name.bytes().rev().take(18).take_while(u8::is_ascii_digit).count();
    name.split_at(name.len() - digits)
}

/// Compresses names, in the order given, as Slurm does: `cn[01-02,05],gpu01`.
///
/// Only the last number of a name is folded, only neighbours are put together, and nothing is sorted or
/// made unique: `cn08,cn01,cn02` becomes `cn[08,01-02]`.
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

/// `01,02,05` as `01-02,05`: a number joins a range when it is the next one and the range's width prints it as it is.
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
    fn refuses() {
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
    fn what_is_compressed_expands_to_the_same() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = |n: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % n
        };
        for _ in 0..2000 {
            let mut names = Vec::new();
            for _ in 0..random(12) {
                let prefix = ["cn", "gpu-", "r1n", "", "x"][random(5) as usize];
                let (width, start) = (random(4) as usize, random(1200));
                for n in start..start + 1 + random(5) {
                    names.push(format!("{prefix}{n:0width$}"));
                }
            }
            let text = compress(&names);
            assert_eq!(expand(&text).as_ref(), Ok(&names), "{text}");
        }
    }
}
