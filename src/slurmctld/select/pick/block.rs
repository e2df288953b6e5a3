//! topology/block: a job that fits into one block stays in it; a larger one takes whole base blocks side by side.
//! `--segment` cuts it into parts that each stay in a block.

use super::super::Refusal;
use super::super::room::{Offer, Room};
use super::{Left, Taken};
use crate::base::order::Order as _;
use crate::config::Block;

/// Takes nodes block by block.
pub(super) fn pick(
    room: &Room<'_>,
    offers: &[Offer],
    mut left: Left,
    sizes: &[u32],
    blocks: &[Block],
) -> Result<Vec<Taken>, Refusal> {
    let here = |block: &Block| -> Vec<Offer> {
        offers.iter().filter(|o| block.nodes.contains(o.node)).copied().collect()
    };
    let mut stacks: Vec<(usize, Vec<Offer>)> = blocks.iter().map(here).enumerate().collect();
    stacks.retain(|(_, offers)| !offers.is_empty());
    let enough = |offers: &[Offer]| {
        let (cpus, gres) =
            (offers.iter().map(|o| u64::from(o.cpus)).sum(), offers.iter().map(|o| o.gres).sum());
        left.enough(u32::try_from(offers.len()).unwrap_or(u32::MAX), cpus, gres)
    };
    // The block with the fewest nodes that has enough.
    let one = stacks.iter().filter(|(_, o)| enough(o)).min_by_key(|(i, o)| (o.len(), *i));
    if let Some((_, one)) = one {
        return super::plain(room, one, left);
    }
    let segment = room.needs.segment;
    if segment > 0 {
        // Each block gives as many whole segments as it can.
        for (_, offers) in &mut stacks {
            let whole = offers.len() / segment as usize * segment as usize;
            offers.truncate(whole);
        }
    } else {
        // Fuller blocks first, so that few are used.
        let base = sizes.first().copied().unwrap_or(1) as usize;
        stacks.order_by_key(|(i, o)| (std::cmp::Reverse(o.len().min(base)), *i));
    }
    for (_, offers) in stacks {
        offers.into_iter().for_each(|offer| left.take_if_wanted(offer));
    }
    left.finish()
}
