//! Conditions of rules: parsing and evaluation.

use super::table::ValueKind;
use crate::site_toml::TomlValue;
use crate::value;
use base::time::Limit;
use serde::{Deserialize, Serialize};

/// Maximum number of alternatives in a condition.
const MAX_WORDS: usize = 500;

/// A condition on a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition<F> {
    /// The field.
    pub field: F,
    /// The test on its value.
    pub test: FieldTest,
    /// The source text, for listings.
    pub text: String,
}

/// A test of a field's value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldTest {
    /// `"given"` or `"none"`: whether the field is set.
    Given(bool),
    /// The value is in one of these inclusive ranges.
    Numbers(Vec<(u64, u64)>),
    /// The value matches one of the first patterns, if there are any, and none of the second.
    Words(Vec<String>, Vec<String>),
    /// A boolean.
    Switch(bool),
}

impl FieldTest {
    /// Whether a number satisfies the test.
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

    /// Whether a text satisfies the test. An absent value matches no pattern.
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

    /// Whether a boolean satisfies the test.
    #[must_use]
    pub const fn switch(&self, yes: bool) -> bool {
        matches!(self, Self::Switch(wanted) if *wanted == yes)
    }
}

/// Parses a condition's value.
///
/// # Errors
/// The error message.
pub(super) fn read(kind: ValueKind, value: &TomlValue) -> Result<(FieldTest, String), String> {
    let words: Vec<String> = match value {
        TomlValue::List(list) if list.len() <= MAX_WORDS => {
            list.iter().map(word).collect::<Option<_>>().ok_or("a list of texts or numbers is wanted")?
        }
        TomlValue::List(_) => return Err("too many alternatives".to_owned()),
        one => vec![word(one).ok_or("a text, a number or a list of them is wanted")?],
    };
    let shown = words.join(", ");
    let test = match (kind, words.as_slice()) {
        (ValueKind::Switch, [one]) => FieldTest::Switch(value::yes(one).ok_or("true or false is wanted")?),
        (ValueKind::Switch, _) => return Err("true or false is wanted".to_owned()),
        (_, [one]) if one == "none" || one == "given" => FieldTest::Given(one == "given"),
        (ValueKind::Text, all) => {
            let (none, any): (Vec<&String>, Vec<&String>) = all.iter().partition(|w| w.starts_with('!'));
            let none = none.iter().map(|w| w.trim_start_matches('!').to_owned()).collect();
            FieldTest::Words(any.into_iter().cloned().collect(), none)
        }
        (ValueKind::Count | ValueKind::Minutes | ValueKind::Mebibytes, all) => {
            let mut ranges = Vec::new();
            for word in all {
                ranges.extend(
                    range(kind, word).ok_or_else(|| format!("`{word}` is no number to compare with"))?,
                );
            }
            FieldTest::Numbers(ranges)
        }
    };
    Ok((test, shown))
}

/// A scalar value as text.
pub(super) fn word(value: &TomlValue) -> Option<String> {
    match value {
        TomlValue::Text(text) => Some(text.clone()),
        TomlValue::Number(n) => Some(n.to_string()),
        TomlValue::Float(n) => Some(n.to_string()),
        TomlValue::Bool(yes) => Some(yes.to_string()),
        TomlValue::Date(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    }
}

/// Parses a number of the field's type: memory in MiB, times in minutes.
pub(super) fn amount(kind: ValueKind, text: &str) -> Option<u64> {
    match kind {
        ValueKind::Count => value::count(text),
        ValueKind::Minutes => match value::limit(text)? {
            Limit::Unlimited => Some(u64::MAX),
            Limit::Minutes(m) => Some(m.into()),
        },
        ValueKind::Mebibytes => match text.bytes().all(|b| b.is_ascii_digit()) {
            true => value::count(text),
            false => value::count(text).map(|bytes| bytes.div_ceil(1 << 20)),
        },
        ValueKind::Text | ValueKind::Switch => None,
    }
}

/// Parses `<=4`, `2..8`, `!=3`, `7`.
fn range(kind: ValueKind, word: &str) -> Option<Vec<(u64, u64)>> {
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

/// A text without its shortest suffix that matches a pattern: `def-prof1` for `def-prof1_cpu` and `_?pu`. The
/// whole text if no suffix matches.
#[must_use]
pub fn without_end<'t>(text: &'t str, pattern: &str) -> &'t str {
    let cut = text
        .char_indices()
        .rev()
        .map(|(at, _)| at)
        .find(|at| text.get(*at..).is_some_and(|end| like(pattern, end)));
    cut.and_then(|at| text.get(..at)).unwrap_or(text)
}

/// Whether a text matches a pattern with `*` and `?`, ignoring case as Slurm does for names.
fn like(pattern: &str, text: &str) -> bool {
    let (p, t): (Vec<u8>, Vec<u8>) = (pattern.to_lowercase().into_bytes(), text.to_lowercase().into_bytes());
    let (mut i, mut j) = (0, 0);
    // Where to resume if the text after the last star does not match.
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
    fn ends() {
        for (text, pattern, rest) in [
            ("def-prof1_cpu", "_?pu", "def-prof1"),
            ("def-prof1_GPU", "_?pu", "def-prof1"),
            ("a_cpu_cpu", "_?pu", "a_cpu"),
            ("def-prof1", "_?pu", "def-prof1"),
            ("été", "é", "ét"),
            ("_cpu", "_?pu", ""),
            ("", "*", ""),
        ] {
            assert_eq!(without_end(text, pattern), rest, "{text} {pattern}");
        }
    }

    #[test]
    fn numbers() {
        let test = |kind, text: &str| read(kind, &TomlValue::Text(text.to_owned())).map(|t| t.0);
        for (kind, text, yes, no) in [
            (ValueKind::Minutes, "<=3:00:00", 180, 181),
            (ValueKind::Minutes, ">=1:00:00", 60, 59),
            (ValueKind::Mebibytes, ">8G", 8193, 8192),
            (ValueKind::Mebibytes, "4000", 4000, 4001),
            (ValueKind::Count, "2..4", 4, 5),
            (ValueKind::Count, "!=3", 2, 3),
        ] {
            let test = test(kind, text).unwrap_or(FieldTest::Switch(false));
            assert!(test.number(Some(yes)) && !test.number(Some(no)), "{text}");
        }
        assert!(test(ValueKind::Count, "<<4").is_err() && test(ValueKind::Count, "many").is_err());
        assert_eq!(test(ValueKind::Count, "none"), Ok(FieldTest::Given(false)));
    }
}
