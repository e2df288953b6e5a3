//! `site.toml`, `[[background]]`: what other people submit on an average working day.

use super::toml::{Table, Value};
use super::value;
use serde::{Deserialize, Serialize};

/// Most submissions of one kind in a day.
const MAX_A_DAY: u32 = 100_000;

/// A kind of work that arrives by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The jobs' name.
    pub name: String,
    /// Who submits it; one of them each time.
    pub users: Vec<String>,
    /// Submissions on a working day.
    pub per_day: u32,
    /// Options of sbatch, separated by blanks.
    pub ask: Vec<String>,
    /// The time limit, seconds.
    pub limit: u32,
    /// Shortest and longest run, per cent of the time limit; more than 100 ends in TIMEOUT.
    pub runs: (u32, u32),
    /// How many of a hundred fail.
    pub fails: u32,
    /// A `#SIM` line's keys for what it runs; empty: it sleeps.
    pub model: String,
}

impl Work {
    /// From its table; none if something in it cannot be used.
    #[must_use]
    pub(super) fn parse(table: &Table) -> Option<Self> {
        let mut work = Self { runs: (30, 90), ..Self::default() };
        for key in &table.keys {
            match (key.name.as_str(), &key.value) {
                ("name", Value::Text(t)) if is_word(t) => work.name.clone_from(t),
                ("users", Value::Text(t)) => work.users = t.split_whitespace().map(str::to_owned).collect(),
                ("day", Value::Number(n)) => {
                    work.per_day = u32::try_from(*n).ok().filter(|n| *n <= MAX_A_DAY)?;
                }
                ("ask", Value::Text(t)) => work.ask = t.split_whitespace().map(str::to_owned).collect(),
                ("limit", Value::Text(t)) => work.limit = value::seconds(t).filter(|s| *s >= 60)?,
                ("runs", Value::Text(t)) => work.runs = range(t)?,
                ("fails", Value::Text(t)) => work.fails = percent(t).filter(|p| *p <= 100)?,
                ("model", Value::Text(t)) if !t.contains('\n') => work.model.clone_from(t),
                _ => return None,
            }
        }
        let whole = !work.name.is_empty() && !work.users.is_empty() && work.limit > 0;
        whole.then_some(work)
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 40
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// `20%-90%`
fn range(text: &str) -> Option<(u32, u32)> {
    let (low, high) = text.split_once('-')?;
    let (low, high) = (percent(low)?, percent(high)?);
    (low <= high && high <= 1000).then_some((low, high))
}

/// `5%`
fn percent(text: &str) -> Option<u32> {
    text.trim().strip_suffix('%')?.parse().ok()
}

/// How much of it there is, per cent: what the site's file `background` says.
#[must_use]
pub fn amount(word: &str) -> Option<u32> {
    match word.trim() {
        "off" => Some(0),
        "quiet" => Some(45),
        "normal" => Some(100),
        "busy" => Some(135),
        "overloaded" => Some(220),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::toml;
    use super::*;

    fn parsed(text: &str) -> Option<Work> {
        Work::parse(&toml::parse(text).0)
    }

    #[test]
    fn a_table() {
        let text = "name = \"md\"\nusers = \"bob carol\"\nday = 24\nask = \"-p cpu -n 16\"\nlimit = \"4:00:00\"\n\
                    runs = \"20%-110%\"\nfails = \"5%\"\nmodel = \"memory=2G\"\n";
        let work = parsed(text).unwrap_or_default();
        assert_eq!((work.users.len(), work.per_day, work.limit), (2, 24, 14_400));
        assert_eq!((work.runs, work.fails, work.ask.len()), ((20, 110), 5, 4));
        for (from, to) in [
            ("\"4:00:00\"", "\"soon\""),
            ("20%-110%", "90%-20%"),
            ("\"5%\"", "\"5\""),
            ("\"md\"", "\"m d\""),
            ("day = 24", "day = -1"),
            ("users = \"bob carol\"", "users = \"\""),
            ("fails", "falls"),
        ] {
            assert_eq!(parsed(&text.replace(from, to)), None, "{to}");
        }
    }

    #[test]
    fn amounts() {
        assert_eq!(
            ["off", "quiet", "normal\n", "busy", "overloaded", "much"].map(amount),
            [Some(0), Some(45), Some(100), Some(135), Some(220), None]
        );
    }
}
