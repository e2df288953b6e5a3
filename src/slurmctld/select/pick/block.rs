//! topology/block (topology.html): a job gets the smallest unit with enough free nodes, and among several the one with the fewest
//! free nodes. Units are base blocks, then runs of base blocks (`BlockSizes`), then the cluster. In a larger unit, a job uses no
//! more base blocks than it needs for its nodes. `--segment` divides a job's nodes into segments, each within one base block.
//!
//! This follows the documentation; no recording shows how blocks are chosen.

use super::{Left, Taken};
use crate::select::SelectError;
use crate::select::offer::{Offer, SelectContext};
use base::bitset::BitSet;
use base::order::StableSort as _;
use config::Block;

/// A base block with its offers.
struct BlockOffers<'a> {
    block: &'a Block,
    offers: Vec<Offer>,
}

/// Takes nodes block by block.
pub(super) fn pick(
    context: &SelectContext<'_>,
    offers: &[Offer],
    left: Left,
    sizes: &[u32],
    blocks: &[Block],
) -> Result<Vec<Taken>, SelectError> {
    let groups: Vec<BlockOffers<'_>> = blocks.iter().map(|block| BlockOffers::new(block, offers)).collect();
    let base = sizes.first().copied().unwrap_or(1).max(1);
    let (segment, required) = (context.needs.segment, &context.needs.required);
    let mut refused = SelectError::Nodes;
    let mut levels: Vec<(u32, usize)> =
        sizes.iter().map(|size| (*size, (size / base).max(1) as usize)).collect();
    levels.push((u32::MAX, groups.len().max(1)));
    if segment > 0 && !context.needs.style.consolidate_segments {
        levels.drain(..levels.len() - 1);
    }
    for (size, span) in levels {
        if left.least > size {
            continue;
        }
        let mut units: Vec<&[BlockOffers<'_>]> =
            groups.chunks(span).filter(|unit| suits(unit, &left, required)).collect();
        units.order_by_key(|unit| unit.iter().map(|group| group.offers.len()).sum::<usize>());
        for unit in units {
            let tried = match unit {
                _ if segment > 0 && required.is_empty() => in_segments(context, unit, left.clone()),
                [one] => super::plain(context, &one.offers, left.clone()),
                several => in_few(several, left.clone(), base),
            };
            match tried {
                Ok(taken) => return Ok(taken),
                Err(why) => refused = why,
            }
        }
    }
    Err(refused)
}

impl<'a> BlockOffers<'a> {
    fn new(block: &'a Block, offers: &[Offer]) -> Self {
        let mut offers: Vec<Offer> =
            offers.iter().filter(|o| block.nodes.contains(o.node)).copied().collect();
        offers.order_by_key(|o| (o.weight, o.node));
        Self { block, offers }
    }

    fn len(&self) -> u32 {
        u32::try_from(self.offers.len()).unwrap_or(u32::MAX)
    }

    /// Whether the block has all that is still needed.
    fn enough(&self, left: &Left) -> bool {
        let cpus = self.offers.iter().map(|o| u64::from(o.cpus)).sum();
        left.enough(self.len(), cpus, self.offers.iter().map(|o| o.gres).sum())
    }
}

/// Whether a unit has enough, and all required nodes.
fn suits(unit: &[BlockOffers<'_>], left: &Left, required: &BitSet) -> bool {
    let of_unit = |node: &u32| unit.iter().any(|group| group.block.nodes.contains(*node));
    let offers = || unit.iter().flat_map(|group| &group.offers);
    let cpus = offers().map(|o| u64::from(o.cpus)).sum();
    let nodes = u32::try_from(offers().count()).unwrap_or(u32::MAX);
    required.iter().all(|node| of_unit(&node)) && left.enough(nodes, cpus, offers().map(|o| o.gres).sum())
}

/// Takes nodes from as few base blocks as possible: from the one with the fewest free nodes that is enough, otherwise from the
/// one with the most.
fn in_few(unit: &[BlockOffers<'_>], mut left: Left, base: u32) -> Result<Vec<Taken>, SelectError> {
    let mut groups: Vec<&BlockOffers<'_>> = unit.iter().collect();
    while !left.done() && left.allowed > 0 {
        let rank = |group: &BlockOffers<'_>| {
            let enough = group.enough(&left);
            (!enough, if enough { group.len() } else { u32::MAX - group.len() })
        };
        let best = groups.iter().enumerate().min_by_key(|(_, group)| rank(group)).map(|(at, _)| at);
        let Some(group) = best.map(|at| groups.remove(at)) else { break };
        group.offers.iter().for_each(|offer| left.take_if_wanted(*offer));
    }
    let taken = left.finish()?;
    let has = |group: &&BlockOffers<'_>| taken.iter().any(|t| group.block.nodes.contains(t.offer.node));
    let used = unit.iter().filter(has).count();
    if used > taken.len().div_ceil(base as usize) { Err(SelectError::Nodes) } else { Ok(taken) }
}

/// Takes whole segments: as many as fit into each block, or one per block (`--spread-segments`).
fn in_segments(
    context: &SelectContext<'_>,
    unit: &[BlockOffers<'_>],
    mut left: Left,
) -> Result<Vec<Taken>, SelectError> {
    let segment = context.needs.segment.max(1);
    let most = if context.needs.style.spread_segments { 1 } else { u32::MAX };
    let mut groups: Vec<(u32, &BlockOffers<'_>)> =
        unit.iter().map(|group| ((group.len() / segment).min(most), group)).filter(|(n, _)| *n > 0).collect();
    let mut wanted = left.least.div_ceil(segment);
    while wanted > 0 {
        let rank = |(segments, group): &(u32, &BlockOffers<'_>)| {
            let enough = *segments >= wanted;
            (!enough, if enough { group.len() } else { u32::MAX - segments })
        };
        let best = groups.iter().enumerate().min_by_key(|(_, group)| rank(group)).map(|(at, _)| at);
        let Some((segments, group)) = best.map(|at| groups.remove(at)) else {
            return Err(SelectError::Nodes);
        };
        let here = segments.min(wanted);
        group.offers.iter().take((here * segment) as usize).for_each(|offer| left.take(*offer));
        wanted -= here;
    }
    left.finish()
}
