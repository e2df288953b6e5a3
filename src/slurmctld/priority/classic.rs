//! Classic fair share (`PriorityFlags=NO_FAIR_TREE`): 2^(-usage / shares). Mirrors classic_fair_share.shtml, and
//! `DEPTH_OBLIVIOUS` of slurm.conf(5).
//!
//! Slurm computes accounts before the usage of a period is added, and users after it. Two functions do the same here.

use super::fair_tree::FairShare;
use super::tree::{ShareNode, ShareTree};
use base::math::{ln, pow};
use config::Priority;

/// Computes accounts from the usage before the period, in the order of the tree. Users stay unchanged.
pub(super) fn accounts(tree: &ShareTree, usage: &[f64], conf: &Priority, found: &mut [FairShare]) {
    for i in 0..tree.nodes.len() {
        if !tree.nodes[i].is_user {
            found[i] = assess(tree, i, usage, conf, found);
        }
    }
}

/// Computes users from their current usage and their accounts' fair shares.
pub(super) fn users(tree: &ShareTree, usage: &[f64], conf: &Priority, found: &mut [FairShare]) {
    for i in 0..tree.nodes.len() {
        if tree.nodes[i].is_user {
            found[i] = assess(tree, i, usage, conf, found);
        }
    }
}

fn assess(tree: &ShareTree, i: usize, usage: &[f64], conf: &Priority, found: &[FairShare]) -> FairShare {
    if i == 0 {
        return FairShare { usage: 1.0, effective: 1.0, ..FairShare::default() };
    }
    let (node, total) = (&tree.nodes[i], usage[0]);
    let norm = if total > 0.0 { usage[i] / total } else { 0.0 };
    let level = &found[node.level as usize];
    let effective = if !node.own {
        level.effective
    } else if conf.flags.depth_oblivious {
        oblivious(node, &tree.nodes[node.level as usize], norm, level.effective)
    } else if node.level == 0 {
        norm
    } else {
        norm + (level.effective - norm) * node.share
    };
    let factor = if node.is_user { factor(effective, node.depth_share, conf.dampening) } else { 0.0 };
    FairShare { usage: norm, effective, level: 0.0, factor }
}

/// 2^(-usage / shares / dampening); 0 without shares.
pub(super) fn factor(effective: f64, shares: f64, dampening: u32) -> f64 {
    if shares > 0.0 { pow(2.0, -(effective / shares) / f64::from(dampening.max(1))) } else { 0.0 }
}

/// `DEPTH_OBLIVIOUS`: combines an association's ratio of usage to shares with its account's ratio only if both are on
/// the same side of one.
fn oblivious(node: &ShareNode, above: &ShareNode, norm: f64, level_effective: f64) -> f64 {
    let shares = node.depth_share;
    let known = shares > 0.0 && above.depth_share > 0.0 && level_effective > 0.0 && norm > 0.0;
    if !known {
        return norm;
    }
    let of_level = level_effective / above.depth_share;
    let within = norm / shares / of_level;
    let product = ln(of_level) * ln(within);
    let weight = if product >= 0.0 { 1.0 } else { 1.0 / (1.0 + pow(5.0 * product, 2.0)) };
    of_level * pow(within, weight) * shares
}
