//! Conditions: how they are written, and whether one holds.

use super::table::Kind;
use crate::base::time::Limit;
use crate::config::toml::Value;
use crate::config::value;
use serde::{Deserialize, Serialize};

/// Most alternatives of a condition.
const MAX_WORDS: usize = 500;

/// A field, and what must be true of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition<F> {
    /// What is looked at.
    pub field: F,
    /// What must be true of it.
    pub test: Test,
    /// As the site wrote it, for listings.
    pub text: String,
}

/// What must be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Test {
    /// `"given"` or `"none"`: whether anything was asked.
    Given(bool),
    /// One of these ranges, both ends included.
    Numbers(Vec<(u64, u64)>),
    /// One of the first patterns, where there are any, and none of the second.
    Words(Vec<String>, Vec<String>),
    /// Yes or no.
    Switch(bool),
}

impl Test {
    /// Whether a number passes.
    #[must_use]
    pub fn number(&self, number: Option<u64>) -> bool {
        match self {
            Self::Given(given) => number.is_some() == *given,
            Self::Numbers(ranges) => {
                number.is_some_and(|n| ranges.iter().any(|(a, b)| (*a..=*b).contains(&n)))
            }
            Self::Words(..) | Self::Switch(_) => false,
        }
    }

    /// Whether a text passes. What is not there is none of the names.
    #[must_use]
    pub fn text(&self, text: Option<&str>) -> bool {
        match self {
            Self::Given(given) => text.is_some_and(|t| !t.is_empty()) == *given,
            Self::Words(any, none) => {
                let is = |list: &[String]| text.is_some_and(|t| list.iter().any(|p| like(p, t)));
                (any.is_empty() || is(any)) && !is(none)
            }
            Self::Numbers(_) | Self::Switch(_) => false,
        }
    }

    /// Whether a yes or no passes.
    #[must_use]
    pub const fn switch(&self, yes: bool) -> bool {
        matches!(self, Self::Switch(wanted) if *wanted == yes)
    }
}

/// Reads a condition's value.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(kind: Kind, value: &Value) -> Result<(Test, String), String> {
    let words: Vec<String> = match value {
        Value::List(list) if list.len() <= MAX_WORDS => {
            list.iter().map(word).collect::<Option<_>>().ok_or("a list of texts or numbers is wanted")?
        }
        Value::List(_) => return Err("too many alternatives".to_owned()),
        one => vec![word(one).ok_or("a text, a number or a list of them is wanted")?],
    };
    let shown = words.join(", ");
    let test = match (kind, words.as_slice()) {
        (Kind::Switch, [one]) => Test::Switch(value::yes(one).ok_or("true or false is wanted")?),
        (Kind::Switch, _) => return Err("true or false is wanted".to_owned()),
        (_, [one]) if one == "none" || one == "given" => Test::Given(one == "given"),
        (Kind::Text, all) => {
            let (none, any): (Vec<&String>, Vec<&String>) = all.iter().partition(|w| w.starts_with('!'));
            let none = none.iter().map(|w| w.trim_start_matches('!').to_owned()).collect();
            Test::Words(any.into_iter().cloned().collect(), none)
        }
        (Kind::Count | Kind::Minutes | Kind::Mebibytes, all) => {
            let mut ranges = Vec::new();
            for word in all {
                ranges.extend(
                    range(kind, word).ok_or_else(|| format!("`{word}` is no number to compare with"))?,
                );
            }
            Test::Numbers(ranges)
        }
    };
    Ok((test, shown))
}

/// A single value as text.
pub(super) fn word(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(n) => Some(n.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::List(_) | Value::Table(_) => None,
    }
}

/// A number as the field's kind is written: memory in MiB, times in minutes.
pub(super) fn amount(kind: Kind, text: &str) -> Option<u64> {
    match kind {
        Kind::Count => value::count(text),
        Kind::Minutes => match value::limit(text)? {
            Limit::Unlimited => Some(u64::MAX),
            Limit::Minutes(m) => Some(m.into()),
        },
        Kind::Mebibytes => match text.bytes().all(|b| b.is_ascii_digit()) {
            true => value::count(text),
            false => value::count(text).map(|bytes| bytes.div_ceil(1 << 20)),
        },
        Kind::Text | Kind::Switch => None,
    }
}

/// `<=4`, `2..8`, `!=3`, `7`.
fn range(kind: Kind, word: &str) -> Option<Vec<(u64, u64)>> {
    if let Some((low, high)) = word.split_once("..") {
        let (low, high) = (amount(kind, low.trim())?, amount(kind, high.trim())?);
        return (low <= high).then(|| vec![(low, high)]);
    }
    let at = word.find(|c| !"<>=!".contains(c)).unwrap_or(word.len());
    let (op, rest) = word.split_at(at);
    let n = amount(kind, rest.trim())?;
    let below = || n.checked_sub(1).map(|most| (0, most));
    let above = || n.checked_add(1).map(|least| (least, u64::MAX));
    Some(match op {
        "<=" => vec![(0, n)],
        "<" => below().into_iter().collect(),
        ">=" => vec![(n, u64::MAX)],
        ">" => above().into_iter().collect(),
        "!=" => below().into_iter().chain(above()).collect(),
        "" | "=" | "==" => vec![(n, n)],
        _ => return None,
    })
}

/// Whether a text is like a pattern with `*` and `?`; letters' case does not matter, as in Slurm's names.
fn like(pattern: &str, text: &str) -> bool {
    let (p, t): (Vec<u8>, Vec<u8>) = (pattern.to_lowercase().into_bytes(), text.to_lowercase().into_bytes());
    let (mut i, mut j) = (0, 0);
    // Where to go on when what followed the last star did not fit.
    let mut star: Option<(usize, usize)> = None;
    while let Some(c) = t.get(j) {
        match p.get(i) {
            Some(b'*') => {
                star = Some((i, j));
                i += 1;
            }
            Some(x) if x == c || *x == b'?' => {
                i += 1;
                j += 1;
            }
            _ => {
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                i = at + 1;
                j = from + 1;
            }
        }
    }
    p.get(i..).unwrap_or_default().iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, fits) in [
            ("rrg-*", "rrg-prof2_cpu", true),
            ("*_cpu", "rrg-prof2_cpu", true),
            ("r?g", "RAG", true),
            ("a*b*c", "abbc", true),
            ("a*b", "abc", false),
            ("", "x", false),
            ("*", "", true),
        ] {
            assert_eq!(like(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn numbers() {
        let test = |kind, text: &str| read(kind, &Value::Text(text.to_owned())).map(|t| t.0);
        for (kind, text, yes, no) in [
            (Kind::Minutes, "<=3:00:00", 180, 181),
            (Kind::Minutes, ">=1:00:00", 60, 59),
            (Kind::Mebibytes, ">8G", 8193, 8192),
            (Kind::Mebibytes, "4000", 4000, 4001),
            (Kind::Count, "2..4", 4, 5),
            (Kind::Count, "!=3", 2, 3),
        ] {
            let test = test(kind, text).unwrap_or(Test::Switch(false));
            assert!(test.number(Some(yes)) && !test.number(Some(no)), "{text}");
        }
        assert!(test(Kind::Count, "<<4").is_err() && test(Kind::Count, "many").is_err());
        assert_eq!(test(Kind::Count, "none"), Ok(Test::Given(false)));
    }
}
