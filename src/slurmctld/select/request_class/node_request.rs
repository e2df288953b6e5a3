//! What a class of requests needs of single nodes: how many of its tasks each node could take now and after each release. Stored
//! for all nodes, and updated when nodes change.

use super::releases::{Release, Releases, ResourceProfile};
use crate::Slurmctld;
use crate::select::choice::Capacity;
use crate::select::counts::{Counts, Sums};
use crate::select::{Free, candidate, candidates};
use crate::state::job::{Job, Needs};
use base::bitset::BitSet;
use base::ids::{NodeId, PartId, Uid};
use std::sync::Arc;

/// Requests that are identical for a single node.
#[derive(Debug)]
pub(in crate::select) struct NodeRequest {
    /// A job with this request, without totals.
    example: Job,
    part: PartId,
    uid: Option<Uid>,
    /// The minimum number of tasks on a node.
    least: u32,
    /// All nodes of the partition have the same weight.
    level: bool,
    /// Tasks that each node could take now, or 0 if the job may not use it; and their totals.
    tasks: Counts,
    sums: Sums,
    /// Tasks that each idle node could take, and the largest of these numbers.
    idle: Counts,
    most: u32,
    /// Releases in the future.
    releases: Releases,
    /// Nodes that the jobs may use.
    open: BitSet,
    /// The position in the availability's log of the last update, of the present and of the releases.
    seen: Option<u64>,
    released: Option<u64>,
}

/// More tasks than any job has, so that a node's offer is limited only by the node.
const MANY: u32 = 1 << 20;

/// The needs without the totals.
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

/// The minimum number of tasks on each node that follows from a maximum number of nodes.
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

    /// Whether a job has this node request. `needs` are without totals.
    pub(in crate::select) fn is_of(&self, part: PartId, uid: Option<Uid>, needs: &Needs, least: u32) -> bool {
        (self.part, self.uid, self.least) == (part, uid, least) && *self.example.needs == *needs
    }

    /// The capacity now.
    pub(in crate::select) const fn sums(&self) -> Sums {
        self.sums
    }

    /// Nodes that such jobs may use, as of the last update.
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

    /// How many tasks each idle node could take; none if weights matter.
    pub(in crate::select) fn idle(&self) -> Option<&Counts> {
        Some(&self.idle).filter(|_| self.level)
    }

    /// The capacity of a set of idle nodes.
    pub(in crate::select) fn capacity_of(&self, nodes: &BitSet) -> Sums {
        self.idle.sums_on(nodes)
    }

    /// Updates the capacity now.
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
                    if open.contains(node) != may {
                        if may {
                            open.insert(node);
                        } else {
                            open.remove(node);
                        }
                    }
                    let on = || tasks_on(&capacity, (node, availability.now(node)), idle, *least);
                    let number = if may { on() } else { 0 };
                    let old = tasks.get(node);
                    sums.nodes = sums.nodes + u32::from(number > 0) - u32::from(old > 0);
                    sums.tasks = sums.tasks + u64::from(number) - u64::from(old);
                    tasks.set(node, old, number);
                }
            }
            None => self.recount(ctld),
        }
        self.seen = Some(availability.count());
    }

    fn recount(&mut self, ctld: &Slurmctld) {
        self.open = candidates(ctld, &self.example, self.part, true);
        let availability = &ctld.caches.availability;
        let capacity = Capacity::new(ctld, &self.example, self.part);
        self.idle = Counts::new(ctld.nodes.len());
        self.most = 0;
        for identical in availability.identical() {
            let mut nodes = identical.clone();
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

    /// Updates the releases.
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
        releases.update_sums();
        self.releases = releases;
        self.released = self.seen;
    }

    /// The release of a node with these free resources, compared with `before`. The end of a job never reduces the capacity.
    fn release(&self, capacity: &Capacity<'_>, node: u32, free: &Free, before: &mut u32) -> Release {
        let tasks = tasks_on(capacity, (node, free), &self.idle, self.least).max(*before);
        let more = tasks - std::mem::replace(before, tasks);
        Release { node, tasks, more }
    }
}

/// How many tasks a node could take with these free resources. Nodes in `idle` need no computation.
fn tasks_on(capacity: &Capacity<'_>, (node, free): (u32, &Free), idle: &Counts, least: u32) -> u32 {
    let asked = || useful(capacity.tasks(NodeId(node), free), least);
    if !capacity.is_idle(node, free) {
        return asked();
    }
    let known = idle.get(node);
    debug_assert_eq!(known, asked(), "counts of idle nodes are up to date");
    known
}

const fn useful(tasks: u32, least: u32) -> u32 {
    if tasks < least { 0 } else { tasks }
}
