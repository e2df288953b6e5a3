//! Future releases for one [`super::node_request::NodeRequest`]: moments in order of time, each with the nodes that could take
//! more tasks from then on. A change of a node affects only its own releases.

use crate::select::counts::{Counts, Sums};
use base::time::Time;
use std::cell::OnceCell;

/// See the module.
#[derive(Debug, Default)]
pub(in crate::select) struct Releases {
    moments: Vec<Moment>,
    /// By node: the times of its releases.
    times: Vec<Times>,
    /// How much more is available after each moment than now.
    gains: Vec<Sums>,
    /// How many tasks each node could take after every [`STEP`]th moment; computed on demand.
    steps: Vec<OnceCell<Counts>>,
}

/// A few times; usually there is one.
#[derive(Clone, Debug, Default)]
struct Times {
    first: Option<Time>,
    others: Vec<Time>,
}

impl Times {
    fn push(&mut self, at: Time) {
        if self.first.is_none() {
            self.first = Some(at);
        } else {
            self.others.push(at);
        }
    }
}

/// Number of moments between two stored counts.
const STEP: usize = 8;

/// The number of words that can be flipped in the time of one release.
const WORDS_PER_RELEASE: usize = 16;

#[derive(Debug)]
struct Moment {
    at: Time,
    /// In the order of nodes.
    releases: Vec<Release>,
    gain: Sums,
    /// The bits that the releases flip in the nodes' numbers; computed on demand.
    flipped: OnceCell<Counts>,
}

impl Moment {
    /// Whether one change of all nodes costs less than the changes of single nodes: several words take as long as one node.
    fn is_applied_at_once(&self, tasks: &Counts) -> bool {
        self.releases.len() > 1 && self.releases.len() * WORDS_PER_RELEASE >= tasks.size()
    }

    fn apply(&self, tasks: &mut Counts) {
        if !self.is_applied_at_once(tasks) {
            return self.releases.iter().for_each(|r| r.apply(tasks));
        }
        tasks.flip(self.flipped.get_or_init(|| {
            let mut flipped = tasks.blank();
            self.releases.iter().for_each(|r| r.apply(&mut flipped));
            flipped
        }));
    }
}

/// The number of tasks that a node can take from a moment on, without regard to reservations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::select) struct Release {
    pub node: u32,
    pub tasks: u32,
    /// How many more than before.
    pub more: u32,
}

impl Release {
    /// The additional capacity.
    fn gain(self) -> Sums {
        Sums { nodes: u32::from(self.more > 0 && self.more == self.tasks), tasks: self.more.into() }
    }

    fn apply(&self, tasks: &mut Counts) {
        tasks.set(self.node, self.tasks - self.more, self.tasks);
    }
}

impl Releases {
    /// No releases, for nodes with an index below `nodes`.
    pub(in crate::select) fn new(nodes: usize) -> Self {
        Self { times: vec![Times::default(); nodes], ..Self::default() }
    }

    /// Removes the releases of a node.
    pub(in crate::select) fn forget(&mut self, node: u32) {
        let Times { first, others } = std::mem::take(&mut self.times[node as usize]);
        for at in first.into_iter().chain(others) {
            let Ok(index) = self.index_of(at) else { continue };
            let moment = &mut self.moments[index];
            moment.flipped.take();
            if let Ok(at) = moment.releases.binary_search_by_key(&node, |r| r.node) {
                let gain = moment.releases.remove(at).gain();
                moment.gain = moment.gain.less(gain);
            }
            if moment.releases.is_empty() {
                self.moments.remove(index);
            }
        }
    }

    /// Adds a release of a node at a moment.
    pub(in crate::select) fn add(&mut self, at: Time, release: Release) {
        let index = self.index_of(at).unwrap_or_else(|index| {
            self.moments.insert(
                index,
                Moment { at, releases: Vec::new(), gain: Sums::default(), flipped: OnceCell::new() },
            );
            index
        });
        let moment = &mut self.moments[index];
        moment.flipped.take();
        let before = moment.releases.partition_point(|r| r.node < release.node);
        moment.releases.insert(before, release);
        moment.gain = moment.gain.plus(release.gain());
        self.times[release.node as usize].push(at);
    }

    /// The index of a moment, or the index at which to insert it. Most moments are added in order of time.
    fn index_of(&self, at: Time) -> Result<usize, usize> {
        match self.moments.last() {
            Some(last) if last.at > at => self.moments.binary_search_by_key(&at, |m| m.at),
            Some(last) if last.at == at => Ok(self.moments.len() - 1),
            Some(_) | None => Err(self.moments.len()),
        }
    }

    /// Recomputes the sums after changes.
    pub(in crate::select) fn update_sums(&mut self) {
        let mut gain = Sums::default();
        self.gains.clear();
        self.gains.extend(self.moments.iter().map(|moment| {
            gain = gain.plus(moment.gain);
            gain
        }));
        self.steps.clear();
        self.steps.resize_with(self.moments.len() / STEP, OnceCell::new);
    }

    /// How many tasks each node could take after a step, if these are the present numbers.
    fn after_step(&self, step: usize, now: &Counts) -> &Counts {
        self.steps[step].get_or_init(|| {
            let known = (0..step).rev().find(|before| self.steps[*before].get().is_some());
            let mut counts = known.and_then(|known| self.steps[known].get()).unwrap_or(now).clone();
            for next in known.map_or(0, |known| known + 1)..step {
                self.apply(next * STEP, (next + 1) * STEP, &mut counts);
                // The cell is empty: no count between the known one and this step was stored.
                let _ = self.steps[next].set(counts.clone());
            }
            self.apply(step * STEP, (step + 1) * STEP, &mut counts);
            counts
        })
    }

    fn apply(&self, from: usize, to: usize, tasks: &mut Counts) {
        self.moments[from..to].iter().for_each(|moment| moment.apply(tasks));
    }
}

/// The resource profile of a node request: the capacity now and after each release.
#[derive(Clone, Copy)]
pub(crate) struct ResourceProfile<'a> {
    /// Tasks that each node could take now.
    pub tasks: &'a Counts,
    pub now: Sums,
    pub(in crate::select) releases: &'a Releases,
    /// Tasks that the largest node could take.
    pub most: u32,
    /// All nodes have the same weight.
    pub level: bool,
}

impl ResourceProfile<'_> {
    /// The number of moments up to a time.
    pub(crate) fn released_by(&self, at: Time) -> usize {
        self.releases.moments.partition_point(|m| m.at <= at)
    }

    /// The time of the next release after this number of moments.
    pub(crate) fn next_release(&self, moments: usize) -> Option<Time> {
        self.releases.moments.get(moments).map(|m| m.at)
    }

    /// The capacity after this number of moments.
    pub(crate) fn capacity_after(&self, moments: usize) -> Sums {
        moments.checked_sub(1).map_or(self.now, |last| self.now.plus(self.releases.gains[last]))
    }

    /// The number of moments before the one at which there is enough; none: there is enough now.
    pub(crate) fn moments_without(&self, enough: impl Fn(Sums) -> bool) -> Option<usize> {
        let too_few = |gain: &Sums| !enough(self.now.plus(*gain));
        (!enough(self.now)).then(|| self.releases.gains.partition_point(too_few))
    }

    /// Copies to `tasks` how many tasks each node could take after this number of moments.
    pub(crate) fn count_after(&self, moments: usize, tasks: &mut Counts) {
        let step = moments / STEP;
        tasks
            .copy_from(step.checked_sub(1).map_or(self.tasks, |at| self.releases.after_step(at, self.tasks)));
        self.releases.apply(step * STEP, moments, tasks);
    }

    /// [`Self::count_after`] for `tasks` that were counted after fewer moments.
    pub(crate) fn count_on(&self, counted: usize, moments: usize, tasks: &mut Counts) {
        if moments - counted > STEP {
            self.count_after(moments, tasks);
        } else {
            self.releases.apply(counted, moments, tasks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_single_releases() {
        let (nodes, end) = (40_u32, |node: u32, nth: u32| Time(i64::from(1 + (node * 7 + nth * 31) % 50)));
        let mut now = Counts::new(nodes as usize);
        let mut releases = Releases::new(nodes as usize);
        for round in 0..3 {
            for node in (0..nodes).filter(|n| n % 3 != round || round == 0) {
                releases.forget(node);
                let (first, second) =
                    (end(node, round).min(end(node, 2)), end(node, round).max(end(node, 2)));
                releases.add(first, Release { node, tasks: 2, more: 2 });
                if second > first {
                    releases.add(second, Release { node, tasks: 5, more: 3 });
                }
            }
            (0..nodes).filter(|n| n % 10 == 0).for_each(|n| {
                releases.forget(n);
                now.set(n, now.get(n), 1);
            });
            releases.update_sums();
            let sums = Sums { nodes: 4, tasks: 4 };
            let profile =
                ResourceProfile { tasks: &now, now: sums, releases: &releases, most: 5, level: true };
            let mut counts = Counts::default();
            for moments in (0..=releases.moments.len()).rev() {
                profile.count_after(moments, &mut counts);
                let mut plain = now.clone();
                releases.apply(0, moments, &mut plain);
                assert!((0..nodes).all(|n| counts.get(n) == plain.get(n)));
                let all: u64 = (0..nodes).map(|n| u64::from(plain.get(n))).sum();
                assert_eq!(profile.capacity_after(moments).tasks, all);
            }
        }
    }
}
