//! The choice among nodes with known numbers of tasks that each could take, where nothing else about them matters. Their runs
//! follow from the bits; offers are computed only for nodes that are taken.

use super::consecutive::{self, Run, RunOffers};
use super::{Left, Taken};
use crate::select::Counts;
use crate::select::offer::{Offer, SelectContext};
use base::bitset::BitSet;

/// Nodes of one weight, with the tasks that each could take.
struct Counted<'a> {
    tasks: &'a Counts,
    per_task: u32,
    weight: u32,
}

/// Takes nodes run by run; none: the offers of all nodes are needed.
pub(in crate::select) fn pick(context: &SelectContext<'_>, nodes: &BitSet) -> Option<Vec<Taken>> {
    let (counted, runs) = Counted::of(context, nodes)?;
    consecutive::take_runs(&counted, runs, super::wanted(context)).ok()
}

/// The nodes that would be taken if any number of nodes is suitable: whole runs at once.
pub(in crate::select) fn set(context: &SelectContext<'_>, nodes: &BitSet) -> Option<BitSet> {
    let mut left = super::wanted(context);
    if (left.least, left.nodes, left.allowed) != (1, 1, u32::MAX) || left.cpus == 0 {
        return None;
    }
    let (counted, mut runs) = Counted::of(context, nodes)?;
    let mut set = BitSet::new();
    while !runs.is_empty() {
        let run = runs.remove(consecutive::best(&runs, &left));
        let (first, end) = Counted::bounds(&run);
        match left.cpus.checked_sub(u32::try_from(run.cpus).unwrap_or(u32::MAX)) {
            Some(rest) if rest > 0 => {
                set.insert_run(first, end);
                left.cpus = rest;
            }
            Some(_) | None => {
                // The run has all that is still needed: one of its nodes, or the first ones together.
                let tasks = left.cpus.div_ceil(counted.per_task);
                match counted.tightest(&run, &left) {
                    Some(one) => set.insert(one.node),
                    None => set.insert_run(first, counted.tasks.end_of((first, end), tasks.into())),
                }
                return Some(set);
            }
        }
    }
    None
}

impl<'a> Counted<'a> {
    /// The nodes that could take tasks, and their runs; none: more than the numbers of tasks matters.
    fn of(context: &SelectContext<'a>, nodes: &BitSet) -> Option<(Self, Vec<Run>)> {
        let tasks = context.counted.filter(|_| context.is_plain())?;
        let open = tasks.some_of(nodes);
        let weight = context.ctld.nodes.get(open.first()? as usize)?.conf.weight;
        let counted = Self { tasks, per_task: context.cpus_per_task(), weight };
        let runs = open.runs().map(|(first, end)| counted.run(first, end)).collect();
        Some((counted, runs))
    }

    /// The first node of a run, and the node after its last.
    fn bounds(run: &Run) -> (u32, u32) {
        let first = u32::try_from(run.first).unwrap_or(u32::MAX);
        (first, first.saturating_add(run.nodes))
    }

    fn run(&self, first: u32, end: u32) -> Run {
        let cpus = self.tasks.sum_between(first, end) * u64::from(self.per_task);
        Run { first: first as usize, nodes: end - first, weight: self.weight, cpus, gres: 0, required: None }
    }

    fn offer(&self, node: u32) -> Offer {
        let cpus = self.tasks.get(node).saturating_mul(self.per_task);
        Offer { node, weight: self.weight, cpus, free: cpus, gres: 0 }
    }
}

impl RunOffers for Counted<'_> {
    fn offers(&self, run: &Run) -> impl DoubleEndedIterator<Item = Offer> + Clone {
        let (first, end) = Self::bounds(run);
        (first..end).map(|node| self.offer(node))
    }

    fn tightest(&self, run: &Run, left: &Left) -> Option<Offer> {
        let least = left.cpus.div_ceil(self.per_task).max(1);
        self.tasks.smallest(Self::bounds(run), least).map(|node| self.offer(node))
    }
}
