//! The fair-share tree: picture, comparison of users, and decay of usage.

mod decay;
mod decide;
mod icicle;

pub use decay::{DecayAxis, decay};
pub use decide::{RankingReason, chain, decide};
pub use icicle::{IcicleView, icicle};

use super::fill::csv_line;
use base::order::StableSort as _;
use protocol::{ShareRow, SharesPicture};

/// Formats `LevelFS` and similar numbers: two decimals, `∞` without usage.
#[must_use]
pub fn number(value: f64, point: &str) -> String {
    if value.is_infinite() {
        return "∞".to_owned();
    }
    // Fractions of very large values have no meaning.
    if value >= 100.0 {
        return (value.min(1e9).round() as u64).to_string();
    }
    // Integers only: floating-point formatting would enlarge the page.
    let hundredths = (value.max(0.0) * 100.0).round() as u64;
    format!("{}{point}{:02}", hundredths / 100, hundredths % 100)
}

/// An association's label: its user or its account.
#[must_use]
pub fn name(row: &ShareRow) -> String {
    match (row.user.as_str(), row.partition.as_str()) {
        ("", _) => row.account.clone(),
        (user, "") => user.to_owned(),
        (user, partition) => format!("{user} ({partition})"),
    }
}

/// User rows by descending fair share; ties in tree order.
#[must_use]
pub fn ranking(picture: &SharesPicture) -> Vec<usize> {
    let users = |i: &usize| picture.rows.get(*i).is_some_and(|r| !r.user.is_empty());
    let mut rows: Vec<usize> = (0..picture.rows.len()).filter(users).collect();
    let factor = |i: usize| picture.rows.get(i).map_or(0.0, |r| r.factor);
    rows.order_by(|a, b| factor(*b).partial_cmp(&factor(*a)).unwrap_or(std::cmp::Ordering::Equal));
    rows
}

/// Rank of each row from 1; equal factors share a rank.
#[must_use]
pub fn rank(picture: &SharesPicture, row: &ShareRow) -> usize {
    picture.rows.iter().filter(|r| !r.user.is_empty() && r.factor > row.factor).count() + 1
}

/// Change in rank of each row under the hypothesis (negative is down).
#[must_use]
pub fn moved(picture: &SharesPicture, row: &ShareRow) -> i32 {
    let better = |by: fn(&ShareRow) -> f64| {
        let ahead = picture.rows.iter().filter(|r| !r.user.is_empty() && by(r) > by(row)).count();
        i32::try_from(ahead).unwrap_or(i32::MAX)
    };
    better(|r| r.before) - better(|r| r.factor)
}

/// The table as CSV.
#[must_use]
pub fn csv(picture: &SharesPicture) -> String {
    let mut out = csv_line(picture.headings.iter().map(String::as_str));
    for row in &picture.rows {
        out += &csv_line(row.cells.iter().map(String::as_str));
    }
    out
}

#[cfg(test)]
mod tests;
