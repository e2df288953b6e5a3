//! Nodes of which it was counted how many tasks each could take, where nothing else about them matters: their runs
//! follow from the bits, and offers are made only of nodes that are taken.

use super::super::Counts;
use super::super::room::{Offer, Room};
use super::consecutive::{self, Ground, Run};
use super::{Left, Taken};
use crate::base::bitset::BitSet;

/// Nodes of one weight, with the tasks that each could take.
struct Counted<'a> {
    tasks: &'a Counts,
    per_task: u32,
    weight: u32,
}

/// Takes nodes run by run; none: offers must be looked at one by one.
pub(in super::super) fn pick(room: &Room<'_>, nodes: &BitSet) -> Option<Vec<Taken>> {
    let tasks = room.counted.filter(|_| room.is_plain())?;
    let open = tasks.some_of(nodes);
    let weight = room.ctld.nodes.get(open.first()? as usize)?.conf.weight;
    let ground = Counted { tasks, per_task: room.cpus_per_task(), weight };
    let runs = open.runs().map(|(first, end)| ground.run(first, end)).collect();
    consecutive::take_runs(&ground, runs, super::wanted(room)).ok()
}

impl Counted<'_> {
    fn run(&self, first: u32, end: u32) -> Run {
        let cpus = self.tasks.sum_between(first, end) * u64::from(self.per_task);
        Run { first: first as usize, nodes: end - first, weight: self.weight, cpus, gres: 0, named: None }
    }

    fn offer(&self, node: u32) -> Offer {
        let cpus = self.tasks.get(node).saturating_mul(self.per_task);
        Offer { node, weight: self.weight, cpus, free: cpus, gres: 0 }
    }
}

impl Ground for Counted<'_> {
    fn offers(&self, run: &Run) -> impl DoubleEndedIterator<Item = Offer> + Clone {
        let first = u32::try_from(run.first).unwrap_or(u32::MAX);
        (first..first + run.nodes).map(|node| self.offer(node))
    }

    fn tightest(&self, run: &Run, left: &Left) -> Option<Offer> {
        let first = u32::try_from(run.first).unwrap_or(u32::MAX);
        let least = left.cpus.div_ceil(self.per_task).max(1);
        self.tasks.smallest((first, first + run.nodes), least).map(|node| self.offer(node))
    }
}
