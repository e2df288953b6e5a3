//! What single nodes can tell of requests that are alike: how many of their tasks each node could take now, and from
//! when on more, kept for all nodes and brought up to date where nodes changed.

use super::super::Slurmctld;
use super::super::job::{Job, Needs};
use super::choice::Capacity;
use super::counts::{Counts, Sums};
use super::later::{Ahead, Later, Release};
use super::{Free, candidate, candidates};
use crate::base::bitset::BitSet;
use crate::base::ids::{NodeId, PartId, Uid};
use std::sync::Arc;

/// Requests that are alike for a node.
#[derive(Debug)]
pub(super) struct Kind {
    /// A job that asks for it, its totals taken away.
    example: Job,
    part: PartId,
    uid: Option<Uid>,
    /// Fewer tasks on a node are of no use.
    least: u32,
    /// All nodes of the partition have the same weight.
    level: bool,
    /// Tasks that each node could take now; 0 where the job may not go. Nodes that could take one, and tasks in all.
    tasks: Counts,
    sums: Sums,
    /// Tasks that each node could take if it were idle, and the largest of these numbers.
    idle: Counts,
    most: u32,
    /// What comes free later.
    later: Later,
    /// Nodes where it may go.
    open: BitSet,
    /// How much of the forecast's log is in it, and in what comes later.
    seen: Option<u64>,
    released: Option<u64>,
}

/// More tasks than any job has: a node says how many it could take.
const MANY: u32 = 1 << 20;

/// The needs as one node sees them.
pub(super) fn of_one_node(needs: &Needs) -> Needs {
    Needs {
        min_nodes: 1,
        max_nodes: 0,
        ntasks: MANY,
        min_cpus: 1,
        required: Default::default(),
        likely_nodes: 0,
        switches: None,
        ..needs.clone()
    }
}

/// Tasks that every node of the job must take at least, because there may be no more than so many nodes.
pub(super) fn least(needs: &Needs) -> u32 {
    let others = match (needs.max_nodes, needs.ntasks_per_node) {
        _ if needs.style.overcommit => return 0,
        (0, _) => return 0,
        (1, _) => 0,
        (_, 0) => return 0,
        (nodes, each) => (nodes - 1).saturating_mul(each),
    };
    needs.ntasks.saturating_sub(others)
}

impl Kind {
    pub(super) fn new(ctld: &Slurmctld, job: &Job, part: PartId, uid: Option<Uid>) -> Self {
        let mut example = job.clone();
        example.needs = Arc::new(of_one_node(&job.needs));
        example.partitions = vec![part];
        let mut weights = ctld.partition(part).nodes.iter().map(|n| ctld.node(NodeId(n)).conf.weight);
        let first = weights.next();
        Self {
            example,
            part,
            uid,
            least: least(&job.needs),
            level: weights.all(|w| Some(w) == first),
            tasks: Counts::default(),
            sums: Sums::default(),
            idle: Counts::default(),
            most: 0,
            later: Later::default(),
            open: BitSet::new(),
            seen: None,
            released: None,
        }
    }

    /// Whether a job is of this kind. `needs` are as one node sees them.
    pub(super) fn is_of(&self, part: PartId, uid: Option<Uid>, needs: &Needs, least: u32) -> bool {
        (self.part, self.uid, self.least) == (part, uid, least) && *self.example.needs == *needs
    }

    /// What there is now.
    pub(super) const fn sums(&self) -> Sums {
        self.sums
    }

    /// Nodes where such jobs may go, as was last seen.
    pub(super) const fn open(&self) -> &BitSet {
        &self.open
    }

    pub(super) fn ahead(&self) -> Ahead<'_> {
        Ahead { tasks: &self.tasks, now: self.sums, later: &self.later, most: self.most, level: self.level }
    }

    /// How many tasks each node could take if it were idle; none: where weights matter.
    pub(super) fn idle(&self) -> Option<&Counts> {
        Some(&self.idle).filter(|_| self.level)
    }

    /// The most that nodes of a set could hold.
    pub(super) fn most_on(&self, nodes: &BitSet) -> Sums {
        self.idle.sums_on(nodes)
    }

    /// Brings up to date what there is now.
    pub(super) fn sync(&mut self, ctld: &Slurmctld) {
        let forecast = &ctld.live.forecast;
        if self.seen == Some(forecast.count()) {
            return;
        }
        match self.seen.and_then(|seen| forecast.since(seen)) {
            Some(changed) => {
                let Self { example, part, least, open, tasks, sums, idle, .. } = self;
                let capacity = Capacity::new(ctld, example, *part);
                for change in changed {
                    let node = change.node.0;
                    let may = candidate(ctld, example, *part, node, true);
                    if may {
                        open.insert(node);
                    } else {
                        open.remove(node);
                    }
                    let on = || tasks_on(&capacity, (node, forecast.now(node)), idle, *least);
                    let number = if may { on() } else { 0 };
                    let old = tasks.get(node);
                    sums.nodes = sums.nodes + u32::from(number > 0) - u32::from(old > 0);
                    sums.tasks = sums.tasks + u64::from(number) - u64::from(old);
                    tasks.set(node, old, number);
                }
            }
            None => self.look_everywhere(ctld),
        }
        self.seen = Some(forecast.count());
    }

    fn look_everywhere(&mut self, ctld: &Slurmctld) {
        self.open = candidates(ctld, &self.example, self.part, true);
        let forecast = &ctld.live.forecast;
        let capacity = Capacity::new(ctld, &self.example, self.part);
        self.idle = Counts::new(ctld.nodes.len());
        self.most = 0;
        for alike in forecast.alike() {
            let mut nodes = alike.clone();
            nodes.intersect_with(&ctld.partition(self.part).nodes);
            let Some(first) = nodes.first() else { continue };
            let tasks = useful(capacity.tasks(NodeId(first), forecast.idle(first)), self.least);
            self.idle.fill(&nodes, tasks);
            self.most = self.most.max(tasks);
        }
        self.tasks = Counts::new(ctld.nodes.len());
        self.sums = Sums::default();
        for node in self.open.iter() {
            let tasks = tasks_on(&capacity, (node, forecast.now(node)), &self.idle, self.least);
            self.tasks.set(node, 0, tasks);
            self.sums = self.sums.and(u32::from(tasks > 0), tasks.into());
        }
        self.released = None;
    }

    /// Brings up to date what comes later.
    pub(super) fn look_ahead(&mut self, ctld: &Slurmctld) {
        if self.released.is_some() && self.released == self.seen {
            return;
        }
        let forecast = &ctld.live.forecast;
        let capacity = Capacity::new(ctld, &self.example, self.part);
        let mut later = std::mem::take(&mut self.later);
        match self.released.and_then(|seen| forecast.since(seen)) {
            Some(changed) => {
                let changed: BitSet = changed.iter().map(|c| c.node.0).collect();
                for node in changed.iter() {
                    later.forget(node);
                    if self.open.contains(node) {
                        let mut before = self.tasks.get(node);
                        forecast.later(ctld, node, |at, free| {
                            later.add(at, self.release(&capacity, node, free, &mut before));
                        });
                    }
                }
            }
            None => {
                later = Later::new(ctld.nodes.len());
                let mut before = vec![0; ctld.nodes.len()];
                self.open.iter().for_each(|node| before[node as usize] = self.tasks.get(node));
                forecast.later_on(ctld, &self.open, |node, at, free| {
                    later.add(at, self.release(&capacity, node, free, &mut before[node as usize]));
                });
            }
        }
        later.settle();
        self.later = later;
        self.released = self.seen;
    }

    /// So much more is free on a node than `before`. Who leaves never takes anything along.
    fn release(&self, capacity: &Capacity<'_>, node: u32, free: &Free, before: &mut u32) -> Release {
        let tasks = tasks_on(capacity, (node, free), &self.idle, self.least).max(*before);
        let more = tasks - std::mem::replace(before, tasks);
        Release { node, tasks, more }
    }
}

/// How many tasks a node could take where the forecast says that so much is free; `idle` nodes of a kind are alike.
fn tasks_on(capacity: &Capacity<'_>, (node, free): (u32, &Free), idle: &Counts, least: u32) -> u32 {
    let asked = || useful(capacity.tasks(NodeId(node), free), least);
    if !capacity.is_idle(node, free) {
        return asked();
    }
    let known = idle.get(node);
    debug_assert_eq!(known, asked(), "idle nodes of a kind are alike");
    known
}

const fn useful(tasks: u32, least: u32) -> u32 {
    if tasks < least { 0 } else { tasks }
}
