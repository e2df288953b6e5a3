//! topology/block (topology.html): a job goes into the smallest unit that has enough for it, of those the fullest. Units are
//! base blocks, then runs of them as `BlockSizes` says, then the cluster. In a larger unit a job has no more base blocks
//! than it needs for its nodes. `--segment` deals a job's nodes out in parts that are each within a base block.
//!
//! From the documentation: no recording tells how blocks are chosen.

use super::{Left, Taken};
use crate::select::SelectError;
use crate::select::offer::{Offer, SelectContext};
use base::bitset::BitSet;
use base::order::StableSort as _;
use config::Block;

/// What a base block offers.
struct Stack<'a> {
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
    let stacks: Vec<Stack<'_>> = blocks.iter().map(|block| Stack::new(block, offers)).collect();
    let base = sizes.first().copied().unwrap_or(1).max(1);
    let (segment, required) = (context.needs.segment, &context.needs.required);
    let mut refused = SelectError::Nodes;
    let mut levels: Vec<(u32, usize)> =
        sizes.iter().map(|size| (*size, (size / base).max(1) as usize)).collect();
    levels.push((u32::MAX, stacks.len().max(1)));
    if segment > 0 && !context.needs.style.consolidate_segments {
        levels.drain(..levels.len() - 1);
    }
    for (size, span) in levels {
        if left.least > size {
            continue;
        }
        let mut units: Vec<&[Stack<'_>]> =
            stacks.chunks(span).filter(|unit| suits(unit, &left, required)).collect();
        units.order_by_key(|unit| unit.iter().map(|stack| stack.offers.len()).sum::<usize>());
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

impl<'a> Stack<'a> {
    fn new(block: &'a Block, offers: &[Offer]) -> Self {
        let mut offers: Vec<Offer> =
            offers.iter().filter(|o| block.nodes.contains(o.node)).copied().collect();
        offers.order_by_key(|o| (o.weight, o.node));
        Self { block, offers }
    }

    fn len(&self) -> u32 {
        u32::try_from(self.offers.len()).unwrap_or(u32::MAX)
    }

    /// Whether it has all that is left to take.
    fn enough(&self, left: &Left) -> bool {
        let cpus = self.offers.iter().map(|o| u64::from(o.cpus)).sum();
        left.enough(self.len(), cpus, self.offers.iter().map(|o| o.gres).sum())
    }
}

/// Whether a unit has enough, and all nodes that were named.
fn suits(unit: &[Stack<'_>], left: &Left, required: &BitSet) -> bool {
    let of_unit = |node: &u32| unit.iter().any(|stack| stack.block.nodes.contains(*node));
    let offers = || unit.iter().flat_map(|stack| &stack.offers);
    let cpus = offers().map(|o| u64::from(o.cpus)).sum();
    let nodes = u32::try_from(offers().count()).unwrap_or(u32::MAX);
    required.iter().all(|node| of_unit(&node)) && left.enough(nodes, cpus, offers().map(|o| o.gres).sum())
}

/// Out of as few base blocks as so many nodes need: the fullest that has the rest, else the emptiest.
fn in_few(unit: &[Stack<'_>], mut left: Left, base: u32) -> Result<Vec<Taken>, SelectError> {
    let mut stacks: Vec<&Stack<'_>> = unit.iter().collect();
    while !left.done() && left.allowed > 0 {
        let rank = |stack: &Stack<'_>| {
            let enough = stack.enough(&left);
            (!enough, if enough { stack.len() } else { u32::MAX - stack.len() })
        };
        let best = stacks.iter().enumerate().min_by_key(|(_, stack)| rank(stack)).map(|(at, _)| at);
        let Some(stack) = best.map(|at| stacks.remove(at)) else { break };
        stack.offers.iter().for_each(|offer| left.take_if_wanted(*offer));
    }
    let taken = left.finish()?;
    let has = |stack: &&Stack<'_>| taken.iter().any(|t| stack.block.nodes.contains(t.offer.node));
    let used = unit.iter().filter(has).count();
    if used > taken.len().div_ceil(base as usize) { Err(SelectError::Nodes) } else { Ok(taken) }
}

/// In segments: as many in a block as it has room for, or one (`--spread-segments`).
fn in_segments(
    context: &SelectContext<'_>,
    unit: &[Stack<'_>],
    mut left: Left,
) -> Result<Vec<Taken>, SelectError> {
    let segment = context.needs.segment.max(1);
    let most = if context.needs.style.spread_segments { 1 } else { u32::MAX };
    let mut stacks: Vec<(u32, &Stack<'_>)> =
        unit.iter().map(|stack| ((stack.len() / segment).min(most), stack)).filter(|(n, _)| *n > 0).collect();
    let mut wanted = left.least.div_ceil(segment);
    while wanted > 0 {
        let rank = |(segments, stack): &(u32, &Stack<'_>)| {
            let enough = *segments >= wanted;
            (!enough, if enough { stack.len() } else { u32::MAX - segments })
        };
        let best = stacks.iter().enumerate().min_by_key(|(_, stack)| rank(stack)).map(|(at, _)| at);
        let Some((segments, stack)) = best.map(|at| stacks.remove(at)) else {
            return Err(SelectError::Nodes);
        };
        let here = segments.min(wanted);
        stack.offers.iter().take((here * segment) as usize).for_each(|offer| left.take(*offer));
        wanted -= here;
    }
    left.finish()
}
