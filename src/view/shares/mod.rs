//! The tree of shares as a picture, who is ahead of whom and why, and how usage is forgotten.

mod decay;
mod decide;
mod icicle;

pub use decay::{Axis, decay};
pub use decide::{Verdict, chain, decide};
pub use icicle::{Look, icicle};

use super::fill::csv_line;
use crate::base::order::Order as _;
use crate::protocol::{ShareRow, SharesPicture};

/// `LevelFS` and its like, as people read them: two decimals behind the language's point, `∞` where nothing was used.
#[must_use]
pub fn number(value: f64, point: &str) -> String {
    if value.is_infinite() {
        return "∞".to_owned();
    }
    // Who has hardly used anything has a large one, whose fractions say nothing.
    if value >= 100.0 {
        return (value.min(1e9).round() as u64).to_string();
    }
    // Whole numbers: the printing of fractions would be kilobytes of the page.
    let hundredths = (value.max(0.0) * 100.0).round() as u64;
    format!("{}{point}{:02}", hundredths / 100, hundredths % 100)
}

/// What an association is called: its user, or its account.
#[must_use]
pub fn name(row: &ShareRow) -> String {
    match (row.user.as_str(), row.partition.as_str()) {
        ("", _) => row.account.clone(),
        (user, "") => user.to_owned(),
        (user, partition) => format!("{user} ({partition})"),
    }
}

/// Rows of users, the best fair share first, ties in the order of the tree.
#[must_use]
pub fn ranking(picture: &SharesPicture) -> Vec<usize> {
    let users = |i: &usize| picture.rows.get(*i).is_some_and(|r| !r.user.is_empty());
    let mut rows: Vec<usize> = (0..picture.rows.len()).filter(users).collect();
    let factor = |i: usize| picture.rows.get(i).map_or(0.0, |r| r.factor);
    rows.order_by(|a, b| factor(*b).partial_cmp(&factor(*a)).unwrap_or(std::cmp::Ordering::Equal));
    rows
}

/// Each row's rank, from 1; users with the same factor share it.
#[must_use]
pub fn rank(picture: &SharesPicture, row: &ShareRow) -> usize {
    picture.rows.iter().filter(|r| !r.user.is_empty() && r.factor > row.factor).count() + 1
}

/// How many ranks a row moves up by what is supposed (or down: less than nothing).
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
