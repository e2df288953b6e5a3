//! Which of two users ranks first, and the tree level that decides it. Mirrors fair_tree.shtml: the level below the
//! lowest common ancestor.

use protocol::{ShareRow, SharesPicture};

/// Where the order of two rows is decided.
#[derive(Clone, Debug, PartialEq)]
pub enum RankingReason {
    /// By the children of their lowest common ancestor.
    Fork {
        /// The lowest common ancestor.
        common: usize,
        /// Its child on the path to the first.
        a: usize,
        /// Its child on the path to the second.
        b: usize,
    },
    /// Classic fair share: by the users' own factors.
    Numbers,
}

/// The levels from a row up to root. An account with `Fairshare=parent` is not a level: its children compete with its
/// siblings.
#[must_use]
pub fn chain(picture: &SharesPicture, row: usize) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut at = Some(row);
    while let Some((i, found)) = at.and_then(|i| Some((i, picture.rows.get(i)?))) {
        if is_level(found, i == row) {
            chain.push(i);
        }
        // Parents precede their children, so this terminates.
        at = found.parent.map(|p| p as usize).filter(|p| *p < i);
    }
    chain
}

fn is_level(row: &ShareRow, itself: bool) -> bool {
    itself || row.parent.is_none() || row.shares.is_some()
}

/// Where the order of two rows is decided. `None` if they are the same or one is the other's ancestor.
#[must_use]
pub fn decide(picture: &SharesPicture, a: usize, b: usize) -> Option<RankingReason> {
    if a == b {
        return None;
    }
    if !picture.fair_tree {
        return Some(RankingReason::Numbers);
    }
    let (of_a, of_b) = (chain(picture, a), chain(picture, b));
    let same = of_a.iter().rev().zip(of_b.iter().rev()).take_while(|(x, y)| x == y).count();
    let before = |chain: &[usize]| chain.len().checked_sub(same + 1).and_then(|i| chain.get(i)).copied();
    let common = of_a.len().checked_sub(same).and_then(|i| of_a.get(i)).copied();
    Some(RankingReason::Fork { common: common?, a: before(&of_a)?, b: before(&of_b)? })
}
