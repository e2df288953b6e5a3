//! Who of two is ahead, and where the tree decides that. Mirrors fair_tree.shtml: the first common ancestor's level.

use crate::protocol::{ShareRow, SharesPicture};

/// Where it is decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Below this row, these two of its level lie on the ways to the two.
    Fork {
        /// The first common ancestor.
        common: usize,
        /// On the way to the first.
        a: usize,
        /// On the way to the second.
        b: usize,
    },
    /// Classic fair share: no level decides, each has a number of its own.
    Numbers,
}

/// The rows from one up to root that are levels of their own: an account with `Fairshare=parent` is none, its children
/// compete with its siblings.
#[must_use]
pub fn chain(picture: &SharesPicture, row: usize) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut at = Some(row);
    while let Some((i, found)) = at.and_then(|i| Some((i, picture.rows.get(i)?))) {
        if is_level(found, i == row) {
            chain.push(i);
        }
        // A row stands behind its parent, so this ends.
        at = found.parent.map(|p| p as usize).filter(|p| *p < i);
    }
    chain
}

fn is_level(row: &ShareRow, itself: bool) -> bool {
    itself || row.parent.is_none() || row.shares.is_some()
}

/// Where it is decided who of two rows is ahead; none for one and the same, or one above the other.
#[must_use]
pub fn decide(picture: &SharesPicture, a: usize, b: usize) -> Option<Verdict> {
    if a == b {
        return None;
    }
    if !picture.fair_tree {
        return Some(Verdict::Numbers);
    }
    let (of_a, of_b) = (chain(picture, a), chain(picture, b));
    let same = of_a.iter().rev().zip(of_b.iter().rev()).take_while(|(x, y)| x == y).count();
    let before = |chain: &[usize]| chain.len().checked_sub(same + 1).and_then(|i| chain.get(i)).copied();
    let common = of_a.len().checked_sub(same).and_then(|i| of_a.get(i)).copied();
    Some(Verdict::Fork { common: common?, a: before(&of_a)?, b: before(&of_b)? })
}
