//! cons_tres' usual way: runs of neighbouring nodes, one run after the other, the tightest that is enough first.
//!
//! Recordings show Slurm to look at the runs in order and to let a larger run that is not enough take the place of a
//! smaller one that is; so does this.

use super::super::Refusal;
use super::super::room::{Offer, Room};
use super::{Left, Taken};
use crate::base::bitset::BitSet;

/// A run of neighbours with the same weight. Nodes that were named (`-w`) are taken already and join their neighbours.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Its first offer, and how many there are.
    first: usize,
    nodes: u32,
    weight: u32,
    cpus: u64,
    gres: u64,
    /// The first named node in it.
    named: Option<u32>,
}

impl Run {
    fn offers<'a>(&self, all: &'a [Offer]) -> &'a [Offer] {
        all.get(self.first..self.first + self.nodes as usize).unwrap_or_default()
    }
}

/// Takes nodes run by run.
pub(super) fn pick(room: &Room<'_>, offers: &[Offer], mut left: Left) -> Result<Vec<Taken>, Refusal> {
    let mut runs = runs(offers, &room.needs.required);
    if room.needs.contiguous {
        return contiguous(room, offers, &runs, left);
    }
    while !left.done() && left.room > 0 && !runs.is_empty() {
        let best = best(&runs, &left);
        let run = runs.remove(best);
        take(&run, offers, &mut left);
    }
    left.finish()
}

fn runs(offers: &[Offer], named: &BitSet) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut last: Option<u32> = None;
    for (i, offer) in offers.iter().enumerate() {
        let joined = |from: u32| (from + 1..offer.node).all(|n| named.contains(n));
        let follows = |run: &&mut Run| run.weight == offer.weight && last.is_some_and(joined);
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
fn best(runs: &[Run], left: &Left) -> usize {
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
fn take(run: &Run, offers: &[Offer], left: &mut Left) {
    let offers = run.offers(offers);
    let Some(named) = run.named else { return take_run(offers, left) };
    let (below, above) = offers.split_at(offers.partition_point(|o| o.node < named));
    above.iter().chain(below.iter().rev()).for_each(|offer| left.take_if_wanted(*offer));
}

/// Takes what is wanted of neighbours: where one node is all that is wanted, the tightest; else node by node, the last
/// one that is allowed being the first that has all of the rest.
fn take_run(run: &[Offer], left: &mut Left) {
    if left.nodes <= 1
        && let Some(one) = run.iter().filter(|o| left.suffices(o)).min_by_key(|o| (o.weight, o.cpus))
    {
        return left.take(*one);
    }
    for (i, offer) in run.iter().enumerate() {
        if left.done() || left.room == 0 {
            return;
        }
        let rest = run.get(i..).unwrap_or_default();
        let last = (left.room == 1).then(|| rest.iter().find(|o| left.suffices(o))).flatten();
        match last {
            Some(last) => return left.take(*last),
            None => left.take(*offer),
        }
    }
}

/// `--contiguous`: a single run, the named nodes in it.
fn contiguous(
    room: &Room<'_>,
    offers: &[Offer],
    runs: &[Run],
    mut left: Left,
) -> Result<Vec<Taken>, Refusal> {
    let named = !room.needs.required.is_empty();
    let enough = |run: &&Run| left.enough(run.nodes, run.cpus, run.gres) && (!named || run.named.is_some());
    let run = runs.iter().filter(enough).min_by_key(|r| (r.weight, r.cpus, r.first));
    take(run.ok_or(Refusal::Contiguous)?, offers, &mut left);
    left.finish()
}
