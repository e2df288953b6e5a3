//! What a class of requests asks of single nodes: how many of its tasks each node could take now, and from when on more. Kept
//! for all nodes, and updated where nodes change.

use super::releases::{Release, Releases, ResourceProfile};
use crate::Slurmctld;
use crate::select::choice::Capacity;
use crate::select::counts::{Counts, Sums};
use crate::select::{Free, candidate, candidates};
use crate::state::job::{Job, Needs};
use base::bitset::BitSet;
use base::ids::{NodeId, PartId, Uid};
use std::sync::Arc;

/// Requests that are alike for a node.
#[derive(Debug)]
pub(in crate::select) struct NodeRequest {
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
    releases: Releases,
    /// Nodes where it may go.
    open: BitSet,
    /// How much of the forecast's log is in it, and in what comes later.
    seen: Option<u64>,
    released: Option<u64>,
}

/// More tasks than any job has: a node says how many it could take.
const MANY: u32 = 1 << 20;

/// The needs as one node sees them.
pub(in crate::select) fn of_one_node(needs: &Needs) -> Needs {
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

/// Tasks that every node of the job must take at least, because the number of nodes is limited.
pub(in crate::select) fn least(needs: &Needs) -> u32 {
    let others = match (needs.max_nodes, needs.ntasks_per_node) {
        _ if needs.style.overcommit => return 0,
        (0, _) => return 0,
        (1, _) => 0,
        (_, 0) => return 0,
        (nodes, each) => (nodes - 1).saturating_mul(each),
    };
    needs.ntasks.saturating_sub(others)
}

impl NodeRequest {
    pub(in crate::select) fn new(ctld: &Slurmctld, job: &Job, part: PartId, uid: Option<Uid>) -> Self {
        let mut example = job.clone();
        example.needs = Arc::new(of_one_node(&job.needs));
        example.partitions = vec![part];
        let nodes = || ctld.partition(part).nodes.iter().map(|n| ctld.node(NodeId(n)));
        let mut weights = nodes().map(|n| n.conf.weight);
        let first = weights.next();
        let switched = nodes().any(|n| ctld.may_be_off(n));
        Self {
            example,
            part,
            uid,
            least: least(&job.needs),
            level: !switched && weights.all(|w| Some(w) == first),
            tasks: Counts::default(),
            sums: Sums::default(),
            idle: Counts::default(),
            most: 0,
            releases: Releases::default(),
            open: BitSet::new(),
            seen: None,
            released: None,
        }
    }

    /// Whether a job is of this kind. `needs` are as one node sees them.
    pub(in crate::select) fn is_of(&self, part: PartId, uid: Option<Uid>, needs: &Needs, least: u32) -> bool {
        (self.part, self.uid, self.least) == (part, uid, least) && *self.example.needs == *needs
    }

    /// What there is now.
    pub(in crate::select) const fn sums(&self) -> Sums {
        self.sums
    }

    /// Nodes where such jobs may go, as was last seen.
    pub(in crate::select) const fn open(&self) -> &BitSet {
        &self.open
    }

    pub(in crate::select) fn profile(&self) -> ResourceProfile<'_> {
        ResourceProfile {
            tasks: &self.tasks,
            now: self.sums,
            releases: &self.releases,
            most: self.most,
            level: self.level,
        }
    }

    /// How many tasks each node could take if it were idle; none: where weights matter.
    pub(in crate::select) fn idle(&self) -> Option<&Counts> {
        Some(&self.idle).filter(|_| self.level)
    }

    /// The most that nodes of a set could hold.
    pub(in crate::select) fn most_on(&self, nodes: &BitSet) -> Sums {
        self.idle.sums_on(nodes)
    }

    /// Brings up to date what there is now.
    pub(in crate::select) fn sync(&mut self, ctld: &Slurmctld) {
        let availability = &ctld.caches.availability;
        if self.seen == Some(availability.count()) {
            return;
        }
        match self.seen.and_then(|seen| availability.since(seen)) {
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
                    let on = || tasks_on(&capacity, (node, availability.now(node)), idle, *least);
                    let number = if may { on() } else { 0 };
                    let old = tasks.get(node);
                    sums.nodes = sums.nodes + u32::from(number > 0) - u32::from(old > 0);
                    sums.tasks = sums.tasks + u64::from(number) - u64::from(old);
                    tasks.set(node, old, number);
                }
            }
            None => self.look_everywhere(ctld),
        }
        self.seen = Some(availability.count());
    }

    fn look_everywhere(&mut self, ctld: &Slurmctld) {
        self.open = candidates(ctld, &self.example, self.part, true);
        let availability = &ctld.caches.availability;
        let capacity = Capacity::new(ctld, &self.example, self.part);
        self.idle = Counts::new(ctld.nodes.len());
        self.most = 0;
        for alike in availability.alike() {
            let mut nodes = alike.clone();
            nodes.intersect_with(&ctld.partition(self.part).nodes);
            let Some(first) = nodes.first() else { continue };
            let tasks = useful(capacity.tasks(NodeId(first), availability.idle(first)), self.least);
            self.idle.fill(&nodes, tasks);
            self.most = self.most.max(tasks);
        }
        self.tasks = Counts::new(ctld.nodes.len());
        self.sums = Sums::default();
        for node in self.open.iter() {
            let tasks = tasks_on(&capacity, (node, availability.now(node)), &self.idle, self.least);
            self.tasks.set(node, 0, tasks);
            self.sums = self.sums.and(u32::from(tasks > 0), tasks.into());
        }
        self.released = None;
    }

    /// Brings up to date what comes later.
    pub(in crate::select) fn update_profile(&mut self, ctld: &Slurmctld) {
        if self.released.is_some() && self.released == self.seen {
            return;
        }
        let availability = &ctld.caches.availability;
        let capacity = Capacity::new(ctld, &self.example, self.part);
        let mut releases = std::mem::take(&mut self.releases);
        match self.released.and_then(|seen| availability.since(seen)) {
            Some(changed) => {
                let changed: BitSet = changed.iter().map(|c| c.node.0).collect();
                for node in changed.iter() {
                    releases.forget(node);
                    if self.open.contains(node) {
                        let mut before = self.tasks.get(node);
                        availability.later(ctld, node, |at, free| {
                            releases.add(at, self.release(&capacity, node, free, &mut before));
                        });
                    }
                }
            }
            None => {
                releases = Releases::new(ctld.nodes.len());
                let mut before = vec![0; ctld.nodes.len()];
                self.open.iter().for_each(|node| before[node as usize] = self.tasks.get(node));
                availability.later_on(ctld, &self.open, |node, at, free| {
                    releases.add(at, self.release(&capacity, node, free, &mut before[node as usize]));
                });
            }
        }
        releases.settle();
        self.releases = releases;
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
    debug_assert_eq!(known, asked(), "idle nodes of a node_request are alike");
    known
}

const fn useful(tasks: u32, least: u32) -> u32 {
    if tasks < least { 0 } else { tasks }
}
