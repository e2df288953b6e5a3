//! Functions that only gawk has: asort, asorti, gensub, mktime, strtonum and the bitwise functions.
//!
//! Differences: asort and asorti have no third argument, mktime knows only UTC.

use super::array::AwkArray;
use super::machine::{Awk, Flow, MAX_TEXT};
use super::record;
use super::value::AwkValue;
use crate::grep::next_char;
use base::order::StableSort as _;
use base::regex::Groups;
use std::cmp::Ordering;

/// gawk's order of values: numbers, then texts.
fn order(a: &AwkValue, b: &AwkValue) -> Ordering {
    let text = |value: &AwkValue| value.text("%.6g");
    match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => text(a).cmp(&text(b)),
    }
}

impl Awk {
    /// `asort(source [, target])` and `asorti`, which sorts the subscripts.
    pub(super) fn sort_array(&mut self, args: &[AwkValue], subscripts: bool) -> Flow {
        let id = |at: usize| match args.get(at) {
            Some(AwkValue::Array(id)) => Some(*id),
            Some(_) | None => None,
        };
        let Some(source) = id(0) else { return Flow::Fatal("asort: first argument is not an array".into()) };
        let target = id(1).unwrap_or(source);
        let array = self.store.arrays.get(&source);
        let mut values: Vec<AwkValue> = match array {
            Some(array) if subscripts => array.keys().cloned().map(AwkValue::Text).collect(),
            Some(array) => array.values().cloned().collect(),
            None => Vec::new(),
        };
        // Each is compared about log n times.
        let held = array.map_or(0, AwkArray::memory);
        let depth = usize::try_from(values.len().checked_ilog2().unwrap_or(0)).unwrap_or(0);
        self.spend(held.saturating_mul(1 + depth / 4));
        values.order_by(order);
        let count = values.len();
        let sorted: AwkArray = (1_u32..).zip(values).map(|(at, value)| (at.to_string(), value)).collect();
        self.store.arrays.insert(target, sorted);
        self.push(AwkValue::Number(count as f64));
        Flow::On
    }

    /// `gensub(regex, replacement, how [, target])`
    pub(super) fn general_substitution(&mut self, args: &[AwkValue]) -> Flow {
        let text = |awk: &Self, at: usize| args.get(at).map(|value| awk.text(value)).unwrap_or_default();
        let (pattern, replacement, how) = (text(self, 0), text(self, 1), text(self, 2));
        let target = if args.len() > 3 { text(self, 3) } else { self.store.record().to_owned() };
        let Some(regex) = record::pattern(&pattern) else {
            return Flow::Fatal(format!("invalid regexp: /{pattern}/"));
        };
        let every = how.starts_with(['g', 'G']);
        let wanted = args.get(2).map_or(1.0, AwkValue::number).max(1.0) as u64;
        let (mut out, mut copied, mut at, mut seen) = (String::new(), 0, 0, 0_u64);
        let mut previous_end = None;
        while let Some(groups) = regex.groups_at(&target, at) {
            let Some(Some((start, end))) = groups.first().copied() else { break };
            if start == end && previous_end == Some(start) {
                at = next_char(&target, start);
            } else {
                seen += 1;
                if every || seen == wanted {
                    out.push_str(target.get(copied..start).unwrap_or_default());
                    replace(&mut out, &replacement, &target, &groups);
                    copied = end;
                }
                previous_end = Some(end);
                at = if end == start { next_char(&target, end) } else { end };
            }
            if !every && seen == wanted || at > target.len() {
                break;
            }
            if out.len() > MAX_TEXT {
                return Flow::Fatal("string too long".into());
            }
        }
        out.push_str(target.get(copied..).unwrap_or_default());
        // Groups are found by steps of the pattern at each match.
        self.spend(target.len().saturating_mul(8 + pattern.len()));
        self.push(AwkValue::Text(out));
        Flow::On
    }
}

/// Appends the replacement of gensub: `&` and `\\0` are the match, `\\1` to `\\9` its groups.
fn replace(out: &mut String, replacement: &str, text: &str, groups: &Groups) {
    let group = |at: usize| {
        groups.get(at).copied().flatten().and_then(|(from, to)| text.get(from..to)).unwrap_or_default()
    };
    let mut rest = replacement.chars();
    while let Some(c) = rest.next() {
        match c {
            '&' => out.push_str(group(0)),
            '\\' => match rest.next() {
                Some(digit @ '0'..='9') => out.push_str(group(digit.to_digit(10).unwrap_or(0) as usize)),
                Some(c) => out.push(c),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
}

/// Seconds since the epoch of `YYYY MM DD HH MM SS [DST]`. Numbers out of range carry over.
pub(super) fn mktime(text: &str) -> Option<i64> {
    let numbers: Vec<i64> = text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let [year, month, day, hour, minute, second, ..] = *numbers.as_slice() else { return None };
    if numbers.iter().any(|n| n.unsigned_abs() > 1_000_000_000) {
        return None;
    }
    let months = year * 12 + month - 1;
    // Years begin with March, so that the leap day is their last.
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * 86_400 + hour * 3600 + minute * 60 + second)
}

/// A number in C's notation: decimal, `0x` and a leading zero for octal.
pub(super) fn strtonum(text: &str) -> f64 {
    // With a sign, gawk reads decimal numbers only.
    let digits = text.trim_start();
    let value = |digits: &str, radix: u32| {
        let kept = digits.chars().map_while(|c| c.to_digit(radix));
        kept.fold(0.0, |value, digit| value * f64::from(radix) + f64::from(digit))
    };
    let octal = digits.starts_with('0') && digits.bytes().take_while(u8::is_ascii_digit).all(|b| b < b'8');
    let point = digits.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', 'e', 'E']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => value(hex, 16),
        None if octal && !point => value(digits, 8),
        None => crate::number::prefix(digits).unwrap_or(0.0),
    }
}

/// The bitwise functions. `None` for a negative operand.
pub(super) fn bits(name: &str, operands: &[f64]) -> Option<f64> {
    const MANTISSA: u64 = (1 << 53) - 1;
    if operands.iter().any(|n| *n < 0.0) {
        return None;
    }
    let numbers: Vec<u64> = operands.iter().map(|n| *n as u64).collect();
    let first = numbers.first().copied().unwrap_or(0);
    let count = numbers.get(1).and_then(|n| u32::try_from(*n).ok()).unwrap_or(u32::MAX);
    let all = |fold: fn(u64, u64) -> u64| numbers.iter().skip(1).fold(first, |a, b| fold(a, *b));
    Some(match name {
        "and" => all(|a, b| a & b),
        "or" => all(|a, b| a | b),
        "xor" => all(|a, b| a ^ b),
        "lshift" => first.checked_shl(count).unwrap_or(0),
        "rshift" => first.checked_shr(count).unwrap_or(0),
        _ => !first & MANTISSA,
    } as f64)
}
