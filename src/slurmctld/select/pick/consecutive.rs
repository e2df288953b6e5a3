//! cons_tres' usual way: runs of neighbouring nodes, one run after the other, the tightest that is enough first.
//!
//! Recordings show Slurm to look at the runs in order and to let a larger run that is not enough take the place of a
//! smaller one that is; so does this.

use super::{Left, Taken};
use crate::select::SelectError;
use crate::select::offer::{Offer, SelectContext};
use base::bitset::BitSet;

/// A run of neighbours with the same weight. Nodes that were named (`-w`) are taken already and join their neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Its first offer, by its place or the node's number, and how many there are.
    pub(super) first: usize,
    pub(super) nodes: u32,
    pub(super) weight: u32,
    pub(super) cpus: u64,
    pub(super) gres: u64,
    /// The first named node in it.
    pub(super) named: Option<u32>,
}

/// What runs are made of.
pub(super) trait RunOffers {
    /// The offers of a run, in the order of nodes.
    fn offers(&self, run: &Run) -> impl DoubleEndedIterator<Item = Offer> + Clone;

    /// The smallest one that has all of the rest.
    fn tightest(&self, run: &Run, left: &Left) -> Option<Offer> {
        self.offers(run).filter(|o| left.suffices(o)).min_by_key(|o| (o.weight, o.cpus))
    }
}

impl RunOffers for [Offer] {
    fn offers(&self, run: &Run) -> impl DoubleEndedIterator<Item = Offer> + Clone {
        self.get(run.first..run.first + run.nodes as usize).unwrap_or_default().iter().copied()
    }
}

/// Takes nodes run by run.
pub(super) fn pick(
    context: &SelectContext<'_>,
    offers: &[Offer],
    left: Left,
) -> Result<Vec<Taken>, SelectError> {
    let runs = runs(offers, &context.needs.required, !context.needs.contiguous);
    if context.needs.contiguous {
        return contiguous(context, offers, &runs, left);
    }
    take_runs(offers, runs, left)
}

/// Takes runs until there is enough.
pub(super) fn take_runs<G: RunOffers + ?Sized>(
    ground: &G,
    mut runs: Vec<Run>,
    mut left: Left,
) -> Result<Vec<Taken>, SelectError> {
    while !left.done() && left.allowed > 0 && !runs.is_empty() {
        let best = best(&runs, &left);
        let run = runs.remove(best);
        take(ground, &run, &mut left);
    }
    left.finish()
}

/// The runs of neighbours; those of different weights are apart unless weights do not matter.
fn runs(offers: &[Offer], named: &BitSet, weighed: bool) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut last: Option<u32> = None;
    for (i, offer) in offers.iter().enumerate() {
        let joined = |from: u32| (from + 1..offer.node).all(|n| named.contains(n));
        let alike = |run: &Run| !weighed || run.weight == offer.weight;
        let follows = |run: &&mut Run| alike(run) && last.is_some_and(joined);
        let before = (0..offer.node).rev().take_while(|n| named.contains(*n)).last();
        if let Some(run) = runs.last_mut().filter(follows) {
            run.nodes += 1;
            run.cpus += u64::from(offer.cpus);
            run.gres += offer.gres;
            run.named = run.named.or(before);
        } else {
            let (cpus, gres) = (offer.cpus.into(), offer.gres);
            runs.push(Run { first: i, nodes: 1, weight: offer.weight, cpus, gres, named: before });
        }
        let after = Some(offer.node + 1).filter(|n| named.contains(*n));
        if let Some(run) = runs.last_mut() {
            run.named = run.named.or(after);
        }
        last = Some(offer.node);
    }
    runs
}

/// The run to take next.
pub(super) fn best(runs: &[Run], left: &Left) -> usize {
    let mut best: Option<(usize, &Run, bool)> = None;
    for (i, run) in runs.iter().enumerate() {
        let enough = left.enough(run.nodes, run.cpus, run.gres);
        let better = best.is_none_or(|(_, old, was_enough)| {
            run.weight < old.weight
                || run.weight == old.weight
                    && if enough { !was_enough || run.cpus < old.cpus } else { run.cpus > old.cpus }
        });
        if better {
            best = Some((i, run, enough));
        }
    }
    best.map_or(0, |b| b.0)
}

/// Takes what is wanted of a run; where a node of it was named, upwards from there and then downwards.
fn take<G: RunOffers + ?Sized>(ground: &G, run: &Run, left: &mut Left) {
    let Some(named) = run.named else { return take_run(ground, run, left) };
    let above = ground.offers(run).filter(|o| o.node >= named);
    let below = ground.offers(run).rev().filter(|o| o.node < named);
    above.chain(below).for_each(|offer| left.take_if_wanted(offer));
}

/// Takes what is wanted of neighbours: where one node is all that is wanted, the tightest; else node by node, the last
/// one that is allowed being the first that has all of the rest.
fn take_run<G: RunOffers + ?Sized>(ground: &G, run: &Run, left: &mut Left) {
    if left.nodes <= 1
        && let Some(one) = ground.tightest(run, left)
    {
        return left.take(one);
    }
    let mut offers = ground.offers(run);
    while !left.done() && left.allowed > 0 {
        let last = (left.allowed == 1).then(|| offers.clone().find(|o| left.suffices(o))).flatten();
        if let Some(last) = last {
            return left.take(last);
        }
        let Some(offer) = offers.next() else { return };
        left.take(offer);
    }
}

/// `--contiguous`: a single run, the named nodes in it. Weights do not matter, as a real 22.05 does it.
fn contiguous(
    context: &SelectContext<'_>,
    offers: &[Offer],
    runs: &[Run],
    mut left: Left,
) -> Result<Vec<Taken>, SelectError> {
    let named = !context.needs.required.is_empty();
    let enough = |run: &&Run| left.enough(run.nodes, run.cpus, run.gres) && (!named || run.named.is_some());
    let run = runs.iter().filter(enough).min_by_key(|r| (r.cpus, r.first));
    take(offers, run.ok_or(SelectError::Contiguous)?, &mut left);
    left.finish()
}
