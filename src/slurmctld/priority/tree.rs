//! The share tree: which associations compete, and for what share.
//!
//! Mirrors "Algorithm" of fair_tree.shtml. An account with `Fairshare=parent` is not a level of its own: its children
//! compete with its siblings. The tree is derived from the associations whenever they change, so a priority period only
//! looks at usage.

use base::ids::AssocId;
use base::order::StableSort as _;
use serde::{Deserialize, Serialize};
use slurmdbd::{Assoc, Slurmdbd};

/// Deeper associations are ignored.
const MAX_DEPTH: u32 = 64;

/// All associations, each after its parent. The first is root.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ShareTree {
    pub(super) nodes: Vec<ShareNode>,
    /// The number of user associations.
    pub(super) users: u32,
}

/// An association in the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ShareNode {
    pub assoc: AssocId,
    pub is_user: bool,
    /// The level in which it competes: the index of the nearest ancestor with shares of its own.
    pub level: u32,
    /// Shares of its own, not its parent's.
    pub own: bool,
    /// Its fraction of its level's shares. For `Fairshare=parent`, that of its level's account.
    pub share: f64,
    /// `share` times the shares of all levels above: classic fair share's norm.
    pub depth_share: f64,
    /// Its competing children: users first, then accounts, both by name.
    pub children: Vec<u32>,
}

impl ShareTree {
    /// Builds the tree of a database.
    pub fn of(dbd: &Slurmdbd) -> Self {
        let mut tree = Self::default();
        let Some(root) = dbd.live().find(|a| a.parent.is_none()) else { return tree };
        let mut below: Vec<Vec<&Assoc>> = vec![Vec::new(); dbd.assocs.len() + 1];
        for assoc in dbd.live() {
            if let Some(list) = assoc.parent.and_then(|p| below.get_mut(p.0 as usize)) {
                list.push(assoc);
            }
        }
        let order = |a: &&Assoc, b: &&Assoc| {
            let key = |x: &Assoc| x.user.is_none();
            (key(a).cmp(&key(b)))
                .then_with(|| a.account.cmp(&b.account))
                .then_with(|| a.user.cmp(&b.user))
                .then_with(|| a.partition.cmp(&b.partition))
        };
        below.iter_mut().for_each(|list| list.order_by(order));
        let mut shares = Vec::new();
        // Nodes still to be added, with the level in which they compete and their depth. The last one is next.
        let mut todo = vec![(root, 0_u32, 0_u32)];
        while let Some((assoc, level, depth)) = todo.pop() {
            let index = tree.add_node(assoc, level);
            shares.push(assoc.shares);
            let inner = if assoc.shares.is_some() || index == 0 { index } else { level };
            let children = below.get(assoc.id.0 as usize).filter(|_| depth < MAX_DEPTH);
            todo.extend(children.into_iter().flatten().rev().map(|a| (*a, inner, depth + 1)));
        }
        tree.weigh(&shares);
        tree
    }

    fn add_node(&mut self, assoc: &Assoc, level: u32) -> u32 {
        let index = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let (is_user, own) = (assoc.user.is_some(), assoc.shares.is_some());
        self.users += u32::from(is_user);
        self.nodes.push(ShareNode {
            assoc: assoc.id,
            is_user,
            level,
            own,
            share: 0.0,
            depth_share: 0.0,
            children: Vec::new(),
        });
        if index > 0 && (own || is_user) {
            self.nodes[level as usize].children.push(index);
        }
        index
    }

    /// Normalizes shares, level by level from the top.
    fn weigh(&mut self, shares: &[Option<u32>]) {
        let mut sums = vec![0_u64; self.nodes.len()];
        for (node, shares) in self.nodes.iter().zip(shares).skip(1) {
            sums[node.level as usize] += u64::from(shares.unwrap_or(0));
        }
        for (i, own) in shares.iter().enumerate() {
            let level = self.nodes[i].level as usize;
            let (share, depth_share) = match own {
                _ if i == 0 => (0.0, 1.0),
                None => (self.nodes[level].share, self.nodes[level].depth_share),
                Some(_) if sums[level] == 0 => (0.0, 0.0),
                Some(own) => {
                    let share = f64::from(*own) / sums[level] as f64;
                    (share, share * self.nodes[level].depth_share)
                }
            };
            self.nodes[i].share = share;
            self.nodes[i].depth_share = depth_share;
        }
    }

    /// `NormShares` of a node.
    pub(super) const fn norm(node: &ShareNode, fair_tree: bool) -> f64 {
        if fair_tree { node.share } else { node.depth_share }
    }
}
