//! Free resources now and over future time.
//!
//! [`Availability`] has the profiles of all nodes and is updated as jobs start and end. [`FreeResources`] is a view of it at one
//! moment.

use super::free::Free;
use super::node_profile::NodeProfile;
use crate::Slurmctld;
use crate::state::job::{Job, JobState, UNLIMITED};
use base::bitset::BitSet;
use base::ids::NodeId;
use base::order::StableSort as _;
use base::time::Time;
use config::NodeConf;
use std::cell::OnceCell;

/// The profiles of all nodes. They are derived from jobs and nodes; [`Availability::refresh`] brings them up to date.
#[derive(Clone, Debug, Default)]
pub(crate) struct Availability {
    nodes: Vec<NodeProfile>,
    idle: Vec<Free>,
    /// Sets of nodes that are identical when idle, and the index of each node's set.
    identical: Vec<BitSet>,
    kinds: Vec<u32>,
    /// Releases in order: the time, the node, and whether the node is idle from then on. Computed on demand.
    ends: OnceCell<Vec<(Time, u32, bool)>>,
    /// Changes of nodes, in the order in which they were applied; `log[i]` has the count `logged_before + i`.
    log: Vec<AvailabilityChange>,
    logged_before: u64,
    /// Memory for the next profile.
    spare: NodeProfile,
}

/// A change of a node's profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AvailabilityChange {
    pub node: NodeId,
    /// From this time on, the profile is as before.
    pub until: Time,
    /// More is free at some moment than before.
    pub freer: bool,
}

impl Availability {
    /// Adds the profiles of up to `most` more nodes. Returns false when all nodes are there.
    pub(crate) fn add_some(&mut self, ctld: &Slurmctld, most: usize) -> bool {
        for node in ctld.nodes.iter().skip(self.nodes.len()).take(most) {
            let idle = Free::of_idle(node);
            let mut profile = NodeProfile::default();
            profile.reset(ctld, node.id, &idle);
            self.nodes.push(profile);
            self.idle.push(idle);
        }
        let more = self.nodes.len() < ctld.nodes.len();
        if !more {
            (self.identical, self.kinds) = identical(ctld);
        }
        more
    }

    /// Drops the last entries of a table that is no longer needed. Returns false when none are left.
    pub(crate) fn drop_some(&mut self, most: usize) -> bool {
        let left = self.nodes.len().saturating_sub(most);
        self.nodes.truncate(left);
        self.idle.truncate(left);
        left > 0
    }

    /// Computes the later profiles of up to `most` nodes from `from` on, so that a search over all nodes is quick. Returns the
    /// first node that is left; none: all are computed.
    pub(crate) fn compute_later(&self, ctld: &Slurmctld, from: u32, most: u32) -> Option<u32> {
        let end = from.saturating_add(most);
        let some = self.nodes.iter().zip(0..end).skip(from as usize);
        some.for_each(|(profile, node)| {
            profile.later(ctld, NodeId(node));
        });
        Some(end).filter(|end| (*end as usize) < self.nodes.len())
    }

    /// Brings changed nodes up to date.
    pub(crate) fn refresh(ctld: &mut Slurmctld) {
        let stale = ctld.nodes.take_changed();
        if stale.is_empty() {
            return;
        }
        let mut after = std::mem::take(&mut ctld.caches.availability.spare);
        for node in stale.iter().map(NodeId) {
            after.reset(ctld, node, ctld.caches.availability.idle(node.0));
            let availability = &mut ctld.caches.availability;
            let before = &mut availability.nodes[node.0 as usize];
            if !before.same(&after) {
                let (until, freer) = (before.differs_until(&after), before.is_exceeded_by(&after));
                std::mem::swap(before, &mut after);
                availability.ends.take();
                availability.log.push(AvailabilityChange { node, until, freer });
            }
        }
        ctld.caches.availability.spare = after;
        ctld.caches.availability.shorten_log();
    }

    /// The number of changes so far.
    pub(crate) fn count(&self) -> u64 {
        self.logged_before + self.log.len() as u64
    }

    /// The changes since `count`; none: the log does not go back that far.
    pub(crate) fn since(&self, count: u64) -> Option<&[AvailabilityChange]> {
        let from = count.checked_sub(self.logged_before)?;
        self.log.get(usize::try_from(from).ok()?..)
    }

    /// What is free on a node now.
    pub(super) fn now(&self, node: u32) -> &Free {
        self.nodes[node as usize].now(self.idle(node))
    }

    /// Passes the free resources of a node after the time limit of each of its jobs to `see`.
    pub(super) fn later(&self, ctld: &Slurmctld, node: u32, see: impl FnMut(Time, &Free)) {
        self.nodes[node as usize].each_later(ctld, NodeId(node), self.idle(node), see);
    }

    /// Passes the free resources of some nodes after the time limit of each of their jobs to `see`, in order of time and node.
    pub(super) fn later_on(&self, ctld: &Slurmctld, nodes: &BitSet, mut see: impl FnMut(u32, Time, &Free)) {
        let later = |node: u32| self.nodes[node as usize].later(ctld, NodeId(node));
        let ends = self.ends.get_or_init(|| {
            let of_node = |(node, profile): (u32, &NodeProfile)| {
                let last = profile.idle_from().map(|at| (at, node, true));
                later(node).iter().map(move |l| (l.0, node, false)).chain(last)
            };
            let mut ends: Vec<(Time, u32, bool)> = (0..).zip(&self.nodes).flat_map(of_node).collect();
            ends.order();
            ends
        });
        let mut seen = vec![0; self.nodes.len()];
        for (at, node, last) in ends.iter().filter(|end| nodes.contains(end.1)) {
            if *last {
                see(*node, *at, self.idle(*node));
            } else {
                let next = &mut seen[*node as usize];
                see(*node, *at, &later(*node)[*next].1);
                *next += 1;
            }
        }
    }

    /// Sets of nodes that are identical when idle.
    pub(super) fn identical(&self) -> &[BitSet] {
        &self.identical
    }

    /// The index of a node's set of identical nodes, if the node is idle.
    pub(super) fn idle_kind(&self, node: u32, free: &Free) -> Option<u32> {
        std::ptr::eq(free, self.idle(node)).then(|| self.kinds[node as usize])
    }

    /// What is free on a node when it is idle.
    pub(super) fn idle(&self, node: u32) -> &Free {
        &self.idle[node as usize]
    }

    /// Limits the log to a length at which reading it is cheaper than a look at all nodes.
    fn shorten_log(&mut self) {
        let most = 2 * self.nodes.len() + 64;
        if self.log.len() > 2 * most {
            let dropped = self.log.len() - most;
            self.log.drain(..dropped);
            self.logged_before += dropped as u64;
        }
    }
}

/// Sets of nodes that are identical when idle, and the index of each node's set.
fn identical(ctld: &Slurmctld) -> (Vec<BitSet>, Vec<u32>) {
    let mut sets: Vec<(&NodeConf, BitSet)> = Vec::new();
    let mut kinds = Vec::with_capacity(ctld.nodes.len());
    for (node, at) in ctld.nodes.iter().zip(0..) {
        let kind = sets.iter().rposition(|(conf, _)| node.conf.gives_like(conf)).unwrap_or_else(|| {
            sets.push((&node.conf, BitSet::new()));
            sets.len() - 1
        });
        sets[kind].1.insert(at);
        kinds.push(u32::try_from(kind).unwrap_or(u32::MAX));
    }
    (sets.into_iter().map(|(_, set)| set).collect(), kinds)
}

/// The free resources now, at a later moment, or on an idle cluster, with the changes of a plan.
#[derive(Clone, Debug)]
pub(crate) struct FreeResources<'a> {
    ctld: &'a Slurmctld,
    view: ResourceView,
    /// Nodes on which a plan changed something, ascending.
    changed: Vec<(u32, Free)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResourceView {
    Now,
    /// After all time limits up to this moment.
    After(Time),
    Idle,
}

impl<'a> FreeResources<'a> {
    /// The free resources of an idle cluster, which are the most that any job could get.
    pub(crate) const fn empty(ctld: &'a Slurmctld) -> Self {
        Self { ctld, view: ResourceView::Idle, changed: Vec::new() }
    }

    /// The free resources now, without those of active jobs. Completing jobs are active.
    pub(crate) const fn now(ctld: &'a Slurmctld) -> Self {
        Self { ctld, view: ResourceView::Now, changed: Vec::new() }
    }

    /// The free resources after the end of all jobs whose time limits are not after `moment`.
    pub(crate) const fn after(ctld: &'a Slurmctld, moment: Time) -> Self {
        Self { ctld, view: ResourceView::After(moment), changed: Vec::new() }
    }

    /// The free resources now, without cores that are reserved for others than this job.
    pub(crate) fn now_for(ctld: &'a Slurmctld, job: &Job, now: Time) -> Self {
        Self::now(ctld).reserved_for(job, (now, now + job.time_limit.span().unwrap_or(UNLIMITED)))
    }

    /// Without cores that are reserved for others than this job between two moments.
    pub(crate) fn reserved_for(mut self, job: &Job, time: (Time, Time)) -> Self {
        if !self.ctld.reservations.is_empty() {
            for (node, cores) in crate::reservation::closed_cores(self.ctld, job, time) {
                let free = self.change(node.0);
                free.cores.subtract(&cores);
                free.partly_reserved = true;
            }
        }
        self
    }

    /// Whether some nodes differ from the availability.
    pub(crate) const fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Whether this is a view of a later moment.
    pub(super) const fn is_later(&self) -> bool {
        matches!(self.view, ResourceView::After(_))
    }

    /// What is free on a node.
    ///
    /// # Panics
    /// When no such node exists.
    pub(crate) fn free(&self, node: u32) -> &Free {
        if !self.changed.is_empty()
            && let Ok(at) = self.changed.binary_search_by_key(&node, |c| c.0)
        {
            return &self.changed[at].1;
        }
        self.unchanged(node)
    }

    fn unchanged(&self, node: u32) -> &'a Free {
        let availability = &self.ctld.caches.availability;
        match self.view {
            ResourceView::Idle => &availability.idle[node as usize],
            ResourceView::Now => availability.now(node),
            ResourceView::After(moment) => {
                let idle = availability.idle(node);
                availability.nodes[node as usize].after(self.ctld, NodeId(node), moment, idle)
            }
        }
    }

    fn change(&mut self, node: u32) -> &mut Free {
        let at = match self.changed.binary_search_by_key(&node, |c| c.0) {
            Ok(at) => at,
            Err(at) => {
                self.changed.insert(at, (node, self.unchanged(node).clone()));
                at
            }
        };
        &mut self.changed[at].1
    }

    /// Frees the cores of a preempted job, except for those on which another job runs. Its memory and GRES stay allocated.
    pub(crate) fn pause(&mut self, ctld: &Slurmctld, job: &Job) {
        for part in job.allocation.iter().flat_map(|a| &a.nodes) {
            let mut cores = part.cores.clone();
            let others = ctld.node(part.node).jobs.keys().filter_map(|id| ctld.jobs.get(*id));
            for other in others.filter(|o| o.id != job.id && o.state == JobState::Running) {
                if let Some(there) = other.allocation.as_ref().and_then(|a| a.on(part.node)) {
                    cores.subtract(&there.cores);
                }
            }
            let free = self.change(part.node.0);
            free.cores.union_with(&cores);
            free.jobs.retain(|g| g.job != job.id);
        }
    }

    /// Frees a job's allocation.
    pub(crate) fn release(&mut self, job: &Job) {
        for part in job.allocation.iter().flat_map(|a| &a.nodes) {
            self.change(part.node.0).release(part, job.id);
        }
    }
}
