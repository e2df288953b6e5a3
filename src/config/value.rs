//! Parses values of configuration keys: numbers, booleans, times, lists. Returns `None` for values that Slurm
//! rejects.

use base::time::Limit;
use std::collections::BTreeMap;

/// Whether a number is `UNLIMITED` or `INFINITE`. Slurm reads -1 as a number less than zero here.
fn boundless(text: &str) -> bool {
    text.eq_ignore_ascii_case("UNLIMITED") || text.eq_ignore_ascii_case("INFINITE")
}

/// Whether a time is infinite; -1 means infinity, too.
fn endless(text: &str) -> bool {
    text == "-1" || boundless(text)
}

/// Parses an integer; infinity is the maximum.
pub(super) fn number(text: &str) -> Option<u32> {
    if boundless(text) { Some(u32::MAX) } else { text.parse().ok() }
}

/// Parses a 64-bit integer.
pub(super) fn big(text: &str) -> Option<u64> {
    if boundless(text) { Some(u64::MAX) } else { text.parse().ok() }
}

/// Parses a limit; `Some(None)` means unlimited.
pub(super) fn bound(text: &str) -> Option<Option<u32>> {
    if boundless(text) { Some(None) } else { text.parse().ok().map(Some) }
}

/// Parses `YES`, `NO` and Slurm's synonyms.
pub(super) fn yes(text: &str) -> Option<bool> {
    match text.to_ascii_uppercase().as_str() {
        "YES" | "UP" | "TRUE" | "1" => Some(true),
        "NO" | "DOWN" | "FALSE" | "0" => Some(false),
        _ => None,
    }
}

/// Parses a time as in `--time`, in whole minutes, rounded up: `30`, `1:30`, `1:00:00`, `2-0`, `1-06:00:00`.
#[must_use]
pub fn limit(text: &str) -> Option<Limit> {
    if endless(text) {
        return Some(Limit::Unlimited);
    }
    let secs = u64::from(seconds(text)?);
    u32::try_from(secs.div_ceil(60)).ok().map(Limit::Minutes)
}

/// Parses a time in the same format to seconds; `UNLIMITED` is invalid.
#[must_use]
pub fn seconds(text: &str) -> Option<u32> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (Some(digits(days)?), clock),
        None => (None, text),
    };
    let parts: Vec<u64> = clock.split(':').map(digits).collect::<Option<_>>()?;
    let secs = match (days, parts.as_slice()) {
        (None, [m]) => m.checked_mul(60)?,
        (None, [m, s]) => m.checked_mul(60)?.checked_add(*s)?,
        (_, [h, m, s]) => h.checked_mul(3600)?.checked_add(m.checked_mul(60)?)?.checked_add(*s)?,
        (Some(_), [h]) => h.checked_mul(3600)?,
        (Some(_), [h, m]) => h.checked_mul(3600)?.checked_add(m.checked_mul(60)?)?,
        _ => return None,
    };
    u32::try_from(days.unwrap_or(0).checked_mul(86_400)?.checked_add(secs)?).ok()
}

fn digits(text: &str) -> Option<u64> {
    let ok = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if ok { text.parse().ok() } else { None }
}

/// Parses a time in minutes or longer units to seconds; infinity is 0, as Slurm reads
/// `PriorityDecayHalfLife`.
pub(super) fn period(text: &str) -> Option<u32> {
    if endless(text) { Some(0) } else { seconds(text) }
}

/// The items of a comma-separated list, without empty ones.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// Parses a list of names; `ALL` means no restriction.
pub(super) fn names(text: Option<&str>) -> Option<Vec<String>> {
    text.filter(|t| !t.eq_ignore_ascii_case("ALL")).map(words)
}

/// Parses a count with a suffix: `4`, `2K`, `1G` (powers of 1024).
pub(super) fn count(text: &str) -> Option<u64> {
    let power = match text.as_bytes().last().map(u8::to_ascii_lowercase) {
        Some(b'k') => 1,
        Some(b'm') => 2,
        Some(b'g') => 3,
        Some(b't') => 4,
        Some(b'p') => 5,
        _ => return digits(text),
    };
    digits(text.get(..text.len() - 1)?)?.checked_mul(1 << (10 * power))
}

/// Parses `CPU=1.0,Mem=0.25G,GRES/gpu=2.0`: weights by lower-case TRES name; memory weights per MiB.
pub(super) fn weights(text: &str) -> Option<BTreeMap<String, f64>> {
    let mut all = BTreeMap::new();
    for part in words(text) {
        let (name, weight) = part.split_once('=')?;
        let cut = weight.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        // A weight per GiB is 1/1024 of it per MiB; other TRES are counted in units.
        let per = match weight.get(cut.len()..)?.to_ascii_uppercase().as_str() {
            "" | "M" => 1.0,
            "K" => 1.0 / 1024.0,
            "G" => 1024.0,
            "T" => 1024.0 * 1024.0,
            "P" => 1024.0 * 1024.0 * 1024.0,
            _ => return None,
        };
        let weight: f64 = cut.parse().ok()?;
        if !weight.is_finite() {
            return None;
        }
        all.insert(name.to_ascii_lowercase(), weight / per);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, minutes) in [
            ("30", Some(30)),
            ("0:20", Some(1)),
            ("5:30", Some(6)),
            ("1:00:00", Some(60)),
            ("1-0", Some(1440)),
            ("1-06:00:00", Some(1800)),
            ("2-1:30", Some(2970)),
            ("30-00:00", Some(43_200)),
            ("256:00:00", Some(15_360)),
            ("1h", None),
            ("5:", None),
            ("", None),
            ("1-", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(limit(text), minutes.map(Limit::Minutes), "{text}");
        }
        assert_eq!(limit("infinite"), Some(Limit::Unlimited));
        assert_eq!(period("7-0"), Some(604_800));
        assert_eq!(period("5"), Some(300));
    }

    #[test]
    fn billing_weights() {
        let w = weights("CPU=1.0,Mem=0.25G,GRES/gpu=2.0").unwrap_or_default();
        assert_eq!(w.get("mem"), Some(&(0.25 / 1024.0)));
        assert_eq!(w.get("gres/gpu"), Some(&2.0));
        assert_eq!(weights("CPU=x"), None);
    }
}
