//! Fair Tree: ranks users level by level. Mirrors fair_tree.shtml.
//!
//! `LevelFS` is an association's fraction of its level's shares over its fraction of its level's usage. The walk visits
//! siblings from the highest to the lowest: a user gets the next rank, and an account is walked before its next
//! sibling. Equal users share the better rank. An account that equals its previous sibling begins with that sibling's
//! rank.
//!
//! The manual also says that the children of equal accounts are merged. Slurm does not do that, and neither does this
//! module.

use super::tree::ShareTree;
use base::order::StableSort as _;
use std::cmp::Ordering;

/// The result for an association, by its index in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FairShare {
    /// Its fraction of all usage.
    pub usage: f64,
    /// Its fraction of its level's usage.
    pub effective: f64,
    pub level: f64,
    pub factor: f64,
}

/// Ranks all users. `usage` is in the order of the tree.
pub(super) fn rank(tree: &ShareTree, usage: &[f64]) -> Vec<FairShare> {
    let part = |own: f64, of: f64| if of > 0.0 { own / of } else { 0.0 };
    let total = usage.first().copied().unwrap_or(0.0);
    let mut found: Vec<FairShare> = (tree.nodes.iter().zip(usage).enumerate())
        .map(|(i, (node, used))| {
            if i == 0 {
                return FairShare { usage: 1.0, effective: 1.0, ..FairShare::default() };
            }
            let effective = part(*used, usage[node.level as usize]);
            FairShare { usage: part(*used, total), effective, level: level_fs(node, effective), factor: 0.0 }
        })
        .collect();
    let mut walk = FairTreeWalk { tree, found: &mut found, rank: tree.users, next: tree.users };
    if !tree.nodes.is_empty() {
        walk.level(0, false);
    }
    found
}

fn level_fs(node: &super::tree::ShareNode, effective: f64) -> f64 {
    if !node.own {
        return f64::INFINITY;
    }
    if node.share <= 0.0 {
        0.0
    } else if effective <= 0.0 {
        f64::INFINITY
    } else {
        node.share / effective
    }
}

struct FairTreeWalk<'a> {
    tree: &'a ShareTree,
    found: &'a mut [FairShare],
    /// The rank of a user whose value equals the previous one's.
    rank: u32,
    /// The rank of a user with a different value.
    next: u32,
}

impl FairTreeWalk<'_> {
    /// Ranks the associations below a node. The depth of the tree bounds the recursion.
    fn level(&mut self, at: u32, mut tied: bool) {
        let tree = self.tree;
        let mut siblings = tree.nodes[at as usize].children.clone();
        siblings.order_by(|a, b| self.compare(*a, *b));
        let mut before = None;
        for index in siblings {
            let (node, level) = (&tree.nodes[index as usize], self.found[index as usize].level);
            let equal = std::mem::take(&mut tied) || before == Some(level);
            if node.is_user {
                if !equal {
                    self.rank = self.next;
                }
                self.found[index as usize].factor = f64::from(self.rank) / f64::from(tree.users.max(1));
                self.next = self.next.saturating_sub(1);
            } else {
                self.level(index, equal);
            }
            before = Some(level);
        }
    }

    /// The higher level fair share first; users before accounts if equal.
    fn compare(&self, a: u32, b: u32) -> Ordering {
        let level = |i: u32| self.found[i as usize].level;
        let is_account = |i: u32| !self.tree.nodes[i as usize].is_user;
        let by_level = level(b).partial_cmp(&level(a)).unwrap_or(Ordering::Equal);
        by_level.then(is_account(a).cmp(&is_account(b)))
    }
}
