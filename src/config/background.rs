//! `[[background]]` of `site.toml`: what other users submit on an average working day.

use super::site_toml::{TomlTable, TomlValue};
use super::value;
use serde::{Deserialize, Serialize};

/// Maximum submissions per day of one entry.
const MAX_A_DAY: u32 = 100_000;

/// A stream of background jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackgroundStream {
    /// The job name.
    pub name: String,
    /// The users who submit it; one of them for each job.
    pub users: Vec<String>,
    /// Submissions on a working day.
    pub per_day: u32,
    /// Options of sbatch.
    pub ask: Vec<String>,
    /// The time limit, seconds.
    pub limit: u32,
    /// Shortest and longest run time in percent of the time limit; above 100 the job ends in TIMEOUT.
    pub runs: (u32, u32),
    /// Percentage of jobs that fail.
    pub fails: u32,
    /// The keys of a `#SIM` line for its program; empty: it sleeps.
    pub model: String,
}

impl BackgroundStream {
    /// Parses the table; `None` if a value is invalid.
    #[must_use]
    pub(super) fn parse(table: &TomlTable) -> Option<Self> {
        let mut work = Self { runs: (30, 90), ..Self::default() };
        for key in &table.keys {
            match (key.name.as_str(), &key.value) {
                ("name", TomlValue::Text(t)) if is_word(t) => work.name.clone_from(t),
                ("users", TomlValue::Text(t)) => {
                    work.users = t.split_whitespace().map(str::to_owned).collect()
                }
                ("day", TomlValue::Number(n)) => {
                    work.per_day = u32::try_from(*n).ok().filter(|n| *n <= MAX_A_DAY)?;
                }
                ("ask", TomlValue::Text(t)) => work.ask = t.split_whitespace().map(str::to_owned).collect(),
                ("limit", TomlValue::Text(t)) => work.limit = value::seconds(t).filter(|s| *s >= 60)?,
                ("runs", TomlValue::Text(t)) => work.runs = range(t)?,
                ("fails", TomlValue::Text(t)) => work.fails = percent(t).filter(|p| *p <= 100)?,
                ("model", TomlValue::Text(t)) if !t.contains('\n') => work.model.clone_from(t),
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

/// Parses `20%-90%`.
fn range(text: &str) -> Option<(u32, u32)> {
    let (low, high) = text.split_once('-')?;
    let (low, high) = (percent(low)?, percent(high)?);
    (low <= high && high <= 1000).then_some((low, high))
}

/// Parses `5%`.
fn percent(text: &str) -> Option<u32> {
    text.trim().strip_suffix('%')?.parse().ok()
}

/// The amount of background load in percent, from the word in the site's file `background`.
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
    use super::super::site_toml;
    use super::*;

    fn parsed(text: &str) -> Option<BackgroundStream> {
        BackgroundStream::parse(&site_toml::parse(text).0)
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
