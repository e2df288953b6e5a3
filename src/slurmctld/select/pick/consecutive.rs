//! The default strategy of cons_tres: runs of consecutive nodes, one run after the other, the best fit first.
//!
//! In recordings, Slurm looks at the runs in order, and replaces a smaller run that is enough by a larger one that is not. This
//! module does the same.

use super::{Left, Taken};
use crate::select::SelectError;
use crate::select::offer::{Offer, SelectContext};
use base::bitset::BitSet;

/// A run of consecutive nodes with the same weight. Required nodes (`-w`) are already taken and connect their neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The index of its first offer, or of its first node, and the number of nodes.
    pub(super) first: usize,
    pub(super) nodes: u32,
    pub(super) weight: u32,
    pub(super) cpus: u64,
    pub(super) gres: u64,
    /// The first required node in it.
    pub(super) required: Option<u32>,
}

/// The offers of runs.
pub(super) trait RunOffers {
    /// The offers of a run, in the order of nodes.
    fn offers(&self, run: &Run) -> impl DoubleEndedIterator<Item = Offer> + Clone;

    /// The smallest offer that has all that is still needed.
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
    source: &G,
    mut runs: Vec<Run>,
    mut left: Left,
) -> Result<Vec<Taken>, SelectError> {
    while !left.done() && left.allowed > 0 && !runs.is_empty() {
        let best = best(&runs, &left);
        let run = runs.remove(best);
        take(source, &run, &mut left);
    }
    left.finish()
}

/// The runs of consecutive nodes. A run has nodes of one weight only, if weights matter.
fn runs(offers: &[Offer], required: &BitSet, weighed: bool) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut last: Option<u32> = None;
    for (i, offer) in offers.iter().enumerate() {
        let joined = |from: u32| (from + 1..offer.node).all(|n| required.contains(n));
        let alike = |run: &Run| !weighed || run.weight == offer.weight;
        let follows = |run: &&mut Run| alike(run) && last.is_some_and(joined);
        let before = (0..offer.node).rev().take_while(|n| required.contains(*n)).last();
        if let Some(run) = runs.last_mut().filter(follows) {
            run.nodes += 1;
            run.cpus += u64::from(offer.cpus);
            run.gres += offer.gres;
            run.required = run.required.or(before);
        } else {
            let (cpus, gres) = (offer.cpus.into(), offer.gres);
            runs.push(Run { first: i, nodes: 1, weight: offer.weight, cpus, gres, required: before });
        }
        let after = Some(offer.node + 1).filter(|n| required.contains(*n));
        if let Some(run) = runs.last_mut() {
            run.required = run.required.or(after);
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

/// Takes what is needed from a run; if it has a required node, upwards from there and then downwards.
fn take<G: RunOffers + ?Sized>(source: &G, run: &Run, left: &mut Left) {
    let Some(required) = run.required else { return take_run(source, run, left) };
    let above = source.offers(run).filter(|o| o.node >= required);
    let below = source.offers(run).rev().filter(|o| o.node < required);
    above.chain(below).for_each(|offer| left.take_if_wanted(offer));
}

/// Takes what is needed from a run: the best fit if a single node is enough, otherwise node by node. The last node that is
/// allowed is the first one that has all that is still needed.
fn take_run<G: RunOffers + ?Sized>(source: &G, run: &Run, left: &mut Left) {
    if left.nodes <= 1
        && let Some(one) = source.tightest(run, left)
    {
        return left.take(one);
    }
    let mut offers = source.offers(run);
    while !left.done() && left.allowed > 0 {
        let last = (left.allowed == 1).then(|| offers.clone().find(|o| left.suffices(o))).flatten();
        if let Some(last) = last {
            return left.take(last);
        }
        let Some(offer) = offers.next() else { return };
        left.take(offer);
    }
}

/// `--contiguous`: a single run with all required nodes. Weights do not matter, as recorded with 22.05.
fn contiguous(
    context: &SelectContext<'_>,
    offers: &[Offer],
    runs: &[Run],
    mut left: Left,
) -> Result<Vec<Taken>, SelectError> {
    let required = !context.needs.required.is_empty();
    let enough =
        |run: &&Run| left.enough(run.nodes, run.cpus, run.gres) && (!required || run.required.is_some());
    let run = runs.iter().filter(enough).min_by_key(|r| (r.cpus, r.first));
    take(offers, run.ok_or(SelectError::Contiguous)?, &mut left);
    left.finish()
}
